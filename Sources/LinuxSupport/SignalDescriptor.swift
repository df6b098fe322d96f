import CLinux
import Glibc

/// signalfd(2): signals through a descriptor.
package enum SignalDescriptor {
    /// Blocks the default action of these signals. Call it on the main thread before any other is started: threads inherit the
    /// mask, and a signal to the process goes to any thread that has not blocked it.
    package static func block(_ signals: [Int32]) {
        var set = makeSet(signals)
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Restores the action of these signals for the calling thread. A pending one takes it at once.
    package static func unblock(_ signals: [Int32]) {
        var set = makeSet(signals)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    /// Makes blocked signals readable. It also blocks them for the calling thread, if `block` has not done so.
    ///
    /// - Throws: `SystemError` when the kernel has no descriptor left.
    package static func make(_ signals: [Int32]) throws(SystemError) -> FileDescriptor {
        block(signals)
        var set = makeSet(signals)
        return FileDescriptor(
            adopting: try systemCall("signalfd", on: "the stop signals") { signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK)) }
        )
    }

    private static func makeSet(_ signals: [Int32]) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        return set
    }
}
