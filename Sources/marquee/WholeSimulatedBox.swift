import Appliance
import ChannelFeed
import Configuration
import Cryptography
import Housekeeping
import LinuxSupport
import MediaModel
import MediaTime
import Playback
import Simulation

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
        var plan = Box.Plan(display: .headless(start.engines.display.mode), audio: .null)
        plan.clock = .simulated()
        // A life has millions of undisturbed seconds.
        plan.wakes = WakePolicy(longestTick: .seconds(1))
        plan.stateFolder = start.stateFolder
        plan.viewer.isKiosk = start.isKiosk
        // The keys of simulated viewers do not include the digit 0.
        plan.viewer.pinDigest = SHA256.hexadecimal(of: "0000")
        plan.dump = start.dump
        let engines = Box.Engines(
            loop: start.engines.loop, loader: start.engines.loader, codecs: start.engines.codecs,
            display: start.engines.display, sink: start.engines.sink, dates: .reported(by: start.engines.date))
        box = try Box(plan, engines: engines, log: LogBook(clock: start.engines.loop.clock))
        supervisor = Supervisor(
            decision: .init(), session: start.session, restartProcess: { [restart = start.restart] _ in restart() })
        supervision = box.supervise(with: supervisor)
        let settings = "[box]\nkiosk = \(start.isKiosk)\n"
        var life = BoxLife.Plan(provisioning: Provisioning(file: settings, applied: nil), files: nil)
        life.feed = start.feed
        life.stateFolder = start.stateFolder
        life.media = start.stateFolder + "/media"
        life.question = { [] }
        life.address = { "192.0.2.1" }
        keeping = box.keep(life, supervisor: supervisor)
        keeping.start()
    }

    var appliance: Appliance { box.appliance }
    var feed: Feed? { keeping.life.feedInUse }
    var date: FeedDate? { box.wallClock.now }
    var settings: [String] { box.settings }
    func place(of id: String) -> MediaTime? { box.place(of: id) }
    func log(_ count: Int) -> [String] { box.log.tail(count) }

    func close() {
        supervision.cancel()
        keeping.close()
        box.close()
    }
}
