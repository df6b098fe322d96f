import MediaModel
import Metadata
import Playback

/// The known metadata of a file or stream. A value about the current item.
@MainActor
struct KnownMetadata {
    let item: PlayerItem?
    /// The viewer's languages, best first.
    let languages: [String]

    /// The metadata for the current position, such as the title of a song, on one line.
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

    /// Reads the metadata of a file, or the chapters of a composition, once. They are read after the first picture, so that they do not delay it.
    ///
    /// - Parameter whenKnown: called with an error, or with nil when there are metadata.
    func read(whenKnown: @escaping @MainActor @Sendable (PlayerItem, MediaError?) -> Void) {
        guard let item, ["file", "composition"].contains(item.description?.kind), case .notYetLoaded = item.asset.metadataStatus
        else { return }
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
