import LinuxSupport
import MediaModel
import MediaTime
import Screens

/// What the operator says of the screen of the item: where its video is, which overlays are shown, and what their words say now. A value.
package struct ProgrammeOverlays: Sendable {
    /// What the clock on the wall says.
    package struct WallTime: Sendable {
        /// In seconds since the start of the day on which the clock was set; nil if it was not set.
        let timeOfDay: Int?
        /// Nil if it is not known.
        let date: CalendarDate?

        package init(timeOfDay: Int?, date: CalendarDate?) {
            self.timeOfDay = timeOfDay
            self.date = date
        }
    }

    private let played: PlayedItem
    private let isBetweenInterstitials: Bool

    package init(_ viewing: Viewing) {
        played = viewing.played
        isBetweenInterstitials = viewing.interstitials.isAtRest
    }

    /// What it says of a picture that is there.
    private var screen: ProgrammeScreen? {
        guard let item = played.item, !played.isWithoutPicture, played.snapshot.hasVideo else { return nil }
        return item.screen
    }

    /// The place of the item's video, and of interstitials only where the feed says so; nil: the whole screen.
    var frame: ScreenFrame? {
        guard let frame = screen?.frame else { return nil }
        return played.beside == nil && isBetweenInterstitials || frame.isKeptInInterstitials ? frame : nil
    }

    /// Over the item's video only, and over interstitials only where the feed says so.
    private var standing: [ScreenOverlay] {
        guard let overlays = screen?.overlays else { return [] }
        if played.beside == nil { return isBetweenInterstitials ? overlays : overlays.filter(\.isShownInInterstitials) }
        // During an interstitial the frames on the screen have its times, and the position in the item does not change.
        return overlays.filter { overlay in
            overlay.isShownInInterstitials && overlay.presence.opacity(at: played.position ?? .zero) > 0
        }.map { overlay in
            var standing = overlay
            standing.presence = LayerPresence()
            return standing
        }
    }

    /// The overlays as they are on the screen. Words without a line are left out.
    func shown(_ wall: WallTime, strings: StringCatalogue, appearance: Appearance, at now: HostTime) -> [ScreenOverlay] {
        standing.compactMap { overlay in
            guard var words = overlay.words else { return overlay }
            switch words.source {
            case .clock: words.lines = wall.timeOfDay.map { [strings.timeOfDay(Int64($0))] } ?? []
            case .date: words.lines = wall.date.map { [strings.day($0)] } ?? []
            case .feed, .document: words.lines = Pages(words, in: overlay.box, appearance).lines(at: now)
            }
            guard !words.lines.isEmpty else { return nil }
            var shown = overlay
            shown.words = words
            return shown
        }
    }

    /// When their words change next; nil while they do not.
    ///
    /// - Parameter minute: when the displayed time changes.
    package func nextChange(after now: HostTime, minute: HostTime?, appearance: Appearance) -> HostTime? {
        standing.compactMap { overlay -> HostTime? in
            guard let words = overlay.words else { return nil }
            switch words.source {
            case .clock, .date: return minute
            case .feed, .document: return Pages(words, in: overlay.box, appearance).nextChange(after: now)
            }
        }.min()
    }
}

/// Lines, as many at a time as have room; all of a ticker, which moves, or one where nothing is to move. They follow each other by the clock alone, so that a screen
/// that is drawn again shows the same ones.
private struct Pages {
    private let lines: [String]
    private let linesPerPage: Int

    init(_ words: OverlayWords, in box: PixelRect, _ appearance: Appearance) {
        lines = words.lines
        let tickerLines = appearance.reducesMotion ? 1 : max(words.lines.count, 1)
        linesPerPage = words.isTicker ? tickerLines : Metrics.Words.lines(in: box, hasLargerText: appearance.hasLargerText)
    }

    private var count: Int { (lines.count + linesPerPage - 1) / linesPerPage }

    func lines(at now: HostTime) -> [String] {
        guard count > 1 else { return lines }
        let page = Int(Self.turns(until: now) % Int64(count))
        return Array(lines[page * linesPerPage..<min((page + 1) * linesPerPage, lines.count)])
    }

    func nextChange(after now: HostTime) -> HostTime? {
        guard count > 1 else { return nil }
        return HostTime(nanoseconds: (Self.turns(until: now) + 1) * Timing.wordsStay.wholeNanoseconds)
    }

    private static func turns(until now: HostTime) -> Int64 { now.nanoseconds / Timing.wordsStay.wholeNanoseconds }
}
