import BoxModel

/// What the library remembers. A value.
struct LibraryContents: Equatable, Sendable {
    var places: [String: SavedPlace] = [:]
    /// The watched interstitials of each item.
    var watched: [String: Set<String>] = [:]
    /// Items with a stored position, the newest last.
    var order: [String] = []
    var values: [String: String] = [:]

    /// Stores where viewing of an item stopped, as the newest; nil removes it.
    mutating func setPlace(_ place: SavedPlace?, of id: String) {
        if places[id] != nil { order.removeAll { $0 == id } }
        places[id] = place
        if place != nil { order.append(id) }
    }

    /// Removes all positions and all watched interstitials.
    mutating func forgetPlaces() {
        places = [:]
        watched = [:]
        order = []
    }

    /// Adds what an older state has and this one lacks.
    mutating func fill(from older: LibraryContents) {
        order = older.order.filter { places[$0] == nil } + order
        places.merge(older.places) { own, _ in own }
        watched.merge(older.watched) { $0.union($1) }
        values.merge(older.values) { own, _ in own }
    }
}
