import MediaModel

/// The programme guide: a row for each channel, time in the direction of the language.
package struct GuideView: Sendable, Equatable {
    /// A programme, clipped to the hours on the screen.
    package struct Cell: Sendable, Hashable {
        package var title: String
        /// "20:00 – 21:30".
        package var times: String
        /// Its start in pixels of the time axis (`Metrics.Guide.axisWidth`), 0…
        package var x: Int
        /// Width in the same pixels.
        package var width: Int
        package var isOnNow: Bool
        /// Whether the viewer will be reminded of it.
        package var hasReminder: Bool
        /// Whether it is over, and can be watched from its start.
        package var canBeWatched: Bool
        package var isFocused: Bool

        package init(
            title: String, times: String, x: Int, width: Int, isOnNow: Bool = false, hasReminder: Bool = false,
            canBeWatched: Bool = false, isFocused: Bool = false
        ) {
            self.canBeWatched = canBeWatched
            self.title = title
            self.times = times
            self.x = x
            self.width = width
            self.isOnNow = isOnNow
            self.hasReminder = hasReminder
            self.isFocused = isFocused
        }
    }

    /// A channel.
    package struct Row: Sendable, Hashable {
        package var id: String
        package var number: Int?
        package var title: String
        /// Its picture, as a reference.
        package var artwork: String?
        /// Its programmes, in the order of time.
        package var cells: [Cell]
        /// The text if it has no programmes.
        package var message: String?
        /// Whether the channel itself has focus, because it has no programmes.
        package var isFocused: Bool

        package init(
            id: String, number: Int? = nil, title: String, artwork: String? = nil, cells: [Cell] = [], message: String? = nil,
            isFocused: Bool = false
        ) {
            self.id = id
            self.number = number
            self.title = title
            self.artwork = artwork
            self.cells = cells
            self.message = message
            self.isFocused = isFocused
        }
    }

    /// A time on the axis.
    package struct Tick: Sendable, Hashable {
        /// "20:30".
        package var title: String
        /// Its position in pixels of the time axis.
        package var x: Int

        package init(title: String, x: Int) {
            self.title = title
            self.x = x
        }
    }

    /// "Today", "Tomorrow", or the name of the day.
    package var day: String
    package var ticks: [Tick]
    /// The current time on the axis; nil if it is not on the screen.
    package var nowX: Int?
    /// The rows on the screen, at most `Metrics.Guide.rowsPerScreen`.
    package var rows: [Row]
    package var hasMoreAbove: Bool
    package var hasMoreBelow: Bool
    /// The time of day: "20:34"; nil without a clock.
    package var clock: String?
    /// The title of the focused programme.
    package var detailTitle: String?
    /// Its channel, with the number, and its times.
    package var detailFacts: [String]
    /// Its description.
    package var detail: String?

    package init(
        day: String, ticks: [Tick], nowX: Int? = nil, rows: [Row], hasMoreAbove: Bool = false, hasMoreBelow: Bool = false,
        clock: String? = nil, detailTitle: String? = nil, detailFacts: [String] = [], detail: String? = nil
    ) {
        self.day = day
        self.ticks = ticks
        self.nowX = nowX
        self.rows = rows
        self.hasMoreAbove = hasMoreAbove
        self.hasMoreBelow = hasMoreBelow
        self.clock = clock
        self.detailTitle = detailTitle
        self.detailFacts = detailFacts
        self.detail = detail
    }
}

extension GuideView: PageContent {
    package static let name = "guide"
    package static let hidesPicture = true
    package static let showsTime = true

    package static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("day", \.day), .init("ticks", \.ticks), .init("nowX", \.nowX), .init("rows", \.rows),
            .init("hasMoreAbove", \.hasMoreAbove), .init("hasMoreBelow", \.hasMoreBelow),
            .init("clock", \.clock), .init("detailTitle", \.detailTitle), .init("detailFacts", \.detailFacts),
            .init("detail", \.detail),
        ]
    }

    package func spoken(in strings: StringCatalogue) -> SpokenWords {
        for row in rows {
            if let cell = row.cells.first(where: \.isFocused) {
                let sign = cell.hasReminder ? strings.text(.reminderSet) : cell.canBeWatched ? strings.text(.canBeWatched) : nil
                return SpokenWords(place: [row.title], focus: [cell.title, cell.times, sign])
            }
            if row.isFocused { return SpokenWords(place: [row.title], focus: [row.message]) }
        }
        return SpokenWords()
    }
}

extension GuideView.Tick: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("title", \.title), .init("x", \.x)]
    }
}

extension GuideView.Row: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("id", \.id), .init("number", \.number), .init("title", \.title), .init("artwork", \.artwork),
            .init("cells", \.cells), .init("message", \.message), .init("isFocused", \.isFocused),
        ]
    }
}

extension GuideView.Cell: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("title", \.title), .init("times", \.times), .init("x", \.x), .init("width", \.width),
            .init("isOnNow", \.isOnNow), .init("hasReminder") { $0.hasReminder ? true : nil },
            .init("canBeWatched") { $0.canBeWatched ? true : nil }, .init("isFocused", \.isFocused),
        ]
    }
}
