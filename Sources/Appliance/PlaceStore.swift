import MediaTime
import PlayerInterface

/// Where viewers left things, and which interstitials they have seen. Called on the main loop; a store that writes to disk does so on a thread of its own.
@MainActor
package protocol PlaceStore: AnyObject {
    /// Where an item was left; nil: nowhere, or it was watched to its end.
    func place(of id: String) -> SavedPlace?
    /// Remembers where an item was left; nil forgets it.
    func save(_ place: SavedPlace?, of id: String)
    /// The ids of what was left somewhere, the newest first.
    var recent: [String] { get }
    /// The interstitials of an item that count as watched.
    func watchedInterstitials(of id: String) -> Set<String>
    /// An interstitial counts as watched from now on.
    func markWatched(interstitial: String, of id: String)
}

/// Places for as long as the program runs.
@MainActor
package final class MemoryPlaceStore: PlaceStore {
    private var places: [String: SavedPlace] = [:]
    package private(set) var recent: [String] = []
    private var watched: [String: Set<String>] = [:]

    package init() {}

    package func place(of id: String) -> SavedPlace? { places[id] }

    package func save(_ place: SavedPlace?, of id: String) {
        places[id] = place
        recent.removeAll { $0 == id }
        if place != nil { recent.insert(id, at: 0) }
    }

    package func watchedInterstitials(of id: String) -> Set<String> { watched[id] ?? [] }

    package func markWatched(interstitial: String, of id: String) { watched[id, default: []].insert(interstitial) }
}
