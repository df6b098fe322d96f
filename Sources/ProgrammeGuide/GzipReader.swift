import CZlib

/// Unpacks what gzip packed, piece by piece, by zlib: a guide need not lie in memory twice. One thread at a time.
final class GzipReader {
    /// Why unpacking ended before the end.
    enum Fault: Error, Equatable {
        /// The file ends within a member.
        case brokenOff
        /// What is there is not what was packed; zlib's word for it.
        case damaged(String)
        /// More came out than was asked for.
        case tooLong
    }

    // zlib keeps the address of its stream: it must not move.
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

    /// Whether a file begins as gzip's do (RFC 1952 2.3.1).
    static func isGzip(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1f, 0x8b]) }

    /// Unpacks a file of one member or several.
    ///
    /// - Parameters:
    ///   - most: no more bytes than these are handed out.
    ///   - take: is handed each piece, in order; false ends it without a fault.
    func unpack(_ bytes: [UInt8], most: Int, _ take: (UnsafeRawBufferPointer) -> Bool) throws(Fault) {
        guard isOpen else { throw .damaged("there is no memory for it") }
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
                // Whatever stands behind a member and is none itself is padding, as gzip takes it.
                guard Self.isGzip(Array(bytes[offset...].prefix(2))) else { return }
                inflateReset(stream)
            default: fault = .damaged(stream.pointee.msg.map { String(cString: $0) } ?? "it is no gzip file")
            }
        }
        if let fault { throw fault }
    }
}
