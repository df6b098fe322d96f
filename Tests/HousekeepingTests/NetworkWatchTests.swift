import LinuxSupport
import Testing

@testable import Housekeeping

@Suite("The network that goes and returns is noticed")
@MainActor
struct NetworkWatchTests {
    @MainActor
    private final class Rig {
        let loop: MainLoop
        private var address: String?
        private(set) var changes: [Bool] = []
        private(set) var watch: NetworkWatch!

        init(address start: String?) throws {
            loop = try MainLoop(time: .simulated)
            address = start
            watch = NetworkWatch(clock: loop.clock, address: { [unowned self] in address }) { [unowned self] in
                changes.append($0)
            }
        }

        func set(_ new: String?) { address = new }
        func pass(_ seconds: Int) { loop.run(within: .seconds(seconds), until: { false }) }
    }

    @Test("each return is reported once and within two seconds; a network that stays is not")
    func returns() throws {
        let rig = try Rig(address: nil)
        rig.pass(60)
        #expect(rig.changes == [false])
        rig.set("192.0.2.7")
        rig.pass(2)
        #expect(rig.changes == [false, true])
        rig.pass(3600)
        rig.set(nil)
        rig.pass(300)
        rig.set("192.0.2.8")
        rig.pass(2)
        #expect(rig.changes == [false, true, false, true])
        rig.set(nil)
        rig.watch.close()
        rig.pass(100)
        rig.set("192.0.2.9")
        rig.pass(10)
        #expect(rig.changes.count == 4, "reported after closing")
    }

    @Test("a loss of less than ten seconds, such as at the start, is not reported, its end is")
    func shortLoss() throws {
        let rig = try Rig(address: nil)
        rig.pass(8)
        rig.set("192.0.2.7")
        rig.pass(60)
        #expect(rig.changes == [true])
        rig.set(nil)
        rig.pass(7)
        rig.set("192.0.2.7")
        rig.pass(60)
        #expect(rig.changes == [true, true])
    }

    @Test("a machine that has a network all the time reports nothing")
    func steady() throws {
        let rig = try Rig(address: "192.0.2.7")
        rig.pass(3600)
        #expect(rig.changes.isEmpty)
    }
}
