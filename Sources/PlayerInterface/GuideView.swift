/// The programme guide: a row for each channel, time from left to right in every language.
public struct GuideView: Sendable, Equatable {
    /// A programme, as far as it lies in the hours on the screen.
    public struct Cell: Sendable, Hashable {
        /// Its title.
        public var title: String
        /// "20:00 – 21:30".
        public var times: String
        /// Left edge in pixels of the time axis (`Metrics.Guide.axisWidth`), 0…
        public var x: Int
        /// Width in the same pixels.
        public var width: Int
        /// Whether it is on now.
        public var isOnNow: Bool
        /// Whether it has focus.
        public var isFocused: Bool

        /// Makes a cell.
        public init(title: String, times: String, x: Int, width: Int, isOnNow: Bool = false, isFocused: Bool = false) {
            self.title = title
            self.times = times
            self.x = x
            self.width = width
            self.isOnNow = isOnNow
            self.isFocused = isFocused
        }
    }

    /// A channel.
    public struct Row: Sendable, Hashable {
        /// Its id.
        public var id: String
        /// Its number.
        public var number: Int?
        /// Its name.
        public var title: String
        /// Its picture, as a reference.
        public var artwork: String?
        /// Its programmes, left to right.
        public var cells: [Cell]
        /// Words where nothing is known of it.
        public var message: String?
        /// Whether the channel itself has focus, where it has no programme.
        public var isFocused: Bool

        /// Makes a row.
        public init(
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
    public struct Tick: Sendable, Hashable {
        /// "20:30".
        public var title: String
        /// Its place in pixels of the time axis.
        public var x: Int

        /// Makes a time.
        public init(title: String, x: Int) {
            self.title = title
            self.x = x
        }
    }

    /// "Today", "Tomorrow", or the day's name.
    public var day: String
    /// The times on the axis.
    public var ticks: [Tick]
    /// Where now is on the axis; nil: not on the screen.
    public var nowX: Int?
    /// The rows on the screen, at most `Metrics.Guide.rowsPerScreen`.
    public var rows: [Row]
    /// Whether there are channels above the first row.
    public var hasMoreAbove: Bool
    /// Whether there are channels below the last row.
    public var hasMoreBelow: Bool
    /// Title and description of what has focus.
    public var detailTitle: String?
    /// See `detailTitle`.
    public var detail: String?

    /// Makes the guide.
    public init(
        day: String, ticks: [Tick], nowX: Int? = nil, rows: [Row], hasMoreAbove: Bool = false, hasMoreBelow: Bool = false,
        detailTitle: String? = nil, detail: String? = nil
    ) {
        self.day = day
        self.ticks = ticks
        self.nowX = nowX
        self.rows = rows
        self.hasMoreAbove = hasMoreAbove
        self.hasMoreBelow = hasMoreBelow
        self.detailTitle = detailTitle
        self.detail = detail
    }
}
