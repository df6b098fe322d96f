import MediaTime

/// A place on the transport bar in pixels of a 1920x1080 screen from its left end: the bar never changes for less.
package struct BarPosition: Sendable, Hashable, Comparable {
    /// The right end.
    package static let end = BarPosition(pixels: Metrics.Bar.frame.width)
    /// The left end.
    package static let start = BarPosition(pixels: 0)

    /// 0…`end.pixels`.
    package let pixels: Int

    /// Makes a place; outside the bar it is moved to the nearer end.
    package init(pixels: Int) { self.pixels = min(max(pixels, 0), Metrics.Bar.frame.width) }

    /// The place of a time on a bar that stands for `total`, rounded down.
    package init(of time: MediaTime, in total: MediaTime) {
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
    package var fraction: Double { Double(pixels) / Double(Metrics.Bar.frame.width) }

    package static func < (left: BarPosition, right: BarPosition) -> Bool { left.pixels < right.pixels }
}

/// The transport bar and what belongs to it.
package struct TransportBarView: Sendable, Equatable {
    /// What has focus.
    package enum Focus: Sendable, Hashable {
        /// Nothing: it only shows.
        case none
        /// The bar: Select pauses or resumes.
        case bar
        /// An action of the row above it.
        case action(Int)
    }

    /// The glyph beside the elapsed time.
    package enum Glyph: Sendable, Hashable {
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
    package struct Dot: Sendable, Hashable {
        /// Its place.
        package var position: BarPosition
        /// Whether all that it stands for was watched.
        package var isWatched: Bool

        package init(position: BarPosition, isWatched: Bool) {
            self.position = position
            self.isWatched = isWatched
        }
    }

    /// A stretch of the bar.
    package struct Span: Sendable, Hashable {
        /// Its left end.
        package var start: BarPosition
        /// Its right end.
        package var end: BarPosition

        package init(start: BarPosition, end: BarPosition) {
            self.start = start
            self.end = end
        }
    }

    /// The bubble above the bar while scrubbing or scanning.
    package struct Scrub: Sendable, Hashable {
        /// The time in it.
        package var time: String
        /// Where play was, and Back returns to.
        package var origin: BarPosition
        /// The content time, for whoever has pictures of it.
        package var contentTime: MediaTime
        /// The picture of that time, as a reference (`Metrics.Bar.thumbnailWidth` wide); nil: there is none, and only the time is shown.
        package var thumbnail: String?

        package init(time: String, origin: BarPosition, contentTime: MediaTime, thumbnail: String? = nil) {
            self.time = time
            self.origin = origin
            self.contentTime = contentTime
            self.thumbnail = thumbnail
        }
    }

    /// What has focus.
    package var focus = Focus.none
    /// Where the playhead is: of the seek's target while one is under way, of the scrub while scrubbing.
    package var playhead = BarPosition.start
    /// Content time at the playhead in whole seconds.
    package var contentTime = MediaTime.zero
    /// Total content time; nil: unknown or live.
    package var totalTime: MediaTime?
    /// Under the playhead.
    package var elapsed = ""
    /// At the right: "-1:02:03", "Ends 21:43", or "LIVE".
    package var trailing: String?
    /// Whether this is the live edge.
    package var isAtLiveEdge = false
    /// What is loaded.
    package var buffered: [Span] = []
    /// The interstitials.
    package var dots: [Dot] = []
    /// The chapters' starts.
    package var chapterTicks: [BarPosition] = []
    /// The glyph.
    package var glyph: Glyph?
    /// The bubble.
    package var scrub: Scrub?
    /// "Back to undo".
    package var hint: String?
    /// The row of actions; empty: none is shown.
    package var actions: [String] = []

    /// - Parameter build: sets what differs from an empty bar.
    package init(_ build: (inout TransportBarView) -> Void = { _ in }) { build(&self) }
}
