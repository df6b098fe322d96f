import BoxModel
import ChannelFeed
import Screens

/// Saved positions whose owed interstitial expires a day after the viewer has left, if the time is known.
@MainActor
package final class ForgivingPlaces: PlaceStore {
    private let store: any PlaceStore
    private let stamps: any ChoiceStore
    private let now: @MainActor () -> FeedDate?

    /// Wraps a store.
    ///
    /// - Parameters:
    ///   - stamps: stores since when each interstitial is owed.
    ///   - now: the wall clock, if it can be trusted.
    package init(_ store: any PlaceStore, stamps: any ChoiceStore, now: @escaping @MainActor () -> FeedDate?) {
        self.store = store
        self.stamps = stamps
        self.now = now
    }

    private static func name(_ id: String) -> String { "debt." + id }

    package func place(of id: String) -> SavedPlace? {
        guard let place = store.place(of: id) else { return nil }
        return SavedPlace(time: place.time, owedInterstitial: isForgiven(id) ? nil : place.owedInterstitial)
    }

    private func isForgiven(_ id: String) -> Bool {
        guard let since = stamps.choice(Self.name(id)).flatMap({ Int64($0) }), let now = now() else { return false }
        // Stored text may be any number.
        let (elapsed, overflow) = (now.milliseconds / 1000).subtractingReportingOverflow(since)
        return !overflow && elapsed >= Int64(Timing.owedInterstitialSeconds)
    }

    package func save(_ place: SavedPlace?, of id: String) {
        if place?.owedInterstitial == nil {
            stamps.setChoice(nil, Self.name(id))
        } else if store.place(of: id)?.owedInterstitial != place?.owedInterstitial || stamps.choice(Self.name(id)) == nil,
            let now = now()
        {
            stamps.setChoice("\(now.milliseconds / 1000)", Self.name(id))
        }
        store.save(place, of: id)
    }

    package var recent: [String] { store.recent }

    package func isWatched(_ id: String) -> Bool { store.isWatched(id) }

    package func markWatched(_ id: String) { store.markWatched(id) }

    package func watchedInterstitials(of id: String) -> Set<String> { store.watchedInterstitials(of: id) }

    package func markWatched(interstitial: String, of id: String) { store.markWatched(interstitial: interstitial, of: id) }

    /// Since when something is owed is a choice; choices are forgotten as such.
    package func forgetAll() { store.forgetAll() }
}
