import Languages
import MediaTime
import WireFormats

/// Reads the metadata of MP4 and QuickTime files: user data of both kinds, QuickTime metadata, the iTunes item list, chapters.
struct MovieMetadata {
    private let walker: BoxWalker
    private var collected = CollectedItems()
    var items: [MetadataItem] { collected.items }
    private(set) var chapters: [TimedMetadataGroup] = []

    init(_ reader: BlockReader) throws {
        walker = BoxWalker(reader: reader)
        let top = try walker.children(from: 0, to: nil)
        // With a QuickTime brand, user data has QuickTime's format; otherwise it is ISO or 3GPP.
        let brand = try top.first { $0.type == "ftyp" }.flatMap { try walker.contents($0, most: 4096) }.map {
            $0.prefix(4).latin1
        }
        guard let movie = top.first(where: { $0.type == "moov" }) else { return }
        var nero: [TimedMetadataGroup] = []
        for box in try walker.children(of: movie) {
            switch box.type {
            case "udta": try readUserData(box, isQuickTime: brand == nil || brand == "qt  ", &nero)
            case "meta": try readMeta(box)
            default: break
            }
        }
        chapters = try MovieChapters(walker, movie: movie).groups
        if chapters.isEmpty { chapters = nero }
    }

    private mutating func readUserData(_ box: BoxExtent, isQuickTime: Bool, _ nero: inout [TimedMetadataGroup]) throws {
        for child in try walker.children(of: box) {
            if child.type == "meta" {
                try readMeta(child)
            } else if child.type == "chpl" {
                nero = try walker.contents(child, most: 1 << 20).map(MovieChapters.nero) ?? []
            } else if let bytes = try walker.contents(child, most: MediaMetadata.mostTextBytes) {
                collected.append(
                    child.type.hasPrefix("\u{A9}")
                        ? Self.internationalTexts(child.type, bytes, isQuickTime) : Self.isoText(child.type, bytes))
            }
        }
    }

    /// QuickTime File Format, "User data text strings and language codes": any number of length, language, text.
    private static func internationalTexts(_ type: String, _ bytes: [UInt8], _ isQuickTime: Bool) -> [MetadataItem] {
        var cursor = ByteCursor(bytes)
        var items: [MetadataItem] = []
        while let length = cursor.big(2), let language = cursor.big(2), let text = cursor.take(Int(length)) {
            // Codes below 0x400 are Macintosh languages in Macintosh encodings: only ASCII is certain.
            let value = language >= 0x400 || text.allSatisfy({ $0 < 0x80 }) ? Text.utf8OrMarked(text) : text.latin1
            items.append(
                MetadataItem(
                    MetadataIdentifier(isQuickTime ? .quickTimeUserData : .isoUserData, type), .text(Text.trimmed(value)),
                    extendedLanguageTag: packedLanguage(UInt16(language))))
        }
        return items
    }

    /// 3GPP TS 26.244 section 8: version, flags, packed language, text.
    private static func isoText(_ type: String, _ bytes: [UInt8]) -> [MetadataItem] {
        var cursor = ByteCursor(bytes)
        let identifier = MetadataIdentifier(.isoUserData, type)
        switch type {
        case "titl", "dscp", "cprt", "perf", "auth", "gnre", "albm":
            guard cursor.take(4) != nil, let language = cursor.big(2) else { return [] }
            // An album's text may be followed by a track number after its terminating zero.
            let text = Text.utf8OrMarked(cursor.rest).prefix { $0 != "\0" }
            return [MetadataItem(identifier, .text(String(text)), extendedLanguageTag: packedLanguage(UInt16(language)))]
        case "yrrc":
            guard cursor.take(4) != nil, let year = cursor.big(2) else { return [] }
            return [MetadataItem(identifier, .integer(Int64(year)))]
        case "loci", "rtng", "clsf", "kywd", "thmb":
            return [MetadataItem(identifier, .data(bytes))]
        default: return []
        }
    }

    private mutating func readMeta(_ box: BoxExtent) throws {
        // In ISO files `meta` is a full box; in QuickTime it is a plain box. The handler is the first child in both.
        guard let head = try walker.reader.read(box.start, 12) else { return }
        let isPlain = head[4..<8].latin1 == "hdlr"
        let children = try walker.children(of: box, skipping: isPlain ? 0 : 4)
        guard let list = children.first(where: { $0.type == "ilst" }) else { return }
        let keys =
            try children.first { $0.type == "keys" }.flatMap { try walker.contents($0, most: 1 << 20) }.map(Self.keys) ?? []
        for item in try walker.children(of: list) { try readItem(item, keys) }
    }

