import MediaModel
import Metadata
import Playback
import PlayerInterface

/// What files say of themselves in the viewer's languages. It is read behind the first picture: nobody waits for it.
extension Appliance {
    /// Reads the metadata of what plays, once, when its first picture (or sound) is there.
    func readMetadata() {
        guard let item = parts.player.currentItem, item.description?.kind == "file",
            case .notYetLoaded = item.asset.metadataStatus
        else { return }
        item.asset.loadMetadata { [weak self, weak item] result in
            guard let self, let item, self.parts.player.currentItem === item else { return }
            switch result {
            case .success(let metadata) where metadata.items.isEmpty && metadata.chapters.isEmpty: break
            case .success: self.streamIsKnownBetter()
            case .failure(let error): self.parts.log.note("continued without the metadata of the file: \(error.sentence)")
            }
        }
    }

    /// Hears what streams tell of themselves. Once, when the box is put together.
    func followMetadata() {
        parts.player.onMetadata = { [weak self] change in
            guard let self else { return }
            if case .presented(let items) = change {
                self.parts.dump?.note(
                    "metadata", items.map { "\($0.identifier)=\($0.stringValue ?? "data")" }.joined(separator: " "))
            }
            self.streamIsKnownBetter()
        }
    }

    /// What is told of this very moment of a stream, such as the title of a song: a line of its own.
    var presentedLine: String? {
        guard let items = parts.player.currentItem?.presentedMetadata else { return nil }
        let words = [MetadataIdentifier.commonArtist, .commonTitle].compactMap { items.best($0, for: languages)?.stringValue }
        return words.isEmpty ? nil : words.joined(separator: " · ")
    }

    /// What the file or the stream that plays says of itself, as far as it is known.
    var currentMetadata: MediaMetadata? {
        if let told = parts.player.currentItem?.metadata, !told.items.isEmpty || !told.chapters.isEmpty {
            return MediaMetadata(items: told.items, chapters: told.chapters)
        }
        guard case .loaded(let metadata)? = parts.player.currentItem?.asset.metadataStatus else { return nil }
        return metadata
    }
}

extension Presentations {
    /// The texts of a stream by the names that containers commonly give them, in the viewer's languages.
    func texts(_ source: SourceDescription?, _ metadata: MediaMetadata?) -> [String: String] {
        var texts = Dictionary(
            (source?.tags ?? []).map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
        let names: [(String, MetadataIdentifier)] = [
            ("title", .commonTitle), ("artist", .commonArtist), ("album", .commonAlbumName), ("description", .commonDescription),
            ("genre", .commonType),
        ]
        for (name, identifier) in names {
            if let text = metadata?.items.best(identifier, for: languages)?.stringValue { texts[name] = text }
        }
        return texts
    }

    /// The chapters of a stream in the viewer's languages; those without a title are given one by the interface.
    func chapters(_ source: SourceDescription, _ metadata: MediaMetadata?) -> [NavigationMarker] {
        guard let metadata, !metadata.chapters.isEmpty else {
            return source.chapters.map { chapter in
                NavigationMarker(kind: .chapter, start: chapter.range.start, end: chapter.range.end, title: chapter.title)
            }
        }
        return metadata.chapterGroups(bestMatching: languages, duration: source.duration.time) { _ in "" }.map { group in
            let title = group.items.first?.stringValue ?? ""
            return NavigationMarker(
                kind: .chapter, start: group.timeRange.start, end: group.timeRange.end, title: title.isEmpty ? nil : title)
        }
    }
}
