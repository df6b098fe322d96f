import MediaModel
import Synchronization

/// The first bytes of a stream, and the stream with these bytes still before it: what was looked at is given back to its reader, also where a stream
/// cannot go back.
struct OpenedBytes: Sendable {
    /// Fewer at the end.
    let head: [UInt8]
    let stream: any ByteStream

    /// Enough for the mark of a playlist, also behind some empty lines.
    private static let count = 64

    /// Worker threads only.
    ///
    /// - Throws: the error of the stream.
    init(_ stream: any ByteStream) throws(MediaError) {
        head = try stream.read(count: Self.count)
        if stream.length != nil {
            try stream.seek(to: 0)
            self.stream = stream
        } else {
            self.stream = GivenBackByteStream(head, before: stream)
        }
    }
}

/// A stream that only goes forward, with bytes before it that were read already.
private final class GivenBackByteStream: ByteStream {
    private let base: any ByteStream
    private let head: Mutex<ArraySlice<UInt8>>

    init(_ head: [UInt8], before base: any ByteStream) {
        self.base = base
        self.head = Mutex(head[...])
    }

    var name: String { base.name }
    var length: Int64? { nil }
    var titled: (any TitledByteStream)? { base.titled }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
        let count = head.withLock { head in
            let part = head.prefix(buffer.count)
            buffer.copyBytes(from: part)
            head = head.dropFirst(part.count)
            return part.count
        }
        return count > 0 ? count : try base.read(into: buffer)
    }

    func seek(to offset: Int64) throws(MediaError) {
        throw MediaError(.internal, "Seeking to byte \(offset) of \(name) failed: its server only sends it from the start.")
    }

    func cancel() {
        head.withLock { $0 = [] }
        base.cancel()
    }
}
