import ChannelFeed
import Configuration
import Glibc
import LinuxSupport
import MediaTime
import NetworkConditions
import Signatures
import StatusModel
import TestSupport
import Testing

@testable import Housekeeping

/// A box in the group lobby, whose settings lie at the operator's, and its starts one after the other.
@MainActor
final class SettingsRig {
    nonisolated static let working = try! SigningKey(name: "s1")
    nonisolated static let next = try! SigningKey(name: "s2")
    nonisolated static let spare = try! SigningKey(name: "spare")
    nonisolated static let feedKey = try! SigningKey(name: "k1")

    let loop: MainLoop
    let script = OriginScript()
    let folder = ScratchFolder("settings")
    /// Empty with each start of the machine.
    let runtime = ScratchFolder("settings-runtime")
    let log: LogBook
    var card: String
    private(set) var keeper: SettingsKeeper!
    private(set) var provisioning: Provisioning!
    private(set) var restarts: [SettingsRecord.Way] = []
    var boot = 1
    var hasNetwork = true
    var isFeedReached = true
    var isBrokerReached = true
    var isWatched = false
    var isUpdating = false
    var hasManager = true
    /// Nil: the clock cannot be believed.
    var date: FeedDate?
    private(set) var feedsKept = 0
    private var isLeaving = false

    init(_ more: String = "") throws {
        loop = try MainLoop(time: .simulated)
        log = LogBook(clock: loop.clock)
        card = """
            [box]
            name = "room-1"
            group = "lobby"
            [feed]
            url = "https://operator.example/feed.json"
            [settings]
            url = "https://operator.example/{group}/settings.json"
            public_keys = ["\(SettingsRig.working.pinned)"]
            spare_keys = ["\(SettingsRig.spare.pinned)"]
            trial_minutes = 10
            [sound]
            max_volume = 40
            \(more)
            """
        start()
    }

    /// The player starts, perhaps with the machine.
    func start() {
        keeper?.close()
        isLeaving = false
        let remote = RemoteSettings(
            card: Provisioning(file: card, applied: nil), folder: folder.path, runtimeFolder: runtime.path,
            boot: "boot-\(boot)")
        provisioning = remote.provisioning
        var surroundings = SettingsKeeper.Surroundings(
            hasNetwork: { [unowned self] in hasNetwork }, isWatched: { [unowned self] in isWatched },
            isUpdating: { [unowned self] in isUpdating }, date: { [unowned self] in date })
        surroundings.isFeedReached = { [unowned self] in isFeedReached }
        surroundings.isBrokerReached = { [unowned self] in isBrokerReached }
        surroundings.keepFeed = { [unowned self] in feedsKept += 1 }
        surroundings.restart = { [unowned self] way in
            // It is asked for again until it comes, with `start`.
            if !isLeaving { restarts.append(way) }
            isLeaving = true
            return hasManager
        }
        keeper = SettingsKeeper(
            remote, surroundings: surroundings, serial: nil, seed: 7, canRestartMachine: true,
            loader: SimulatedOrigin(clock: loop.clock, script: script), clock: loop.clock, log: log)
        keeper.start()
    }

    /// The same after a crash.
    func crash() {
        let kept = file ?? []
        keeper.close()
        WholeFile.write(kept, to: folder.path + "/settings.json")
        start()
    }

    func publish(_ document: String, by key: SigningKey = SettingsRig.working) {
        script.put(document, at: "/lobby/settings.json")
        script.put(
            String(decoding: key.signature(of: Array(document.utf8)), as: UTF8.self), at: "/lobby/settings.json.sig")
    }

    func take(_ document: String, by key: SigningKey = SettingsRig.working) -> String? {
        keeper.take(Array(document.utf8), signature: key.signature(of: Array(document.utf8)))
    }

    func run(minutes: Double) { loop.run(within: .seconds(minutes * 60), until: { false }) }

    var file: [UInt8]? { WholeFile.read(folder.path + "/settings.json") }
    var copy: [UInt8]? { WholeFile.read(folder.path + "/settings.json.copy") }

    nonisolated static func document(
        _ revision: Int, _ settings: String = #"{"sound":{"max_volume":60}}"#, _ more: String = ""
    )
        -> String
    { #"{"settingsVersion":1,"revision":\#(revision),"settings":\#(settings)\#(more)}"# }
}
