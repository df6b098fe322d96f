import Glibc
import LinuxSupport
import MediaModel
import MediaTime
import Synchronization

@testable import Display

/// The faults of drivers that a test switches on. Any thread.
final class ScreenFaults: Sendable {
    struct State: Sendable {
        /// This many of the next flips are not reported.
        var lostFlips = 0
        /// Whether a lost flip is reported after all, right before the next one.
        var reportsLateFlips = false
        /// This many of the next commits find the last flip pending.
        var busyCommits = 0
        /// Commits of this many planes or more are refused, although a test commit accepted them.
        var refusedPlanes = Int.max
        var isUnplugged = false
        /// Modes that the card refuses, although the screen lists them.
        var refusedModes: [DisplayMode] = []
        /// This many of the next resets do not find the screen, which is there right after them.
        var missedResets = 0
        /// How often the screen was reset.
        var resets = 0
        /// When the last commit was accepted, and how long after it the screen was last reset.
        var lastCommit: HostTime?
        var resetAfter: Duration?
        /// The numbers of the flips that were not reported in time.
        var lostNumbers: [UInt32] = []
    }
    private let state = Mutex(State())

    var now: State { state.withLock { $0 } }
    func change<Result: Sendable>(_ body: (inout sending State) -> Result) -> Result { state.withLock { body(&$0) } }
}

/// Puts the faults of drivers between the display's thread and a screen.
final class FaultyScreen: ScanOutScreen {
    private let inner: any ScanOutScreen
    private let faults: ScreenFaults
    private let clock: any HostClock
    private var lateFlips: [CompletedFlip] = []

    init(_ inner: any ScanOutScreen, _ faults: ScreenFaults, clock: any HostClock) {
        self.clock = clock
        self.inner = inner
        self.faults = faults
    }

    var eventDescriptor: Int32 { inner.eventDescriptor }
    var displayMode: DisplayMode { inner.displayMode }
    var rotation: DisplayRotation { inner.rotation }
    var refreshRates: [Ratio] { inner.refreshRates }
    var planes: [PlaneProfile] { inner.planes }
    var showsBackground: Bool { inner.showsBackground }
    var canReadBack: Bool { inner.canReadBack }
    var ranges: Set<HighDynamicRange> { inner.ranges }
    var signal: RangeSignal? { inner.signal }
    var condition: ScreenCondition { faults.now.isUnplugged ? .absent : inner.condition }

    func mode(nearestTo wanted: DisplayMode?) -> DisplayMode? { inner.mode(nearestTo: wanted) }
    func canScanOut(_ pixels: PixelBuffer) -> Bool { inner.canScanOut(pixels) }
    func accepts(_ pictures: [PlanePicture], background: OpaqueColour) -> Bool {
        inner.accepts(pictures, background: background)
    }

    func commit(
        _ pictures: [PlanePicture], background: OpaqueColour, token: UInt64, readInto: PixelBuffer?
    ) throws(DisplayError) -> (CommitVerdict, FileDescriptor?) {
        let isBusy = faults.change { state in
            guard state.busyCommits > 0 else { return false }
            state.busyCommits -= 1
            return true
        }
        if isBusy { return (.busy, nil) }
        if pictures.count >= faults.now.refusedPlanes { return (.refused(EINVAL), nil) }
        let answer = try inner.commit(pictures, background: background, token: token, readInto: readInto)
        if case .accepted = answer.0 { faults.change { [now = clock.now] in $0.lastCommit = now } }
        return answer
    }

    func readFlips(_ report: (CompletedFlip) -> Void) {
        inner.readFlips { flip in
            let isLost = faults.change { state in
                guard state.lostFlips > 0 else { return false }
                state.lostFlips -= 1
                state.lostNumbers.append(flip.sequence)
                return true
            }
            if isLost { return lateFlips.append(flip) }
            if faults.now.reportsLateFlips {
                for late in lateFlips { report(late) }
                lateFlips = []
            }
            report(flip)
        }
    }

    func lastBlank() -> (nanoseconds: Int64, sequence: UInt64)? { inner.lastBlank() }

    func accepts(_ pictures: [PlanePicture], wanted: DisplayMode?, signal: RangeSignal) -> Bool {
        inner.accepts(pictures, wanted: wanted, signal: signal)
    }

