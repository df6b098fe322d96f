import LinuxSupport
import MediaModel
import Synchronization
import URLReferences

/// Collects a whole body for `load`.
final class BodySink: TransferSink {
    private struct State {
        var bytes: [UInt8] = []
        var head: ResponseHead?
        var firstByte: HostTime?
        var isTooLong = false
        var finish: (@Sendable (Result<ByteResponse, MediaError>) -> Void)?
        /// Bytes that were already handed over.
        var handedOver: Int64 = 0

        var version: ResourceVersion {
            ResourceVersion(
                validator: head?.validator, length: head?.totalLength ?? (head?.status == 206 ? nil : head?.expectedLength))
        }
    }
    private let state: Mutex<State>
    private let clock: any HostClock
    private let started: HostTime
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
        let answer = state.withLock { state -> TransferAnswer in
            // A length that is stated beyond the limit ends the transfer at its first bytes.
            let stated = state.head?.expectedLength ?? 0
            if stated > kind.longest || Int(state.handedOver) + state.bytes.count + bytes.count > kind.longest {
                state.isTooLong = true
                return .enough
            }
            if state.bytes.isEmpty, bell == nil { state.bytes.reserveCapacity(Int(stated)) }
            state.bytes.append(contentsOf: bytes)
            return .taken
        }
        if answer == .taken { bell?.ring() }
        return answer
    }

    /// Returns the bytes since the last call; nil when there are none.
    func takeProgress() -> ByteProgress? {
        let now = clock.now
        return state.withLock { state in
            guard !state.bytes.isEmpty else { return nil }
            state.handedOver += Int64(state.bytes.count)
            defer { state.bytes = [] }
            return ByteProgress(
                bytes: state.bytes, received: state.handedOver, expected: state.head?.expectedLength, elapsed: now - started,
                timeToFirstByte: (state.firstByte ?? now) - started, version: state.version)
        }
    }

    func finish(_ failure: TransferFailure?) {
        let now = clock.now
        let (result, finish) = state.withLock { state in
            defer { state.finish = nil }
            return (self.result(state, failure, now), state.finish)
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
        return .success(
            ByteResponse(
                bytes: bell == nil ? state.bytes : [], url: state.head?.url ?? name, status: state.head?.status ?? 200,
                contentType: state.head?.contentType,
                timeToFirstByte: (state.firstByte ?? now) - started, transferDuration: now - started, age: state.head?.age,
                serverAddress: state.head?.serverAddress, version: state.version, entityTag: state.head?.entityTag))
    }

    func discard() { state.withLock { $0.finish = nil } }
}
