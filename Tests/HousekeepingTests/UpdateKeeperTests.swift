import Glibc
import LinuxSupport
import MediaTime
import NetworkConditions
import Signatures
import StatusModel
import TestSupport
import Testing
import Updates

@testable import Housekeeping

@Suite("Updates of the box", .serialized)
@MainActor
struct UpdateKeeperTests {
    private static let key = try! SigningKey(name: "operator")
    private static let address = "https://operator.example/boxes/update.json"

    /// A box at 01:00 with an operator, and a folder in which the test is the installer.
    @MainActor
    private final class Rig {
        let loop: MainLoop
        let script = OriginScript()
        let folder = ScratchFolder("update")
        let log: LogBook
        let keeper: UpdateKeeper
        var lastKey: HostTime?
        var hasNetwork = true

        init(slots: String? = "running=a\nversion=0.1.0\ntrial=no\n", state: String? = nil) throws {
            loop = try MainLoop(time: .simulated)
            log = LogBook(clock: loop.clock)
            if let slots { folder.put(slots, "slots") }
            if let state { folder.put(state, "state") }
            weak var rig: Rig?
            let clock = loop.clock
            keeper = UpdateKeeper(
                .init(
                    address: UpdateKeeperTests.address, keys: PinnedKeys([UpdateKeeperTests.key.pinned]),
                    policy: UpdatePolicy(window: DailyWindow("02:00-05:00")!, spread: 0), seed: 7, box: "box 1", group: nil),
                surroundings: .init(
                    timeOfDay: { (3600 + Int((clock.now - HostTime.zero) / .seconds(1))) % 86_400 }, lastKey: { rig?.lastKey },
                    hasNetwork: { rig?.hasNetwork ?? false }, isMetered: { false }),
                folder: folder.path, board: "raspberrypi", stateFolder: nil,
                loader: SimulatedOrigin(clock: clock, script: script), clock: clock, log: log)
            rig = self
            keeper.start()
        }

        func publish(_ version: String, _ more: String = "", key: SigningKey = UpdateKeeperTests.key) {
            let text = """
                {"updateVersion":1,"version":"\(version)","bundle":"{board}.raucb","boards":["raspberrypi"]\(more)}
                """
            script.put(text, at: "/boxes/update.json")
            script.put(String(decoding: key.signature(of: Array(text.utf8)), as: UTF8.self), at: "/boxes/update.json.sig")
        }

        func run(hours: Double) { loop.run(within: .seconds(hours * 3600), until: { false }) }

        func text(_ name: String) -> String? {
            WholeFile.read(folder.path + "/" + name).map { String(decoding: $0, as: UTF8.self) }
        }

        /// What the installer does with what it finds.
        func remove(_ name: String) { unlink(folder.path + "/" + name) }
    }

    @Test("a night: the notice is read, the bundle requested in the window, its progress followed, and the box restarted")
    func night() throws {
        let rig = try Rig()
        defer { rig.keeper.close() }
        rig.publish("0.2.0")
        rig.run(hours: 0.99)
        #expect(rig.text("request") == nil)
        rig.run(hours: 0.2)
        #expect(rig.text("request") == "version=0.2.0\nbundle=https://operator.example/boxes/raspberrypi.raucb\n")
        rig.remove("request")
        rig.folder.put("version=0.2.0\nstate=installing\npercent=40\n", "state")
        rig.run(hours: 0.01)
        #expect(rig.keeper.status.state == .installing && rig.keeper.status.percent == 40)
        #expect(rig.text("restart") == nil)
        rig.folder.put("version=0.2.0\nstate=installed\n", "state")
        rig.run(hours: 0.01)
        #expect(rig.keeper.status.state == .installed)
        #expect(rig.text("restart") == "")
    }

    @Test("a viewer at night ends the installation, and it goes on half an hour after the last key")
    func viewer() throws {
        let rig = try Rig()
        defer { rig.keeper.close() }
        rig.publish("0.2.0")
        rig.run(hours: 1.2)
        #expect(rig.text("request") != nil)
        rig.remove("request")
        rig.lastKey = rig.loop.clock.now
        rig.run(hours: 0.1)
        #expect(rig.text("cancel") == "" && rig.keeper.status.hindrance == "watched")
        rig.run(hours: 0.39)
        #expect(rig.text("request") == nil)
        rig.run(hours: 0.05)
        #expect(rig.text("request") != nil && rig.text("cancel") == nil)
    }

