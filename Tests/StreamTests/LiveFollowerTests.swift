import LinuxSupport
import MediaSources
import MediaTime
import TestSupport
import Testing

@testable import Playback

@Suite("Following a live edge", .serialized)
@MainActor
struct LiveFollowerTests {
    @Test("a rejoining seek that does not lead to playing is repeated with growing delays, and at once after a success")
    func repeated() throws {
        let rig = try StreamRig(live: .init())
        defer { rig.close() }
        let item = PlayerItem(asset: Asset(url: "http://live/main.m3u8", services: rig.player.services))
        let playback = LostPlayback(clock: rig.loop.clock)
        let follower = LiveFollower(item, player: playback, clock: rig.loop.clock)
        defer { follower.end() }
        item.take(
            LiveStatus(
                isLive: true, seekableTimeRange: TimeRange(start: .seconds(100), end: .seconds(110)), edge: .seconds(116),
                edgeInstant: 0, recommendedTimeOffsetFromLive: .seconds(6), targetDuration: .seconds(2)))
        rig.run(for: .milliseconds(120_500))
        #expect(playback.seeks == [1, 3, 7, 15, 31, 61, 91].map { .seconds($0) })
        playback.currentTime = .seconds(105)
        rig.run(for: .seconds(20))
        let count = playback.seeks.count
        playback.currentTime = .zero
        rig.run(for: .seconds(4))
        #expect(playback.seeks.count == count + 2)
    }

    @Test("discontinuities that leave an uncounted window stop nothing: every frame is shown once")
    func uncounted() throws {
        var plan = LiveOrigin.Plan(hasDates: false, splices: [14, 18])
        plan.countsDiscontinuities = false
        let rig = try StreamRig(live: plan)
        defer { rig.close() }
        _ = rig.play("http://live/main.m3u8")
        rig.run(for: .seconds(60))
        #expect(rig.error == nil && rig.player.state.stallCount == 0)
        #expect(rig.times.count > 55 * 25)
        #expect(zip(rig.times, rig.times.dropFirst()).allSatisfy { $1 - $0 == .milliseconds(40) })
    }
}

/// A player whose seeks change nothing.
@MainActor
private final class LostPlayback: LivePlayback {
    private let clock: any HostClock
    var currentTime = MediaTime.zero
    let wantedRate = Ratio.one
    let isRunning = true
    let isStalled = false
    let isSeekPending = false
    let loadedUntil: MediaTime? = nil
    private(set) var seeks: [Duration] = []

    init(clock: any HostClock) { self.clock = clock }

    func seek(
        to time: MediaTime, toleranceBefore: MediaTime?, toleranceAfter: MediaTime?, completion: (@MainActor (Bool) -> Void)?
    ) { seeks.append(.nanoseconds(clock.now.nanoseconds)) }

    func setRate(_ rate: Ratio) -> Bool { true }
}
