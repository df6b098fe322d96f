import LinuxSupport
import MediaSources
import MediaTime
import TestSupport
import Testing

@testable import Playback

/// The shipped and the deterministic policies differ only in when threads are woken. What is shown and heard is the same.
@Suite("Buffering and wake policies", .serialized)
@MainActor
struct PolicyTests {
    private nonisolated static let policies: [(buffering: BufferingPolicy, wakes: WakePolicy)] = [
        (.standard, .steady), (.immediate, .standard), (.standard, .standard),
    ]

    private struct Account {
        var frames: [MediaTime]
        var sound: [Float]
        var landings: [MediaTime]
    }

    /// Plays, seeks forward and back, and plays to the end.
    private func account(_ buffering: BufferingPolicy, _ wakes: WakePolicy) throws -> Account {
        let rig = try PlayerRig(wakes: wakes, buffering: buffering)
        defer { rig.close() }
        rig.open(FakeMedia(frameCount: 500, soundDuration: .seconds(20)))
        rig.player.play()
        rig.run(until: { rig.player.currentTime >= seconds(3) })
        #expect(rig.seek(to: seconds(12, 500)) == true)
        rig.run(until: { rig.player.currentTime >= seconds(14) })
        #expect(rig.seek(to: seconds(6, 40)) == true)
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(rig.player.state.stallCount == 0)
        let landings = rig.events.compactMap {
            if case .seekCompleted(let landed, true) = $0.event { landed } else { nil }
        }
        let length = (rig.sink.enqueued.lastIndex { $0 != 0 } ?? -1) + 1
        return Account(frames: rig.frames.map(\.time), sound: Array(rig.sink.enqueued[..<length]), landings: landings)
    }

    @Test(
        "in simulated time the shipped policies give the same frames, sound and landings as the deterministic ones",
        arguments: policies.indices)
    func simulated(_ index: Int) throws {
        let policy = Self.policies[index]
        let (repeatable, shipped) = (try account(.immediate, .steady), try account(policy.buffering, policy.wakes))
        #expect(shipped.landings == repeatable.landings)
        #expect(firstDifference(shipped.frames, repeatable.frames) == nil)
        #expect(firstDifference(shipped.sound, repeatable.sound) == nil)
    }

    @Test("both play in real time, with all frames in order", arguments: [BufferingPolicy.standard, .immediate])
    func real(_ buffering: BufferingPolicy) throws {
        let rig = try PlayerRig(time: .real, wakes: buffering == .standard ? .standard : .steady, buffering: buffering)
        defer { rig.close() }
        let film = FakeMedia(frameCount: 25, soundDuration: .seconds(1))
        rig.open(film)
        rig.player.play()
        #expect(rig.run(within: .seconds(20), until: { rig.isAtEnd }))
        // A busy machine drops frames; none is repeated or out of order.
        #expect(rig.frames.map(\.time) == rig.frames.map(\.time).sorted())
        #expect(Set(rig.frames.map(\.time)).count == rig.frames.count)
        #expect(rig.frames.first?.time == .zero)
        #expect(firstDifference(Array(rig.sink.enqueued.prefix(48_000)), ramp(0..<48_000)) == nil)
    }

    @Test("sessions have random names, or numbers where runs must be repeatable")
    func sessionNames() {
        let id = "5E21C0DE-00000001-00000002-00000003"
        #expect(SessionID.short(id) == "5E21C0DE")
        for wanted in [id, "5E21C0DE", "5e21c0de", " 5E21 C0DE ", id.lowercased()] { #expect(SessionID.matches(id, wanted)) }
        for wanted in ["", " ", "5E21", "5E21C0DF", "5E21C0DE-", id + "0"] { #expect(!SessionID.matches(id, wanted)) }
        let next = SessionID.counted()
        #expect([next(), next()] == ["simulated-1", "simulated-2"])
        let (first, second) = (SessionID.random(), SessionID.random())
        #expect(first != second)
        #expect(first.split(separator: "-").map(\.count) == [8, 8, 8, 8])
    }

    @Test("a waiting queue is resumed when half of it is empty, or at once", arguments: [(2, 2), (3, 2), (6, 3), (32, 16)])
    func resumeCount(_ capacity: Int, _ count: Int) {
        #expect(BufferingPolicy.standard.resumeCount(of: capacity) == count)
        #expect(BufferingPolicy.immediate.resumeCount(of: capacity) == capacity)
    }
}
