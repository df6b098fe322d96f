/// The channels over the picture, on the leading side: Up in a live channel opens it, Select goes there.
package struct ChannelListView: Sendable, Hashable {
    /// A channel.
    package struct Row: Sendable, Hashable {
        /// Its number.
        package var number: Int?
        /// Its name.
        package var title: String
        /// Its picture, as a reference.
        package var artwork: String?
        /// What is on now.
        package var now: String?
        /// How much of that is over, in percent.
        package var progressPercent: Int?
        /// Whether it plays.
        package var isCurrent: Bool
        /// Whether a PIN stands before it.
        package var isLocked: Bool
        /// Whether it has focus.
        package var isFocused: Bool

        package init(
            number: Int? = nil, title: String, artwork: String? = nil, now: String? = nil, progressPercent: Int? = nil,
            isCurrent: Bool = false, isLocked: Bool = false, isFocused: Bool = false
        ) {
            self.number = number
            self.title = title
            self.artwork = artwork
            self.now = now
            self.progressPercent = progressPercent
            self.isCurrent = isCurrent
            self.isLocked = isLocked
            self.isFocused = isFocused
        }
    }

    /// Its heading.
    package var title: String
    /// The rows on the screen, at most `Metrics.Menu.channelRows`.
    package var rows: [Row]
    /// Whether there are channels above the first row.
    package var hasMoreAbove: Bool
    /// Whether there are channels below the last row.
    package var hasMoreBelow: Bool

    package init(title: String, rows: [Row], hasMoreAbove: Bool = false, hasMoreBelow: Bool = false) {
        self.title = title
        self.rows = rows
        self.hasMoreAbove = hasMoreAbove
        self.hasMoreBelow = hasMoreBelow
    }
}
