import MediaModel
import MediaTime

/// Whether an item may be a picture, as far as the feed says.
enum StillRule {
    /// Why it is none.
    ///
    /// - Parameter what: what cannot be done with it.
    static func obstacle(_ item: Item, to what: String) -> String? {
        let urls = item.streams.compactMap(\.location.url)
        guard !item.streams.isEmpty else { return nil }
        guard !urls.isEmpty else { return "the pieces of a composition are not \(what)" }
        // The content decides, but such names are no accident.
        guard let first = urls.first, urls.allSatisfy(MediaNames.isMediaOrList) else { return nil }
        return "\(FeedText.quoted(MediaNames.name(of: first))) is not the name of a picture"
    }

    /// How long a picture without a duration stands; nil for what has no name of a picture.
    static func duration(of item: Item) -> MediaTime? {
        let urls = item.streams.compactMap(\.location.url)
        return !urls.isEmpty && urls.allSatisfy(MediaNames.isPicture) ? PictureMotion.duration(stated: nil) : nil
    }
}
