import StatusModel

/// A channel, item or series that can be opened.
struct EntryAnswer: Encodable, Sendable {
    var id: String
    var title: String
    var subtitle: String?
    var number: Int?
    /// For other machines.
    var artwork: String?
    /// Whether `GET /v1/artwork` has its picture.
    var picture: Bool
    var duration: Double?
    /// The watched part, from 0 to 1.
    var watched: Double?
    var locked: Bool

    init(_ entry: LibraryPage.Entry) {
        (id, title, subtitle) = (entry.id, entry.title, entry.subtitle)
        (number, artwork, locked) = (entry.number, entry.artworkURL, entry.isLocked)
        duration = entry.duration.map(NowAnswer.seconds)
        watched = entry.watchedPercent.map { Double($0) / 100 }
        picture = entry.hasPicture
    }
}

/// `GET /v1/library`.
struct LibraryAnswer: Encodable, Sendable {
    var kind: String
    /// The number of entries of the whole list.
    var total: Int
    /// The place of the first entry in the list.
    var offset: Int
    var entries: [EntryAnswer]

    init(_ page: LibraryPage, of query: LibraryQuery) {
        kind = query.kind.rawValue
        total = page.total
        offset = query.offset
        entries = page.entries.map(EntryAnswer.init)
    }
}

/// `GET /v1/search`.
struct SearchAnswer: Encodable, Sendable {
    /// The number of all that were found.
    var total: Int
    /// The place of the first entry among them.
    var offset: Int
    var entries: [EntryAnswer]

    init(_ found: [LibraryPage.Entry], offset: Int, limit: Int) {
        total = found.count
        self.offset = offset
        entries = found.dropFirst(offset).prefix(limit).map(EntryAnswer.init)
    }
}

/// `GET /v1/home`.
struct HomeAnswer: Encodable, Sendable {
    struct Row: Encodable, Sendable {
        var id: String
        var title: String
        /// The number of entries of the whole row.
        var total: Int
        var entries: [EntryAnswer]
    }

    /// The place of the first entry in each row.
    var offset: Int
    var rows: [Row]

    init(_ rows: [HomeRow], of query: HomeQuery) {
        offset = query.offset
        self.rows = rows.map {
            Row(id: $0.id, title: $0.title, total: $0.total, entries: $0.entries.map(EntryAnswer.init))
        }
    }
}
