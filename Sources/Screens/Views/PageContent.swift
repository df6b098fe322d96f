import MediaModel

/// What a page on the screen says of itself.
package protocol PageContent: DumpRecord {
    /// Its name in dumps, and for tours and tests.
    static var name: String { get }
    /// Whether it hides everything below it; otherwise it lies over the picture.
    static var hidesPicture: Bool { get }
    /// Whether it shows anything that depends on the time of day.
    static var showsTime: Bool { get }
    /// The words for what has focus.
    func spoken(in strings: StringCatalogue) -> SpokenWords
}
