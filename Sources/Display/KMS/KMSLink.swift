import CDRM
import Glibc
import LinuxSupport
import MediaModel
import MediaTime
import Synchronization

/// The state shared between the display's thread and the others: a mailbox with a bell, and a board of notices.
final class KMSLink: Sendable {
    /// Requests to the display's thread.
    struct Mail: Sendable {
        var isStopped = false
        var isAwake = false
        var connectorsChanged = false
        var isPowered: Bool?
        var signal: Signal?
        var source: WeakSource?
        var reads: [@Sendable (ScreenPicture?) -> Void] = []
        var prepared: [Prepared] = []
    }
    /// A request of the player.
    struct Signal: Sendable {
        var request: SignalRequest
        /// Counts the requests.
        var number: Int
    }
    /// A weak reference to a source.
    struct WeakSource: Sendable {
        weak var source: (any PresentationSource)?
    }
    /// A scene as prepared by the compose thread.
    struct Prepared: Sendable {
        var job: UInt64
        var result: Result<(pictures: [PlanePicture], layers: FramePreparer.PreparedLayers), MediaError>
        var took: Duration
    }
    /// What the display's thread publishes.
    struct Board: Sendable {
        var mode: DisplayMode
        /// The rates of the modes of that size.
        var refreshRates: [Ratio] = []
        var counters = DisplayCounters()
        var readBacks = 0
        var rungs: Set<LadderRung> = []
        var attachedPlanes = 0
        var range = ScreenRange.standard
        /// The range of the pictures that decoders leave as they are.
        var keptRange: HighDynamicRange?
        /// The number of the last request of the player.
        var requests = 0
    }
    private let mail = Mutex(Mail())
    private let board: Mutex<Board>
    let bell: FileDescriptor

    init(mode: DisplayMode, refreshRates: [Ratio]) throws(DisplayError) {
        board = Mutex(Board(mode: mode, refreshRates: refreshRates))
        bell = FileDescriptor(adopting: try drm(.openCard, on: "a bell for the display") { marquee_open_bell() })
    }

    /// Posts a change to the mailbox and rings the bell. Any thread.
    func post(_ change: (inout sending Mail) -> Void) {
        mail.withLock { change(&$0) }
        var one: UInt64 = 1
        _ = write(bell.number, &one, 8)
    }

    /// Empties the mailbox. The display's thread.
    func collect() -> Mail {
        var count: UInt64 = 0
        _ = read(bell.number, &count, 8)
        return mail.withLock { mail in
            let all = mail
            mail = Mail(isStopped: all.isStopped)
            return all
        }
    }

    /// Passes a request of the player to the display's thread, and tells decoders of its range before they begin. A range that is not offered is not
    /// requested.
    func request(_ request: SignalRequest) {
        var request = request
        let number = board.withLock { board in
            if let range = request.range, !board.range.offered.contains(range) { request.range = nil }
            board.keptRange = request.range
            board.range.refusal = nil
            board.requests += 1
            return board.requests
        }
        post { [request] in $0.signal = Signal(request: request, number: number) }
    }

    /// The range of a request is not shown: decoders convert pictures from now on. A later request is not affected.
    func refuse(_ number: Int, because reason: String) {
        note { board in
            guard board.requests == number else { return }
            board.keptRange = nil
            board.range.refusal = reason
        }
    }

    var notice: Board { board.withLock { $0 } }
    func note(_ change: (inout sending Board) -> Void) { board.withLock { change(&$0) } }
}
