import BoxModel
import MediaTime
import Screens
import Viewing

/// The programme guide. Its focus is a channel and a time, which determine the focused programme. Time runs in the direction of the language.
struct GuidePage: Sendable, Equatable {
    private static let slot = 1800
    private static var span: Int { Metrics.Guide.minutesPerScreen * 60 }

    private var channel: Int
    private var firstChannel = 0
    /// The time near which focus stays when it moves up and down, in seconds since the start of today.
    private var moment: Int
    /// The left edge of the axis.
    private var left: Int

    /// Opens the guide at the current time and channel; nil if there is no guide, or no clock.
    init?(_ context: BrowsingContext) {
        guard context.schedule.isReadable, let time = context.timeOfDay else { return nil }
        channel = context.schedule.channels.firstIndex { $0.id == context.playing } ?? 0
        moment = time
        left = Self.floor(time)
        settle(context.schedule)
    }

    mutating func act(_ key: RemoteKey, in context: BrowsingContext) -> KeyOutcome {
        settle(context.schedule)
        let channels = context.schedule.channels
        switch key {
        case .back, .menu, .home: return .closed
        case .up, .down:
            let moved = channel + (key == .down ? 1 : -1)
            guard channels.indices.contains(moved) else { return .refused(.noChange) }
            channel = moved
            leavePast(in: context)
        case .left, .right:
            guard let moved = nextMoment(forward: context.strings.step(of: key) > 0, in: context) else {
                return .refused(.noChange)
            }
            moment = moved
        case .ff, .rw:
            guard let moved = nextDay(forward: key == .ff, in: context) else { return .refused(.noChange) }
            moment = moved
        case .ok: return select(in: context)
        default: return .refused(.notSupported)
        }
        settle(context.schedule)
        return .done
    }

    /// Selecting a current programme tunes to it, selecting a later one opens its page; an earlier one is watched from its start, where the channel has that.
    private func select(in context: BrowsingContext) -> KeyOutcome {
        guard context.schedule.channels.indices.contains(channel) else { return .refused(.notSupported) }
        let channel = context.schedule.channels[channel]
        guard let programme = programme(in: context.schedule), let time = context.timeOfDay, programme.start > time else {
            if let start = earlierStart(in: context) { return .wants(.catchUp(start)) }
            return .wants(.tune(context.channel(channel.id)))
        }
        return .wants(.openListing(programme, on: channel))
    }

    private func programme(in schedule: Schedule) -> GuideContent.Programme? {
        guard schedule.channels.indices.contains(channel) else { return nil }
        return schedule.channels[channel].programme(at: moment)
    }

    /// Where the focused programme begins in what plays, in asset time; nil unless it is over and can be reached.
    private func earlierStart(in context: BrowsingContext) -> MediaTime? {
        programme(in: context.schedule).flatMap {
            start(of: $0, on: context.schedule.channels[channel].id, in: context.broadcast, context)
        }
    }

    /// Where a programme that is over begins in what plays; nil where it cannot be reached.
    private func start(
        of programme: GuideContent.Programme, on channel: String, in broadcast: Broadcast?, _ context: BrowsingContext
    ) -> MediaTime? {
        guard let broadcast, broadcast.id == channel, let time = context.timeOfDay, programme.end <= time else { return nil }
        return broadcast.start(of: programme)
    }

    /// Focus stays in the past only on what can be watched.
    private mutating func leavePast(in context: BrowsingContext) {
        guard let time = context.timeOfDay, moment < time, earlierStart(in: context) == nil else { return }
        if let programme = programme(in: context.schedule), programme.end > time { return }
        moment = time
    }

    /// The start of the programme next to the focused one, or half an hour later where none is known. Focus moves to past programmes where they can be
    /// watched.
    private func nextMoment(forward: Bool, in context: BrowsingContext) -> Int? {
        let channels = context.schedule.channels
        let programmes = channels[channel].programmes
        let time = context.timeOfDay ?? 0
        let current = programme(in: context.schedule)
        if forward {
            let from = current?.end ?? moment
            if let next = programmes.first(where: { $0.start >= from }) { return max(next.start, moment + 1) }
            guard let last = channels.compactMap({ $0.programmes.last?.end }).max(), moment + Self.slot < last else { return nil }
            return moment + Self.slot
        }
        let from = current?.start ?? moment
        if let before = programmes.last(where: { $0.end <= from }),
            start(of: before, on: channels[channel].id, in: context.broadcast, context) != nil
        {
            return before.start
        }
        guard from > Self.floor(time) || from > time else { return nil }
        if let before = programmes.last(where: { $0.end <= from }), before.end > time { return max(before.start, time) }
        let earlier = max(time, moment - Self.slot)
        return earlier < moment ? earlier : nil
    }

