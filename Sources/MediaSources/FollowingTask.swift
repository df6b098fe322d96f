import Synchronization

/// A transfer whose request is made later, or replaced by another one: cancelling it cancels the one that is under way. Any thread.
package final class FollowingTask: ByteTask {
    private struct State {
        var isCancelled = false
        var isHeld = false
        var followed: (any ByteTask)?
    }
    private let state = Mutex(State())

    package init() {}

    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// From now on cancelling or holding this task does the same to that one; at once if it was done before.
    package func follow(_ task: any ByteTask) {
        let (isCancelled, isHeld) = state.withLock { state in
            state.followed = task
            return (state.isCancelled, state.isHeld)
        }
        if isHeld { task.setHeld(true) }
        if isCancelled { task.cancel() }
    }

    package func setHeld(_ isHeld: Bool) {
        let followed = state.withLock { state in
            state.isHeld = isHeld
            return state.followed
        }
        followed?.setHeld(isHeld)
    }

    package func cancel() {
        let followed = state.withLock { state in
            defer { state.isCancelled = true }
            return state.isCancelled ? nil : state.followed
        }
        followed?.cancel()
    }
}
