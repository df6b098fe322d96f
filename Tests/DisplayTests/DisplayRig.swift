import Glibc
import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Display

/// A kind of display that the shared suite runs on.
enum DisplayKind: String, CaseIterable, CustomTestStringConvertible {
    case headlessSimulated, headlessReal
    /// The kinds that request a scene at the blank before.
    case headlessSimulatedAhead, headlessRealAhead
    case kms, kmsScaledVideo, kmsComposed
    /// Screens that hang turned.
    case headlessTurned, kmsTurned, kmsUpsideDown, kmsTurnedComposed
    /// One for each allocator, whichever a card would choose.
    case kmsDumb, kmsDMAHeap, kmsGBM
    /// Windows in memory: with a graphics processor, the same on a desktop that waits for its screen, and without one.
    case window, windowWaiting, windowComposed
    /// A window of SDL's driver that shows nothing.
    case windowSDL

    /// The kinds that this machine has.
    static var available: [DisplayKind] {
        allCases.filter {
            if $0 == .windowSDL { return (try? SDLLibrary.found.get()) != nil }
            return $0.rungs == nil || VirtualCard.isPresent && ($0 != .kmsGBM || VirtualCard.interfaceMemory.contains(.gbm))
        }
    }

    var isWindow: Bool { [.window, .windowWaiting, .windowComposed, .windowSDL].contains(self) }

    /// Those whose rate the player chooses; that of a window is the desktop's.
    static var withRates: [DisplayKind] { available.filter { !$0.isWindow } }

    /// The rungs of the ladder that a kind may use; nil when it has no ladder.
    var rungs: Set<LadderRung>? {
        switch self {
        case .headlessSimulated, .headlessReal, .headlessSimulatedAhead, .headlessRealAhead, .headlessTurned, .window,
            .windowWaiting, .windowComposed,
            .windowSDL:
            nil
        case .kms, .kmsDumb, .kmsDMAHeap, .kmsGBM, .kmsTurned, .kmsUpsideDown: Set(LadderRung.allCases)
        case .kmsScaledVideo: [.scaledVideo, .composed]
        case .kmsComposed, .kmsTurnedComposed: [.composed]
        }
    }

    var rotation: DisplayRotation {
        switch self {
        case .headlessTurned, .kmsTurned: .quarter
        case .kmsUpsideDown: .half
        case .kmsTurnedComposed: .threeQuarters
        default: .none
        }
    }

    /// The memory for video and for interface layers.
    var memory: (video: KMSDisplay.VideoMemory, interface: KMSDisplay.InterfaceMemory) {
        switch self {
        case .kmsDumb: (.dumb, .dumb)
        case .kmsDMAHeap: (.dmaHeap("system"), .dumb)
        case .kmsGBM: (.dumb, .gbm)
        default: (.automatic, .automatic)
        }
    }

    /// The allocators that a display of this kind must name; nil when any may be used.
    var allocators: [String]? {
        switch self {
        case .kmsDumb: ["dumb", "dumb"]
        case .kmsDMAHeap: ["dma-heap", "dumb"]
        case .kmsGBM: ["dumb", "gbm"]
        default: nil
        }
    }

    var testDescription: String { rawValue }
}

/// A display with its loop, and waits that time out.
@MainActor
struct DisplayRig {
    let loop: MainLoop
    let display: any DisplayOutput

    /// - Parameter cardMode: the mode of a card.
    init(_ kind: DisplayKind, width: Int = 320, height: Int = 180, cardMode: DisplayMode = VirtualCard.mode) throws {
        let mode = DisplayMode(width: width, height: height, refresh: Ratio(60))
        loop = try MainLoop(time: [.headlessSimulated, .headlessSimulatedAhead].contains(kind) ? .simulated : .real)
        if let rungs = kind.rungs {
            display = try KMSDisplay(
                KMSDisplay.Options(
                    path: try #require(VirtualCard.path), mode: cardMode, rotation: kind.rotation, rungs: rungs,
                    videoMemory: kind.memory.video,
                    interfaceMemory: kind.memory.interface), clock: loop.clock)
            let used = [display.videoAllocator.name, display.interfaceAllocator.name]
            try #require(kind.allocators == nil || used == kind.allocators, "\(kind.rawValue) uses \(used)")
        } else if kind == .windowSDL {
            display = try WindowDisplay(
                WindowDisplay.Options(width: width, height: height, usesGraphicsProcessor: false),
                session: DesktopSession(drivers: ["dummy"]), clock: loop.clock)
        } else if kind.isWindow {
            let record = try WindowRecord(width: width, height: height)
            record.change { $0.keepsUploads = false }
            display = try WindowDisplay(
                memory: record, largest: kind == .windowComposed ? nil : 4096, waits: kind == .windowWaiting, clock: loop.clock)
        } else {
            display = HeadlessDisplay(
                mode: mode, rotation: kind.rotation, clock: loop.clock,
                asksAhead: kind == .headlessSimulatedAhead || kind == .headlessRealAhead,
                refreshRates: [Ratio(75)])
        }
    }

