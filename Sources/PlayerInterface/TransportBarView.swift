import MediaTime

/// A place on the transport bar in pixels of a 1920x1080 screen from its left end: the bar never changes for less.
public struct BarPosition: Sendable, Hashable, Comparable {
    /// The right end.
    public static let end = BarPosition(pixels: Metrics.Bar.frame.width)
    /// The left end.
    public static let start = BarPosition(pixels: 0)

    /// 0…`end.pixels`.
    public let pixels: Int

    /// Makes a place; outside the bar it is moved to the nearer end.
    public init(pixels: Int) { self.pixels = min(max(pixels, 0), Metrics.Bar.frame.width) }

    /// The place of a time on a bar that stands for `total`, rounded down.
    public init(of time: MediaTime, in total: MediaTime) {
        guard total > .zero else {
            self.init(pixels: 0)
            return
        }
        let clamped = min(max(time, .zero), total)
        let pixels =
            Int128(clamped.value) * Int128(total.timescale) * Int128(Metrics.Bar.frame.width)
            / (Int128(clamped.timescale) * Int128(total.value))
        self.init(pixels: Int(pixels))
    }

    /// 0…1, for drawing on other screens.
    public var fraction: Double { Double(pixels) / Double(Metrics.Bar.frame.width) }

    public static func < (left: BarPosition, right: BarPosition) -> Bool { left.pixels < right.pixels }
}

/// The transport bar and what belongs to it.
public struct TransportBarView: Sendable, Equatable {
    /// What has focus.
    public enum Focus: Sendable, Hashable {
        /// Nothing: it only shows.
        case none
        /// The bar: Select pauses or resumes.
        case bar
        /// An action of the row above it.
        case action(Int)
    }

    /// The glyph beside the elapsed time.
    public enum Glyph: Sendable, Hashable {
        case pause
        case skipForward
        case skipBackward
        /// Scanning, with its level 1…4.
        case scanForward(level: Int)
        /// Scanning, with its level 1…4.
        case scanBackward(level: Int)
        /// Scanning, gone through to ordinary speed.
        case play
    }

    /// An interstitial on the bar.
    public struct Dot: Sendable, Hashable {
        /// Its place.
        public var position: BarPosition
        /// Whether all that it stands for was watched.
        public var isWatched: Bool

        /// Makes a dot.
        public init(position: BarPosition, isWatched: Bool) {
            self.position = position
            self.isWatched = isWatched
        }
    }

    /// A stretch of the bar.
    public struct Span: Sendable, Hashable {
        /// Its left end.
        public var start: BarPosition
        /// Its right end.
        public var end: BarPosition

        /// Makes a stretch.
        public init(start: BarPosition, end: BarPosition) {
            self.start = start
            self.end = end
        }
    }

    /// The bubble above the bar while scrubbing or scanning.
    public struct Scrub: Sendable, Hashable {
        /// The time in it.
        public var time: String
        /// Where play was, and Back returns to.
        public var origin: BarPosition
        /// The content time, for whoever has pictures of it.
        public var contentTime: MediaTime
        /// The picture of that time, as a reference (`Metrics.Bar.thumbnailWidth` wide); nil: there is none, and only the time is shown.
        public var thumbnail: String?

        /// Makes a bubble.
        public init(time: String, origin: BarPosition, contentTime: MediaTime, thumbnail: String? = nil) {
            self.time = time
            self.origin = origin
            self.contentTime = contentTime
            self.thumbnail = thumbnail
        }
    }

    /// What has focus.
    public var focus: Focus
    /// Where the playhead is: of the seek's target while one is under way, of the scrub while scrubbing.
    public var playhead: BarPosition
    /// Content time at the playhead in whole seconds.
    public var contentTime: MediaTime
    /// Total content time; nil: unknown or live.
    public var totalTime: MediaTime?
    /// Under the playhead.
    public var elapsed: String
    /// At the right: "-1:02:03", "Ends 21:43", or "LIVE".
    public var trailing: String?
    /// Whether this is the live edge.
    public var isAtLiveEdge: Bool
    /// What is loaded.
    public var buffered: [Span]
    /// The interstitials.
    public var dots: [Dot]
    /// The chapters' starts.
    public var chapterTicks: [BarPosition]
    /// The glyph.
    public var glyph: Glyph?
    /// The bubble.
    public var scrub: Scrub?
    /// "Back to undo".
    public var hint: String?
    /// The row of actions; empty: none is shown.
    public var actions: [String]

    /// Makes a bar.
    public init(
        focus: Focus = .none, playhead: BarPosition = .start, contentTime: MediaTime = .zero, totalTime: MediaTime? = nil,
        elapsed: String = "", trailing: String? = nil, isAtLiveEdge: Bool = false, buffered: [Span] = [], dots: [Dot] = [],
        chapterTicks: [BarPosition] = [], glyph: Glyph? = nil, scrub: Scrub? = nil, hint: String? = nil, actions: [String] = []
    ) {
        self.focus = focus
        self.playhead = playhead
        self.contentTime = contentTime
        self.totalTime = totalTime
        self.elapsed = elapsed
        self.trailing = trailing
        self.isAtLiveEdge = isAtLiveEdge
        self.buffered = buffered
        self.dots = dots
        self.chapterTicks = chapterTicks
        self.glyph = glyph
        self.scrub = scrub
        self.hint = hint
        self.actions = actions
    }
}
