import LinuxSupport
import MediaModel
import MediaTime
import Synchronization

/// The state shared between a window's thread and the others: a mailbox that rings, and a board of notices.
final class WindowLink: Sendable {
    /// Requests to the window's thread.
    struct Mail: Sendable {
        var isStopped = false
        var isAwake = false
        var isPowered: Bool?
        var source: WeakSource?
    }
    /// A weak reference to a source.
    struct WeakSource: Sendable {
        weak var source: (any PresentationSource)?
    }
    /// What the window's thread publishes.
    struct Board: Sendable {
        var mode = DisplayMode(width: 1280, height: 720, refresh: Ratio(60))
        var counters = DisplayCounters()
        /// What is in the window; nil while that is switched off, and at the end.
        var shown: SceneCapture.Shown?
        var facts = ""
    }
    private struct Box: Sendable {
        var mail = Mail()
        var hasRung = false
        /// Wakes the window's thread; nil before it listens, and at the end.
        var ring: (@Sendable () -> Void)?
    }
    private let box = Mutex(Box())
    private let board = Mutex(Board())

    /// Posts a change to the mailbox, and wakes the window's thread. Any thread.
    func post(_ change: (inout sending Mail) -> Void) {
        box.withLock { box in
            change(&box.mail)
            guard !box.hasRung, let ring = box.ring else { return }
            box.hasRung = true
            // Called with the lock held: `listen(nil)` returns only when no call is under way, and the window can be closed.
            ring()
        }
    }

    /// The window's thread listens from now on; nil: no more.
    func listen(_ ring: (@Sendable () -> Void)?) { box.withLock { $0.ring = ring } }

    /// Empties the mailbox. The window's thread.
    func collect() -> Mail {
        box.withLock { box in
            let mail = box.mail
            box.mail = Mail(isStopped: mail.isStopped)
            box.hasRung = false
            return mail
        }
    }

    var notice: Board { board.withLock { $0 } }
    func note(_ change: (inout sending Board) -> Void) { board.withLock { change(&$0) } }
}
