import Appliance
import BoxModel
import Configuration
import Display
import Glibc
import Housekeeping
import LinuxSupport
import MediaModel
import NetworkConditions
import Playback
import Screens
import SegmentStore
import Sound
import StatusModel
import Supervision
import SystemServices
import TestSupport

@testable import BoxAssembly
@testable import marquee

/// A whole box in simulated time. The test is everything around it: the server, the network, the disk of the saved programmes, the service manager.
@MainActor
final class ScriptedBox {
    let script = OriginScript()
    let box: Box
    let keeping: BoxKeeping
    /// The disk of the saved programmes.
    let disk = MemoryDisk(capacity: 1 << 30)
    /// The service manager.
    let manager: NotifySocket
    /// Whether the network is metered.
    var isMetered: Bool {
        get { surroundings.isMetered }
        set { surroundings.isMetered = newValue }
    }
    /// The reasons for which the process should have been replaced.
    var restarts: [String] { surroundings.restarts }
    private let surroundings = Surroundings()
    private let folder: ScratchFolder
    private let runtime = ScratchFolder("runtime")
    private let supervision: Subscription

    @MainActor
    private final class Surroundings {
        var isMetered = false
        var restarts: [String] = []
    }

    static let cdn = "https://cdn.example/"
    /// The interval in which the service manager expects a sign of life.
    static let watchdog = Duration.seconds(8)

    /// - Parameters:
    ///   - folder: what the box remembers; another box in it is the same box after a restart.
    ///   - network: the network to the server.
    init(in folder: ScratchFolder = ScratchFolder("scripted"), network: NetworkProfile = .unlimited) throws {
        self.folder = folder
        mkdir(folder.path + "/state", 0o755)
        let mode = DisplayMode(text: "320x180@60")!
        var plan = BoxPlan(display: .headless(mode), audio: .null)
        plan.clock = .simulated()
        plan.stateFolder = folder.path + "/state"
        plan.savedFolder = "/saved"
        plan.network.isMetered = { [surroundings] in surroundings.isMetered }
        let loop = try MainLoop(time: .simulated)
        let clock = loop.clock
        var engines = BoxEngines(
            loop: loop, loader: SimulatedOrigin(clock: clock, script: script, network: network), codecs: FakeCodecs(),
            display: HeadlessDisplay(mode: mode, clock: clock, asksAhead: true), sink: NullSink(clock: clock), dates: .unknown)
        engines.disk = disk
        box = try Box(plan, engines: engines, log: LogBook(clock: clock))
        manager = try NotifySocket(runtime.path + "/notify")
        let supervisor = Supervisor(
            decision: .init(), session: nil, notifier: ServiceNotifier(path: manager.path, watchdog: Self.watchdog),
            restartProcess: { [surroundings] in surroundings.restarts.append($0) })
        supervision = box.supervise(with: supervisor)
        let settings = "[feed]\nurl = \"\(Self.cdn)feed.json\"\n[download]\nkeep_free_mib = 0\nwindow = \"00:00-00:00\"\n"
        var life = BoxLife.Plan(provisioning: Provisioning(file: settings, applied: nil), files: nil)
        life.stateFolder = plan.stateFolder
        life.media = folder.path + "/media"
        life.question = { [] }
        life.address = { "192.0.2.1" }
        keeping = box.keep(life, supervisor: supervisor)
    }

    func close() {
        supervision.cancel()
        keeping.close()
        box.close()
    }

    // MARK: The server

    /// A feed with these members.
    func put(feed members: String) { script.put(#"{"feedVersion":1,"id":"f",\#(members)}"#, at: Self.cdn + "feed.json") }

    /// A playlist at `NAME.m3u8` of segments of two seconds, `NAME-0.ts` and so on.
    ///
    /// - Parameter kinds: a letter for each track, as `FakeSegment` has them.
    func put(stream name: String, seconds: Int, kinds: String = "va") {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n"
        for number in 0..<seconds / 2 {
            text += "#EXTINF:2,\n\(name)-\(number).ts\n"
            script.put(
                FakeSegment.bytes(kinds: kinds, start: 900_000 + Int64(number) * 180_000, count: 50),
                at: "\(Self.cdn)\(name)-\(number).ts")
        }
        script.put(text + "#EXT-X-ENDLIST\n", at: "\(Self.cdn)\(name).m3u8")
    }

    /// The files that were asked for, without the server's name, from a number of requests on.
    func requests(from number: Int = 0) -> [String] {
        script.requests.dropFirst(number).map { String($0.url.dropFirst(Self.cdn.count)) }
    }

    // MARK: Time

    @discardableResult
    func run(within limit: Duration = .seconds(120), until isDone: () -> Bool) -> Bool {
        box.loop.run(within: limit, until: isDone)
    }

    func run(for length: Duration) { run(within: length, until: { false }) }

    // MARK: The viewer

    var shown: PresentationState { box.appliance.shown }
    var log: String { box.log.tail(1000).joined(separator: "\n") }
    var isPlaying: Bool { box.appliance.nowPlaying.state == .playing }

    @discardableResult
    func press(_ key: RemoteKey) -> CommandResult {
        let result = box.appliance.handle(RemoteEvent(key: key, phase: .press, time: box.loop.clock.now, device: "test"))
        run(for: .milliseconds(100))
        _ = box.appliance.handle(RemoteEvent(key: key, phase: .release, time: box.loop.clock.now, device: "test"))
        return result
    }

    /// Opens a tab of the panel with arrows and enters it.
    func openTab(_ tab: PanelView.Tab) {
        press(.down)
        for _ in 0..<5 where shown.panel.map({ $0.tabs[$0.selected].tab }) != tab { press(.right) }
        press(.down)
    }

    /// The titles of the rows of the panel's menu.
    var rows: [String] { menu?.rows.map(\.title) ?? [] }

    /// What a row of the panel's menu says beside its title.
    func value(of title: String) -> String? { menu?.rows.first { $0.title == title }?.value }

    /// Moves down to a row of the panel's menu and selects it.
    func choose(_ title: String) {
        for _ in rows where menu?.focusedRow.map({ rows[$0] }) != title { press(.down) }
        press(.ok)
    }

    private var menu: MenuView? { if case .menu(let menu) = shown.panel?.content { menu } else { nil } }
}
