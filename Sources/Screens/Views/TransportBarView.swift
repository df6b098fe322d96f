import MediaModel
import MediaTime

/// A position on the transport bar in pixels of a 1920x1080 screen from its left end: the bar never changes by less.
package struct BarPosition: Sendable, Hashable, Comparable {
    /// The right end.
    package static let end = BarPosition(pixels: Metrics.Bar.frame.width)
    /// The left end.
    package static let start = BarPosition(pixels: 0)

    /// 0…`end.pixels`.
    package let pixels: Int

    /// Makes a position, clamped to the bar.
    package init(pixels: Int) { self.pixels = min(max(pixels, 0), Metrics.Bar.frame.width) }

    /// The position of a time on a bar of the duration `total`, rounded down.
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

extension BarPosition: DumpWritable {
    package var dumpValue: DumpValue { .number(pixels) }
}

/// The transport bar and its parts.
package struct TransportBarView: Sendable, Equatable {
    /// The focused element.
    package enum Focus: Sendable, Hashable {
        /// None: the bar is only shown.
        case none
        /// The bar: Select pauses or resumes.
        case bar
        /// An action of the row above it.
        case action(Int)
    }

    /// The symbol next to the elapsed time.
    package enum Glyph: Sendable, Hashable {
        case pause
        case skipForward
        case skipBackward
        /// Scanning forward, with its level 1…4.
        case scanForward(level: Int)
        /// Scanning backward, with its level 1…4.
        case scanBackward(level: Int)
        /// Scanning at normal speed, between forward and backward.
        case play
    }

    /// An interstitial on the bar.
    package struct Dot: Sendable, Hashable {
        /// Its position.
        package var position: BarPosition
        /// Whether all interstitials that it represents were watched.
        package var isWatched: Bool

        package init(position: BarPosition, isWatched: Bool) {
            self.position = position
            self.isWatched = isWatched
        }
    }

    /// A part of the bar.
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
        /// How far it is from the origin: "+10:14"; nil at the origin.
        package var offset: String?
        /// The chapter of that time; nil if the item has none.
        package var chapter: String?
        /// The origin, to which Back returns.
        package var origin: BarPosition
        /// The content time, for sources of thumbnails.
        package var contentTime: MediaTime
        /// The thumbnail of that time, as a reference (`Metrics.Bar.thumbnailWidth` wide); nil if there is none, and only the time is shown.
        package var thumbnail: String?

        package init(
            time: String, offset: String? = nil, chapter: String? = nil, origin: BarPosition, contentTime: MediaTime,
            thumbnail: String? = nil
        ) {
            self.time = time
            self.offset = offset
            self.chapter = chapter
            self.origin = origin
            self.contentTime = contentTime
            self.thumbnail = thumbnail
        }
    }

    package var focus = Focus.none
    /// The playhead: at the target of a pending seek, at the position of a scrub, otherwise at the position.
    package var playhead = BarPosition.start
    /// Content time at the playhead in whole seconds.
    package var contentTime = MediaTime.zero
    /// Total content time; nil if unknown or live.
    package var totalTime: MediaTime?
    /// The text under the playhead.
    package var elapsed = ""
    /// The text at the right: "-1:02:03", "Ends 21:43", on a live channel the end of the programme, "20:30".
    package var trailing: String?
    /// What Up leads to now: "Channels", "From Beginning"; nil if it is not said.
    package var above: String?
    /// What Down leads to now: "Info"; nil if it is not said.
    package var below: String?
    /// The text at the left: on a live channel the start of the programme that the bar is, "20:00".
    package var start: String?
    /// The badge of what is live: "LIVE"; nil on demand.
    package var live: String?
    /// How far the playhead is behind live: "4:05 behind"; nil at the live edge, where the badge is filled.
    package var behind: String?
    /// The loaded parts.
    package var buffered: [Span] = []
    package var dots: [Dot] = []
    /// The starts of the chapters.
    package var chapterTicks: [BarPosition] = []
    package var glyph: Glyph?
    package var scrub: Scrub?
    /// "Press Back to undo".
    package var hint: String?
    /// The row of actions; empty if it is hidden.
    package var actions: [String] = []

    /// - Parameter build: sets the differences from an empty bar.
    package init(_ build: (inout TransportBarView) -> Void = { _ in }) { build(&self) }
}

extension TransportBarView: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("focus", \.focus), .init("playhead", \.playhead), .init("contentTime", \.contentTime),
            .init("totalTime", \.totalTime), .init("elapsed", \.elapsed), .init("trailing", \.trailing),
            .init("start", \.start), .init("live", \.live), .init("behind", \.behind), .init("buffered", \.buffered),
            .init("dots", \.dots),
            .init("chapterTicks", \.chapterTicks), .init("glyph", \.glyph), .init("scrub", \.scrub), .init("hint", \.hint),
            .init("above", \.above), .init("below", \.below),
            .init("actions", \.actions),
        ]
    }
}

extension TransportBarView.Dot: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("position", \.position), .init("isWatched", \.isWatched)]
    }
}

extension TransportBarView.Span: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("start", \.start), .init("end", \.end)]
    }
}

extension TransportBarView.Scrub: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("time", \.time), .init("offset", \.offset), .init("chapter", \.chapter), .init("origin", \.origin),
            .init("contentTime", \.contentTime),
            .init("thumbnail", \.thumbnail),
        ]
    }
}

extension TransportBarView.Focus: DumpWritable {
    package var dumpValue: DumpValue {
        switch self {
        case .none: .word("none")
        case .bar: .word("bar")
        case .action(let index): .tagged("action", .number(index))
        }
    }
}

extension TransportBarView.Glyph: DumpWritable {
    package var dumpValue: DumpValue {
        switch self {
        case .pause: .word("pause")
        case .skipForward: .word("skipForward")
        case .skipBackward: .word("skipBackward")
        case .scanForward(let level): .tagged("scanForward", .record([DumpField("level", .number(level))]))
        case .scanBackward(let level): .tagged("scanBackward", .record([DumpField("level", .number(level))]))
        case .play: .word("play")
        }
    }
}
