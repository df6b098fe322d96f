import Glibc
import TestSupport
import Testing

@testable import SystemServices

@Suite("Notifying the service manager", .serialized)
struct ServiceNotifierTests {
    @Test(
        "datagrams arrive at a path and in the abstract name space",
        arguments: ["/", "@"])
    func datagrams(start: String) throws {
        // Its folder has a unique name, which also serves for the abstract name.
        let folder = ScratchFolder("notify")
        let path = start + folder.path.dropFirst() + "/socket"
        let manager = try NotifySocket(path)
        let notifier = ServiceNotifier(path: path, watchdog: .seconds(10))
        notifier.extendStart(by: .seconds(60))
        notifier.ready()
        notifier.status("two\nlines")
        notifier.feedWatchdog()
        notifier.stopping()
        #expect(manager.heard() == ["EXTEND_TIMEOUT_USEC=60000000", "READY=1", "STATUS=two lines", "WATCHDOG=1", "STOPPING=1"])
        #expect(notifier.watchdog == .seconds(10))
    }

    @Test("without a manager, or after it is gone, nothing happens", arguments: [nil, "", "relative", "/nowhere/at/all"])
    func withoutManager(path: String?) {
        let notifier = ServiceNotifier(path: path, watchdog: .seconds(10))
        notifier.ready()
        notifier.feedWatchdog()
        #expect(notifier.hasManager == (path?.first == "/"))
    }

    @Test("the watchdog of another process is ignored")
    func environment() async {
        // In a separate process: the environment is shared, and other threads may read it at any time.
        await #expect(processExitsWith: .exitCode(7)) {
            for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { unsetenv(name) }
            setenv("NOTIFY_SOCKET", "@marquee-nobody", 1)
            setenv("WATCHDOG_USEC", "10000000", 1)
            guard ServiceNotifier.fromEnvironment().watchdog == .seconds(10) else { exit(1) }
            setenv("WATCHDOG_PID", "\(getpid())", 1)
            guard ServiceNotifier.fromEnvironment().watchdog == .seconds(10) else { exit(2) }
            setenv("WATCHDOG_PID", "\(getppid())", 1)
            guard ServiceNotifier.fromEnvironment().watchdog == nil else { exit(3) }
            unsetenv("NOTIFY_SOCKET")
            guard !ServiceNotifier.fromEnvironment().hasManager else { exit(4) }
            exit(7)
        }
    }
}
