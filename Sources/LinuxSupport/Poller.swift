import CLinux
import Glibc

/// epoll(7): waits for descriptors. Only its own thread calls `wait`; any thread may watch and unwatch.
package final class Poller: Sendable {
    private let descriptor: FileDescriptor

    /// - Throws: `SystemError` when the kernel has no descriptor left.
    package init() throws(SystemError) {
        descriptor = FileDescriptor(
            adopting: try systemCall("epoll_create1", on: "a new poller") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
    }

    /// Watches a descriptor for input.
    ///
    /// - Parameter tag: returned by `wait` for it.
    package func watch(_ number: Int32, tag: UInt64) throws(SystemError) {
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: tag))
        try systemCall("epoll_ctl", on: "descriptor \(number)") { epoll_ctl(descriptor.number, EPOLL_CTL_ADD, number, &event) }
    }

    /// Stops watching a descriptor that is still open.
    package func unwatch(_ number: Int32) {
        var event = epoll_event()
        _ = epoll_ctl(descriptor.number, EPOLL_CTL_DEL, number, &event)
    }

    /// Whether a descriptor is closed, has failed or was hung up, and has nothing to read.
    static func isBroken(_ number: Int32) -> Bool {
        var state = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        guard poll(&state, 1, 0) > 0 else { return false }
        return Int32(state.revents) & (POLLERR | POLLHUP | POLLNVAL) != 0 && Int32(state.revents) & POLLIN == 0
    }

    /// Waits until a watched descriptor is readable, has failed (EPOLLERR) or was hung up (EPOLLHUP), or the time is up.
    ///
    /// - Parameter timeout: nil waits forever; it is rounded up to a millisecond.
    /// - Returns: the tags of these descriptors, none on a timeout or a signal.
    package func wait(timeout: Duration?) -> [UInt64] {
        let milliseconds = timeout.map { Int32(clamping: ($0.wholeNanoseconds + 999_999) / 1_000_000) } ?? -1
        // Most waits end with a timeout: those need no memory at all.
        return withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 16) { events in
            if milliseconds != 0 { ThreadTrace.willWait() }
            let count = epoll_wait(descriptor.number, events.baseAddress!, 16, milliseconds)
            if milliseconds != 0 { ThreadTrace.didWait() }
            return count > 0 ? events.prefix(Int(count)).map(\.data.u64) : []
        }
    }
}
