import Languages
import MediaTime
import TextDecoding
import WireFormats

/// Reads the frames of one ID3v2 tag, or of one chapter in it.
struct ID3FrameReader {
    let version: Int
    let isUnsynchronised: Bool
    private var collected = CollectedItems()
    private(set) var privateFrames: [(owner: String, data: [UInt8])] = []
    private var chapters: [(id: String, group: TimedMetadataGroup)] = []
    private var contents: [String]?
    private let isInChapter: Bool
    private let latin: LegacyText
    /// The texts that are said to be in ISO 8859-1.
    private(set) var latinTexts: [UInt8] = []
    /// More are not needed to recognise what they are.
    private static let mostLatinTexts = 64 << 10

    /// - Parameter latin: how texts that are said to be in ISO 8859-1 are read.
    init(version: Int, isUnsynchronised: Bool, isInChapter: Bool = false, latin: LegacyText = LegacyText()) {
        self.version = version
        self.isUnsynchronised = isUnsynchronised
        self.isInChapter = isInChapter
        self.latin = latin
    }

    var items: [MetadataItem] { collected.items }

    var orderedChapters: [TimedMetadataGroup] {
        let listed = contents?.compactMap { id in chapters.first { $0.id == id }?.group } ?? []
        // A table that leaves everything out is ignored.
        return listed.isEmpty ? chapters.map(\.group).sorted { $0.timeRange.start < $1.timeRange.start } : listed
    }

    mutating func read(_ cursor: inout ByteCursor) {
        while let frame = next(&cursor) { take(frame.id, frame.body) }
    }

