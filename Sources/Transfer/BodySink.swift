import LinuxSupport
import MediaModel
import Synchronization

/// Gathers a whole body for `load`.
final class BodySink: TransferSink {
    private struct State {
        var bytes: [UInt8] = []
        var head: ResponseHead?
        var firstByte: HostTime?
        var isTooLong = false
        var finish: (@Sendable (Result<ByteResponse, MediaError>) -> Void)?
    }
    private let state: Mutex<State>
    private let clock: any HostClock
    private let started: HostTime
    private let name: String

    /// Bodies that are loaded whole are playlists, segments and pictures: what is longer is none of these.
    static let longestBody = 256 << 20

    init(_ request: ByteRequest, clock: any HostClock, _ finish: @escaping @Sendable (Result<ByteResponse, MediaError>) -> Void) {
        self.clock = clock
        started = clock.now
        name = Location.name(request.url)
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
        state.withLock { state in
            if state.bytes.count + bytes.count > Self.longestBody {
                state.isTooLong = true
                return .enough
            }
            state.bytes.append(contentsOf: bytes)
            return .taken
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
                    "Loading \(name) failed: it is longer than \(Self.longestBody >> 20) MiB; check that it is what the address says."
                ))
        }
        return .success(
            ByteResponse(
                bytes: state.bytes, url: state.head?.url ?? name, status: state.head?.status ?? 200,
                contentType: state.head?.contentType,
                timeToFirstByte: (state.firstByte ?? now) - started, transferDuration: now - started))
    }

    func discard() { state.withLock { $0.finish = nil } }
}