    func reset(wanted: DisplayMode?, signal: RangeSignal?) throws(DisplayError) {
        faults.change { [now = clock.now] state in
            state.resets += 1
            state.resetAfter = state.lastCommit.map { now - $0 }
        }
        let isMissed = faults.change { state in
            guard state.missedResets > 0 else { return false }
            state.missedResets -= 1
            return true
        }
        if isMissed { throw DisplayError(.readResources, on: "a fake screen", because: "no screen is connected") }
        guard condition != .absent else { throw DisplayError(.setMode, on: "a fake screen", because: "it is unplugged") }
        if let mode = inner.mode(nearestTo: wanted), faults.now.refusedModes.contains(mode) {
            throw DisplayError(.setMode, on: "a fake screen", because: "the mode is gone")
        }
        try inner.reset(wanted: wanted, signal: signal)
    }

    func switchOff() { inner.switchOff() }
    func restore() { inner.restore() }
}

/// Memory that a test takes away and gives back. Any thread.
final class ScarceAllocator: FrameAllocator {
    private struct State {
        var isScarce = false
        var refusals = 0
    }
    private let inner = MemoryAllocator()
    private let state = Mutex(State())

    var isScarce: Bool {
        get { state.withLock { $0.isScarce } }
        set { state.withLock { $0.isScarce = newValue } }
    }
    /// How often memory was refused.
    var refusals: Int { state.withLock { $0.refusals } }

    var name: String { "scarce" }
    var isCached: Bool { true }

    func makeBuffer(
        format: PixelFormat, width: Int, height: Int, codedWidth: Int, codedHeight: Int
    ) throws(MediaError) -> PixelBuffer {
        let isRefused = state.withLock { state in
            if state.isScarce { state.refusals += 1 }
            return state.isScarce
        }
        guard !isRefused else {
            throw MediaError(.internal, "Memory for a picture was refused: there is none in this test.")
        }
        return try inner.makeBuffer(
            format: format, width: width, height: height, codedWidth: codedWidth, codedHeight: codedHeight)
    }
}

/// A screen without a card: it shows every picture at once, from any memory.
final class FakeScreen: ScanOutScreen {
    private let pipe: (reading: FileDescriptor, writing: FileDescriptor)
    private var flips: [CompletedFlip] = []
    private var sequence: UInt32 = 0
    private(set) var displayMode: DisplayMode
    let rotation: DisplayRotation

    init(_ mode: DisplayMode, rotation: DisplayRotation = .none) {
        displayMode = mode
        self.rotation = rotation
        var ends: [Int32] = [-1, -1]
        precondition(Glibc.pipe(&ends) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0, "a pipe can be made")
        pipe = (FileDescriptor(adopting: ends[0]), FileDescriptor(adopting: ends[1]))
    }

    var eventDescriptor: Int32 { pipe.reading.number }
    var refreshRates: [Ratio] { [displayMode.refresh] }
    var planes: [PlaneProfile] {
        [PlaneProfile](
            repeating: PlaneProfile(formats: [.nv12, .xrgb8888, .argb8888], hasAlpha: true, isCursor: false), count: 3)
    }
    var showsBackground: Bool { true }
    var canReadBack: Bool { false }
    var ranges: Set<HighDynamicRange> { [] }
    var signal: RangeSignal? { nil }
    var condition: ScreenCondition { .same }

    func mode(nearestTo wanted: DisplayMode?) -> DisplayMode? { wanted ?? displayMode }
    func canScanOut(_ pixels: PixelBuffer) -> Bool { true }
    func accepts(_ pictures: [PlanePicture], background: OpaqueColour) -> Bool { true }

    func commit(
        _ pictures: [PlanePicture], background: OpaqueColour, token: UInt64, readInto: PixelBuffer?
    ) throws(DisplayError) -> (CommitVerdict, FileDescriptor?) {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        sequence += 1
        flips.append(
            CompletedFlip(
                token: token, nanoseconds: Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec), sequence: sequence))
        _ = write(pipe.writing.number, [1], 1)
        return (.accepted, nil)
    }

    func readFlips(_ report: (CompletedFlip) -> Void) {
        var bytes = [UInt8](repeating: 0, count: 64)
        _ = read(pipe.reading.number, &bytes, bytes.count)
        let done = flips
        flips = []
        for flip in done { report(flip) }
    }

    func lastBlank() -> (nanoseconds: Int64, sequence: UInt64)? { nil }
    func accepts(_ pictures: [PlanePicture], wanted: DisplayMode?, signal: RangeSignal) -> Bool { false }
    func reset(wanted: DisplayMode?, signal: RangeSignal?) throws(DisplayError) { displayMode = wanted ?? displayMode }
    func switchOff() {}
    func restore() {}
}
