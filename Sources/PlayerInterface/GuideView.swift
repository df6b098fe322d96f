/// The programme guide: a row for each channel, time from left to right in every language.
package struct GuideView: Sendable, Equatable {
    /// A programme, as far as it lies in the hours on the screen.
    package struct Cell: Sendable, Hashable {
        /// Its title.
        package var title: String
        /// "20:00 – 21:30".
        package var times: String
        /// Left edge in pixels of the time axis (`Metrics.Guide.axisWidth`), 0…
        package var x: Int
        /// Width in the same pixels.
        package var width: Int
        /// Whether it is on now.
        package var isOnNow: Bool
        /// Whether it has focus.
        package var isFocused: Bool

        package init(title: String, times: String, x: Int, width: Int, isOnNow: Bool = false, isFocused: Bool = false) {
            self.title = title
            self.times = times
            self.x = x
            self.width = width
            self.isOnNow = isOnNow
            self.isFocused = isFocused
        }
    }

    /// A channel.
    package struct Row: Sendable, Hashable {
        /// Its id.
        package var id: String
        /// Its number.
        package var number: Int?
        /// Its name.
        package var title: String
        /// Its picture, as a reference.
        package var artwork: String?
        /// Its programmes, left to right.
        package var cells: [Cell]
        /// Words where nothing is known of it.
        package var message: String?
        /// Whether the channel itself has focus, where it has no programme.
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
        /// Its place in pixels of the time axis.
        package var x: Int

        package init(title: String, x: Int) {
            self.title = title
            self.x = x
        }
    }

    /// "Today", "Tomorrow", or the day's name.
    package var day: String
    /// The times on the axis.
    package var ticks: [Tick]
    /// Where now is on the axis; nil: not on the screen.
    package var nowX: Int?
    /// The rows on the screen, at most `Metrics.Guide.rowsPerScreen`.
    package var rows: [Row]
    /// Whether there are channels above the first row.
    package var hasMoreAbove: Bool
    /// Whether there are channels below the last row.
    package var hasMoreBelow: Bool
    /// Title and description of what has focus.
    package var detailTitle: String?
    /// See `detailTitle`.
    package var detail: String?

    package init(
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
