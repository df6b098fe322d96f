import CLZMA

/// Decompresses .xz and .lzma with liblzma. One thread at a time.
final class XZReader {
    // liblzma keeps the address of its stream, so it must not move.
    private let stream: UnsafeMutablePointer<lzma_stream>
    private let isOpen: Bool
    /// The memory of the decoder: enough for the highest preset (xz -9 needs 65 MiB).
    private static let mostMemory: UInt64 = 100 << 20

    init() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: marquee_lzma_stream())
        isOpen = marquee_lzma_open(stream, Self.mostMemory) == LZMA_OK
    }

    deinit {
        lzma_end(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    func unpack(_ bytes: [UInt8], into result: inout UnpackedFile) throws(UnpackedFile.TooLong) {
        guard isOpen else { return result.fault = "there was no memory to unpack it" }
        var room = [UInt8](repeating: 0, count: 1 << 16)
        var offset = 0
        while true {
            let status = bytes.withUnsafeBytes { packed in
                room.withUnsafeMutableBytes { unpacked in
                    stream.pointee.next_in = packed.baseAddress?.advanced(by: offset).assumingMemoryBound(to: UInt8.self)
                    stream.pointee.avail_in = bytes.count - offset
                    stream.pointee.next_out = unpacked.baseAddress?.assumingMemoryBound(to: UInt8.self)
                    stream.pointee.avail_out = unpacked.count
                    let status = lzma_code(stream, LZMA_FINISH)
                    offset = bytes.count - Int(stream.pointee.avail_in)
                    return status
                }
            }
            try result.append(room.prefix(room.count - Int(stream.pointee.avail_out)))
            switch status {
            case LZMA_OK: continue
            case LZMA_STREAM_END: return
            // The whole file was given: more input was needed.
            case LZMA_BUF_ERROR: return result.breakOff()
            case LZMA_MEMLIMIT_ERROR: return result.damage("it needs more than \(Self.mostMemory >> 20) MiB")
            default: return result.damage(nil)
            }
        }
    }
}
