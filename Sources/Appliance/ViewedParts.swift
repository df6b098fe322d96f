import ChannelFeed
import MediaModel
import MediaTime
import Screens

/// How much of items was watched: their places, and their lengths as the feed states them or the player learned them. All in content time: advertisements and
/// what is trimmed do not count. Main loop only.
@MainActor
struct ViewedParts {
    let places: any PlaceStore
    /// The lengths of begun items that the player has learned; nil: none.
    let lengths: LearnedLengths?

    /// Whether an item was ever watched to its end.
    func wasWatched(_ id: String) -> Bool { places.isWatched(id) }

    /// Whether it was watched to its end, and not begun again since.
    func isWatched(_ id: String) -> Bool { wasWatched(id) && places.place(of: id) == nil }

    /// How long a viewer watches an item, by its feed or else as learned; nil if that is not known.
    func length(of item: Item) -> MediaTime? {
        (item.duration ?? lengths?[item.id]).map { Span(item, length: $0) }.flatMap { $0.total > .zero ? $0.total : nil }
    }

    /// How long a viewer watches an item, by its feed; nil if that does not say it.
    func statedLength(of item: Item) -> MediaTime? {
        item.duration.map { Span(item, length: $0).total }.flatMap { $0 > .zero ? $0 : nil }
    }

    /// The watched part in percent; nil if it was not begun, or if its length is not known.
    func percent(of item: Item) -> Int? {
        guard let watched = watched(of: item), let length = length(of: item) else { return nil }
        return Int(min(max((watched * 100).wholeSteps(of: length), 0), 100))
    }

    /// What is left of a begun item; nil if it was not begun, or if its length is not known.
    func left(of item: Item) -> MediaTime? {
        guard let watched = watched(of: item), watched > .zero, let length = length(of: item) else { return nil }
        return length > watched ? length - watched : nil
    }

    /// Whether so much of it was watched that a viewer wants to go on: a minute, or two percent. One whose beginning was saved on purpose is what follows.
    func isBegun(_ item: Item) -> Bool {
        guard let place = places.place(of: item.id), let watched = watched(of: item) else { return false }
        if place.time == .zero || watched >= Timing.begun { return true }
        guard let length = length(of: item) else { return false }
        return watched * 100 >= length * Timing.begunPercent
    }

    private func watched(of item: Item) -> MediaTime? {
        places.place(of: item.id).map { Span(item, length: $0.time).content(at: $0.time) }
    }

    /// The part of an item that is played, in content time.
    private struct Span {
        private let timeline: AssetTimeline
        private let start: MediaTime
        private let end: MediaTime

        /// - Parameter length: of the whole stream, in asset time.
        init(_ item: Item, length: MediaTime) {
            timeline = AssetTimeline(interstitials: item.interstitials.map(\.range))
            start = timeline.contentTime(at: item.trim?.start ?? .zero)
            end = item.trim?.end.map { min($0, length) } ?? length
        }

        var total: MediaTime { content(at: end) }

        func content(at asset: MediaTime) -> MediaTime { timeline.contentTime(at: asset) - start }
    }
}
