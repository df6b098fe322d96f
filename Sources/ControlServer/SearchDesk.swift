import StatusModel

/// Searches in the library, one text after the other and off the main loop: the titles of a large feed take a moment.
actor SearchDesk {
    private let desk: ControlDesk

    init(desk: ControlDesk) { self.desk = desk }

    func find(_ text: String) async -> [LibraryPage.Entry] {
        let search = await desk.librarySearch
        return search.find(text)
    }
}
