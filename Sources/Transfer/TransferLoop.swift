import CCurl
import Glibc
import MediaModel
import MediaSources

/// The active transfers: libcurl's handles and their timeouts.
// Unchecked: used on the transfer thread only, and once more after that has been joined.
final class TransferLoop: @unchecked Sendable {
    private let multi: MultiHandle
    private let identity: TransferIdentity
    private var active: [TransferEngine.ID: HTTPTransfer] = [:]

    /// The longest wait for sockets, so that timeouts are noticed.
    private static let longestWait: Int32 = 250

    init(multi: MultiHandle, identity: TransferIdentity) {
        self.multi = multi
        self.identity = identity
    }

    /// Whether any transfer is waiting for the network.
    var isMoving: Bool { active.values.contains { !$0.isPaused } }

    func start(_ request: ByteRequest, _ id: TransferEngine.ID, _ sink: any TransferSink) {
        let transfer = HTTPTransfer(request, id: id, sink: sink, identity: identity, share: multi.share)
        active[id] = transfer
        add(transfer)
    }

    private func add(_ transfer: HTTPTransfer) {
        let code = curl_multi_add_handle(multi.handle, transfer.handle)
        if code != CURLM_OK {
            let error = MediaError(.internal, "Starting to load \(transfer.name) failed: \(words(code)); restart the box.")
            end(transfer, TransferFailure(error: error))
        }
    }

    func resume(_ id: TransferEngine.ID) { active[id]?.resume() }

    func goOn(_ id: TransferEngine.ID) { if active[id]?.isHeld == false { active[id]?.resume() } }

    func hold(_ id: TransferEngine.ID) { active[id]?.hold() }

    func cancel(_ id: TransferEngine.ID) {
        guard let transfer = active.removeValue(forKey: id) else { return }
        curl_multi_remove_handle(multi.handle, transfer.handle)
        transfer.sink.discard()
    }

    func cancelAll() { active.keys.sorted().forEach(cancel) }

    /// Moves bytes once; waits for some if transfers are active.
    func step() {
        guard !active.isEmpty else { return }
        var running: Int32 = 0
        curl_multi_perform(multi.handle, &running)
        for transfer in active.values { transfer.rest() }
        finishThoseDone()
        failThoseLate()
        guard isMoving else { return }
        curl_multi_poll(multi.handle, nil, 0, Self.longestWait, nil)
    }

    private func finishThoseDone() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi.handle, &left) {
            guard message.pointee.msg == CURLMSG_DONE,
                let transfer = active.values.first(where: { $0.handle == message.pointee.easy_handle })
            else { continue }
            let code = marquee_curl_result(message)
            switch transfer.sequel(code) {
            case .end: end(transfer, transfer.failure(code))
            case .again:
                curl_multi_remove_handle(multi.handle, transfer.handle)
                add(transfer)
            case .refused(let failure): end(transfer, failure)
            }
        }
    }

    private func failThoseLate() {
        let now = NetworkTime.now()
        for transfer in active.values.sorted(by: { $0.id < $1.id }) {
            if let error = transfer.lateness(now) { end(transfer, TransferFailure(error: error)) }
        }
    }

    private func end(_ transfer: HTTPTransfer, _ failure: TransferFailure?) {
        active[transfer.id] = nil
        curl_multi_remove_handle(multi.handle, transfer.handle)
        transfer.sink.finish(failure)
    }

    private func words(_ code: CURLMcode) -> String { String(cString: curl_multi_strerror(code)) }
}

/// Network timeouts use real time even in simulated runs: a server that hangs must not hang the program, and the result, a
/// failure, is the same at any simulated instant. Nothing else is measured with it.
enum NetworkTime {
    static func now() -> Duration {
        var value = timespec()
        clock_gettime(CLOCK_MONOTONIC, &value)
        return .seconds(value.tv_sec) + .nanoseconds(value.tv_nsec)
    }
}
