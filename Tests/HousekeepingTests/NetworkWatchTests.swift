import LinuxSupport
import Synchronization
import Testing

@testable import Housekeeping

@Suite("The network that returns is noticed")
@MainActor
struct NetworkWatchTests {
    @Test("each return is reported once and within two seconds; a network that stays is not")
    func returns() throws {
        let loop = try MainLoop(time: .simulated)
        let address = Mutex<String?>(nil)
        var returns = 0
        let watch = NetworkWatch(clock: loop.clock, address: { address.withLock { $0 } }, onReturn: { returns += 1 })
        func pass(_ seconds: Int) { loop.run(within: .seconds(seconds), until: { false }) }
        pass(60)
        #expect(returns == 0)
        address.withLock { $0 = "192.0.2.7" }
        pass(2)
        #expect(returns == 1)
        pass(3600)
        #expect(returns == 1)
        address.withLock { $0 = nil }
        pass(300)
        address.withLock { $0 = "192.0.2.8" }
        pass(2)
        #expect(returns == 2)
        address.withLock { $0 = nil }
        pass(10)
        watch.close()
        address.withLock { $0 = "192.0.2.9" }
        pass(10)
        #expect(returns == 2)
    }
}
