import Languages
import MediaTime

/// What a file says of itself beside its media: metadata in the words of its formats, and chapters in all their languages.
package struct MediaMetadata: Sendable {
    /// The longest text that is read.
    static let mostTextBytes: Int64 = 1 << 20
    /// The largest picture that is read; a larger one is left out.
    package static let mostArtworkBytes = 8 << 20

    /// All items, format by format in the order of the file.
    package var items: [MetadataItem]
    /// The chapters in the order of time; the title in each language is an item.
    package var chapters: [TimedMetadataGroup]

    /// Gathers items and chapters.
    package init(items: [MetadataItem] = [], chapters: [TimedMetadataGroup] = []) {
        self.items = items
        self.chapters = chapters
    }

    /// Reads what a resource says of itself. By its first bytes it is found out what it is: MP4 and QuickTime, Matroska and WebM, FLAC, Ogg, or
    /// anything behind an ID3v2 tag. What is none of these has no metadata, which is no error.
    ///
    /// - Throws: what the bytes throw. Damage is no error: what can be read is given.
    package init(reading bytes: any RandomAccessBytes) throws {
        self.init()
        let reader = BlockReader(bytes)
        var start: Int64 = 0
        if let head = try reader.read(0, 10), let length = ID3Tag.byteCount(head), length <= Self.mostArtworkBytes * 2 {
            // The tag may be cut off by the end of the file.
            let whole = try bytes.read(at: 0, count: length)
            if let tag = ID3Tag(whole) {
                items = tag.items
                chapters = tag.chapters
                start = Int64(tag.byteCount)
            }
        }
        guard let head = try reader.read(start, 12) else { return }
        if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
            let found = try MatroskaMetadata(reader)
            add(found.items, found.chapters)
        } else if head.starts(with: Array("fLaC".utf8)) {
            let found = try XiphMetadata(flac: reader, at: start)
            add(found.items, found.chapters)
        } else if head.starts(with: Array("OggS".utf8)) {
            let found = try XiphMetadata(ogg: reader)
            add(found.items, found.chapters)
        } else if ["ftyp", "moov", "mdat", "free", "wide", "skip", "pnot", "styp"].contains(Text.latin1(head[4..<8])) {
            let found = try MovieMetadata(reader)
            add(found.items, found.chapters)
        }
    }

    private mutating func add(_ items: [MetadataItem], _ chapters: [TimedMetadataGroup]) {
        self.items += items
        if self.chapters.isEmpty { self.chapters = chapters }
    }

    /// The key spaces that have items, in the order of the file; `AVAsset.availableMetadataFormats`.
    package var availableFormats: [MetadataKeySpace] {
        var formats: [MetadataKeySpace] = []
        for item in items where !formats.contains(item.identifier.keySpace) { formats.append(item.identifier.keySpace) }
        return formats
    }

    /// The items of one key space, as the file has them.
    package func items(forFormat format: MetadataKeySpace) -> [MetadataItem] { items.filter { $0.identifier.keySpace == format } }

    /// The items that mean something in the common key space.
    package var commonItems: [MetadataItem] { items.filter { $0.commonIdentifier != nil } }

    /// The languages in which chapters have titles, each once, in order of their first mention; `AVAsset.availableChapterLocales`.
    package var availableChapterLanguages: [String] {
        var tags: [String] = []
        for item in chapters.flatMap(\.items) where item.commonIdentifier == .commonTitle {
            let tag = item.extendedLanguageTag ?? LanguageTag.undetermined
            if !tags.contains(tag) { tags.append(tag) }
        }
        return tags
    }

    /// The chapters for a reader: each with the title that serves best and what else it has; a chapter without a title is given one.
    ///
    /// - Parameters:
    ///   - languages: BCP 47, best first.
    ///   - duration: the whole's length, where a last chapter without an end of its own ends.
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
