import BoxModel
import MediaModel
import MediaTime

/// The contents of Home: rows of items and channels, in the viewer's language.
package struct HomeContent: Sendable, Equatable {
    /// One row.
    package struct Row: Sendable, Equatable {
        /// The style of its entries.
        package enum Style: String, Sendable, Hashable, DumpWritable {
            /// Pictures.
            case posters
            /// Channels: number, picture, current programme and its progress.
            case channels
        }

        /// Stable while the row exists.
        package var id: String
        package var title: String
        /// Its entries; an empty row is not shown.
        package var entries: [Entry]
        package var style: Style

        package init(id: String, title: String, entries: [Entry], style: Style = .posters) {
            self.id = id
            self.title = title
            self.entries = entries
            self.style = style
        }
    }

    /// How much of a programme is saved on the box.
    package enum Saving: Sendable, Hashable {
        /// It will be saved.
        case waiting
        /// It is being saved: the saved part of its duration in percent, 0 to 99.
        case saving(percent: Int)
        case saved

        func spoken(in strings: StringCatalogue) -> String {
            switch self {
            case .waiting: strings.text(.savingLater)
            case .saving(let percent): strings.text(.savingNow, strings.text(.percent, "\(percent)"))
            case .saved: strings.text(.saved)
            }
        }
    }

    /// One item, series or channel.
    package struct Entry: Sendable, Equatable {
        /// What it is, which decides what OK does.
        package enum Kind: String, Sendable, Hashable, DumpWritable {
            /// OK opens its page.
            case programme
            /// OK opens its page with seasons and episodes.
            case series
            /// OK tunes to it at once.
            case channel
        }

        /// The id to open.
        package var id: String
        package var kind: Kind
        package var title: String
        /// A second line, e.g. the current programme.
        package var subtitle: String?
        /// Genre, content rating and duration; for a channel, the times of the current programme.
        package var facts: [String]
        /// What it is about; nil if that is not known, or needs the PIN.
        package var summary: String?
        /// The channel number.
        package var number: Int?
        /// Its picture, as a reference.
        package var artwork: String?
        /// Its picture for a large area, as a reference; nil if there is none, or if it would reveal what the PIN protects.
        package var backdrop: String?
        /// The watched part in percent, nil if it was not started; for a channel, the progress of the current programme.
        package var watchedPercent: Int?
        /// Whether it was watched to its end, and not begun again since.
        package var isWatched: Bool
        /// Whether it needs the PIN. Then it has a padlock, and no picture if the picture would reveal it.
        package var isLocked: Bool
        /// How much of it is saved; nil if it is not to be saved.
        package var saving: Saving?
        /// Whether it plays without a network: it is saved, or its address is a file.
        package var playsOffline: Bool

        /// - Parameter kind: nil for a channel if there is a number, otherwise a programme.
        package init(
            id: String, kind: Kind? = nil, title: String, subtitle: String? = nil, facts: [String] = [], summary: String? = nil,
            number: Int? = nil, artwork: String? = nil, backdrop: String? = nil, watchedPercent: Int? = nil,
            isWatched: Bool = false, isLocked: Bool = false,
            saving: Saving? = nil, playsOffline: Bool = false
        ) {
            self.id = id
            self.kind = kind ?? (number == nil ? .programme : .channel)
            self.title = title
            self.subtitle = subtitle
            self.facts = facts
            self.summary = summary
            self.number = number
            self.artwork = artwork
            self.backdrop = backdrop
            self.watchedPercent = watchedPercent
            self.isWatched = isWatched
            self.isLocked = isLocked
            self.saving = saving
            self.playsOffline = playsOffline
        }

        /// Whether it can be played now.
        package func canPlay(isOffline: Bool) -> Bool { !isOffline || playsOffline }

        /// What the voice says of what the viewer has done with it, and whether it is locked.
        func spokenState(in strings: StringCatalogue) -> [String?] {
            [
                isLocked ? strings.text(.spokenLocked) : nil, isWatched ? strings.text(.watched) : nil,
                kind == .channel ? nil : watchedPercent.map { strings.text(.spokenPart, strings.text(.percent, "\($0)")) },
            ]
        }
    }

    /// Name of the provider, at the top.
    package var title: String?
    package var rows: [Row]
    /// All entries that can be found by search and by number, in rows or not.
    package var searchable: [Entry]
    /// Why programmes cannot be saved; nil if they can.
    package var storageTrouble: StorageTrouble?
    /// The ids of the viewer's favourite channels.
    package var favourites: Set<String> = []

    /// Makes the content of Home.
    ///
    /// - Parameter searchable: nil for the entries of the rows, each once.
    package init(title: String? = nil, rows: [Row] = [], searchable: [Entry]? = nil) {
        self.title = title
        self.rows = rows
        var seen: Set<String> = []
        self.searchable = searchable ?? rows.flatMap(\.entries).filter { seen.insert($0.id).inserted }
    }

    /// The channels of rows and search, ordered by number, each number once. Looks at every entry.
    package func channelsByNumber() -> [Entry] {
        var seen: Set<Int> = []
        var channels: [Entry] = []
        func take(_ entries: [Entry]) {
            for index in entries.indices {
                guard let number = entries[index].number, seen.insert(number).inserted else { continue }
                channels.append(entries[index])
            }
        }
        for index in rows.indices { take(rows[index].entries) }
        take(searchable)
        return channels.sorted { ($0.number ?? 0) < ($1.number ?? 0) }
    }
}

extension HomeContent: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("title", \.title), .init("rows", \.rows), .init("storageTrouble", \.storageTrouble),
            .init("favourites") { $0.favourites.sorted() },
        ]
    }
}

extension HomeContent.Row: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("id", \.id), .init("title", \.title), .init("entries", \.entries), .init("style", \.style)]
    }
}

extension HomeContent.Entry: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("id", \.id), .init("kind", \.kind), .init("title", \.title), .init("subtitle", \.subtitle),
            .init("facts", \.facts),
            .init("summary", \.summary), .init("number", \.number),
            .init("artwork", \.artwork), .init("backdrop", \.backdrop), .init("watchedPercent", \.watchedPercent),
            .init("isWatched") { $0.isWatched ? true : nil }, .init("isLocked", \.isLocked),
            .init("saving", \.saving), .init("playsOffline") { $0.playsOffline ? true : nil },
        ]
    }
}

extension StorageTrouble: DumpWritable {
    package var dumpValue: DumpValue { .word(rawValue) }
}

extension HomeContent.Saving: DumpWritable {
    package var dumpValue: DumpValue {
        switch self {
        case .waiting: .word("waiting")
        case .saving(let percent): .number(percent)
        case .saved: .word("saved")
        }
    }
}