    /// The names of QuickTime metadata, to which its items refer by number, counted from one.
    private static func keys(_ bytes: [UInt8]) -> [String] {
        var cursor = ByteCursor(bytes)
        guard cursor.take(4) != nil, let count = cursor.big(4) else { return [] }
        var keys: [String] = []
        while keys.count < count, let size = cursor.big(4), size >= 8, cursor.take(4) != nil,
            let name = cursor.take(Int(size) - 8)
        {
            keys.append(Text.utf8(name))
        }
        return keys
    }

    private mutating func readItem(_ item: BoxExtent, _ keys: [String]) throws {
        let children = try walker.children(of: item)
        func text(_ type: String) throws -> String? {
            try children.first { $0.type == type }.flatMap { try walker.contents($0, most: 4096) }.map {
                Text.utf8($0.dropFirst(4))
            }
        }
        let identifier: MetadataIdentifier
        let number = item.type.unicodeScalars.reduce(0) { $0 << 8 | Int($1.value) }
        if item.type == "----" {
            guard let mean = try text("mean"), let name = try text("name") else { return }
            identifier = MetadataIdentifier(.iTunes, "\(mean)/\(name)")
        } else if !keys.isEmpty {
            guard keys.indices.contains(number - 1) else { return }
            identifier = MetadataIdentifier(.quickTimeMetadata, keys[number - 1])
        } else {
            identifier = MetadataIdentifier(.iTunes, item.type)
        }
        for data in children where data.type == "data" {
            let most = Int64(MediaMetadata.mostArtworkBytes)
            guard let bytes = try walker.contents(data, most: most) else { continue }
            var cursor = ByteCursor(bytes)
            guard let type = cursor.big(4), cursor.take(2) != nil, let language = cursor.big(2) else { continue }
            let (value, dataType) = Self.value(cursor.rest, type: type, key: item.type)
            collected.append(
                MetadataItem(identifier, value, dataType: dataType, extendedLanguageTag: Self.packedLanguage(UInt16(language))))
        }
    }

    /// QuickTime File Format, "Well-known types".
    private static func value(_ bytes: ArraySlice<UInt8>, type: UInt64, key: String) -> (MetadataValue, dataType: String?) {
        switch type {
        case 1: return (.text(Text.utf8(bytes)), nil)
        case 2: return (.text(Text.utf16(bytes)), nil)
        case 21, 22, 65...67, 75...78:
            guard (1...8).contains(bytes.count) else { return (.data(Array(bytes)), nil) }
            let isSigned = type == 21 || (65...67).contains(type)
            let start: Int64 = isSigned && bytes.first! >= 0x80 ? -1 : 0
            return (.integer(bytes.reduce(start) { $0 << 8 | Int64($1) }), nil)
        case 23 where bytes.count == 4:
            return (.number(Double(Float(bitPattern: bytes.reduce(0) { $0 << 8 | UInt32($1) }))), nil)
        case 24 where bytes.count == 8:
            return (.number(Double(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) })), nil)
        case 0 where key == "gnre" && bytes.count == 2:
            let number = bytes.reduce(0) { $0 << 8 | Int($1) }
            return (Genres.name(number - 1).map { .text($0) } ?? .integer(Int64(number)), nil)
        case 0 where (key == "trkn" || key == "disk") && bytes.count >= 6:
            let numbers = Array(bytes)
            let (number, count) = (Int(numbers[2]) << 8 | Int(numbers[3]), Int(numbers[4]) << 8 | Int(numbers[5]))
            return (.text(count > 0 ? "\(number)/\(count)" : "\(number)"), nil)
        default: return (.data(Array(bytes)), ImageType.of(bytes))
        }
    }

    /// Three letters of ISO 639-2 in fifteen bits (ISO/IEC 14496-12 section 8.4.2.3); smaller numbers are Macintosh codes, which
    /// are ignored.
    static func packedLanguage(_ code: UInt16) -> String? {
        guard code >= 0x400, code != 0x7FFF else { return nil }
        let letters = [code >> 10 & 31, code >> 5 & 31, code & 31].map { UInt8($0) + 0x60 }
        return LanguageCode.tag(letters[...].latin1)
    }
}