    init(
        _ options: KMSDisplay.Options, wrapping: (KMSScreen, any HostClock) -> any ScanOutScreen = { screen, _ in screen }
    ) throws {
        loop = try MainLoop(time: .real)
        let clock = loop.clock
        display = try KMSDisplay(options, clock: clock) { wrapping($0, clock) }
    }

    /// A window in memory, with a graphics processor.
    init(window record: WindowRecord) throws {
        loop = try MainLoop(time: .real)
        display = try WindowDisplay(memory: record, largest: 4096, waits: false, clock: loop.clock)
    }

    var kms: KMSDisplay { get throws { try #require(display as? KMSDisplay) } }

    /// Runs the loop until a condition is true; fails after a minute.
    func run(_ what: String, until isDone: @MainActor () -> Bool) throws { try loop.run(what, until: isDone) }

    func run(for length: Duration) throws {
        var isOver = false
        loop.clock.schedule(after: length) { isOver = true }
        try run("\(length) to pass") { isOver }
    }

    /// Shows one scene, reads the screen, and returns its difference from the compositor's result.
    func worstDifference(_ scene: Scene) throws -> Int {
        let source = TestSource { _, _ in PresentationAnswer(scene: scene, wantsNext: false) }
        try display.start(source)
        try run("the flip") { source.seen.flips.count == 1 }
        let picture = try self.picture()
        let mode = display.mode
        return try Compositor().compose(scene, width: mode.width, height: mode.height).worstDifference(picture.pixels)
    }

    func read() throws -> ScreenPicture? {
        var result: ScreenPicture??
        display.readScreen { result = .some($0) }
        try run("the screen being read") { result != nil }
        return result!
    }

    /// A picture of the screen. A card on a busy machine may miss its deadline; then it is requested again.
    func picture() throws -> ScreenPicture {
        for _ in 0..<30 { if let picture = try read() { return picture } }
        throw Overdue(what: "a picture of the screen")
    }

    struct Overdue: Error, CustomStringConvertible {
        var what: String
        var description: String { "waited 60 s for \(what)" }
    }
}

extension MainLoop {
    /// Runs the loop until a condition is true; fails after a minute.
    func run(_ what: String, until isDone: @MainActor () -> Bool) throws {
        var isLate = false
        let alarm = clock.schedule(after: .seconds(60)) { isLate = true }
        // A display with its own thread does not wake the main loop, which checks the condition only after an event.
        let tick = clock.ledger == nil ? Tick(clock) : nil
        run(until: { isDone() || isLate })
        tick?.isOver = true
        alarm.cancel()
        if !isDone() { throw DisplayRig.Overdue(what: what) }
    }

    /// An event every few milliseconds.
    @MainActor private final class Tick {
        var isOver = false

        init(_ clock: any HostClock) { next(clock) }

        private func next(_ clock: any HostClock) {
            clock.schedule(after: .milliseconds(4)) { [self] in
                if !isOver { next(clock) }
            }
        }
    }
}

/// The kernel's virtual card (vkms), where the tests run in the test machine.
enum VirtualCard {
    static let path: String? = DisplayFactory.cards.first { DRMDevice.driver(ofCard: $0) == "vkms" }
    static var isPresent: Bool { path != nil }
    /// A small mode, because the machine is emulated.
    static let mode = DisplayMode(width: 640, height: 480, refresh: Ratio(60))

    /// Dumb buffers, and GBM if Mesa has its software driver (it has none for the virtual card itself).
    static let interfaceMemory: [KMSDisplay.InterfaceMemory] =
        ["x86_64-linux-gnu", "aarch64-linux-gnu"].contains { access("/usr/lib/\($0)/dri/kms_swrast_dri.so", F_OK) == 0 }
        ? [.dumb, .gbm] : [.dumb]

    /// The only size at which the card has two rates, 56 and 60, since no screen reports its modes.
    static let modeOfTwoRates = DisplayMode(width: 800, height: 600, refresh: Ratio(60))

    /// All framebuffers in the kernel, one line each; nil without debugfs.
    static var framebuffers: [String]? {
        guard let file = fopen("/sys/kernel/debug/dri/0/framebuffer", "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").map(String.init).filter {
            $0.hasPrefix("framebuffer[")
        }
    }
}
