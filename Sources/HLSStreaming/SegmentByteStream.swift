import Cryptography
import LinuxSupport
import MediaModel
import MediaTime

/// The segments of one run of a rendition (same init segment, same discontinuity sequence, same container) as one continuous byte
/// stream.
///
/// The main loop adds bytes as they arrive; the demuxer's thread reads, decrypts and waits. A demuxer thus lives for a whole run
/// and never sees a boundary between two segments.
final class SegmentByteStream: ByteStream {
    private struct Chunk {
        var bytes: [UInt8]
        /// How many of them are counted as unread: those that were sent.
        var counted: Int
        /// The cipher of the bytes; they are decrypted when they are first read.
        var cipher: CBCDecryption?
        /// Whether they are the last of their segment.
        var endsSegment: Bool
        /// Where their segment is by its playlist, in asset time, if they are its first.
        var timeRange: TimeRange?
    }
    private struct State {
        var chunks: [Chunk] = []
        var first = 0
        var offset = 0
        var isFinished = false
        var isCancelled = false
        var failure: MediaError?
        /// Segments whose end was added and not yet read.
        var unread = 0
        /// Where the segment is that was read last.
        var segment: TimeRange?
    }
    private let monitor: Monitor<State>
    private let bell: Doorbell
    private let counter: UnreadBytes
    let name: String

    /// - Parameters:
    ///   - counter: counts the bytes that were not read, with those of other streams.
    ///   - bell: rung when a segment has been read to its end, so that there is room for another, and when few unread bytes are left.
    init(name: String, ledger: WorkLedger?, counter: UnreadBytes = UnreadBytes(), bell: Doorbell) {
        self.name = name
        self.bell = bell
        self.counter = counter
        monitor = Monitor(State(), ledger: ledger)
    }

    var length: Int64? { nil }

    /// Adds a whole segment (or an initialization section, which is not counted).
    func append(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        append(bytes, cipher: nil, endsSegment: true)
    }

    /// Adds some bytes of the segment that is being loaded.
    ///
    /// - Parameter timeRange: where the segment is by its playlist, in asset time, with its first bytes.
    func append(_ bytes: [UInt8], cipher: CBCDecryption?, endsSegment: Bool, timeRange: TimeRange? = nil) {
        monitor.update { [counter] state in
            // What comes after the end of reading is not kept.
            if state.isCancelled { return }
            counter.add(bytes.count)
            state.chunks.append(
                Chunk(bytes: bytes, counted: bytes.count, cipher: cipher, endsSegment: endsSegment, timeRange: timeRange))
            if endsSegment { state.unread += 1 }
        }
    }

    /// Marks the end of the run.
    func finish() { monitor.update { $0.isFinished = true } }

    /// Marks a failure: no more bytes will come.
    func fail(_ error: MediaError) { monitor.update { $0.failure = $0.failure ?? error } }

    func cancel() {
        let isLow = monitor.update { [counter] state in
            state.isCancelled = true
            let unread = state.chunks.dropFirst(state.first).reduce(0) { $0 + $1.counted }
            state.chunks = []
            (state.first, state.offset) = (0, 0)
            state.unread = 0
            return counter.remove(unread)
        }
        if isLow { bell.ring() }
    }

    /// Discards the remaining bytes.
    func drop() {
        cancel()
        bell.ring()
    }

    /// Where the segment is, by its playlist, whose bytes were read last; nil before the first.
    var segment: TimeRange? { monitor.read(\.segment) }

    /// Its start.
    var segmentStart: MediaTime? { segment?.start }

    /// How many segments wait to be read.
    var unreadSegments: Int { monitor.read(\.unread) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
        guard !buffer.isEmpty else { return 0 }
        while true {
            var isOwed = false
            // Nil: an end without bytes was read. That is told before more is waited for, because more may only come when it is known.
            let result = monitor.wait { [counter] state -> Result<Int, MediaError>?? in
                if state.isCancelled { return .some(.success(0)) }
                while state.first < state.chunks.count {
                    let (count, isEnd) = Self.copy(&state, into: buffer) { isOwed = counter.remove($0) || isOwed }
                    isOwed = isOwed || isEnd
                    if count > 0 { return .some(.success(count)) }
                    if isOwed { return .some(nil) }
                }
                if let failure = state.failure { return .some(.failure(failure)) }
                return state.isFinished ? .some(.success(0)) : nil
            }
            if isOwed { bell.ring() }
            if let result { return try result.get() }
        }
    }

    func seek(to offset: Int64) throws(MediaError) {
        throw MediaError(.internal, "Seeking to byte \(offset) of \(name) failed: segments are read forward only.")
    }

    /// - Parameter release: told how many counted bytes have been read.
    /// - Returns: how many bytes were copied, and whether they were the last of their segment.
    private static func copy(
        _ state: inout State, into buffer: UnsafeMutableRawBufferPointer, _ release: (Int) -> Void
    ) -> (count: Int, isEnd: Bool) {
        if let cipher = state.chunks[state.first].cipher {
            let clear = cipher.decrypt(state.chunks[state.first].bytes)
            state.chunks[state.first].bytes = state.chunks[state.first].endsSegment ? clear + cipher.finish() : clear
            state.chunks[state.first].cipher = nil
        }
        let chunk = state.chunks[state.first]
        if let timeRange = chunk.timeRange { state.segment = timeRange }
        let count = min(buffer.count, chunk.bytes.count - state.offset)
        if count > 0 {
            chunk.bytes.withUnsafeBytes { bytes in
                buffer.baseAddress!.copyMemory(from: bytes.baseAddress! + state.offset, byteCount: count)
            }
        }
        state.offset += count
        guard state.offset == chunk.bytes.count else { return (count, false) }
        release(state.chunks[state.first].counted)
        state.chunks[state.first].bytes = []
        state.chunks[state.first].counted = 0
        state.first += 1
        state.offset = 0
        if chunk.endsSegment { state.unread -= 1 }
        if state.first > 16 {
            state.chunks.removeFirst(state.first)
            state.first = 0
        }
        return (count, chunk.endsSegment)
    }
}
