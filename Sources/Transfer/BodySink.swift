import LinuxSupport
import MediaModel
import MediaSources
import Synchronization
import URLReferences
import Unpacking

/// Collects a whole body for `load`. Texts that come as gzip are unpacked, whatever is stated: storage gives files of that kind to everyone as they are.
final class BodySink: TransferSink {
    private struct State {
        /// The whole body, without a bell.
        var bytes: [UInt8] = []
        /// What was not handed over yet, with a bell.
        var arriving = ArrivingPieces()
        var head: ResponseHead?
        var firstByte: HostTime?
        var isTooLong = false
        /// Whether bytes were refused because too many wait to be handed over.
        var isRefusing = false
        var finish: (@Sendable (Result<ByteResponse, MediaError>) -> Void)?
        /// Whether the body begins as gzip does. Nothing of it is handed over before it is unpacked.
        var isPacked: Bool?
        /// Bytes that were already handed over.
        var handedOver: Int64 = 0

        var version: ResourceVersion {
            ResourceVersion(validator: head?.validator, length: head?.resourceLength)
        }
    }
    private let state: Mutex<State>
    private let clock: any HostClock
    private let started: HostTime
    private let request: ByteRequest
    private let name: String
    private let kind: BodyKind
    /// Rung when bytes have arrived; nil when only the whole body is wanted.
    private let bell: Doorbell?

    init(
        _ request: ByteRequest, clock: any HostClock, bell: Doorbell? = nil,
        _ finish: @escaping @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) {
        self.bell = bell
        self.clock = clock
        started = clock.now
        self.request = request
        name = Location.name(request.url)
        kind = request.kind
        state = Mutex(State(finish: finish))
    }

    func begin(_ head: ResponseHead) {
        let now = clock.now
        state.withLock { state in
            state.head = head
            state.firstByte = now
        }
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> TransferAnswer {
        state.withLock { state -> TransferAnswer in
            // A length that is stated beyond the limit ends the transfer at its first bytes.
            let stated = state.head?.expectedLength ?? 0
            let present = Int(state.handedOver) + state.bytes.count + state.arriving.count
            let isRefused = stated > kind.longest && !(mayBeOther && present < Self.tellingLength)
            if isRefused || present + bytes.count > kind.longest {
                state.isTooLong = true
                return .enough
            }
            if state.isPacked == nil { state.isPacked = UnlabelledGzip.mayBe(request) && bytes.first == UnlabelledGzip.firstByte }
            if bell != nil, state.isPacked != true {
                guard state.arriving.count < Self.mostWaiting else {
                    state.isRefusing = true
                    return .notNow
                }
                state.arriving.append(bytes, expecting: Int(stated) - present)
            } else {
                if state.bytes.isEmpty { state.bytes.reserveCapacity(Int(stated)) }
                state.bytes.append(contentsOf: bytes)
            }
            return .taken
        }
    }

    func rest() { bell?.ring() }

    /// What is asked for as a playlist may be a film, which its first bytes tell to who looks at them: they are handed over, whatever length is stated.
    private var mayBeOther: Bool { bell != nil && kind == .playlist }
    private static let tellingLength = 4 << 10

    /// This many bytes wait for the main loop at the most.
    private static let mostWaiting = 16 << 20

    /// Whether the transfer refuses bytes and may go on, since they were handed over. True once.
    func takeRefusal() -> Bool {
        state.withLock { state in
            guard state.isRefusing, state.arriving.count == 0 else { return false }
            state.isRefusing = false
            return true
        }
    }

    /// Returns the bytes since the last call; nil when there are none.
    func takeProgress() -> ByteProgress? {
        let now = clock.now
        return state.withLock { state in
            let pieces = state.arriving.take()
            guard !pieces.isEmpty else { return nil }
            state.handedOver += Int64(pieces.count)
            return ByteProgress(
                pieces: pieces, received: state.handedOver, expected: state.head?.expectedLength, elapsed: now - started,
                timeToFirstByte: (state.firstByte ?? now) - started, version: state.version)
        }
    }

    func finish(_ failure: TransferFailure?) {
        let now = clock.now
        let (result, finish) = state.withLock { state in
            defer { state.finish = nil }
            var result = self.result(state, failure, now)
            if state.isPacked == true {
                result = UnlabelledGzip.unpacked(result, for: request)
                // Who looks at pieces gets them.
                if bell != nil, case .success(var response) = result {
                    response.bytes.withUnsafeBytes { state.arriving.append($0, expecting: $0.count) }
                    response.bytes = []
                    result = .success(response)
                }
            }
            return (result, state.finish)
        }
        finish?(result)
    }

    private func result(_ state: State, _ failure: TransferFailure?, _ now: HostTime) -> Result<ByteResponse, MediaError> {
        if let failure { return .failure(failure.error) }
        if state.isTooLong {
            return .failure(
                MediaError(
                    .sourceFormat,
                    "Loading \(name) failed: it is longer than \(kind.longestWords); check that it is what the address says.",
                    fault: .tooLong))
        }
        var response = ByteResponse(
            bytes: state.bytes, url: state.head?.url ?? name, status: state.head?.status ?? 200,
            contentType: state.head?.contentType,
            timeToFirstByte: (state.firstByte ?? now) - started, transferDuration: now - started, age: state.head?.age,
            serverAddress: state.head?.serverAddress, version: state.version, entityTag: state.head?.entityTag,
            lastingURL: state.head?.lastingURL)
        response.cacheControl = state.head?.cacheControl
        return .success(response)
    }

    func discard() { state.withLock { $0.finish = nil } }
}

/// Collects bytes in pieces that are handed over without being copied again.
struct ArrivingPieces {
    private var whole = BytePieces()
    /// The piece that is being filled.
    private var last: [UInt8] = []

    var count: Int { whole.count + last.count }

    /// - Parameter expected: how many bytes are to come, with these; 0 or less if unknown.
    mutating func append(_ bytes: UnsafeRawBufferPointer, expecting expected: Int) {
        var rest = bytes[...]
        while !rest.isEmpty {
            if last.isEmpty { last.reserveCapacity(expected > 0 ? min(expected, BytePieces.usualLength) : rest.count) }
            let part = rest.prefix(BytePieces.usualLength - last.count)
            last.append(contentsOf: part)
            rest = rest.dropFirst(part.count)
            if last.count == BytePieces.usualLength { finishPiece() }
        }
    }

    private mutating func finishPiece() {
        whole.append(last)
        last = []
    }

    mutating func take() -> BytePieces {
        // A copy of the right size: the piece may have room for much more.
        if !last.isEmpty { whole.append(Array(last[...])) }
        last.removeAll(keepingCapacity: true)
        defer { whole = BytePieces() }
        return whole
    }
}
