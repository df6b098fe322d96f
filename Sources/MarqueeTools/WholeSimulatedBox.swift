import Appliance
import BoxAssembly
import ChannelFeed
import Configuration
import Cryptography
import Housekeeping
import LinuxSupport
import MediaTime
import Playback
import SegmentStore
import Simulation
import StatusModel

/// A simulated box of the program's own parts: everything but the engines is as in `marquee run`.
@MainActor
final class WholeSimulatedBox: SimulatedBox {
    private let box: Box
    private let keeping: BoxKeeping
    private let supervisor: Supervisor
    private let supervision: Subscription

    /// Makes a box and starts it.
    ///
    /// - Throws: `MediaError` if the player cannot start.
    init(_ start: SimulatedStart) throws {
        var plan = BoxPlan(display: .headless(start.engines.display.mode), audio: .null)
        plan.clock = .simulated()
        // A life has millions of undisturbed seconds.
        plan.wakes = WakePolicy(longestTick: .seconds(1))
        plan.stateFolder = start.stateFolder
        plan.viewer.isKiosk = start.isKiosk
        // The keys of simulated viewers do not include the digit 0.
        plan.viewer.pinDigest = SHA256.hexadecimal(of: "0000")
        plan.dump = start.dump
        plan.savedFolder = start.saving?.folder
        var engines = BoxEngines(
            loop: start.engines.loop, loader: start.engines.loader, codecs: start.engines.codecs,
            display: start.engines.display, sink: start.engines.sink, dates: .reported(by: start.engines.date))
        if let saving = start.saving { engines.disk = saving.disk }
        box = try Box(plan, engines: engines, log: LogBook(clock: start.engines.loop.clock))
        supervisor = Supervisor(
            decision: .init(), session: start.session, restartProcess: { [restart = start.restart] _ in restart() })
        supervision = box.supervise(with: supervisor)
        var settings = "[box]\nkiosk = \(start.isKiosk)\n"
        if let saving = start.saving { settings += Self.settings(of: saving) }
        var life = BoxLife.Plan(provisioning: Provisioning(file: settings, applied: nil), files: nil)
        life.feed = start.feed
        life.stateFolder = start.stateFolder
        life.media = start.stateFolder + "/media"
        life.question = { [] }
        life.address = { "192.0.2.1" }
        keeping = box.keep(life, supervisor: supervisor)
        keeping.start()
    }

    /// The disk of a simulated box has less than the smallest part that can be kept free. Two equal times are the whole day.
    private static func settings(of saving: SavingPlace) -> String {
        let window = saving.window ?? 0..<0
        return "[download]\nkeep_free_mib = 0\nwindow = \"\(hour(window.lowerBound))-\(hour(window.upperBound))\"\n"
    }

    private static func hour(_ number: Int) -> String { (number % 24 < 10 ? "0" : "") + "\(number % 24):00" }

    var appliance: Appliance { box.appliance }
    var feed: Feed? { keeping.life.feedInUse }
    var date: FeedDate? { box.wallClock.now }
    var settings: [String] { box.settings }
    func place(of id: String) -> MediaTime? { box.place(of: id) }
    var saved: (any SavedContents)? { box.saved.flatMap { $0.store.isOpen ? BoxSavedContents($0) : nil } }
    func log(_ count: Int) -> [String] { box.log.tail(count) }

    func close() {
        supervision.cancel()
        keeping.close()
        box.close()
    }
}

/// What a simulated box has of its saved programmes, read from its store without the player.
@MainActor
private final class BoxSavedContents: SavedContents {
    private let programmes: SavedProgrammes

    init(_ programmes: SavedProgrammes) { self.programmes = programmes }

    var items: Set<String> { Set((programmes.keeper?.session.states ?? [:]).filter { $0.value == .saved }.keys) }

    var files: Set<String> { programmes.store.bodies.fileNames }

    func media(of item: String) -> [(address: String, bytes: [UInt8]?)] {
        let members = programmes.store.asset(item)?.members ?? []
        return members.filter { $0.name.hasSuffix(".ts") }.map { ($0.name, try? programmes.store.bodies.read($0)) }
    }
}
