/// What Media RSS says about one media object: elements of the object itself, of its group, of its item and of the channel, where the nearest
/// one counts (Media RSS 1.5, "Optional Elements").
struct MediaRSSScope {
    /// From the nearest to the farthest.
    let levels: [XMLElement]

    /// The elements with a name at the nearest level that has one.
    func nearest(_ name: String) -> [XMLElement] {
        for level in levels {
            let found = level.all(name)
            if !found.isEmpty { return found }
        }
        return []
    }

    func first(_ name: String) -> XMLElement? { nearest(name).first }
}
