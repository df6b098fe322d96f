import WireFormats

/// Reads the attributes of ASF files: WMA and WMV (Microsoft, "Advanced Systems Format Specification", sections 3.10, 3.11 and 4.8).
struct ASFMetadata {
    private var collected = CollectedItems()
    var items: [MetadataItem] { collected.items }

    /// The first bytes of such a file: the identifier of the header.
    static let header: [UInt8] = [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0, 0xAA, 0, 0x62, 0xCE, 0x6C]
    private static let description: [UInt8] = [0x33] + header.dropFirst()
    private static let attributes: [UInt8] = [
        0x40, 0xA4, 0xD0, 0xD2, 0x07, 0xE3, 0xD2, 0x11, 0x97, 0xF0, 0, 0xA0, 0xC9, 0x5E, 0xA8, 0x50,
    ]
    private static let headerExtension: [UInt8] = [
        0xB5, 0x03, 0xBF, 0x5F, 0x2E, 0xA9, 0xCF, 0x11, 0x8E, 0xE3, 0, 0xC0, 0x0C, 0x20, 0x53, 0x65,
    ]
    /// What does not fit into 64 KiB, such as pictures.
    private static let library: [UInt8] = [
        0x94, 0x1C, 0x23, 0x44, 0x98, 0x94, 0xD1, 0x49, 0xA1, 0x41, 0x1D, 0x13, 0x4E, 0x45, 0x70, 0x54,
    ]

    init(_ reader: BlockReader) throws {
        guard let head = try reader.read(16, 8) else { return }
        var cursor = ByteCursor(head)
        // The header's own fields have 30 bytes.
        guard let length = cursor.little(8), (30...UInt64(MediaMetadata.mostArtworkBytes * 2)).contains(length),
            let body = try reader.read(30, Int(length) - 30)
        else { return }
        readObjects(body[...])
    }

    private mutating func readObjects(_ bytes: ArraySlice<UInt8>, isNested: Bool = false) {
        var cursor = ByteCursor(bytes)
        while let identifier = cursor.take(16), let size = cursor.little(8), size >= 24,
            let body = cursor.take(Int(clamping: size) - 24)
        {
            switch Array(identifier) {
            case Self.description: readDescription(body)
            case Self.attributes: readAttributes(body)
            case Self.library: readLibrary(body)
            case Self.headerExtension where !isNested: readObjects(body.dropFirst(22), isNested: true)
            default: break
            }
        }
    }

    private mutating func readDescription(_ body: ArraySlice<UInt8>) {
        var cursor = ByteCursor(body)
        let lengths = (0..<5).compactMap { _ in cursor.little(2) }
        for (key, length) in zip(["Title", "Author", "Copyright", "Description", "Rating"], lengths) {
            guard let text = cursor.take(Int(length)).map(Self.text) else { return }
            if !text.isEmpty { collected.append(MetadataItem(MetadataIdentifier(.asf, key), .text(text))) }
        }
    }

    private mutating func readAttributes(_ body: ArraySlice<UInt8>) {
        var cursor = ByteCursor(body)
        guard let count = cursor.little(2) else { return }
        for _ in 0..<count {
            guard let length = cursor.little(2), let name = cursor.take(Int(length)), let type = cursor.little(2),
                let size = cursor.little(2),
                let value = cursor.take(Int(size))
            else { return }
            take(Self.text(name), value, type: type)
        }
    }

    private mutating func readLibrary(_ body: ArraySlice<UInt8>) {
        var cursor = ByteCursor(body)
        guard let count = cursor.little(2) else { return }
        for _ in 0..<count {
            guard cursor.take(4) != nil, let length = cursor.little(2), let type = cursor.little(2), let size = cursor.little(4),
                let name = cursor.take(Int(length)), let value = cursor.take(Int(size))
            else { return }
            take(Self.text(name), value, type: type)
        }
    }

    /// - Parameter type: 0 text, 1 bytes, 2 yes or no, 3 to 5 numbers of 4, 8 and 2 bytes.
    private mutating func take(_ name: String, _ value: ArraySlice<UInt8>, type: UInt64) {
        let identifier = MetadataIdentifier(.asf, name)
        switch type {
        case 0:
            collected.append(
                MetadataItem(identifier, .text(name == "WM/Genre" ? Genres.named(Self.text(value)) : Self.text(value))))
        case 1 where name == "WM/Picture": takePicture(identifier, value)
        case 2...5:
            var cursor = ByteCursor(value)
            guard let number = cursor.little(min(value.count, 8)) else { return }
            collected.append(MetadataItem(identifier, .integer(Int64(clamping: number))))
        default: collected.append(MetadataItem(identifier, .data(Array(value))))
        }
    }

    /// A kind as in ID3, a length, the media type and a description, each with a zero at its end, and the picture.
    private mutating func takePicture(_ identifier: MetadataIdentifier, _ value: ArraySlice<UInt8>) {
        var cursor = ByteCursor(value)
        guard let kind = cursor.byte(), let length = cursor.little(4) else { return }
        for _ in 0..<2 { while let unit = cursor.little(2), unit != 0 {} }
        guard let picture = cursor.take(Int(length)), !picture.isEmpty else { return }
        collected.append(
            picture: MetadataItem(identifier, .data(Array(picture)), dataType: ImageType.of(picture), info: "\(kind)"),
            isFront: kind == 3)
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { Text.trimmed(Text.utf16([0xFF, 0xFE] + bytes)) }
}

extension ByteCursor {
    /// A little-endian number of up to eight bytes.
    mutating func little(_ count: Int) -> UInt64? { take(count)?.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
}
