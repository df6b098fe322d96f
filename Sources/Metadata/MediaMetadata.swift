import Languages
import MediaTime
import WireFormats

/// The metadata of a file besides its media: items with the formats' own keys, and chapters in all their languages.
package struct MediaMetadata: Sendable {
    /// The longest text that is read.
    static let mostTextBytes: Int64 = 1 << 20
    /// The largest picture that is read; larger ones are skipped.
    package static let mostArtworkBytes = 8 << 20
    /// The most items and pictures of a file or a chapter, and chapters of a file, that are read; the rest is ignored.
    static let mostItems = 4096
    static let mostPictures = 64
    static let mostChapters = 1000

    /// All items, by format, in the order of the file.
    package var items: [MetadataItem]
    /// The chapters ordered by time; the title in each language is an item.
    package var chapters: [TimedMetadataGroup]

    package init(items: [MetadataItem] = [], chapters: [TimedMetadataGroup] = []) {
        self.items = items
        self.chapters = chapters
    }

    /// Reads the metadata of a resource. Its first bytes determine the format: MP4 and QuickTime, Matroska and WebM, FLAC, Ogg, ASF (WMA), WAV, AIFF,
    /// or any format after an ID3v2 tag or before one of ID3v1 or APEv2. Other formats have no metadata, which is not an error.
    ///
    /// - Throws: errors of `bytes`. Damage is not an error: everything readable is returned.
    package init(reading bytes: any RandomAccessBytes) throws {
        self.init()
        let reader = BlockReader(bytes)
        var start: Int64 = 0
        if let head = try reader.read(0, 10), let length = ID3Tag.byteCount(head), length <= Self.mostArtworkBytes * 2 {
            // The file may end inside the tag.
            let whole = try bytes.read(at: 0, count: length)
            if let tag = ID3Tag(whole) {
                items = tag.items
                chapters = tag.chapters
                start = Int64(tag.byteCount)
            }
        }
        if let head = try reader.read(start, 16), try readContainer(head, at: start, reader) { return }
        let found = try TrailingTags(reader)
        add(found.items(besides: items), [])
    }

    /// - Parameter head: the first bytes of the container.
    /// - Returns: whether it is one that has metadata of its own.
    private mutating func readContainer(_ head: [UInt8], at start: Int64, _ reader: BlockReader) throws -> Bool {
        let form = head[8..<12].latin1
        if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
            let found = try MatroskaMetadata(reader)
            add(found.items, found.chapters)
        } else if head.starts(with: Array("fLaC".utf8)) {
            let found = try XiphMetadata(flac: reader, at: start)
            add(found.items, found.chapters)
        } else if head.starts(with: Array("OggS".utf8)) {
            let found = try XiphMetadata(ogg: reader)
            add(found.items, found.chapters)
        } else if ["ftyp", "moov", "mdat", "free", "wide", "skip", "pnot", "styp"].contains(head[4..<8].latin1) {
            let found = try MovieMetadata(reader)
            add(found.items, found.chapters)
        } else if head == ASFMetadata.header {
            add(try ASFMetadata(reader).items, [])
        } else if ["RIFF", "RF64"].contains(head[..<4].latin1), form == "WAVE" || form == "AVI " {
            let found = try ChunkMetadata(wave: reader)
            add(found.items, found.chapters)
        } else if head[..<4].latin1 == "FORM", form == "AIFF" || form == "AIFC" {
            let found = try ChunkMetadata(aiff: reader)
            add(found.items, found.chapters)
        } else {
            return false
        }
        return true
    }

    private mutating func add(_ items: [MetadataItem], _ chapters: [TimedMetadataGroup]) {
        self.items += items
        if self.chapters.isEmpty { self.chapters = chapters }
    }

    /// Whether a format's own key stands for personal data: where, by whom, whose.
    package static func isPersonal(key: String) -> Bool {
        let key = key.lowercased()
        return CommonKeys.personalParts.contains { key.contains($0) }
    }

    /// The rating for viewers, such as `PG-13`, from the iTunes text `system|rating|age|reason`; nil if there is none.
    package var contentRating: String? {
        guard let text = items.best(.iTunesMetadataContentRating, for: [])?.stringValue else { return nil }
        let parts = text.split(separator: "|", omittingEmptySubsequences: false)
        let rating = parts.count > 1 ? parts[1] : parts[0]
        return rating.isEmpty ? nil : String(rating.prefix(Self.longestRating))
    }

    /// In characters. The longest rating in use has twelve.
    private static let longestRating = 32

    /// The key spaces that have items, in the order of the file; `AVAsset.availableMetadataFormats`.
    package var availableFormats: [MetadataKeySpace] {
        var formats: [MetadataKeySpace] = []
        for item in items where !formats.contains(item.identifier.keySpace) { formats.append(item.identifier.keySpace) }
        return formats
    }

    /// The items of one key space, as in the file.
    package func items(forFormat format: MetadataKeySpace) -> [MetadataItem] { items.filter { $0.identifier.keySpace == format } }

    /// The items with a common identifier.
    package var commonItems: [MetadataItem] { items.filter { $0.commonIdentifier != nil } }

    /// The languages of chapter titles, each once, in order of first use; `AVAsset.availableChapterLocales`.
    package var availableChapterLanguages: [String] {
        var tags: [String] = []
        for item in chapters.flatMap(\.items) where item.commonIdentifier == .commonTitle {
            let tag = item.extendedLanguageTag ?? LanguageTag.undetermined
            if !tags.contains(tag) { tags.append(tag) }
        }
        return tags
    }

    /// The chapters for display: each with its best title and its other items; a chapter without a title gets a placeholder.
    ///
    /// - Parameters:
    ///   - languages: BCP 47, best first.
    ///   - duration: the duration of the file, which ends a last chapter without an end.
    ///   - placeholder: the title of the nth chapter, counted from one.
    package func chapterGroups(
        bestMatching languages: [String], duration: MediaTime?, placeholder: (Int) -> String
    ) -> [TimedMetadataGroup] {
        chapters.enumerated().map { index, group in
            var group = group
            let titles = group.items.filter { $0.commonIdentifier == .commonTitle && !$0.isEmpty }
            let title =
                titles.sorted(byPreferredLanguages: languages).first
                ?? MetadataItem(.commonTitle, .text(placeholder(index + 1)), extendedLanguageTag: LanguageTag.undetermined)
            group.items = [title] + group.items.filter { $0.commonIdentifier != .commonTitle }
            if group.timeRange.isEmpty,
                let end = chapters.indices.contains(index + 1) ? chapters[index + 1].timeRange.start : duration,
                end > group.timeRange.start
            {
                group.timeRange = TimeRange(start: group.timeRange.start, end: end)
            }
            return group
        }
    }
}
