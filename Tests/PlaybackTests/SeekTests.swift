import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Playback

@Suite("Seeks land within their tolerances", .serialized)
@MainActor
struct SeekTests {
    /// A paused player that shows its first frame.
    private func makeRig(_ film: FakeMedia = FakeMedia()) throws -> PlayerRig {
        let rig = try PlayerRig()
        rig.open(film)
        try #require(rig.run(until: { !rig.frames.isEmpty }))
        return rig
    }

    @Test(
        "zero tolerance lands on the frame whose interval contains the target",
        arguments: [
            (0, 0), (1, 25), (39, 0), (40, 1), (41, 1), (2000, 50), (2039, 50), (4999, 124), (9960, 249), (9999, 249),
            (20_000, 249),
        ])
    func exact(_ milliseconds: Int64, _ frame: Int) throws {
        let rig = try makeRig()
        defer { rig.close() }
        _ = rig.seek(to: seconds(6))
        let target = milliseconds == 1 ? seconds(1) : MediaTime.milliseconds(milliseconds)
        #expect(rig.seek(to: target) == true)
        #expect(rig.frames.last?.time == FakeMedia().time(of: frame))
        #expect(rig.player.currentTime == FakeMedia().time(of: frame))
        #expect(rig.player.state.timeControlStatus == .paused)
    }

    @Test("tolerances are bounds: a seek lands within them, and without bounds on a sync sample")
    func tolerances() throws {
        let rig = try makeRig()
        defer { rig.close() }
        #expect(rig.seek(to: seconds(5), before: nil, after: nil) == true)
        // Sync samples are 12 frames apart: 120 is the last at or before 125.
        #expect(rig.frames.last?.time == FakeMedia().time(of: 120))
        #expect(rig.seek(to: seconds(8), before: .milliseconds(100), after: .zero) == true)
        let landed = try #require(rig.frames.last)
        #expect(landed.time + landed.duration > seconds(8) - .milliseconds(100) && landed.time <= seconds(8))
    }

    @Test("with any tolerance a forward seek lands after its origin and a backward one not after it")
    func neverBack() throws {
        let rig = try makeRig()
        defer { rig.close() }
        _ = rig.seek(to: seconds(5))
        var place = rig.player.currentTime
        // There is no frame after the last one to land on.
        while place < FakeMedia().time(of: 248) {
            #expect(rig.seek(to: place + .milliseconds(100), before: nil, after: nil) == true)
            try #require(rig.player.currentTime > place)
            place = rig.player.currentTime
        }
        for _ in 0..<10 {
            #expect(rig.seek(to: place - .milliseconds(300), before: nil, after: nil) == true)
            #expect(rig.player.currentTime < place)
            place = rig.player.currentTime
        }
    }

    @Test("a burst of twenty seeks reads once and lands at the last; the others complete as unfinished")
    func burst() throws {
        let rig = try makeRig()
        defer { rig.close() }
        let before = rig.codecs.counts
        var answers: [Int: Bool] = [:]
        for number in 1...20 {
            rig.player.seek(to: .milliseconds(Int64(number) * 400), toleranceBefore: .zero, toleranceAfter: .zero) {
                answers[number] = $0
            }
        }
        rig.run(until: { answers.count == 20 })
        #expect(rig.codecs.counts.reads == before.reads + 1)
        #expect((1...20).map { answers[$0] } == [Bool](repeating: false, count: 19) + [true])
        #expect(rig.frames.last?.time == seconds(8))
    }

    @Test("a seek during another one completes the earlier one as unfinished, and only its own frame is shown")
    func superseded() throws {
        let rig = try makeRig()
        defer { rig.close() }
        rig.forget()
        var answers: [Bool] = []
        rig.player.seek(to: seconds(3), toleranceBefore: .zero, toleranceAfter: .zero) { answers.append($0) }
        // The seek has started to read, and its frame is not on the screen yet.
        rig.run(until: { rig.codecs.counts.reads == 2 })
        rig.player.seek(to: seconds(7), toleranceBefore: .zero, toleranceAfter: .zero) { answers.append($0) }
        rig.run(until: { answers.count == 2 })
        #expect(answers == [false, true])
        #expect(rig.frames.map(\.time) == [seconds(7)])
    }

    @Test("a seek before the item is open sets the start position")
    func early() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.open(FakeMedia())
        #expect(rig.seek(to: seconds(4)) == true)
        #expect(rig.frames.map(\.time) == [seconds(4)])
    }

    @Test("playback continues from the landing, with its sound and without a gap")
    func playOn() throws {
        let rig = try makeRig()
        defer { rig.close() }
        rig.player.play()
        rig.run(until: { rig.frames.count == 10 })
        rig.forget()
        var landed: Bool?
        rig.player.seek(to: seconds(6), toleranceBefore: .zero, toleranceAfter: .zero) { landed = $0 }
        rig.run(until: { rig.isAtEnd })
        #expect(landed == true)
        let first = try #require(rig.frames.firstIndex { $0.time == seconds(6) })
        #expect(firstDifference(rig.frames[first...].map(\.time), (150..<250).map { FakeMedia().time(of: $0) }) == nil)
        #expect(firstDifference(Array(rig.sink.enqueued.prefix(4 * 48_000)), ramp(6 * 48_000..<10 * 48_000)) == nil)
        #expect(rig.player.state.stallCount == 0)
    }

    @Test("a seek without an item completes at once as unfinished")
    func nothing() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        var answer: Bool?
        rig.player.seek(to: seconds(1), toleranceBefore: .zero, toleranceAfter: .zero) { answer = $0 }
        #expect(answer == false)
    }

    @Test("closing the item during a seek completes it as unfinished")
    func closed() throws {
        let rig = try makeRig()
        var answer: Bool?
        rig.player.seek(to: seconds(9), toleranceBefore: .zero, toleranceAfter: .zero) { answer = $0 }
        rig.close()
        #expect(answer == false)
    }
}
