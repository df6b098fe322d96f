import Glibc
import LinuxSupport

/// SIGINT and SIGTERM as an event of the loop: the box ends in order, the screen as it was found.
@MainActor
package final class StopSignals {
    package private(set) var hasCome = false
    private var watch: MainLoop.Watch?
    private let descriptor: FileDescriptor

    private static let signals = [SIGINT, SIGTERM]

    /// Holds the signals back from now on. Called before the first thread is started, which is before the box is made.
    package static func hold() { SignalDescriptor.block(signals) }

    package init(loop: MainLoop) throws {
        descriptor = try SignalDescriptor.make(Self.signals)
        watch = try loop.watch(descriptor.number) { [weak self] in self?.hasCome = true }
    }
}
