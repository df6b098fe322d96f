import BoxModel
import Screens
import Viewing

/// The list of channels over the picture.
struct ChannelListPage: Sendable, Equatable {
    private var index: Int
    private var first: Int

    /// Opens the list with the current channel, and focus on the one that OK tunes to instead of it: the next one, after the last one the one before it; nil if
    /// there are no channels.
    init?(_ context: BrowsingContext) {
        let lineup = context.lineup
        guard !lineup.isEmpty else { return nil }
        let current = lineup.firstIndex { $0.id == context.playing }
        index = current.map { $0 + 1 < lineup.count ? $0 + 1 : max(0, $0 - 1) } ?? 0
        first = max(0, min(index - Metrics.Menu.channelRows / 2, lineup.count - Metrics.Menu.channelRows))
    }

    mutating func act(_ key: RemoteKey, in context: BrowsingContext) -> KeyOutcome {
        let lineup = context.lineup
        switch key {
        case .up, .down:
            let moved = index + (key == .down ? 1 : -1)
            guard lineup.indices.contains(moved) else { return .refused(.noChange) }
            index = moved
            first = min(max(first, moved - Metrics.Menu.channelRows + 1), moved)
            return .done
        case .ok:
            guard lineup.indices.contains(index) else { return .refused(.notSupported) }
            return lineup[index].id == context.playing ? .closed : .wants(.tune(lineup[index]))
        case .back, .left, .right, .menu: return .closed
        case .playpause, .play, .pause: return .playback(key)
        default: return .refused(.notSupported)
        }
    }

    func view(_ context: BrowsingContext) -> ChannelListView {
        let lineup = context.lineup
        let first = min(max(0, first), max(0, lineup.count - 1))
        let last = min(first + Metrics.Menu.channelRows, lineup.count)
        let rows = (first..<last).map { row in
            let entry = lineup[row]
            let on = context.onNow(entry.id)
            return ChannelListView.Row(
                number: entry.number, title: entry.title, artwork: entry.artwork, now: on?.title ?? entry.subtitle,
                ends: on.map { context.strings.timeOfDay(Int64($0.end)) },
                progressPercent: on.flatMap(context.progress) ?? entry.watchedPercent, isCurrent: entry.id == context.playing,
                isLocked: entry.isLocked, isFocused: row == min(index, lineup.count - 1))
        }
        return ChannelListView(
            title: context.strings.text(.channels), rows: rows,
            favourites: rows.indices.filter { context.content.favourites.contains(lineup[first + $0].id) },
            hasMoreAbove: first > 0, hasMoreBelow: last < lineup.count,
            next: lineup.isEmpty ? nil : context.next(on: lineup[min(index, lineup.count - 1)].id))
    }
}
