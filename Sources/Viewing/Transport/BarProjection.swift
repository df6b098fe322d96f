import LinuxSupport
import MediaModel
import MediaTime
import Screens

/// The view of the transport bar.
package struct BarProjection: Sendable {
    let viewing: Viewing
    /// Direction of a tap whose key is still down.
    let tap: Int?
    /// Time of day in seconds, if the end is shown as a clock time; nil if the remaining time is shown.
    let endsBy: Int?
    /// Whether there is a list of channels.
    let hasChannels: Bool
    /// The tab that Down opens; nil if there is none.
    let panelTitle: String?
    /// What is on the live channel; nil on demand, and without a guide.
    let broadcast: Broadcast?
    let strings: StringCatalogue
    let now: HostTime

    package init(
        viewing: Viewing, tap: Int?, endsBy: Int?, hasChannels: Bool, panelTitle: String?, broadcast: Broadcast?,
        strings: StringCatalogue, now: HostTime
    ) {
        self.viewing = viewing
        self.tap = tap
        self.endsBy = endsBy
        self.hasChannels = hasChannels
        self.panelTitle = panelTitle
        self.broadcast = broadcast
        self.strings = strings
        self.now = now
    }

    private var played: PlayedItem { viewing.played }
    private var item: ItemPresentation? { played.item }
    private var clock: ContentClock { played.clock }

    var view: TransportBarView {
        let content = content
        let isLive = item?.isLive == true
        let programme = broadcast?.fillsBar == true ? range(of: programme, around: content) : nil
        let reach = played.reach
        // With a guide the bar is the programme, else what can be reached.
        let (lower, upper) = programme.map { ($0.start, Optional($0.end)) } ?? reach
        let bar = viewing.bar
        let length = upper.map { $0 - lower }
        let shown = content - lower
        var view = TransportBarView()
        view.focus = bar.focus
        view.contentTime = .seconds(content.wholeSeconds)
        view.totalTime = isLive ? nil : upper
        if isLive {
            let behind = reach.upper.map { $0 - content } ?? .zero
            view.live = strings.text(.live)
            view.behind = behind < Timing.behindLive ? nil : strings.text(.behindLive, TimeText.clock(behind.wholeSeconds))
        }
        view.playhead = length.map { BarPosition(of: shown, in: $0) } ?? .start
        // During an interstitial the programme's time does not advance; the label shows how long the interstitial still lasts.
        if viewing.interstitials.presenting == nil || viewing.seeking.mode != .watching {
            view.elapsed = timeText(content)
            view.trailing = isLive ? nil : trailingText(content, upper: upper)
            if programme != nil, let shown = self.programme {
                view.start = strings.timeOfDay(Int64(shown.start))
                view.trailing = strings.timeOfDay(Int64(shown.end))
            }
        }
        view.glyph = glyph
        view.hint = hint
        if viewing.seeking.mode == .watching, viewing.interstitials.presenting == nil, view.hint == nil, !isOnActions {
            view.above = above
            view.below = panelTitle
        }
        if isOnActions { view.actions = played.rowActions(broadcast).map { $0.title(in: strings) } }
        if let length {
            view.buffered = programme == nil ? buffered(from: lower, length: length) : broadcast(from: lower, length: length)
            view.dots = dots(from: lower, length: length)
            view.chapterTicks = played.chapters.map { clock.content(at: $0.start) - lower }.filter { $0 > .zero && $0 < length }
                .map { BarPosition(of: $0, in: length) }
            if let origin = viewing.seeking.search?.origin {
                view.hint = strings.text(.backToCancel)
                view.scrub = TransportBarView.Scrub(
                    time: timeText(content), offset: offsetText(content - clock.content(at: origin)),
                    chapter: played.chapterIndex(at: clock.asset(of: content)).map { played.chapterTitle($0, in: strings) },
                    origin: BarPosition(of: clock.content(at: origin) - lower, in: length),
                    contentTime: .seconds(content.wholeSeconds),
                    thumbnail: item?.thumbnails?.reference(
                        at: clock.asset(of: content), outside: item?.interstitials ?? []))
            }
        }
        return view
    }

    /// What Back does, or how the picture moves.
    private var hint: String? {
        if viewing.bar.offersUndo { return strings.text(.backToUndo) }
        if let rate = viewing.orders.slow { return strings.text(rate < .zero ? .inReverse : .slowMotion) }
        return viewing.bar.isStepping ? strings.text(.frameByFrame) : nil
    }

    private var isOnActions: Bool { if case .action = viewing.bar.focus { true } else { false } }

    /// What Up opens now.
    private var above: String? {
        if item?.isLive == true {
            let opensChannels = played.isLiveWithoutWindow || viewing.bar.focus == .bar
            return hasChannels && opensChannels ? strings.text(.channels) : nil
        }
        guard !viewing.orders.wantsToPlay, !viewing.transport.isLinear else { return nil }
        return played.rowActions(broadcast).first?.title(in: strings)
    }

    // MARK: Times

    /// The time at the playhead: content time, on live channels the time of day, or where that is not known the time behind live.
    func timeText(_ content: MediaTime) -> String {
        guard let item, item.isLive else { return TimeText.clock(content.wholeSeconds) }
        if let origin = item.clockOrigin {
            return strings.timeOfDayWithSeconds((origin + clock.asset(of: content)).wholeSeconds)
        }
        guard let upper = played.reach.upper else { return strings.text(.live) }
        let behind = upper - content
        return behind < Timing.behindLive ? strings.text(.live) : TimeText.minus + TimeText.clock(behind.wholeSeconds)
    }

    /// How far a position is from the one at which the search began: "+10:14"; nil for less than a second.
    private func offsetText(_ offset: MediaTime) -> String? {
        let seconds = offset.magnitude.wholeSeconds
        return seconds == 0 ? nil : (offset < .zero ? TimeText.minus : "+") + TimeText.clock(seconds)
    }

    /// The content time at the playhead: of a tap, a search or what is typed its target.
    private var content: MediaTime {
        let tentative = tap.flatMap { viewing.transport.content(ofTap: $0, at: now) } ?? viewing.bar.typed?.target(in: played)
        return tentative ?? viewing.seeking.search?.content ?? viewing.transport.viewedContent
    }

    /// The programme of the live channel at the playhead; nil on demand, and where the guide has none.
    var programme: GuideContent.Programme? { broadcast?.programme(at: clock.asset(of: content)) }

    /// The range of a programme in content time, of which one is inside it.
    private func range(of programme: GuideContent.Programme?, around content: MediaTime) -> (start: MediaTime, end: MediaTime)? {
        guard let broadcast, let programme else { return nil }
        let time = broadcast.time(of: clock.asset(of: content))
        // Content time runs like the clock on a live channel, so that the ends of a programme need not be in the window.
        func place(_ second: Int) -> MediaTime { content + (.seconds(Int64(second)) - time) }
        return (place(programme.start), place(programme.end))
    }

    /// The remaining time, or the end time. Elapsed and remaining change at the same moments, and add up to the total in whole seconds.
    private func trailingText(_ content: MediaTime, upper: MediaTime?) -> String? {
        guard let upper else { return nil }
        if let endsBy {
            // The end time includes the advertisements that are still to come.
            let assetLeft = clock.end.map { $0 - clock.asset(of: content) } ?? upper - content
            let end = Int64(endsBy) + assetLeft.wholeSecondsUp
            return strings.text(.endsAt, strings.timeOfDay(end))
        }
        return TimeText.minus + TimeText.clock(max(0, upper.wholeSeconds - content.wholeSeconds))
    }

    private var glyph: TransportBarView.Glyph? {
        if let level = viewing.seeking.scanLevel {
            if level == 0 { return .play }
            return level > 0 ? .scanForward(level: level) : .scanBackward(level: -level)
        }
        if let tap { return tap > 0 ? .skipForward : .skipBackward }
        if viewing.seeking.mode == .scrubbing { return .pause }
        if let taps = viewing.seeking.tapLeg {
            return taps.target > clock.content(at: taps.origin) ? .skipForward : .skipBackward
        }
        return viewing.orders.wantsToPlay ? nil : .pause
    }

    // MARK: Elements on the bar

    private func buffered(from lower: MediaTime, length: MediaTime) -> [TransportBarView.Span] {
        var spans: [TransportBarView.Span] = []
        for range in played.snapshot.loadedRanges {
            let start = BarPosition(of: clock.content(at: range.start) - lower, in: length)
            let end = BarPosition(of: clock.content(at: range.end) - lower, in: length)
            guard start < end else { continue }
            if let last = spans.last, start <= last.end {
                spans[spans.count - 1].end = max(last.end, end)
            } else {
                spans.append(TransportBarView.Span(start: start, end: end))
            }
        }
        return spans
    }

    /// The part of a programme that was broadcast and can be reached.
    private func broadcast(from lower: MediaTime, length: MediaTime) -> [TransportBarView.Span] {
        let (first, last) = played.reach
        guard let last, last > lower else { return [] }
        return [.init(start: BarPosition(of: first - lower, in: length), end: BarPosition(of: last - lower, in: length))]
    }

    private func dots(from lower: MediaTime, length: MediaTime) -> [TransportBarView.Dot] {
        var dots: [TransportBarView.Dot] = []
        let spliced = (item?.interstitials ?? []).filter { !$0.range.isEmpty }
        let beside = played.snapshot.interstitials.filter { $0.event?.isHighlighted == true }
        let all = beside.isEmpty ? spliced : (spliced + beside).sorted { ($0.time, $0.id) < ($1.time, $1.id) }
        for pod in InterstitialBreak.breaks(of: all) {
            // Of a break whose first part a live window has lost, the rest is shown.
            let places = pod.interstitials.map { clock.content(at: $0.time) - lower }
            guard let content = places.first(where: { $0 >= .zero && $0 <= length }) else { continue }
            let dot = TransportBarView.Dot(
                position: BarPosition(of: content, in: length),
                isWatched: pod.interstitials.allSatisfy { viewing.interstitials.watched.contains($0.id) })
            if let last = dots.last, dot.position.pixels - last.position.pixels < Metrics.Bar.dotMergeDistance {
                dots[dots.count - 1].isWatched = last.isWatched && dot.isWatched
            } else {
                dots.append(dot)
            }
        }
        return dots
    }
}
