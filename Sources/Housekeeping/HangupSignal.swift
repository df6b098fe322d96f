import Glibc
import LinuxSupport

/// SIGHUP as an event of the loop. By default it would end the process; operators send it to a service that is to look at its sources again.
///
/// A program that was started in a terminal ends when that is closed: `onClosedTerminal` is called instead.
@MainActor
package final class HangupSignal {
    private let descriptor: FileDescriptor
    private var watch: MainLoop.Watch?

    /// Blocks the signal. Called before the first thread is started, and therefore before the box is made.
    package static func hold() { SignalDescriptor.block([SIGHUP]) }

    package init(
        loop: MainLoop, onClosedTerminal: @escaping @MainActor () -> Void, onSignal: @escaping @MainActor () -> Void
    ) throws {
        let descriptor = try SignalDescriptor.make([SIGHUP])
        self.descriptor = descriptor
        let hadTerminal = isatty(0) == 1
        watch = try loop.watch(descriptor.number) {
            // A record has 128 bytes (signalfd(2)); several signals may have become one.
            var record = [UInt8](repeating: 0, count: 128)
            while read(descriptor.number, &record, record.count) > 0 {}
            // The kernel hangs a terminal up before it sends the signal.
            if hadTerminal, isatty(0) == 0 { onClosedTerminal() } else { onSignal() }
        }
    }
}
