import CZlib

/// Decompresses gzip and zip with zlib. One thread at a time.
final class Inflater {
    /// What holds the data.
    enum Form {
        /// Members with headers and checksums (RFC 1952).
        case gzip
        /// The bare data of a zip file (RFC 1951).
        case bare
    }

    private let form: Form
    // zlib keeps the address of its stream, so it must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private let isOpen: Bool

    init(_ form: Form) {
        self.form = form
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        isOpen = (form == .gzip ? marquee_inflate_gzip(stream) : marquee_inflate_raw(stream)) == Z_OK
    }

    deinit {
        if isOpen { inflateEnd(stream) }
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Decompresses one or more members of gzip, or the data of one file of a zip.
    ///
    /// - Parameter offset: where they begin.
    func unpack(_ bytes: [UInt8], from offset: Int, into result: inout UnpackedFile) throws(UnpackedFile.TooLong) {
        guard isOpen else { return result.fault = "there was no memory to unpack it" }
        var room = [UInt8](repeating: 0, count: 1 << 16)
        var offset = offset
        while result.fault == nil {
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
            try result.append(room.prefix(count))
            switch status {
            case Z_OK, Z_BUF_ERROR: if offset == bytes.count, count < room.count { result.breakOff() }
            case Z_STREAM_END:
                // Bytes after a member that are not another member are padding, as in gzip.
                guard form == .gzip, UnpackedFile.isGzip(bytes[offset...]) else { return }
                inflateReset(stream)
            default: result.damage(stream.pointee.msg.map { String(cString: $0) })
            }
        }
    }
}
