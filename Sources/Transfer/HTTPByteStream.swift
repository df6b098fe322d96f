import LinuxSupport
import MediaModel
import MediaSources
import URLReferences

/// A resource over HTTP as a byte stream: one open-ended range request at a time, read ahead into a bounded buffer.
///
/// `read` waits on its caller's thread. A seek within the buffer, or slightly ahead of it, uses the current request; any other
/// starts a new one. A connection that breaks is resumed at that point if the server supports ranges.
///
/// A server that does not serve ranges is read forward. A radio station names what it plays in between (`RadioTitles`).
///
/// A resource that was modified a moment ago, according to its server, may grow: each read beyond the known length asks the
/// server again.
package final class HTTPByteStream: RecordedByteStream, TitledByteStream, TransferRecording {
    private struct State {
        /// Bytes that have arrived and have not been read; those before `head` have been.
        var buffer: [UInt8] = []
        var head = 0
        /// The offset of the next byte to be read.
        var position: Int64 = 0
        /// How many of the next bytes to discard: a short seek ahead.
        var surplus: Int64 = 0
        var transfer: TransferEngine.ID?
        var isResting = false
        var isEnded = false
        var isCancelled = false
        var failure: MediaError?
        var totalLength: Int64?
        var hasBegun = false
        var retries = 0
        /// Bytes since the last retry.
        var fresh = 0
        /// Whether the current request, or the last one, has brought anything.
        var hasBrought = false
        /// It was modified shortly before the request.
        var isBeingWritten = false
        /// The most bytes per request; nil: no limit.
        var window: Int64?
        /// Takes the titles of a radio station out of what arrives; nil if it sends none.
        var radio: RadioTitles?
        /// Where the titles that were not reached yet begin.
        var titles: [(position: Int64, title: String)] = []
        var title: String?

        var count: Int { buffer.count - head }
    }
    private let url: String
    private let engine: TransferEngine
    private let clock: any HostClock
    /// Its requests; outlives the stream.
    package let record = TransferRecord()
    private let monitor: Monitor<State>

    /// The read-ahead limit.
    static let mostAhead = 8 << 20
    /// Up to this distance, reading on is cheaper than a new request.
    static let shortSeek: Int64 = 1 << 20
    /// How many consecutive broken connections are retried.
    static let mostRetries = 2
    /// After this many bytes a connection counts as one that works. A server that breaks each one after a byte would be asked without end.
    private static let workingLength = 64 << 10

    init(_ url: String, engine: TransferEngine, clock: any HostClock) {
        self.url = url
        self.engine = engine
        self.clock = clock
        monitor = Monitor(State(), ledger: clock.ledger)
    }

    deinit { monitor.read { $0.transfer }.map(abandon) }

    /// Files that are being recorded are written to every few seconds.
    private static let recently = -1...15

    package var isBeingWritten: Bool { monitor.read(\.isBeingWritten) }

    package func readLittle() { monitor.update { $0.window = 32 << 10 } }

    package var name: String { Location.name(url) }

    package var currentTitle: String? {
        monitor.update { state in
            while let next = state.titles.first, next.position <= state.position {
                state.title = next.title
                state.titles.removeFirst()
            }
            return state.title
        }
    }

    /// A station changes its title every few minutes; more than this many are noise.
    private static let mostTitles = 64

    /// Known from the first response on, if its server supports ranges.
    package var length: Int64? { monitor.read { $0.totalLength } }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
        guard buffer.count > 0 else { return 0 }
        startIfNeeded()
        let result = monitor.wait { state -> Result<Int, MediaError>? in
            if state.isCancelled { return .success(0) }
            if state.count > 0 { return .success(Self.take(&state, into: buffer)) }
            if let failure = state.failure { return .failure(failure) }
            return state.isEnded ? .success(0) : nil
        }
        resumeIfNeeded()
        return try result.get()
    }

    package func seek(to offset: Int64) throws(MediaError) {
        let old = monitor.update { state -> TransferEngine.ID? in
            let ahead = offset - state.position
            state.position = offset
            if ahead >= 0, ahead <= Int64(state.count) {
                state.head += Int(ahead)
                if state.isBeingWritten, state.count == 0 { state.isEnded = false }
                return nil
            }
            if ahead > 0, state.window == nil, ahead <= Int64(state.count) + Self.shortSeek, state.transfer != nil, !state.isEnded
            {
                state.surplus = ahead - Int64(state.count)
                state.buffer.removeAll(keepingCapacity: true)
                state.head = 0
                return nil
            }
            defer { state.transfer = nil }
            state.buffer.removeAll(keepingCapacity: true)
            (state.head, state.surplus, state.retries) = (0, 0, 0)
            (state.isEnded, state.isResting, state.failure) = (false, false, nil)
            // At the end there is nothing to request.
            if let length = state.totalLength, offset >= length { state.isEnded = !state.isBeingWritten }
            return state.transfer
        }
        old.map(abandon)
        resumeIfNeeded()
    }

    package func cancel() {
        let transfer = monitor.update { state in
            state.isCancelled = true
            defer { state.transfer = nil }
            return state.transfer
        }
        transfer.map(abandon)
    }

    private func abandon(_ id: TransferEngine.ID) {
        engine.cancel(id)
        record.ended(id, at: clock.now)
    }

    private static func take(_ state: inout State, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, state.count)
        state.buffer.withUnsafeBytes {
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[state.head..<state.head + count]))
        }
        state.head += count
        state.position += Int64(count)
        if state.head == state.buffer.count {
            state.buffer.removeAll(keepingCapacity: true)
            state.head = 0
        } else if state.head > mostAhead / 2 {
            state.buffer.removeFirst(state.head)
            state.head = 0
        }
        return count
    }

    private func startIfNeeded() {
        let start = monitor.update { state -> (TransferEngine.ID, Range<Int64>)? in
            guard state.transfer == nil, !state.isEnded, !state.isCancelled, state.failure == nil,
                state.window == nil || state.count == 0
            else { return nil }
            let id = engine.makeID()
            state.transfer = id
            state.hasBrought = false
            let offset = state.position + Int64(state.count)
            return (id, offset..<(state.window.map { offset + $0 } ?? .max))
        }
        guard let (id, range) = start else { return }
        record.began(id, at: clock.now)
        // Servers that are no radio stations do not know this line.
        engine.start(ByteRequest(url: url, range: range, headers: ["Icy-MetaData: 1"]), id, StreamSink(self, id))
    }

    private func resumeIfNeeded() {
        let resting = monitor.update { state -> TransferEngine.ID? in
            guard state.isResting, state.count <= Self.mostAhead / 2 else { return nil }
            state.isResting = false
            return state.transfer
        }
        guard let resting else { return }
        record.resumed(resting, at: clock.now)
        engine.resume(resting)
    }
}

