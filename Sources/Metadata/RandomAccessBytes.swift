import TextDecoding

/// The bytes of a resource by position: the input of this module's readers.
///
/// Used by one thread at a time; a read may wait for the network or a disk, so it never happens on the main loop.
package protocol RandomAccessBytes: AnyObject {
    /// Reads up to `count` bytes from `offset` on; fewer only at the end of the resource.
    ///
    /// - Throws: an I/O error.
    func read(at offset: Int64, count: Int) throws -> [UInt8]

    /// The length of the resource; nil if it is not known, or if what is at its end cannot be reached.
    var length: Int64? { get }
}

/// Bytes in memory.
package final class BytesInMemory: RandomAccessBytes {
    private let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package var length: Int64? { Int64(bytes.count) }

    package func read(at offset: Int64, count: Int) -> [UInt8] {
        guard offset >= 0, offset < Int64(bytes.count) else { return [] }
        return Array(bytes[Int(offset)...].prefix(count))
    }
}

/// Reads in blocks and caches the last few: containers are walked in many small steps, each of which would otherwise be a
/// separate request. The total amount read is bounded.
final class BlockReader {
    /// The most that may be read for the metadata of one resource.
    static let mostBytes = 64 << 20
    private static let blockLength = 64 << 10
    private static let mostBlocks = 32
    private let source: any RandomAccessBytes
    private var blocks: [(index: Int64, bytes: [UInt8])] = []
    private var left = mostBytes

    init(_ source: any RandomAccessBytes) { self.source = source }

    /// That of the resource.
    var length: Int64? { source.length }

    /// Exactly `count` bytes; nil when the resource ends before, or when the limit is exceeded.
    func read(_ offset: Int64, _ count: Int) throws -> [UInt8]? {
        guard offset >= 0, count >= 0, count <= Self.mostBytes else { return nil }
        if count > Self.blockLength * 4 {
            guard left >= count else { return nil }
            left -= count
            let bytes = try source.read(at: offset, count: count)
            return bytes.count == count ? bytes : nil
        }
        var result: [UInt8] = []
        result.reserveCapacity(count)
        while result.count < count {
            let place = offset + Int64(result.count)
            guard let block = try block(place / Int64(Self.blockLength)) else { return nil }
            let start = Int(place % Int64(Self.blockLength))
            guard start < block.count else { return nil }
            result += block[start...].prefix(count - result.count)
        }
        return result
    }

    private func block(_ index: Int64) throws -> [UInt8]? {
        if let found = blocks.firstIndex(where: { $0.index == index }) { return blocks[found].bytes }
        guard left >= Self.blockLength else { return nil }
        let bytes = try source.read(at: index * Int64(Self.blockLength), count: Self.blockLength)
        left -= bytes.count
        if blocks.count == Self.mostBlocks { blocks.removeFirst() }
        blocks.append((index, bytes))
        return bytes
    }
}

/// Texts as stored in containers.
enum Text {
    /// UTF-8, or what programs write in its place that do not know that it is asked for.
    static func utf8(_ bytes: ArraySlice<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self) ?? LegacyText(sample: Array(bytes)).text(bytes)
    }

    /// UTF-16 with or without a byte order mark; big-endian without one.
    static func utf16(_ bytes: ArraySlice<UInt8>) -> String {
        var bytes = bytes
        var isLittle = false
        if bytes.starts(with: [0xFF, 0xFE]) {
            isLittle = true
            bytes = bytes.dropFirst(2)
        } else if bytes.starts(with: [0xFE, 0xFF]) {
            bytes = bytes.dropFirst(2)
        }
        let all = Array(bytes)
        let units = (0..<all.count / 2).map { index -> UInt16 in
            let (first, second) = (UInt16(all[2 * index]), UInt16(all[2 * index + 1]))
            return isLittle ? second << 8 | first : first << 8 | second
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// UTF-8, or UTF-16 if there is a byte order mark.
    static func utf8OrMarked(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) ? utf16(bytes) : utf8(bytes)
    }

    /// Without the zero bytes that some writers append.
    static func trimmed(_ text: String) -> String {
        var text = text[...]
        while text.last == "\0" { text.removeLast() }
        return String(text)
    }
}

/// The image type of bytes, from their signature.
enum ImageType {
    static func of(_ bytes: some Collection<UInt8>) -> String? {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
        if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) { return "image/webp" }
        if bytes.starts(with: Array("GIF8".utf8)) { return "image/gif" }
        if bytes.starts(with: Array("BM".utf8)) { return "image/bmp" }
        if bytes.dropFirst(4).starts(with: Array("ftypavif".utf8)) { return "image/avif" }
        return nil
    }
}