    @Test("a failure is in the report and the metrics, and the report of an earlier attempt does not count")
    func failure() throws {
        let rig = try Rig(state: "version=0.2.0\nstate=failed\nmessage=old\n")
        defer { rig.keeper.close() }
        rig.publish("0.2.0")
        rig.run(hours: 1.2)
        #expect(rig.keeper.status.state == .installing && rig.text("state") == nil)
        rig.remove("request")
        rig.folder.put("version=0.2.0\nstate=failed\nmessage=The bundle is for the board qemu-virt.\n", "state")
        rig.run(hours: 0.01)
        let status = rig.keeper.status
        #expect(status.state == .waiting && status.failures == 1 && status.trouble == "The bundle is for the board qemu-virt.")
        var report = BoxReport(box: "b", version: "0.1.0")
        report.update = status
        #expect(
            report.text.contains(
                """
                "update":{"state":"waiting","running":"0.1.0","trial":false,"offered":"0.2.0","percent":null,"waitsFor":"retry",\
                "failures":1,"trouble":"The bundle is for the board qemu-virt.","refused":[]}
                """))
        #expect(report.metrics.contains { $0.name == "marquee_update_failures" && $0.samples.map(\.value) == [1] })
        // The same message again is a new failure, because a request came between.
        rig.run(hours: 0.3)
        #expect(rig.text("request") != nil)
        rig.remove("request")
        rig.folder.put("version=0.2.0\nstate=failed\nmessage=The bundle is for the board qemu-virt.\n", "state")
        rig.run(hours: 0.01)
        #expect(rig.keeper.status.failures == 2)
    }

    @Test("a notice that the operator did not sign, that is wrong or missing, changes nothing and is told once")
    func trust() throws {
        let rig = try Rig()
        defer { rig.keeper.close() }
        rig.publish("0.2.0", key: try SigningKey(name: "operator"))
        rig.run(hours: 3)
        #expect(rig.text("request") == nil)
        #expect(rig.keeper.status.trouble?.contains("signature") == true)
        #expect(rig.log.tail(1000).count { $0.contains("not the operator's") } == 1)
        rig.publish("0.2.0", #","share":"all""#)
        rig.run(hours: 6)
        #expect(rig.keeper.status.trouble?.contains("/share") == true)
        rig.publish("0.2.0")
        // Until 02:18.
        rig.run(hours: 16.3)
        #expect(rig.text("request") != nil && rig.keeper.status.trouble == nil)
    }

    @Test("a version that was given up here is not tried again, and an unknown system is not updated")
    func refused() throws {
        let rig = try Rig(slots: "running=a\nversion=0.1.0\ntrial=no\nrefused=0.2.0 its player did not run for a minute\n")
        rig.publish("0.2.0")
        rig.run(hours: 30)
        #expect(rig.text("request") == nil)
        #expect(rig.keeper.status.refused == ["0.2.0"] && rig.keeper.status.exclusion?.contains("a minute") == true)
        rig.publish("0.2.1")
        // Until 02:18.
        rig.run(hours: 19.3)
        #expect(rig.text("request")?.hasPrefix("version=0.2.1\n") == true)
        rig.keeper.close()

        let other = try Rig(slots: nil)
        other.publish("0.2.0")
        other.run(hours: 30)
        #expect(other.keeper.status.state == .unavailable && other.text("request") == nil)
        other.keeper.close()
    }

    @Test("a restart of the player: an installation is begun again, and what is installed is started")
    func playerRestart() throws {
        let rig = try Rig(state: "version=0.2.0\nstate=installing\npercent=80\n")
        rig.publish("0.2.0")
        rig.run(hours: 0.1)
        #expect(rig.text("cancel") == "")
        rig.run(hours: 1.1)
        #expect(rig.text("request") != nil)
        rig.keeper.close()
        let other = try Rig(state: "version=0.2.0\nstate=installed\n")
        other.publish("0.2.0")
        other.run(hours: 1.2)
        #expect(other.text("request") == nil && other.text("restart") == "")
        other.keeper.close()
    }

    @Test("a folder that cannot be written is a failure in words")
    func noFolder() throws {
        let rig = try Rig()
        defer { rig.keeper.close() }
        rig.publish("0.2.0")
        rig.run(hours: 0.9)
        // Not even root writes a file in place of a folder.
        rig.folder.put("", "request.new/file")
        rig.run(hours: 0.3)
        #expect(rig.keeper.status.trouble?.contains("could not be written") == true && rig.keeper.status.failures == 1)
    }

    @Test("after a power failure the requests of 10,000 boxes are spread, and each asks when its part of the window begins")
    func spread() {
        var seconds = [Int](repeating: 0, count: 26 * 3600)
        for box in 0..<10_000 {
            let policy = UpdatePolicy(window: DailyWindow("02:00-05:00")!, spread: Double(box) / 10_000)
            var schedule = UpdateSchedule(policy, seed: UInt64(box))
            var time = schedule.first()
            var asked = false
            while case let second = Int(time / .seconds(1)), second < seconds.count {
                seconds[second] += 1
                asked = asked || policy.window.contains(second % 86_400, spread: policy.spread) && second % 86_400 < 4 * 3600
                time += schedule.wait(after: true, timeOfDay: second % 86_400)
            }
            #expect(asked)
        }
        // Some three a second when all windows begin; more by chance.
        #expect(seconds.max()! < 16, "\(seconds.max()!)")
        var failing = UpdateSchedule(UpdatePolicy(window: DailyWindow("02:00-05:00")!, spread: 0), seed: 1)
        let waits = (0..<20).map { _ in failing.wait(after: false, timeOfDay: 0) }
        #expect(waits[0] <= .seconds(72) && waits.last! > .seconds(3 * 3600))
    }
}
