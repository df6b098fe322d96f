import LinuxSupport
import MediaSources
import MediaTime
import Testing

@testable import HLSStreaming

@Suite("The offsets of a sequence whose time stamps jump")
@MainActor
struct StampOffsetsTests {
    private func list(_ offsets: StampOffsets) -> [[Int64]] {
        offsets.stretches.map { [$0.start.milliseconds / 1000, $0.offset.milliseconds / 1000] }
    }

    /// Tells offsets with their places, in seconds.
    ///
    /// - Returns: what is known then, and for each whether it was news.
    private func note(
        _ reports: (offset: MediaTime, from: Int64)..., into offsets: StampOffsets
    ) -> (offsets: StampOffsets, news: [Bool]) {
        var offsets = offsets
        let news = reports.map { offsets.note($0.offset, from: .seconds($0.from)) }
        return (offsets, news)
    }

    private let first = StampOffsets(.seconds(-10), from: .zero)

    @Test("a jump that is played over begins another stretch; what is known is no news")
    func playedOver() {
        let (offsets, news) = note(
            (.seconds(-10), 6), (.seconds(10), 20), (.seconds(-300), 40), (.seconds(10), 30), (.seconds(-10), 2), into: first)
        #expect(news == [false, true, true, false, false])
        #expect(list(offsets) == [[0, -10], [20, 10], [40, -300]])
    }

    @Test("a seek to behind a jump meets its stretch, and playing over the jump tells where it begins; its offset stays")
    func sought() {
        let (offsets, news) = note((.milliseconds(10_040), 30), (.seconds(10), 20), (.seconds(10), 32), into: first)
        #expect(news == [true, true, false])
        #expect(offsets.stretches.map(\.offset) == [.seconds(-10), .milliseconds(10_040)])
        #expect(offsets.stretches.map(\.start) == [.zero, .seconds(20)])
    }

    @Test("what was read first may lie behind the jump")
    func backward() {
        let (offsets, news) = note(
            (.seconds(10), 25), (.seconds(-10), 5), (.seconds(10), 20), into: StampOffsets(.seconds(10), from: .seconds(30)))
        #expect(news == [false, true, true])
        #expect(list(offsets) == [[5, -10], [20, 10]])
    }

    @Test("whole periods of 33-bit stamps are no jump; at one place the newest offset counts")
    func periods() {
        let (offsets, news) = note((.seconds(-10) + StampPeriod.length * 2, 6), (.seconds(70), 0), into: first)
        #expect(news == [false, true])
        #expect(list(offsets) == [[0, 70]])
    }

    @Test("their number is bounded: the earliest are forgotten")
    func bounded() {
        var offsets = first
        for number in Int64(1)...100 { _ = offsets.note(.seconds(number * 20), from: .seconds(number)) }
        #expect(offsets.stretches.count == 32 && list(offsets).first == [69, 1380] && list(offsets).last == [100, 2000])
    }

    // MARK: Reported by the pictures

    @Test("captions are told once when the pictures have come to a time, have begun, or are demuxed no more")
    func reach() throws {
        let loop = try MainLoop(time: .simulated)
        let timeline = StreamTimeline(ledger: nil)
        var rings = 0
        let bell = loop.clock.makeDoorbell(rank: .transfer) { rings += 1 }
        func after(_ action: () -> Void) -> Int {
            rings = 0
            action()
            loop.run(within: .milliseconds(1)) { false }
            return rings
        }
        #expect(timeline.reach == .everything)
        #expect(after { timeline.ring(bell, at: .seconds(9)) } == 1, "nothing is measured")
        timeline.beginMeasuring(session: 2)
        #expect(timeline.reach == .nothing)
        #expect(after { timeline.ring(bell, at: .seconds(9)) } == 0)
        #expect(after { timeline.reach(.seconds(50), session: 1) } == 0 && timeline.reach == .nothing, "an earlier run")
        #expect(after { timeline.reach(.seconds(4), session: 2) } == 1 && timeline.reach == .until(.seconds(4)))
        #expect(after { timeline.ring(bell, at: .seconds(9)) } == 0)
        #expect(after { timeline.reach(.milliseconds(8999), session: 2) } == 0)
        #expect(after { timeline.reach(.seconds(9), session: 2) } == 1)
        #expect(after { timeline.reach(.seconds(10), session: 2) } == 0)
        #expect(after { timeline.ring(bell, at: .seconds(10)) } == 1, "it is there")
        timeline.ring(bell, at: .seconds(20))
        #expect(after { timeline.endMeasuring(session: 1) } == 0)
        #expect(after { timeline.endMeasuring(session: 2) } == 1 && timeline.reach == .everything)
        timeline.beginMeasuring(session: 3)
        timeline.ring(bell, at: .seconds(20))
        timeline.remove(bell)
        #expect(after { timeline.endMeasuring(session: 3) } == 0)
    }

    @Test("a jump rings the bells, each sequence has its own")
    func jump() throws {
        let loop = try MainLoop(time: .simulated)
        let timeline = StreamTimeline(ledger: nil)
        var rings = 0
        let bell = loop.clock.makeDoorbell(rank: .transfer) { rings += 1 }
        timeline.addBell(bell)
        timeline.measure(0, offset: .zero, from: .zero)
        #expect(timeline.placement(of: 0) == nil)
        _ = timeline.fix(0, stamp: .seconds(10), segmentStart: .zero)
        _ = timeline.fix(1, stamp: .seconds(10), segmentStart: .seconds(60))
        loop.run(within: .milliseconds(1)) { false }
        rings = 0
        timeline.measure(0, offset: .seconds(10), from: .seconds(20))
        timeline.measure(0, offset: .seconds(10), from: .seconds(22))
        loop.run(within: .milliseconds(1)) { false }
        #expect(rings == 1)
        #expect(timeline.placement(of: 0)?.stretches.map(\.start) == [.zero, .seconds(20)])
        #expect(timeline.placement(of: 1)?.stretches.map(\.offset) == [.seconds(50)])
        #expect(timeline.knownOffset(of: 0) == .seconds(-10))
    }
}