// Called by the transfer thread. Bytes from an abandoned transfer are ignored.
extension HTTPByteStream {
    fileprivate func begin(_ head: ResponseHead, _ id: TransferEngine.ID) {
        record.answered(id, head, at: clock.now)
        monitor.update { state in
            guard state.transfer == id else { return }
            state.totalLength = head.totalLength ?? (state.hasBegun ? state.totalLength : nil)
            state.hasBegun = true
            state.radio = head.titleInterval.flatMap { $0 > 0 ? RadioTitles(interval: $0) : nil }
            if state.totalLength != nil, let age = head.sinceChange, Self.recently.contains(age) { state.isBeingWritten = true }
        }
    }

    fileprivate func receive(_ bytes: UnsafeRawBufferPointer, _ id: TransferEngine.ID) -> TransferAnswer {
        let answer = store(bytes, id)
        switch answer {
        case .taken: record.received(bytes.count, id, at: clock.now)
        case .notNow: record.rested(id, at: clock.now)
        case .enough: break
        }
        return answer
    }

    private func store(_ bytes: UnsafeRawBufferPointer, _ id: TransferEngine.ID) -> TransferAnswer {
        monitor.update { state in
            guard state.transfer == id else { return .enough }
            guard state.count < Self.mostAhead else {
                state.isResting = true
                return .notNow
            }
            let skipped = min(state.surplus, Int64(bytes.count))
            state.surplus -= skipped
            state.fresh += bytes.count
            state.hasBrought = state.hasBrought || !bytes.isEmpty
            if state.fresh >= Self.workingLength { state.retries = 0 }
            Self.append(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(Int(skipped))), to: &state)
            return .taken
        }
    }

    private static func append(_ bytes: UnsafeRawBufferPointer, to state: inout State) {
        guard var radio = state.radio else { return state.buffer.append(contentsOf: bytes) }
        state.radio = nil
        radio.take(bytes) {
            state.buffer.append(contentsOf: $0)
        } title: {
            guard state.titles.count < mostTitles else { return }
            state.titles.append((state.position + Int64(state.count), $0))
        }
        state.radio = radio
    }

    fileprivate func finish(_ failure: TransferFailure?, _ id: TransferEngine.ID) {
        record.ended(id, at: clock.now)
        let isToRetry = monitor.update { state in
            guard state.transfer == id else { return false }
            state.transfer = nil
            state.surplus = 0
            guard let failure else {
                guard let length = state.totalLength, state.radio == nil, state.position + Int64(state.count) < length else {
                    state.isEnded = true
                    return false
                }
                if state.window != nil, state.hasBrought { return state.count == 0 }
                return Self.retries(
                    after: TransferErrors(name: name).short(after: state.position + Int64(state.count)), &state)
            }
            if failure.isBeyondEnd, state.isBeingWritten {
                state.isEnded = true
                return false
            }
            if failure.isBroken, state.totalLength != nil { return Self.retries(after: failure.error, &state) }
            state.failure = failure.error
            return false
        }
        if isToRetry { startIfNeeded() }
    }

    /// - Returns: whether the rest is asked for once more; otherwise the stream fails.
    private static func retries(after error: MediaError, _ state: inout State) -> Bool {
        guard state.retries < mostRetries else {
            state.failure = error
            return false
        }
        state.retries += 1
        state.fresh = 0
        return true
    }
}

/// Connects a stream to one of its transfers without keeping the stream alive.
private final class StreamSink: TransferSink {
    private struct Target: Sendable { weak var stream: HTTPByteStream? }
    private let target: Target
    private let id: TransferEngine.ID

    init(_ stream: HTTPByteStream, _ id: TransferEngine.ID) {
        target = Target(stream: stream)
        self.id = id
    }

    func begin(_ head: ResponseHead) { target.stream?.begin(head, id) }
    func receive(_ bytes: UnsafeRawBufferPointer) -> TransferAnswer { target.stream?.receive(bytes, id) ?? .enough }
    func rest() {}
    func finish(_ failure: TransferFailure?) { target.stream?.finish(failure, id) }
    func discard() {
        guard let stream = target.stream else { return }
        stream.finish(
            TransferFailure(error: MediaError(.internal, "Reading \(stream.name) was cancelled by the box; play it again.")), id)
    }
}
