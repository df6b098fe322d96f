import Glibc
import LinuxSupport
import MediaModel
import SystemServices

/// Waits for a screen: a box without one is started and told so, and goes on by itself once there is one.
///
/// The folder of the cards is watched (inotify), so that a card is opened as soon as it is there; a cable that is plugged in makes no file,
/// so it is looked for every two seconds as well.
@MainActor
package enum DisplayWait {
    private static let interval = Duration.seconds(2)

    /// Makes what needs a screen, again and again until there is one.
    ///
    /// - Parameters:
    ///   - onWait: told once of each reason to wait.
    ///   - make: throws `MediaError` where there is no screen yet, and anything else for what waiting does not mend.
    /// - Returns: nil when the program was told to stop meanwhile.
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
                    // Units that are ordered after the player must not wait for a screen.
                    notifier.ready()
                }
                guard try pause(notifier) else { return nil }
            }
        }
    }

    /// Waits until something has changed among the cards, or the interval is over.
    ///
    /// - Returns: false when the program was told to stop.
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
