import Languages
import MediaTime
import WireFormats

/// Reads tags, chapters and cover pictures of Matroska and WebM files (RFC 9559).
struct MatroskaMetadata {
    private var collected = CollectedItems()
    private(set) var chapters: [TimedMetadataGroup] = []
    var items: [MetadataItem] { collected.items }
    private let reader: BlockReader
    private static let mostElements = 4096

    private enum ID {
        static let segment: UInt64 = 0x1853_8067, seekHead: UInt64 = 0x114D_9B74, info: UInt64 = 0x1549_A966
        static let cluster: UInt64 = 0x1F43_B675, tags: UInt64 = 0x1254_C367, chapters: UInt64 = 0x1043_A770
        static let attachments: UInt64 = 0x1941_A469
    }

    private struct Element {
        var id: UInt64
        var start: Int64
        /// Nil when the size is unknown, as in streams.
        var end: Int64?
    }

    init(_ reader: BlockReader) throws {
        self.reader = reader
        guard let head = try element(at: 0), let headEnd = head.end, let segment = try element(at: headEnd),
            segment.id == ID.segment
        else { return }
        var seen: Set<Int64> = []
        var later: [Int64] = []
        var offset = segment.start
        // Elements after the media are found by the seek head, without walking over hours of clusters.
        while segment.end.map({ offset < $0 }) ?? true, let element = try element(at: offset), element.id != ID.cluster,
            let end = element.end, seen.count < Self.mostElements
        {
            seen.insert(offset)
            if element.id == ID.seekHead { later += try seeks(element, segment.start) } else { try read(element) }
            offset = end
        }
        for offset in later where seen.insert(offset).inserted {
            if let element = try element(at: offset) { try read(element) }
        }
    }

    private mutating func read(_ element: Element) throws {
        switch element.id {
        case ID.info: try readInfo(element)
        case ID.tags: try readTags(element)
        case ID.chapters: try readChapters(element)
        case ID.attachments: try readAttachments(element)
        default: break
        }
    }

    private func element(at offset: Int64) throws -> Element? {
        // The file may end before the longest possible header does.
        var head: [UInt8] = []
        for count in [12, 8, 4, 2] { if let bytes = try reader.read(offset, count) { head = bytes; break } }
        var cursor = ByteCursor(head)
        guard let (id, idLength) = Self.number(&cursor, keepsMarker: true), idLength <= 4,
            let (size, sizeLength) = Self.number(&cursor, keepsMarker: false)
        else { return nil }
        let start = offset + Int64(idLength + sizeLength)
        let isUnknown = size == (1 << UInt64(7 * sizeLength)) - 1
        return Element(id: id, start: start, end: isUnknown ? nil : start + Int64(size))
    }

    /// A variable-length integer (RFC 8794 section 4).
    private static func number(_ cursor: inout ByteCursor, keepsMarker: Bool) -> (UInt64, length: Int)? {
        guard let first = cursor.byte(), first != 0 else { return nil }
        let length = first.leadingZeroBitCount + 1
        guard let rest = cursor.big(length - 1) else { return nil }
        let head = keepsMarker ? first : first & UInt8(truncatingIfNeeded: (1 << (8 - length)) - 1)
        return (UInt64(head) << UInt64(8 * (length - 1)) | rest, length)
    }

    private func children(_ parent: Element) throws -> [Element] {
        guard let end = parent.end else { return [] }
        var result: [Element] = []
        var offset = parent.start
        while offset < end, result.count < Self.mostElements, let element = try element(at: offset), let next = element.end,
            next <= end
        {
            result.append(element)
            offset = next
        }
        return result
    }

    private func bytes(_ element: Element, most: Int = MediaMetadata.mostArtworkBytes) throws -> [UInt8]? {
        guard let end = element.end, end - element.start <= Int64(most) else { return nil }
        return try reader.read(element.start, Int(end - element.start))
    }

    private func text(_ element: Element) throws -> String? {
        try bytes(element, most: Int(MediaMetadata.mostTextBytes)).map { Text.trimmed(Text.utf8($0[...])) }
    }

    private func unsigned(_ element: Element) throws -> UInt64? {
        try bytes(element, most: 8).map { $0.reduce(0) { $0 << 8 | UInt64($1) } }
    }

    private func seeks(_ head: Element, _ segment: Int64) throws -> [Int64] {
        try children(head).compactMap { seek in
            var id: UInt64?
            var position: UInt64?
            for part in try children(seek) {
                if part.id == 0x53AB { id = try unsigned(part) }
                if part.id == 0x53AC { position = try unsigned(part) }
            }
            guard let id, let position, [ID.tags, ID.chapters, ID.attachments, ID.info].contains(id), position < 1 << 60 else {
                return nil
            }
            return segment + Int64(position)
        }
    }

    private mutating func readInfo(_ info: Element) throws {
        for part in try children(info) where part.id == 0x7BA9 {
            if let title = try text(part) {
                collected.prepend(MetadataItem(MetadataIdentifier(.matroska, "TITLE"), .text(title)))
            }
        }
    }

