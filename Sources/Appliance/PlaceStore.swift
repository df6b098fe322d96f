import BoxModel
import MediaTime

/// Stores the saved positions of items and their watched interstitials. Called on the main loop; a store on disk writes on a separate thread.
@MainActor
package protocol PlaceStore: AnyObject {
    /// The saved position of an item; nil if there is none, or if it was watched to its end.
    func place(of id: String) -> SavedPlace?
    /// Stores the position of an item; nil removes it.
    func save(_ place: SavedPlace?, of id: String)
    /// The ids of items with a saved position, the newest first.
    var recent: [String] { get }
    /// Whether an item was ever watched to its end.
    func isWatched(_ id: String) -> Bool
    /// Stores that an item was watched to its end.
    func markWatched(_ id: String)
    /// The watched interstitials of an item.
    func watchedInterstitials(of id: String) -> Set<String>
    /// Stores that an interstitial was watched.
    func markWatched(interstitial: String, of id: String)
    /// Removes all positions, and everything that was watched.
    func forgetAll()
}

/// Positions in memory.
@MainActor
package final class MemoryPlaceStore: PlaceStore {
    private var places: [String: SavedPlace] = [:]
    package private(set) var recent: [String] = []
    private var watched: [String: Set<String>] = [:]
    private var watchedItems: Set<String> = []

    package init() {}

    package func place(of id: String) -> SavedPlace? { places[id] }

    package func save(_ place: SavedPlace?, of id: String) {
        places[id] = place
        recent.removeAll { $0 == id }
        if place != nil { recent.insert(id, at: 0) }
    }

    package func isWatched(_ id: String) -> Bool { watchedItems.contains(id) }

    package func markWatched(_ id: String) { watchedItems.insert(id) }

    package func watchedInterstitials(of id: String) -> Set<String> { watched[id] ?? [] }

    package func markWatched(interstitial: String, of id: String) { watched[id, default: []].insert(interstitial) }

    package func forgetAll() { (places, recent, watched, watchedItems) = ([:], [], [:], []) }
}
