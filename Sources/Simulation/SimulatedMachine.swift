import ChannelFeed
import LinuxSupport
import MediaModel
import MediaTime

/// The machine in which the process of a box runs: its television, its sound card, its disk and its date. It outlives the process. Main loop only.
@MainActor
final class SimulatedMachine {
    private static let mode = DisplayMode(width: 320, height: 180, refresh: Ratio(60))
    private static let otherMode = DisplayMode(width: 320, height: 180, refresh: Ratio(50))

    private static let otherSize = DisplayMode(width: 640, height: 360, refresh: Ratio(60))

    private let clock: any HostClock
    private let faults: [Fault]
    /// The screen of the running process.
    private(set) var screen: WatchedScreen?
    let sound: SoundSocket

    /// - Parameter faults: those that happen.
    init(clock: any HostClock, faults: [Fault]) {
        self.clock = clock
        self.faults = faults
        sound = SoundSocket(clock: clock)
    }

    private var now: Duration { clock.now - .zero }

    /// Whether a fault like this lasts.
    func lasts(_ isSuch: (Fault.Kind) -> Bool) -> Bool {
        for fault in faults {
            if fault.start > now { return false }
            if isSuch(fault.kind), fault.isActive(at: now) { return true }
        }
        return false
    }

    /// The date that the machine tells the box: the fault that began last decides.
    var date: FeedDate {
        var date = WorldDate.at(now)
        for fault in faults {
            if fault.start > now { break }
            switch fault.kind {
            case .wrongDate(let hours) where fault.isActive(at: now): date = WorldDate.at(now + .seconds(hours * 3600))
            case .noDate where fault.isActive(at: now):
                date = FeedDate(milliseconds: (now - fault.start).wholeNanoseconds / 1_000_000)
            default: break
            }
        }
        return date
    }

    /// The screen for a new process.
    func makeScreen() -> WatchedScreen {
        let screen = WatchedScreen(mode: Self.mode, clock: clock)
        if lasts(Self.isWithoutScreen) { screen.connect(nil) }
        self.screen = screen
        return screen
    }

    /// A fault begins. Those that do not concern the machine are ignored.
    func begin(_ fault: Fault) {
        switch fault.kind {
        case .screenLost, .otherMode, .otherSize: screen?.connect(nil)
        case .soundLost: sound.plug(false)
        case .soundStall: sound.stall(true)
        case .fullDisk: FileWriting.isRefused = true
        default: break
        }
    }

    /// A fault ends.
    func end(_ fault: Fault) {
        switch fault.kind {
        case .screenLost: if !lasts(Self.isWithoutScreen) { screen?.connect(Self.mode) }
        case .otherMode: if !lasts(Self.isWithoutScreen) { screen?.connect(Self.otherMode) }
        case .otherSize: if !lasts(Self.isWithoutScreen) { screen?.connect(Self.otherSize) }
        case .soundLost: if !lasts({ $0 == .soundLost }) { sound.plug(true) }
        case .soundStall: if !lasts({ $0 == .soundStall }) { sound.stall(false) }
        case .fullDisk: if !lasts({ $0 == .fullDisk }) { FileWriting.isRefused = false }
        default: break
        }
    }

    private static func isWithoutScreen(_ kind: Fault.Kind) -> Bool {
        kind == .screenLost || kind == .otherMode || kind == .otherSize
    }
}
