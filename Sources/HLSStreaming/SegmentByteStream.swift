import LinuxSupport
import MediaModel

/// The segments of one run of a rendition (same init segment, same discontinuity sequence, same container) as one continuous stream of bytes.
///
/// The main loop adds segments as they arrive; the demuxer's thread reads and waits. A demuxer thus lives through a whole run and
/// never sees a boundary between two segments.
final class SegmentByteStream: ByteStream {
    private struct State {
        var chunks: [[UInt8]] = []
        var first = 0
        var offset = 0
        var isFinished = false
        var isCancelled = false
        var failure: MediaError?
        /// Segments that were added and not yet read to their end.
        var unread: Int { chunks.count - first }
    }
    private let monitor: Monitor<State>
    private let bell: Doorbell
    let name: String

    /// - Parameter bell: rung when a segment has been read to its end: there is room for another.
    init(name: String, ledger: WorkLedger?, bell: Doorbell) {
        self.name = name
        self.bell = bell
        monitor = Monitor(State(), ledger: ledger)
    }

    var length: Int64? { nil }

    /// Adds the bytes of the next segment.
    func append(_ bytes: [UInt8]) { if !bytes.isEmpty { monitor.update { $0.chunks.append(bytes) } } }

    /// Says that the run is over.
    func finish() { monitor.update { $0.isFinished = true } }

    /// Says that no more bytes can be had.
    func fail(_ error: MediaError) { monitor.update { $0.failure = $0.failure ?? error } }

    func cancel() {
        monitor.update { state in
            state.isCancelled = true
            state.chunks = []
            state.first = 0
        }
    }

    /// How many segments wait to be read.
    var unreadSegments: Int { monitor.read(\.unread) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
        guard !buffer.isEmpty else { return 0 }
        var hasFinishedChunk = false
        let result: Result<Int, MediaError> = monitor.wait { state in
            if state.isCancelled { return .success(0) }
            if state.unread > 0 {
                let count = Self.copy(&state, into: buffer, &hasFinishedChunk)
                return .success(count)
            }
            if let failure = state.failure { return .failure(failure) }
            return state.isFinished ? .success(0) : nil
        }
        if hasFinishedChunk { bell.ring() }
        return try result.get()
    }

    func seek(to offset: Int64) throws(MediaError) {
        throw MediaError(.internal, "\(name) was asked to go to byte \(offset), and a run of segments only goes forward.")
    }

    private static func copy(
        _ state: inout State, into buffer: UnsafeMutableRawBufferPointer, _ hasFinishedChunk: inout Bool
    ) -> Int {
        let chunk = state.chunks[state.first]
        let count = min(buffer.count, chunk.count - state.offset)
        chunk.withUnsafeBytes { bytes in
            buffer.baseAddress!.copyMemory(from: bytes.baseAddress! + state.offset, byteCount: count)
        }
        state.offset += count
        if state.offset == chunk.count {
            state.chunks[state.first] = []
            state.first += 1
            state.offset = 0
            hasFinishedChunk = true
            if state.first > 16 {
                state.chunks.removeFirst(state.first)
                state.first = 0
            }
        }
        return count
    }
}
