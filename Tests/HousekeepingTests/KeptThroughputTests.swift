import LinuxSupport
import Testing

@testable import Housekeeping

@Suite("The throughput of the network is known after a restart")
@MainActor
struct KeptThroughputTests {
    @Test("it is stored when it changes by a tenth, at most once a minute, and read at the next start")
    func kept() throws {
        let loop = try MainLoop(time: .simulated)
        func pass(_ seconds: Int64) {
            var isOver = false
            loop.clock.schedule(after: .seconds(seconds), rank: .display) { isOver = true }
            loop.run(until: { isOver })
        }
        var stored: [String] = []
        let kept = KeptThroughput(nil, clock: loop.clock) { stored.append($0) }
        #expect(kept.rate == nil)
        kept.note(5_000_000)
        kept.note(1_000_000)
        pass(59)
        kept.note(1_000_000)
        #expect(stored == ["5000000"])
        pass(1)
        kept.note(5_400_000)
        #expect(stored == ["5000000"])
        kept.note(1_000_000.7)
        #expect(stored == ["5000000", "1000000"])
        #expect(KeptThroughput(stored.last, clock: loop.clock) { _ in }.rate == 1_000_000)
    }

    @Test("damaged texts and impossible measurements are ignored", arguments: ["", "fast", "nan", "inf", "-5", "1", "1e300"])
    func damaged(text: String) throws {
        let loop = try MainLoop(time: .simulated)
        var stored: [String] = []
        let kept = KeptThroughput(text, clock: loop.clock) { stored.append($0) }
        #expect(kept.rate == nil)
        for wrong in [0, -1, Double.nan, .infinity, 1e300] { kept.note(wrong) }
        #expect(stored.isEmpty && kept.rate == nil)
    }
}