    /// The same time a day later or earlier, between now and the end of what is known; nil if it is there already.
    private func nextDay(forward: Bool, in context: BrowsingContext) -> Int? {
        let (time, changes) = (context.timeOfDay ?? 0, context.strings.changes)
        guard forward else { return moment > time ? max(changes.time(-1, after: moment), time) : nil }
        guard let end = context.schedule.channels.compactMap({ $0.programmes.last?.end }).max(), moment < end - Self.slot else {
            return nil
        }
        return min(changes.time(1, after: moment), end - Self.slot)
    }

    /// Keeps focus on an existing channel, and scrolls to it.
    private mutating func settle(_ schedule: Schedule) {
        channel = min(max(0, channel), max(0, schedule.channels.count - 1))
        firstChannel = min(max(firstChannel, channel - Metrics.Guide.rowsPerScreen + 1), channel)
        if moment < left || moment >= left + Self.span { left = Self.floor(moment) }
    }

    private static func floor(_ time: Int) -> Int { Int((Double(time) / Double(slot)).rounded(.down)) * slot }

    // MARK: View

    func view(_ context: BrowsingContext) -> GuideView {
        var page = self
        page.settle(context.schedule)
        return page.settledView(context)
    }

    private func settledView(_ context: BrowsingContext) -> GuideView {
        let (strings, channels) = (context.strings, context.schedule.channels)
        let ticks = stride(from: left, to: left + Self.span, by: Self.slot).map {
            GuideView.Tick(title: strings.timeOfDay(Int64($0)), x: x(of: $0))
        }
        let last = min(firstChannel + Metrics.Guide.rowsPerScreen, channels.count)
        let focused = programme(in: context.schedule)
        let station = channels.indices.contains(channel) ? strings.station(channels[channel]) : nil
        return GuideView(
            day: strings.day(of: left),
            ticks: ticks,
            nowX: context.timeOfDay.flatMap { (left..<left + Self.span).contains($0) ? x(of: $0) : nil },
            rows: channels.isEmpty ? [] : (firstChannel..<last).map { row(of: $0, focused: focused, in: context) },
            hasMoreAbove: firstChannel > 0, hasMoreBelow: last < channels.count,
            clock: context.timeOfDay.map { strings.timeOfDay(Int64($0)) },
            detailTitle: focused?.title ?? (channels.indices.contains(channel) ? channels[channel].title : nil),
            detailFacts: focused.map {
                [station, strings.times(of: $0), $0.subtitle].compactMap { $0 } + $0.facts + [$0.rating].compactMap { $0 }
            } ?? [],
            detail: focused?.summary)
    }

    /// Pixels from the left edge of the axis.
    private func x(of time: Int) -> Int { (time - left) * Metrics.Guide.axisWidth / Self.span }

    private func row(of index: Int, focused: GuideContent.Programme?, in context: BrowsingContext) -> GuideView.Row {
        let channel = context.schedule.channels[index]
        let right = left + Self.span
        let isFocused = index == self.channel
        let broadcast = context.broadcast
        let cells = channel.programmes.filter { $0.end > left && $0.start < right }.map { programme in
            let start = x(of: max(programme.start, left))
            return GuideView.Cell(
                title: programme.title, times: context.strings.times(of: programme), x: start,
                width: x(of: min(programme.end, right)) - start,
                isOnNow: context.timeOfDay.map { programme.start <= $0 && $0 < programme.end } ?? false,
                hasReminder: programme.hasReminder && context.timeOfDay.map { programme.start > $0 } ?? false,
                canBeWatched: self.start(of: programme, on: channel.id, in: broadcast, context) != nil,
                isFocused: isFocused && programme == focused)
        }
        return GuideView.Row(
            id: channel.id, number: channel.number, title: channel.title, artwork: channel.artwork, cells: cells,
            message: cells.isEmpty ? context.strings.text(.noInformation) : nil, isFocused: isFocused && focused == nil)
    }
}