    private mutating func readTags(_ tags: Element) throws {
        for tag in try children(tags) where tag.id == 0x7373 {
            var level: UInt64 = 50
            var isOfPart = false
            var simple: [Element] = []
            for part in try children(tag) {
                if part.id == 0x67C8 { simple.append(part) }
                guard part.id == 0x63C0 else { continue }
                for target in try children(part) {
                    if target.id == 0x68CA { level = try unsigned(target) ?? level }
                    // Of one track, chapter or attachment, not of the whole file.
                    if [0x63C5, 0x63C4, 0x63C6, 0x63C9].contains(target.id), try unsigned(target) ?? 0 != 0 { isOfPart = true }
                }
            }
            if !isOfPart { for element in simple { try readSimple(element, prefix: Self.prefix(level)) } }
        }
    }

    /// The level above a film or an episode: its season, its series.
    private static func prefix(_ level: UInt64) -> String {
        switch level {
        case 60: "SEASON/"
        case 70...: "COLLECTION/"
        default: ""
        }
    }

    private mutating func readSimple(_ element: Element, prefix: String, depth: Int = 0) throws {
        guard !collected.isFull else { return }
        var (name, language, tag): (String?, String?, String?)
        var value: MetadataValue?
        var nested: [Element] = []
        for part in try children(element) {
            switch part.id {
            case 0x45A3: name = try text(part)
            case 0x447A: language = try text(part)
            case 0x447B: tag = try text(part)
            case 0x4487: value = try text(part).map { .text($0) }
            case 0x4485: value = try bytes(part).map { .data($0) }
            case 0x67C8: nested.append(part)
            default: break
            }
        }
        guard let name else { return }
        let key = prefix + name.uppercased()
        let identifier = MetadataIdentifier(.matroska, key)
        // The title in the segment information and the tag of that name are the same value.
        let isKnown = items.contains { $0.identifier == identifier && $0.value == value }
        if let value, !isKnown {
            collected.append(MetadataItem(identifier, value, extendedLanguageTag: tag ?? language.flatMap(LanguageCode.tag)))
        }
        if depth < 4 { for part in nested { try readSimple(part, prefix: key + "/", depth: depth + 1) } }
    }

    private mutating func readChapters(_ element: Element) throws {
        var editions: [(isDefault: Bool, chapters: [TimedMetadataGroup])] = []
        for edition in try children(element) where edition.id == 0x45B9 {
            var isDefault = false
            var groups: [TimedMetadataGroup] = []
            for part in try children(edition) {
                if part.id == 0x45DB { isDefault = try unsigned(part) == 1 }
                if part.id == 0xB6, groups.count < MediaMetadata.mostChapters, let group = try chapter(part) {
                    groups.append(group)
                }
            }
            editions.append((isDefault, groups.sorted { $0.timeRange.start < $1.timeRange.start }))
        }
        var chosen = (editions.first(where: \.isDefault) ?? editions.first)?.chapters ?? []
        // A chapter without an end lasts until the next one.
        for index in chosen.indices.dropLast() where chosen[index].timeRange.isEmpty {
            chosen[index].timeRange = TimeRange(start: chosen[index].timeRange.start, end: chosen[index + 1].timeRange.start)
        }
        chapters = chosen
    }

    private func chapter(_ atom: Element) throws -> TimedMetadataGroup? {
        var (start, end): (UInt64?, UInt64?)
        var titles: [MetadataItem] = []
        for part in try children(atom) {
            switch part.id {
            case 0x91: start = try unsigned(part)
            case 0x92: end = try unsigned(part)
            case 0x98: if try unsigned(part) == 1 { return nil }
            case 0x80: titles += try display(part)
            default: break
            }
        }
        guard let start, start < 1 << 62 else { return nil }
        let from = MediaTime.nanoseconds(Int64(start))
        let to = end.flatMap { $0 >= start && $0 < 1 << 62 ? MediaTime.nanoseconds(Int64($0)) : nil } ?? from
        return TimedMetadataGroup(timeRange: TimeRange(start: from, end: to), items: titles)
    }

    /// A title may apply to several languages.
    private func display(_ element: Element) throws -> [MetadataItem] {
        var title: String?
        var (languages, tags): ([String?], [String?]) = ([], [])
        for part in try children(element) {
            switch part.id {
            case 0x85: title = try text(part)
            case 0x437C: languages.append(try text(part).flatMap(LanguageCode.tag))
            case 0x437D: tags.append(try text(part))
            default: break
            }
        }
        guard let title else { return [] }
        // An absent element means English (RFC 9559 section 5.1.7.1.4.11).
        let all = tags.isEmpty ? (languages.isEmpty ? ["en"] : languages) : tags
        return all.map { MetadataItem(MetadataIdentifier(.matroska, "TITLE"), .text(title), extendedLanguageTag: $0) }
    }

    private mutating func readAttachments(_ element: Element) throws {
        for file in try children(element) where file.id == 0x61A7 {
            var (name, type): (String?, String?)
            var data: Element?
            for part in try children(file) {
                if part.id == 0x466E { name = try text(part) }
                if part.id == 0x4660 { type = try text(part) }
                if part.id == 0x465C { data = part }
            }
            guard let name = name?.lowercased(), name.hasPrefix("cover") || name.hasPrefix("small_cover"), let data,
                let picture = try bytes(data)
            else { continue }
            let item = MetadataItem(
                MetadataIdentifier(.matroska, "COVER"), .data(picture), dataType: ImageType.of(picture) ?? type, info: name)
            // `cover.*` is the large portrait one, `cover_land.*` is landscape, small ones are for lists.
            collected.append(picture: item, isFront: name.hasPrefix("cover."))
        }
    }
}
