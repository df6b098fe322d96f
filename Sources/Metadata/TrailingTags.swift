import TextDecoding
import WireFormats

/// The tags at the end of sound files: ID3v1 (id3.org, "ID3v1") and APEv2 (wiki.hydrogenaud.io, "APEv2 specification"), which is before it.
struct TrailingTags {
    private var ape = CollectedItems()
    private var old = CollectedItems()
    private static let oldLength = 128
    private static let footerLength = 32
    private static let mostItems = 1024

    /// A resource whose end cannot be reached has none.
    init(_ reader: BlockReader) throws {
        guard var end = reader.length else { return }
        if let tag = try reader.read(end - Int64(Self.oldLength), Self.oldLength), tag.starts(with: Array("TAG".utf8)) {
            readOld(tag)
            end -= Int64(Self.oldLength)
        }
        try readAPE(reader, before: end)
    }

    /// The items, those of ID3v1 as far as nothing better says the same: its texts have thirty characters.
    func items(besides others: [MetadataItem]) -> [MetadataItem] {
        let known = Set((others + ape.items).compactMap(\.commonIdentifier))
        let found = old.items.filter { item in item.commonIdentifier.map { !known.contains($0) } ?? others.isEmpty }
        return ape.items + found
    }

    // MARK: ID3v1

    private mutating func readOld(_ tag: [UInt8]) {
        let texts: [(key: String, range: Range<Int>)] = [
            ("TIT2", 3..<33), ("TPE1", 33..<63), ("TALB", 63..<93), ("TYER", 93..<97), ("COMM", 97..<127),
        ]
        let latin = LegacyText(sample: Array(tag[3..<127].map { $0 == 0 ? 0x0A : $0 }))
        for (key, range) in texts {
            let text = latin.text(tag[range].prefix { $0 != 0 }).trimmingSpaces
            if !text.isEmpty { old.append(MetadataItem(MetadataIdentifier(.id3, key), .text(text))) }
        }
        // A remark of 28 characters leaves room for the number of the track (ID3v1.1).
        if tag[125] == 0, tag[126] != 0 { old.append(MetadataItem(MetadataIdentifier(.id3, "TRCK"), .text("\(tag[126])"))) }
        if let genre = Genres.name(Int(tag[127])) { old.append(MetadataItem(MetadataIdentifier(.id3, "TCON"), .text(genre))) }
    }

    // MARK: APEv2

    private mutating func readAPE(_ reader: BlockReader, before end: Int64) throws {
        guard let footer = try reader.read(end - Int64(Self.footerLength), Self.footerLength),
            footer.starts(with: Array("APETAGEX".utf8))
        else {
            return
        }
        var numbers = ByteCursor(footer.dropFirst(12))
        // The length is that of the items and of this footer.
        guard let length = numbers.little32(), let count = numbers.little32(), length >= Self.footerLength,
            length <= MediaMetadata.mostArtworkBytes * 2,
            let body = try reader.read(end - Int64(length), length - Self.footerLength)
        else { return }
        var cursor = ByteCursor(body)
        for _ in 0..<min(count, Self.mostItems) {
            guard let size = cursor.little32(), let flags = cursor.little32(), let key = cursor.terminatedText(),
                let value = cursor.take(size)
            else {
                return
            }
            take(key.uppercased(), value, kind: flags >> 1 & 3)
        }
    }

    /// - Parameter kind: 0 text, 1 bytes, 2 an address.
    private mutating func take(_ key: String, _ value: ArraySlice<UInt8>, kind: Int) {
        let identifier = MetadataIdentifier(.ape, key)
        guard kind == 1 else {
            // Several values follow one another, separated by zeros.
            for text in value.split(separator: 0) { ape.append(MetadataItem(identifier, .text(Text.utf8(text)))) }
            return
        }
        guard key.hasPrefix("COVER ART"), let end = value.firstIndex(of: 0) else {
            return ape.append(MetadataItem(identifier, .data(Array(value))))
        }
        // The name of a file is before the picture.
        let picture = Array(value[end...].dropFirst())
        ape.append(
            picture: MetadataItem(identifier, .data(picture), dataType: ImageType.of(picture)),
            isFront: key == "COVER ART (FRONT)")
    }
}

extension String {
    /// Without the spaces with which fields of a fixed length are filled.
    fileprivate var trimmingSpaces: String {
        var text = self[...]
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
