import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Playback

@Suite("Playback stalls, and boundaries hold it", .serialized)
@MainActor
struct StallTests {
    @Test(
        "a source that starves for three seconds stops the clock, and playback continues without a lost frame",
        arguments: [true, false])
    func stall(_ hasSound: Bool) throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.loader.setGate(seconds(3), at: "film")
        rig.open(FakeMedia(soundDuration: hasSound ? .seconds(10) : nil))
        rig.player.play()
        let waiting = TimeControlStatus.waitingToPlayAtSpecifiedRate(.toMinimizeStalls)
        try #require(rig.run(until: { rig.player.state.timeControlStatus == waiting }))
        let held = rig.player.currentTime
        #expect(held > seconds(2, 700) && held <= seconds(3, 100))
        #expect(rig.player.state.rate == .one)
        rig.run(for: .seconds(3))
        #expect(rig.player.currentTime == held)
        rig.loader.setGate(nil, at: "film")
        try #require(rig.run(until: { rig.isPlaying }))
        #expect((rig.player.currentTime - held).magnitude <= .milliseconds(20))
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(rig.player.state.stallCount == 1)
        #expect(firstDifference(rig.frames.map(\.time), (0..<250).map { FakeMedia().time(of: $0) }) == nil)
        if hasSound { #expect(firstDifference(Array(rig.sink.enqueued.prefix(480_000)), ramp(0..<480_000)) == nil) }
    }

    @Test("after a stall more than the next frame is buffered before playback continues; near the end everything is")
    func resumes() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.loader.setGate(seconds(3), at: "film")
        rig.open(FakeMedia())
        rig.player.play()
        try #require(rig.run(until: { rig.player.state.stallCount == 1 }))
        rig.loader.setGate(seconds(4), at: "film")
        rig.run(for: .seconds(3))
        #expect(!rig.isPlaying)
        rig.loader.setGate(seconds(6), at: "film")
        try #require(rig.run(until: { rig.isPlaying }))
        try #require(rig.run(until: { rig.player.state.stallCount == 2 }))
        // Less than the usual amount.
        rig.loader.setGate(nil, at: "film")
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(rig.player.state.stallCount == 2)
        #expect(firstDifference(rig.frames.map(\.time), (0..<250).map { FakeMedia().time(of: $0) }) == nil)
    }

    @Test("a pause during a stall is kept when bytes arrive")
    func pausedStall() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.loader.setGate(seconds(1), at: "film")
        rig.open(FakeMedia())
        rig.player.play()
        rig.run(until: { rig.player.state.stallCount == 1 })
        rig.player.pause()
        rig.loader.setGate(nil, at: "film")
        rig.run(for: .seconds(2))
        #expect(rig.player.state.timeControlStatus == .paused)
        let place = rig.player.currentTime
        rig.player.play()
        rig.run(until: { rig.isPlaying })
        #expect(rig.player.currentTime >= place)
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(firstDifference(rig.frames.map(\.time), (0..<250).map { FakeMedia().time(of: $0) }) == nil)
    }

    @Test("a start without bytes waits, and a seek away from a stall completes as soon as possible")
    func seekAway() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.loader.setGate(seconds(5), at: "film")
        rig.open(FakeMedia())
        rig.player.play()
        rig.run(until: { rig.player.state.stallCount == 1 })
        var answer: Bool?
        rig.player.seek(to: seconds(1), toleranceBefore: .zero, toleranceAfter: .zero) { answer = $0 }
        rig.run(for: .seconds(1))
        rig.loader.setGate(nil, at: "film")
        rig.run(until: { answer != nil })
        #expect(answer == true)
        rig.forget()
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(firstDifference(rig.frames.map(\.time), (26..<250).map { FakeMedia().time(of: $0) }) == nil)
    }

    @Test("the forward boundary holds the frame before it, with no sound beyond it, until it is lifted")
    func boundary() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.open(FakeMedia())
        rig.run(until: { !rig.frames.isEmpty })
        rig.player.setForwardBoundary(seconds(2))
        rig.player.play()
        let reached = {
            rig.events.contains { if case .reachedBoundary(let time) = $0.event { time == seconds(2) } else { false } }
        }
        #expect(rig.run(until: reached))
        rig.run(for: .seconds(3))
        #expect(rig.frames.last?.time == seconds(1, 960))
        #expect(rig.sink.greatest < 2 * 48_000)
        #expect(rig.player.currentTime == seconds(2))
        #expect(rig.player.state.stallCount == 0)
        rig.player.setForwardBoundary(nil)
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(firstDifference(rig.frames.map(\.time), (0..<250).map { FakeMedia().time(of: $0) }) == nil)
    }

    @Test("a seek from the boundary shows nothing after the boundary on the way")
    func boundaryThenSeek() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.open(FakeMedia())
        rig.player.setForwardBoundary(seconds(2))
        rig.player.play()
        rig.onEvent = { [unowned rig] event in
            guard case .reachedBoundary = event else { return }
            rig.player.seek(to: seconds(8), toleranceBefore: .zero, toleranceAfter: .zero)
            rig.player.setForwardBoundary(nil)
        }
        #expect(rig.run(until: { rig.isAtEnd }))
        let numbers = Array(0..<50) + Array(200..<250)
        #expect(firstDifference(rig.frames.map(\.time), numbers.map { FakeMedia().time(of: $0) }) == nil)
    }
}