    private func next(_ cursor: inout ByteCursor) -> (id: String, body: ArraySlice<UInt8>)? {
        let idLength = version == 2 ? 3 : 4
        guard let id = cursor.take(idLength),
            id.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || $0 == 0x20 })
        else { return nil }
        let name = id.latin1
        guard version > 2 else {
            guard let size = cursor.big(3), let body = cursor.take(Int(size)) else { return nil }
            return (name, body)
        }
        guard let size = frameSize(&cursor), let flags = cursor.big(2), var body = cursor.take(size) else { return nil }
        let (compressed, encrypted, grouped, unsynchronised, hasLength): (UInt64, UInt64, UInt64, UInt64, UInt64) =
            version == 4 ? (0x08, 0x04, 0x40, 0x02, 0x01) : (0x80, 0x40, 0x20, 0, 0)
        // These are rare and cannot be read here; skip them.
        if flags & (compressed | encrypted) != 0 { return (name, []) }
        if flags & grouped != 0 { body = body.dropFirst() }
        if flags & hasLength != 0 { body = body.dropFirst(4) }
        if version == 4, isUnsynchronised || flags & unsynchronised != 0 { body = ID3Tag.synchronised(body) }
        return (name, body)
    }

    /// Version 2.4 uses seven bits per byte. Some programs write eight, which is detected because the next frame would be
    /// invalid.
    private func frameSize(_ cursor: inout ByteCursor) -> Int? {
        var plain = cursor
        guard let eight = plain.big(4).map(Int.init) else { return nil }
        guard version == 4, var seven = Optional(cursor), let size = seven.synchsafe(),
            !(size != eight && fits(plain, eight) && !fits(seven, size))
        else {
            cursor = plain
            return eight
        }
        cursor = seven
        return size
    }

    private func fits(_ cursor: ByteCursor, _ size: Int) -> Bool {
        var cursor = cursor
        guard cursor.take(2) != nil, cursor.take(size) != nil else { return false }
        guard let next = cursor.take(4) else { return true }
        return next.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) } || next.allSatisfy { $0 == 0 }
    }

    private mutating func take(_ id: String, _ body: ArraySlice<UInt8>) {
        guard !body.isEmpty else { return }
        var cursor = ByteCursor(body)
        switch id {
        case "TXXX", "TXX": takeUserText(id, &cursor)
        case "COMM", "COM", "USLT", "ULT": takeComment(id, &cursor)
        case "APIC": takePicture(id, &cursor)
        case "PIC": takeOldPicture(&cursor)
        case "CHAP" where !isInChapter: takeChapter(&cursor)
        case "CTOC" where !isInChapter: takeContents(&cursor)
        case "PRIV": takePrivate(&cursor)
        case _ where id.hasPrefix("T"): takeText(id, &cursor)
        case _ where id.hasPrefix("W"): takeLink(id, &cursor)
        default: collected.append(MetadataItem(MetadataIdentifier(.id3, id), .data(Array(body))))
        }
    }

    private mutating func takeText(_ id: String, _ cursor: inout ByteCursor) {
        guard let encoding = cursor.byte() else { return }
        // Several values follow one another, separated by zeros.
        var values = strings(cursor.rest, encoding)
        while values.last == "" { values.removeLast() }
        for value in values {
            let text = ["TCON", "TCO"].contains(id) ? Genres.named(value) : value
            collected.append(MetadataItem(MetadataIdentifier(.id3, id), .text(text)))
        }
    }

    private mutating func takeUserText(_ id: String, _ cursor: inout ByteCursor) {
        guard let encoding = cursor.byte(), let name = string(&cursor, encoding) else { return }
        let value = Text.trimmed(strings(cursor.rest, encoding).joined(separator: "/"))
        collected.append(MetadataItem(MetadataIdentifier(.id3, id), .text(value), info: name))
    }

    private mutating func takeComment(_ id: String, _ cursor: inout ByteCursor) {
        guard let encoding = cursor.byte(), let language = cursor.take(3), let name = string(&cursor, encoding) else {
            return
        }
        let value = strings(cursor.rest, encoding).first ?? ""
        collected.append(
            MetadataItem(
                MetadataIdentifier(.id3, id), .text(value), extendedLanguageTag: LanguageCode.tag(language.latin1),
                info: name))
    }

    private mutating func takePicture(_ id: String, _ cursor: inout ByteCursor) {
        guard let encoding = cursor.byte(), let type = string(&cursor, 0), let kind = cursor.byte(),
            string(&cursor, encoding) != nil
        else { return }
        appendPicture(id, cursor.rest, type: type, kind: kind)
    }

    private mutating func takeOldPicture(_ cursor: inout ByteCursor) {
        guard let encoding = cursor.byte(), cursor.take(3) != nil, let kind = cursor.byte(), string(&cursor, encoding) != nil
        else { return }
        appendPicture("PIC", cursor.rest, type: "", kind: kind)
    }

    private mutating func appendPicture(_ id: String, _ bytes: ArraySlice<UInt8>, type: String, kind: UInt8) {
        // A picture stored elsewhere is only an address, which is not followed.
        guard !bytes.isEmpty, type != "-->" else { return }
        let item = MetadataItem(
            MetadataIdentifier(.id3, id), .data(Array(bytes)), dataType: ImageType.of(bytes) ?? (type.isEmpty ? nil : type),
            info: String(kind))
        // The front cover (3) comes first.
        collected.append(picture: item, isFront: kind == 3) { $0.info != "3" }
    }

    private mutating func takeLink(_ id: String, _ cursor: inout ByteCursor) {
        var name: String?
        if ["WXXX", "WXX"].contains(id) {
            guard let encoding = cursor.byte(), let text = string(&cursor, encoding) else { return }
            name = text
        }
        collected.append(
            MetadataItem(MetadataIdentifier(.id3, id), .text(Text.trimmed(cursor.rest.latin1)), info: name))
    }

    private mutating func takePrivate(_ cursor: inout ByteCursor) {
        guard let owner = string(&cursor, 0) else { return }
        guard privateFrames.count < MediaMetadata.mostItems else { return }
        privateFrames.append((owner, Array(cursor.rest)))
        collected.append(MetadataItem(MetadataIdentifier(.id3, "PRIV"), .data(Array(cursor.rest)), info: owner))
    }

    private mutating func takeChapter(_ cursor: inout ByteCursor) {
        guard let id = string(&cursor, 0), let start = cursor.big(4), let end = cursor.big(4), cursor.take(8) != nil,
            end >= start, chapters.count < MediaMetadata.mostChapters
        else { return }
        var inner = ID3FrameReader(version: version, isUnsynchronised: false, isInChapter: true, latin: latin)
        inner.read(&cursor)
        note(inner.latinTexts[...])
        let range = TimeRange(start: .milliseconds(Int64(start)), end: .milliseconds(Int64(end)))
        chapters.append((id, TimedMetadataGroup(timeRange: range, items: inner.items)))
    }

    private mutating func takeContents(_ cursor: inout ByteCursor) {
        guard string(&cursor, 0) != nil, let flags = cursor.byte(), let count = cursor.byte() else { return }
        let ids = (0..<count).compactMap { _ in string(&cursor, 0) }
        // The top-level table decides; others are parts of it.
        if flags & 2 != 0 || contents == nil { contents = ids }
    }

    /// One text up to its terminating zero; nil when there is none. Encodings: 0 ISO 8859-1, 1 UTF-16 with a mark, 2 UTF-16, 3
    /// UTF-8.
    private mutating func string(_ cursor: inout ByteCursor, _ encoding: UInt8) -> String? {
        let bytes = cursor.rest
        guard let end = Self.terminator(bytes, encoding), let text = cursor.take(end - bytes.startIndex) else { return nil }
        _ = cursor.take(Self.isWide(encoding) ? 2 : 1)
        return decoded(text, encoding)
    }

    private mutating func strings(_ bytes: ArraySlice<UInt8>, _ encoding: UInt8) -> [String] {
        var rest = bytes
        var result: [String] = []
        while let end = Self.terminator(rest, encoding) {
            result.append(decoded(rest[..<end], encoding))
            rest = rest[end...].dropFirst(Self.isWide(encoding) ? 2 : 1)
        }
        if !rest.isEmpty { result.append(decoded(rest, encoding)) }
        return result
    }

    private static func isWide(_ encoding: UInt8) -> Bool { encoding == 1 || encoding == 2 }

    private static func terminator(_ bytes: ArraySlice<UInt8>, _ encoding: UInt8) -> Int? {
        guard isWide(encoding) else { return bytes.firstIndex(of: 0) }
        return stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).first { bytes[$0] == 0 && bytes[$0 + 1] == 0 }
    }

    private mutating func decoded(_ bytes: ArraySlice<UInt8>, _ encoding: UInt8) -> String {
        switch encoding {
        case 1, 2: return Text.utf16(bytes)
        case 3: return Text.utf8(bytes)
        default:
            note(bytes)
            return latin.text(bytes)
        }
    }

    private mutating func note(_ bytes: ArraySlice<UInt8>) {
        guard latinTexts.count < Self.mostLatinTexts, bytes.contains(where: { $0 >= 0x80 }) else { return }
        latinTexts += bytes + [0x0A]
    }
}
