import Glibc
import LinuxSupport

/// SIGINT and SIGTERM as an event of the loop: the box ends in order and restores the screen.
@MainActor
package final class StopSignals {
    package private(set) var hasCome = false
    private var watch: MainLoop.Watch?
    private let descriptor: FileDescriptor

    /// The signals that end the box.
    package static let signals = [SIGINT, SIGTERM]

    /// Blocks the signals. Called before the first thread is started, and therefore before the box is made.
    package static func hold() { SignalDescriptor.block(signals) }

    package init(loop: MainLoop) throws {
        descriptor = try SignalDescriptor.make(Self.signals)
        watch = try loop.watch(descriptor.number) { [weak self] in self?.hasCome = true }
    }
}
