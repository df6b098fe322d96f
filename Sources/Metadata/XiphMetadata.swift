import FoundationEssentials
import Languages
import MediaTime
import WireFormats

/// Reads the comments of FLAC files (RFC 9639) and of Ogg streams with Vorbis, Opus, Theora or FLAC in them.
struct XiphMetadata {
    private var collected = CollectedItems()
    private(set) var chapters: [TimedMetadataGroup] = []
    var items: [MetadataItem] { collected.items }
    private static let mostBlocks = 1024

    /// A native FLAC file, from `fLaC` on.
    init(flac reader: BlockReader, at start: Int64) throws {
        var offset = start + 4
        for _ in 0..<Self.mostBlocks {
            guard let header = try reader.read(offset, 4) else { break }
            let length = Int(header[1]) << 16 | Int(header[2]) << 8 | Int(header[3])
            if [4, 6].contains(header[0] & 0x7F), length <= MediaMetadata.mostArtworkBytes,
                let body = try reader.read(offset + 4, length)
            {
                take(block: header[0] & 0x7F, body[...])
            }
            offset += Int64(4 + length)
            if header[0] & 0x80 != 0 { break }
        }
        finish()
    }

    /// An Ogg file: the comments are the second packet of a stream (RFC 3533, RFC 7845 section 5.2).
    init(ogg reader: BlockReader) throws {
        var packets: [UInt32: [UInt8]] = [:]
        var offset: Int64 = 0
        var read = 0
        while read < MediaMetadata.mostArtworkBytes * 2, let header = try reader.read(offset, 27),
            header.starts(with: Array("OggS".utf8)),
            let table = try reader.read(offset + 27, Int(header[26]))
        {
            let serial = header[14..<18].reversed().reduce(0) { $0 << 8 | UInt32($1) }
            let length = table.reduce(0) { $0 + Int($1) }
            guard let body = try reader.read(offset + 27 + Int64(table.count), length) else { break }
            var place = 0
            for lacing in table {
                packets[serial, default: []] += body[place..<place + Int(lacing)]
                place += Int(lacing)
                guard lacing < 255 else { continue }
                let packet = packets.removeValue(forKey: serial) ?? []
                if takePacket(packet[...]) {
                    finish()
                    return
                }
            }
            offset += Int64(27 + table.count + length)
            read += length
        }
        finish()
    }

    /// - Returns: whether these were the comments.
    private mutating func takePacket(_ packet: ArraySlice<UInt8>) -> Bool {
        for (mark, length) in [("\u{3}vorbis", 7), ("OpusTags", 8)] where packet.starts(with: Array(mark.utf8)) {
            takeComments(packet.dropFirst(length))
            return true
        }
        // Theora's signature has a byte above ASCII; FLAC in Ogg has its own blocks as packets.
        if packet.first == 0x81, packet.dropFirst().starts(with: Array("theora".utf8)) {
            takeComments(packet.dropFirst(7))
            return true
        }
        if packet.first.map({ $0 & 0x7F }) == 4, packet.count > 8 {
            var cursor = ByteCursor(packet.dropFirst())
            guard let length = cursor.big(3), length == cursor.count else { return false }
            take(block: 4, cursor.rest)
            return true
        }
        return false
    }

    private mutating func take(block type: UInt8, _ body: ArraySlice<UInt8>) {
        if type == 4 {
            takeComments(body)
        } else {
            takePicture(body, MetadataIdentifier(.vorbisComment, "METADATA_BLOCK_PICTURE"))
        }
    }

    private mutating func takeComments(_ body: ArraySlice<UInt8>) {
        var cursor = ByteCursor(body)
        guard let vendor = cursor.little32(), cursor.take(vendor) != nil, let count = cursor.little32() else { return }
        for _ in 0..<min(count, 65536) {
            guard let length = cursor.little32(), let bytes = cursor.take(length) else { return }
            guard let sign = bytes.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let key = bytes[..<sign].latin1.uppercased()
            let value = bytes[bytes.index(after: sign)...]
            let identifier = MetadataIdentifier(.vorbisComment, key)
            if ["METADATA_BLOCK_PICTURE", "COVERART"].contains(key) {
                guard let data = Data(base64Encoded: Data(value)) else { continue }
                if key == "COVERART" {
                    collected.append(MetadataItem(identifier, .data(Array(data)), dataType: ImageType.of(data)))
                } else {
                    takePicture(Array(data)[...], identifier)
                }
            } else {
                collected.append(MetadataItem(identifier, .text(Text.utf8(value))))
            }
        }
    }

    /// RFC 9639 section 8.8.
    private mutating func takePicture(_ body: ArraySlice<UInt8>, _ identifier: MetadataIdentifier) {
        var cursor = ByteCursor(body)
        guard let kind = cursor.big(4), let typeLength = cursor.big(4), let type = cursor.take(Int(typeLength)),
            let textLength = cursor.big(4), cursor.take(Int(textLength)) != nil, cursor.take(16) != nil,
            let length = cursor.big(4),
            let bytes = cursor.take(Int(length)), type.latin1 != "-->"
        else { return }
        let item = MetadataItem(
            identifier, .data(Array(bytes)), dataType: ImageType.of(bytes) ?? type.latin1, info: String(kind))
        collected.append(picture: item, isFront: kind == 3)
    }

    /// A language of the whole file applies to its texts; `CHAPTER000` and `CHAPTER000NAME` are chapters.
    private mutating func finish() {
        let language = items.first { $0.identifier.key == "LANGUAGE" }?.stringValue.flatMap(LanguageCode.tag)
        var starts: [(number: String, start: MediaTime)] = []
        var names: [String: String] = [:]
        for item in items where item.identifier.key.hasPrefix("CHAPTER") {
            let number = item.identifier.key.dropFirst(7)
            if number.hasSuffix("NAME"), names[String(number.dropLast(4))] == nil {
                names[String(number.dropLast(4))] = item.stringValue
            }
            guard number.allSatisfy(\.isNumber), !number.isEmpty, let start = item.stringValue.flatMap(Self.time) else {
                continue
            }
            starts.append((String(number), start))
        }
        starts.sort { $0.start < $1.start }
        starts = Array(starts.prefix(MediaMetadata.mostChapters))
        chapters = starts.enumerated().map { index, chapter in
            let end = index + 1 < starts.count ? starts[index + 1].start : chapter.start
            let title = names[chapter.number].map {
                MetadataItem(MetadataIdentifier(.vorbisComment, "TITLE"), .text($0), extendedLanguageTag: language)
            }
            return TimedMetadataGroup(timeRange: TimeRange(start: chapter.start, end: end), items: title.map { [$0] } ?? [])
        }
    }

    /// `HH:MM:SS.mmm`.
    private static func time(_ text: String) -> MediaTime? {
        let parts = text.split(separator: ":")
        guard parts.count == 3, let hours = Int64(parts[0]), let minutes = Int64(parts[1]), (0..<60).contains(minutes),
            hours >= 0, hours < 1000
        else { return nil }
        let seconds = parts[2].split(separator: ".", maxSplits: 1)
        guard let first = seconds.first, let whole = Int64(first), (0..<60).contains(whole) else { return nil }
        let fraction = seconds.count > 1 ? String(seconds[1].prefix(3)) : "0"
        guard let digits = Int64(fraction), digits >= 0 else { return nil }
        let milliseconds = digits * [1: 100, 2: 10, 3: 1][fraction.count, default: 1]
        return .milliseconds(((hours * 60 + minutes) * 60 + whole) * 1000 + milliseconds)
    }
}
