import CDRM
import Glibc
import LinuxSupport
import MediaModel
import MediaTime
import Synchronization

/// What the display's thread shares with the others: a letter box with a bell, and a notice board.
final class KMSLink: Sendable {
    /// What others want of the display's thread.
    struct Mail: Sendable {
        var isStopped = false
        var isAwake = false
        var connectorsChanged = false
        var isPowered: Bool?
        var refresh: Refresh?
        var source: WeakSource?
        var reads: [@Sendable (ScreenPicture?) -> Void] = []
        var prepared: [Prepared] = []
    }
    /// A refresh rate that is wanted; nil: the one that the screen was opened with.
    struct Refresh: Sendable {
        var rate: Ratio?
    }
    /// A source that is not kept alive.
    struct WeakSource: Sendable {
        weak var source: (any PresentationSource)?
    }
    /// What the compose thread has made of a scene.
    struct Prepared: Sendable {
        var job: UInt64
        var result: Result<(pictures: [PlanePicture], layers: FramePreparer.PreparedLayers), MediaError>
        var took: Duration
    }
    /// What the display's thread tells others.
    struct Board: Sendable {
        var mode: DisplayMode
        /// Of the modes of that size.
        var refreshRates: [Ratio] = []
        var counters = DisplayCounters()
        var readBacks = 0
        var rungs: Set<LadderRung> = []
        var attachedPlanes = 0
    }
    private let mail = Mutex(Mail())
    private let board: Mutex<Board>
    let bell: FileDescriptor

    init(mode: DisplayMode, refreshRates: [Ratio]) throws(DisplayError) {
        board = Mutex(Board(mode: mode, refreshRates: refreshRates))
        bell = FileDescriptor(adopting: try drm(.openCard, on: "a bell for the display") { marquee_open_bell() })
    }

    /// Puts something into the letter box and rings. Any thread.
    func post(_ change: (inout sending Mail) -> Void) {
        mail.withLock { change(&$0) }
        var one: UInt64 = 1
        _ = write(bell.number, &one, 8)
    }

    /// Empties the letter box. The display's thread.
    func collect() -> Mail {
        var count: UInt64 = 0
        _ = read(bell.number, &count, 8)
        return mail.withLock { mail in
            let all = mail
            mail = Mail(isStopped: all.isStopped)
            return all
        }
    }

    var notice: Board { board.withLock { $0 } }
    func note(_ change: (inout sending Board) -> Void) { board.withLock { change(&$0) } }
}
