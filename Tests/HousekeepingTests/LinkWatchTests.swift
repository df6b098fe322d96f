import LinuxSupport
import Testing

@testable import Housekeeping

@Suite("The metered link")
@MainActor
struct LinkWatchTests {
    @MainActor
    private final class Link {
        var isMetered = false
        var changes: [Bool] = []
    }

    @Test("a change of the link is noticed within ten seconds, once, in both directions, and not after the end")
    func changes() throws {
        let loop = try MainLoop(time: .simulated)
        let link = Link()
        let watch = LinkWatch(clock: loop.clock, isMetered: { link.isMetered }) { link.changes.append(link.isMetered) }
        func run(for length: Duration) {
            var isOver = false
            loop.clock.schedule(after: length) { isOver = true }
            loop.run(until: { isOver })
        }
        run(for: .seconds(100))
        #expect(link.changes.isEmpty)
        link.isMetered = true
        run(for: .seconds(11))
        #expect(link.changes == [true])
        run(for: .seconds(3600))
        link.isMetered = false
        run(for: .seconds(11))
        #expect(link.changes == [true, false])
        watch.close()
        link.isMetered = true
        run(for: .seconds(60))
        #expect(link.changes.count == 2)
    }
}
