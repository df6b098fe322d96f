import Glibc
import LinuxSupport
import MediaModel
import SystemServices

/// Waits for a screen. A box without one starts, reports that it is waiting, and continues when a screen appears.
///
/// The folder of the graphics cards is watched (inotify), so that a new card is opened at once. Plugging in a cable changes no file, so screens are
/// also polled every two seconds.
@MainActor
package enum DisplayWait {
    private static let interval = Duration.seconds(2)

    /// Calls `make` repeatedly until there is a screen.
    ///
    /// - Parameters:
    ///   - onWait: called once for each reason to wait.
    ///   - make: throws `MediaError` if there is no screen yet, and any other error if waiting does not help.
    /// - Returns: nil if the program was told to stop.
    package static func make<Made>(
        notifier: ServiceNotifier, onWait: (_ reason: String) -> Void, _ make: () throws -> Made
    ) throws -> Made? {
        var said: String?
        while true {
            do {
                return try make()
            } catch let error as MediaError {
                if said != error.sentence {
                    said = error.sentence
                    onWait(error.sentence)
                    notifier.status("Waiting for a screen: \(error.sentence)")
                    // Units ordered after the player must not wait for a screen.
                    notifier.ready()
                }
                guard try pause(notifier) else { return nil }
            }
        }
    }

    /// Waits for a change among the cards, or until the interval has passed.
    ///
    /// - Returns: false if the program was told to stop.
    private static func pause(_ notifier: ServiceNotifier) throws -> Bool {
        let loop = try MainLoop(time: .real)
        let signals = try StopSignals(loop: loop)
        let watcher = FileDescriptor(adopting: inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)))
        var isOver = false
        if watcher.number >= 0 {
            let events = UInt32(IN_CREATE) | UInt32(IN_ATTRIB) | UInt32(IN_MOVED_TO)
            for folder in ["/dev/dri", "/dev"] { inotify_add_watch(watcher.number, folder, events) }
        }
        let watch = watcher.number >= 0 ? try loop.watch(watcher.number) { isOver = true } : nil
        loop.clock.schedule(after: interval) { isOver = true }
        notifier.feedWatchdog()
        loop.run(until: { isOver || signals.hasCome })
        withExtendedLifetime(watch) {}
        return !signals.hasCome
    }
}
