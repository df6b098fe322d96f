/// The items of a file as they are read, up to the limits of `MediaMetadata`: the rest is ignored. A value.
struct CollectedItems {
    private(set) var items: [MetadataItem] = []
    private var pictureCount = 0

    /// Whether no more items are taken.
    var isFull: Bool { items.count >= MediaMetadata.mostItems }

    mutating func append(_ item: MetadataItem) { insert(item, at: items.count) }

    mutating func append(_ more: [MetadataItem]) { for item in more { append(item) } }

    /// The title of the file itself comes before all others.
    mutating func prepend(_ item: MetadataItem) { insert(item, at: 0) }

    /// Adds a picture.
    ///
    /// - Parameters:
    ///   - isFront: whether it is the main one, which comes before the others.
    ///   - yields: whether a picture that is there may come after it.
    mutating func append(picture item: MetadataItem, isFront: Bool, before yields: (MetadataItem) -> Bool = { _ in true }) {
        let first = isFront ? items.firstIndex { $0.commonIdentifier == .commonArtwork && yields($0) } : nil
        insert(item, at: first ?? items.count)
    }

    private mutating func insert(_ item: MetadataItem, at index: Int) {
        guard !isFull else { return }
        if item.commonIdentifier == .commonArtwork {
            guard pictureCount < MediaMetadata.mostPictures else { return }
            pictureCount += 1
        }
        items.insert(item, at: index)
    }
}
