import Cryptography
import LinuxSupport

/// How bodies and journal records are written: as they are, or sealed with the key of the box.
///
/// A sealed body is a sequence of chunks of 64 KiB, each sealed by AES-256-GCM with a nonce in front and a tag behind, so that any
/// range can be read. The index of the chunk is authenticated with it. A partial is written in whole chunks only.
struct BodyFormat: Sendable {
    /// 32 bytes; nil for bodies that are stored as they are.
    let key: [UInt8]?
    static let chunkLength = 64 << 10

    /// The length of a file with a body of this length.
    func fileLength(of length: Int64) -> Int64 {
        guard key != nil, length > 0 else { return length }
        let chunks = (length - 1) / Int64(Self.chunkLength) + 1
        return length + chunks * Int64(AESGCM.overhead)
    }

    /// The name of a body's file. Names of sealed bodies depend on the key too, so that they do not tell what is stored.
    func fileName(_ digest: BodyDigest) -> String {
        guard let key else { return digest.hexadecimal }
        return BodyDigest(SHA256.digest(key + digest.bytes)).hexadecimal
    }

    /// Identifies the key without telling it; empty without one.
    var keyMark: [UInt8] { key.map { Array(SHA256.digest(Array("segment store".utf8) + $0).prefix(16)) } ?? [] }

    /// Seals a chunk of a body.
    func seal(_ chunk: [UInt8], index: Int64) -> [UInt8] {
        guard let key else { return chunk }
        return AESGCM.seal(chunk, key: key, context: Self.context(index))
    }

    /// Reads bytes of a body.
    ///
    /// - Parameter length: of the whole body.
    /// - Returns: the bytes, fewer at the end; nil if they are damaged.
    func read(_ file: any StoreFile, _ range: Range<Int64>, of length: Int64) throws(SystemError) -> [UInt8]? {
        let range = range.clamped(to: 0..<length)
        guard !range.isEmpty else { return [] }
        guard let key else {
            let bytes = try file.read(range.count, at: range.lowerBound)
            return bytes.count == range.count ? bytes : nil
        }
        let chunk = Int64(Self.chunkLength)
        let stride = Self.chunkLength + AESGCM.overhead
        let first = range.lowerBound / chunk
        let last = (range.upperBound - 1) / chunk
        let sealed = try file.read(Int(last - first + 1) * stride, at: first * Int64(stride))
        var clear: [UInt8] = []
        clear.reserveCapacity(sealed.count)
        for index in first...last {
            let rest = sealed.dropFirst(Int(index - first) * stride).prefix(stride)
            guard let opened = AESGCM.open(rest, key: key, context: Self.context(index)) else { return nil }
            clear += opened
        }
        let start = Int(range.lowerBound - first * chunk)
        guard clear.count >= start + range.count else { return nil }
        return start == 0 && clear.count == range.count ? clear : Array(clear[start..<start + range.count])
    }

    /// A multiple of the chunk of sealed bodies.
    static let readAtOnce = 16 * chunkLength

    /// Reads a whole body piece by piece.
    ///
    /// - Returns: false if it is damaged.
    func readAll(_ file: any StoreFile, _ length: Int64, _ take: ([UInt8]) -> Void) throws(SystemError) -> Bool {
        var offset: Int64 = 0
        while offset < length {
            let end = min(length, offset + Int64(Self.readAtOnce))
            guard let bytes = try read(file, offset..<end, of: length) else { return false }
            take(bytes)
            offset = end
        }
        return true
    }

    /// Seals the payload of a record.
    func seal(record: [UInt8]) -> [UInt8] { key.map { AESGCM.seal(record, key: $0) } ?? record }

    /// nil if the record was sealed with another key.
    func open(record: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let key else { return record }
        return AESGCM.open(record, key: key).map { $0[...] }
    }

    private static func context(_ index: Int64) -> [UInt8] { withUnsafeBytes(of: index.littleEndian) { Array($0) } }
}
