import MediaModel
import Metadata
import Playback

/// What a file or a stream says of itself, as far as it is known. A value over the item that plays.
@MainActor
struct StreamFacts {
    let item: PlayerItem?
    /// The viewer's languages, best first.
    let languages: [String]

    /// What is told of this very moment, such as the title of a song: a line.
    var presentedLine: String? {
        guard let items = item?.presentedMetadata else { return nil }
        let words = [MetadataIdentifier.commonArtist, .commonTitle].compactMap { items.best($0, for: languages)?.stringValue }
        return words.isEmpty ? nil : words.joined(separator: " · ")
    }

    /// Texts and chapters.
    var metadata: MediaMetadata? {
        if let told = item?.metadata, !told.items.isEmpty || !told.chapters.isEmpty {
            return MediaMetadata(items: told.items, chapters: told.chapters)
        }
        guard case .loaded(let metadata)? = item?.asset.metadataStatus else { return nil }
        return metadata
    }

    /// Reads the metadata of a file, once. It is read after the first picture, which does not wait for it.
    ///
    /// - Parameter whenKnown: called with an error, or with nil when there is something.
    func read(whenKnown: @escaping @MainActor @Sendable (PlayerItem, MediaError?) -> Void) {
        guard let item, item.description?.kind == "file", case .notYetLoaded = item.asset.metadataStatus else { return }
        item.asset.loadMetadata { [weak item] result in
            guard let item else { return }
            switch result {
            case .success(let metadata) where metadata.items.isEmpty && metadata.chapters.isEmpty: break
            case .success: whenKnown(item, nil)
            case .failure(let error): whenKnown(item, error)
            }
        }
    }
}
