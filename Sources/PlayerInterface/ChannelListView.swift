/// The channels over the picture, on the leading side: Up in a live channel opens it, Select goes there.
public struct ChannelListView: Sendable, Hashable {
    /// A channel.
    public struct Row: Sendable, Hashable {
        /// Its number.
        public var number: Int?
        /// Its name.
        public var title: String
        /// Its picture, as a reference.
        public var artwork: String?
        /// What is on now.
        public var now: String?
        /// How much of that is over, in percent.
        public var progressPercent: Int?
        /// Whether it plays.
        public var isCurrent: Bool
        /// Whether a PIN stands before it.
        public var isLocked: Bool
        /// Whether it has focus.
        public var isFocused: Bool

        /// Makes a row.
        public init(
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
    public var title: String
    /// The rows on the screen, at most `Metrics.Menu.channelRows`.
    public var rows: [Row]
    /// Whether there are channels above the first row.
    public var hasMoreAbove: Bool
    /// Whether there are channels below the last row.
    public var hasMoreBelow: Bool

    /// Makes a list.
    public init(title: String, rows: [Row], hasMoreAbove: Bool = false, hasMoreBelow: Bool = false) {
        self.title = title
        self.rows = rows
        self.hasMoreAbove = hasMoreAbove
        self.hasMoreBelow = hasMoreBelow
    }
}
