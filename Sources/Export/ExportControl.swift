import MediaModel
import Synchronization

/// How far an export is, and whether it is to end; shared between its thread and the main loop.
final class ExportControl: Sendable {
    /// The byte streams that are open.
    let streams = OpenStreams()
    private let state = Mutex<(done: Double, isCancelled: Bool, remarks: [String])>((0, false, []))

    /// Any thread.
    var progress: Double { state.withLock(\.done) }

    /// Any thread.
    var isCancelled: Bool { state.withLock(\.isCancelled) }

    /// What of the source is not written: whole sentences. Any thread.
    var remarks: [String] {
        get { state.withLock(\.remarks) }
        set { state.withLock { $0.remarks = newValue } }
    }

    /// Ends reading at once, and the export at its next sample. Any thread.
    func cancel() {
        state.withLock { $0.isCancelled = true }
        streams.close()
    }

    /// Sets the progress, which never goes back.
    ///
    /// - Returns: whether it has changed by half a hundredth.
    func reach(_ fraction: Double) -> Bool {
        state.withLock { state in
            let fraction = min(max(fraction, 0), 1)
            guard fraction - state.done >= 0.005 || (fraction == 1 && state.done < 1) else { return false }
            state.done = fraction
            return true
        }
    }
}
