import MediaTime
import TextDecoding
import WireFormats

/// Reads the metadata of files that consist of chunks: WAV and AVI (RIFF, "Multimedia Programming Interface and Data Specifications 1.0"; RF64), and AIFF
/// ("Audio Interchange File Format 1.3"). Each may have an ID3v2 tag as a chunk.
struct ChunkMetadata {
    private var collected = CollectedItems()
    private(set) var chapters: [TimedMetadataGroup] = []
    var items: [MetadataItem] { collected.items }
    private static let mostChunks = 4096

    init(wave reader: BlockReader) throws {
        try Self.visit(reader, isLittle: true) { type, start, length in
            switch type {
            case "id3 ", "ID3 ": try self.readID3(reader, start, length)
            case "LIST" where length >= 4 && length <= MediaMetadata.mostTextBytes:
                guard let list = try reader.read(start, Int(length)), list.starts(with: Array("INFO".utf8)) else { return }
                self.readInfo(list.dropFirst(4))
            default: break
            }
        }
    }

    init(aiff reader: BlockReader) throws {
        var texts: [(key: String, bytes: [UInt8])] = []
        try Self.visit(reader, isLittle: false) { type, start, length in
            switch type {
            case "ID3 ", "id3 ": try self.readID3(reader, start, length)
            case "NAME", "AUTH", "(c) ", "ANNO":
                guard length <= MediaMetadata.mostTextBytes, let text = try reader.read(start, Int(length)) else { return }
                texts.append((type, text))
            default: break
            }
        }
        append(texts)
    }

    /// Calls `body` with the type, the place and the length of each chunk.
    private static func visit(_ reader: BlockReader, isLittle: Bool, _ body: (String, Int64, Int64) throws -> Void) throws {
        var offset: Int64 = 12
        for _ in 0..<Self.mostChunks {
            guard let head = try reader.read(offset, 8) else { return }
            let digits = isLittle ? ArraySlice(head[4...].reversed()) : head[4...]
            let length = Int64(digits.bigEndian)
            try body(head[..<4].latin1, offset + 8, length)
            // Chunks of an odd length have a byte more.
            offset += 8 + length + length % 2
        }
    }

    private mutating func readID3(_ reader: BlockReader, _ start: Int64, _ length: Int64) throws {
        guard length <= MediaMetadata.mostArtworkBytes * 2, let bytes = try reader.read(start, Int(length)),
            let tag = ID3Tag(bytes)
        else { return }
        collected.append(tag.items)
        if chapters.isEmpty { chapters = tag.chapters }
    }

    private mutating func readInfo(_ list: ArraySlice<UInt8>) {
        var cursor = ByteCursor(list)
        var texts: [(key: String, bytes: [UInt8])] = []
        while let key = cursor.fourCharacters(), let length = cursor.little32(), let text = cursor.take(length) {
            if length % 2 == 1 { _ = cursor.byte() }
            texts.append((key, Array(text)))
        }
        append(texts)
    }

    /// Their encoding is not stated.
    private mutating func append(_ texts: [(key: String, bytes: [UInt8])]) {
        let legacy = LegacyText(sample: Array(texts.map { $0.bytes.prefix { $0 != 0 } }.joined(separator: [0x0A])))
        for (key, bytes) in texts {
            let text = legacy.text(bytes.prefix { $0 != 0 })
            if !text.isEmpty { collected.append(MetadataItem(MetadataIdentifier(.chunk, key), .text(text))) }
        }
    }
}
