import CLinux
import Glibc

/// signalfd(2): signals as something to read.
public enum SignalDescriptor {
    /// Keeps these signals from their default action and makes them readable. Call it on the main thread before others are started, which inherit the mask.
    public static func make(_ signals: [Int32]) throws(SystemError) -> FileDescriptor {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        return FileDescriptor(adopting: try systemCall("signalfd", on: "the stop signals") { signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK)) })
    }
}
