import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Playback

/// Rare ticks, which are for real time, on the simulated clock: picture, sound and reports must be the same.
@Suite("Ticks", .serialized)
@MainActor
struct TickTests {
    private struct Account: Equatable {
        var frames: [FrameRecord]
        var sound: [Float]
        var ended: HostTime?
        var stalls: Int
    }

    private func account(ofRareTicks isRare: Bool, _ media: FakeMedia) throws -> Account {
        let rig = try PlayerRig(wakes: isRare ? .standard : .steady)
        defer { rig.close() }
        rig.open(media)
        rig.player.play()
        #expect(rig.run(until: { rig.isAtEnd }))
        let end = rig.events.first { if case .didPlayToEnd = $0.event { true } else { false } }
        // The length of the silence after the sound depends on when the sink was last filled.
        let length = (rig.sink.enqueued.lastIndex { $0 != 0 } ?? -1) + 1
        return Account(
            frames: rig.frames, sound: Array(rig.sink.enqueued[..<length]), ended: end?.at, stalls: rig.player.state.stallCount)
    }

    @Test(
        "with rare ticks the same frames are shown at the same instants, the same sound is heard, and the end is reported as early",
        arguments: [Ratio(25), Ratio(24000, 1001), Ratio(60)])
    func sameAccount(rate: Ratio) throws {
        let media = FakeMedia(frameCount: 250, frameRate: rate, soundDuration: .seconds(9))
        let (often, rarely) = (try account(ofRareTicks: false, media), try account(ofRareTicks: true, media))
        #expect(firstDifference(rarely.frames, often.frames) == nil)
        #expect(firstDifference(rarely.sound, often.sound) == nil)
        let (early, late) = (try #require(often.ended), try #require(rarely.ended))
        #expect(max(late - early, early - late) <= PlaybackTicker.tickLength)
        #expect(rarely.stalls == 0)
    }

    @Test("ticks are rare during undisturbed playback, and not near the end or while paused")
    func whenRare() throws {
        let rig = try PlayerRig(wakes: .standard)
        defer { rig.close() }
        rig.open(FakeMedia())
        rig.player.play()
        rig.run(until: { rig.player.currentTime >= seconds(3) })
        #expect(rig.player.transport.ticker.isRestful)
        rig.player.pause()
        #expect(!rig.player.transport.ticker.isRestful && !rig.player.transport.ticker.isRunning)
        rig.player.play()
        rig.run(until: { rig.player.currentTime >= seconds(5) })
        #expect(rig.player.transport.ticker.isRestful)
        rig.run(until: { rig.player.currentTime >= seconds(8, 300) })
        #expect(!rig.player.transport.ticker.isRestful && rig.player.transport.ticker.isRunning)
    }

    @Test("observers are called as early as with frequent ticks")
    func observers() throws {
        let rig = try PlayerRig(wakes: .standard)
        defer { rig.close() }
        rig.open(FakeMedia())
        var told: [MediaTime] = []
        var passed: [MediaTime] = []
        let periodic = rig.player.addPeriodicTimeObserver(forInterval: .milliseconds(700)) { told.append($0) }
        let boundary = rig.player.addBoundaryTimeObserver(forTimes: [seconds(2, 10), seconds(4, 990)]) {
            passed.append(rig.player.currentTime)
        }
        rig.player.play()
        rig.run(until: { rig.player.currentTime >= seconds(6) })
        for number in 1...8 {
            let late = told.map { $0 - .milliseconds(700) * number }.filter { $0 >= .zero }.min()
            #expect(late.map { $0 <= .milliseconds(60) } == true, "period \(number)")
        }
        #expect(passed.count == 2)
        for (time, asked) in zip(passed, [seconds(2, 10), seconds(4, 990)]) {
            #expect(time >= asked && time - asked <= .milliseconds(60))
        }
        withExtendedLifetime((periodic, boundary)) {}
    }
}
