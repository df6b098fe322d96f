import MediaModel
import Synchronization
import WireFormats

/// An MP4 file whose index comes after its media, on a server that only sends it from the start: it is kept whole in memory, so that FFmpeg can read the
/// index first.
final class WholeMovie: ByteStream {
    /// The longest that is kept.
    static let longest = 64 << 20

    private struct State {
        var position: Int64 = 0
        var isCancelled = false
    }
    private let bytes: [UInt8]
    private let state = Mutex(State())
    let name: String
    var length: Int64? { Int64(bytes.count) }

    /// Nil if the index comes first, or if it is no MP4 file. Nothing was read then.
    ///
    /// - Parameter head: the first bytes of the stream, which were read already.
    /// - Throws: `sourceFormat` if it is longer than `longest`, or the error of the stream.
    init?(_ stream: any ByteStream, after head: [UInt8]) throws(MediaError) {
        guard stream.length == nil, Self.hasMediaFirst(head) else { return nil }
        name = stream.name
        let rest = try stream.read(count: Self.longest - head.count)
        // One byte more tells that it goes on.
        if rest.count == Self.longest - head.count, try !stream.read(count: 1).isEmpty {
            throw MediaError(
                .sourceFormat,
                "\(name) was not opened: its index comes after its media, its server does not serve byte ranges, and it is longer than \(Self.longest >> 20) MiB; put the index first (faststart), or use a server with range requests."
            )
        }
        bytes = head + rest
    }

    /// Whether the media comes before the index, as far as can be seen.
    private static func hasMediaFirst(_ head: [UInt8]) -> Bool {
        var rest = head[...]
        while let header = MP4Box.Header(rest) {
            // What extends to the end has no index behind it.
            guard let size = header.size else { return false }
            if header.type == "mdat" { return true }
            guard ["ftyp", "free", "skip", "wide", "uuid", "pdin"].contains(header.type), size <= rest.count else { return false }
            rest = rest.dropFirst(Int(size))
        }
        return false
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
        let range = state.withLock { state -> Range<Int> in
            let start = Int(min(state.isCancelled ? .max : state.position, Int64(bytes.count)))
            let end = start + min(buffer.count, bytes.count - start)
            state.position = Int64(end)
            return start..<end
        }
        buffer.copyBytes(from: bytes[range])
        return range.count
    }

    func seek(to offset: Int64) throws(MediaError) { state.withLock { $0.position = max(offset, 0) } }

    func cancel() { state.withLock { $0.isCancelled = true } }
}
