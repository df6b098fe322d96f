import Synchronization

/// A transfer whose request is made later, or replaced by another one: cancelling it cancels the one that is under way. Any thread.
package final class FollowingTask: ByteTask {
    private struct State {
        var isCancelled = false
        var followed: (any ByteTask)?
    }
    private let state = Mutex(State())

    package init() {}

    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// From now on cancelling this task cancels that one; at once if it was cancelled before.
    package func follow(_ task: any ByteTask) {
        let isCancelled = state.withLock { state in
            state.followed = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    package func cancel() {
        let followed = state.withLock { state in
            defer { state.isCancelled = true }
            return state.isCancelled ? nil : state.followed
        }
        followed?.cancel()
    }
}
