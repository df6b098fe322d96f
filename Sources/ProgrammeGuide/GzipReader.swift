import CZlib

/// Decompresses gzip piece by piece with zlib, so that a guide is not in memory twice. One thread at a time.
final class GzipReader {
    /// Why decompression failed.
    enum Fault: Error, Equatable {
        /// The file ends within a member.
        case brokenOff
        /// The data is damaged; zlib's message.
        case damaged(String)
        /// The output exceeds the limit.
        case tooLong
    }

    // zlib keeps the address of its stream, so it must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private let isOpen: Bool

    init() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        isOpen = marquee_inflate_gzip(stream) == Z_OK
    }

    deinit {
        if isOpen { inflateEnd(stream) }
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Whether bytes start with the gzip signature (RFC 1952 2.3.1).
    static func isGzip(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1f, 0x8b]) }

    /// Decompresses a file of one or more members.
    ///
    /// - Parameters:
    ///   - most: the limit on the output, in bytes.
    ///   - take: receives each piece, in order; false stops without a fault.
    func unpack(_ bytes: [UInt8], most: Int, _ take: (UnsafeRawBufferPointer) -> Bool) throws(Fault) {
        guard isOpen else { throw .damaged("out of memory") }
        var room = [UInt8](repeating: 0, count: 1 << 16)
        var (total, offset, fault) = (0, 0, Fault?.none)
        while fault == nil {
            let status = bytes.withUnsafeBytes { packed in
                room.withUnsafeMutableBytes { unpacked in
                    // zlib counts in UInt32, and only reads what `next_in` points at.
                    stream.pointee.next_in = UnsafeMutablePointer(
                        mutating: packed.baseAddress!.advanced(by: offset).assumingMemoryBound(to: UInt8.self))
                    stream.pointee.avail_in = UInt32(min(bytes.count - offset, 1 << 20))
                    let given = stream.pointee.avail_in
                    stream.pointee.next_out = unpacked.baseAddress!.assumingMemoryBound(to: UInt8.self)
                    stream.pointee.avail_out = UInt32(unpacked.count)
                    let status = inflate(stream, Z_NO_FLUSH)
                    offset += Int(given - stream.pointee.avail_in)
                    return status
                }
            }
            let count = room.count - Int(stream.pointee.avail_out)
            total += count
            guard total <= most else { throw .tooLong }
            if count > 0, !room.withUnsafeBytes({ take(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }) { return }
            switch status {
            case Z_OK, Z_BUF_ERROR: if offset == bytes.count, count < room.count { fault = .brokenOff }
            case Z_STREAM_END:
                // Bytes after a member that are not another member are padding, as in gzip.
                guard Self.isGzip(Array(bytes[offset...].prefix(2))) else { return }
                inflateReset(stream)
            default: fault = .damaged(stream.pointee.msg.map { String(cString: $0) } ?? "it is not a gzip file")
            }
        }
        if let fault { throw fault }
    }
}
