import BoxModel
import LinuxSupport
import MediaTime
import Synchronization
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

/// Scanning and scrubbing.
@Suite struct SearchTests {
    static let film = Items.episode(interstitials: [Items.ad("a1", 120)], markers: [], duration: 1210)

    // MARK: Scanning

    @Test(arguments: [(1, 4), (2, 12), (3, 30), (4, 60)]) func eachLevelWalksItsMultipleInContentTime(_ level: Int, _ factor: Int)
    {
        var viewer = Viewer(watching: Self.film, at: 30)
        viewer.press(.ff)
        for _ in 1..<level { viewer.press(.ff) }
        #expect(viewer.state.bar?.glyph == .scanForward(level: level))
        let before = viewer.machine.searchContent!
        viewer.run(.seconds(1))
        let walked = viewer.machine.searchContent! - before
        #expect(walked <= .seconds(Int64(factor)) * 2 && walked * 4 >= .seconds(Int64(factor)) * 3)
    }

    @Test func scanningAsksOnceAndSeeksExactlyOnceAtItsEnd() {
        let policy = CountingPolicy()
        var viewer = Viewer(watching: Self.film, at: 100, policy: InterfacePolicy(navigation: policy))
        viewer.press(.right, for: .seconds(1))
        viewer.run(.seconds(10))
        #expect(policy.count == 0)
        #expect(viewer.exactSeeks.isEmpty)
        viewer.press(.ok)
        #expect(policy.count == 1)
        #expect(viewer.exactSeeks == [.seconds(120)], "the scan passed the advertisement, which is owed at its end")
        viewer.run(.seconds(11))
        #expect(viewer.exactSeeks.count == 2)
        #expect(policy.count == 1)
        #expect(viewer.isPlaying)
    }

    @Test func onePreviewIsUnderWayAtATime() {
        var viewer = Viewer(watching: Self.film, at: 30)
        viewer.seekLatency = .milliseconds(900)
        viewer.press(.ff)
        viewer.run(.seconds(5))
        let previews = viewer.effects.filter { if case .seek(_, _, .unbounded) = $0 { true } else { false } }
        #expect(previews.count >= 4 && previews.count <= 6)
    }

    @Test func backReturnsToWhereScanningBegan() {
        var viewer = Viewer(watching: Self.film, at: 30)
        viewer.down(.right)
        viewer.run(Timing.hold)
        let origin = viewer.position!  // a held key is recognised after 400 ms
        viewer.run(.seconds(1))
        viewer.up(.right)
        viewer.run(.seconds(2))
        #expect(viewer.position! > origin + .seconds(9))
        viewer.press(.back)
        viewer.run(.milliseconds(100))
        #expect(viewer.exactSeeks == [origin])
        #expect(viewer.isPlaying)
        #expect(viewer.state.bar?.scrub == nil)
    }

    @Test func tapsGoFasterAndSlowerThroughNormalSpeed() {
        var viewer = Viewer(watching: Self.film, at: 60)
        viewer.press(.ff)
        viewer.press(.right)
        #expect(viewer.state.bar?.glyph == .scanForward(level: 2))
        viewer.press(.left)
        viewer.press(.left)
        #expect(viewer.state.bar?.glyph == .play)
        viewer.press(.left)
        #expect(viewer.state.bar?.glyph == .scanBackward(level: 1))
    }

    @Test func normalSpeedEndsTheScan() {
        var viewer = Viewer(watching: Self.film, at: 60)
        viewer.press(.ff)
        viewer.press(.left)
        viewer.run(.seconds(2))
        #expect(viewer.state.bar?.scrub == nil)
        #expect(viewer.exactSeeks.count == 1)
        #expect(viewer.isPlaying)
    }

    @Test func theEndStopsAScanTenSecondsBeforeIt() {
        var viewer = Viewer(watching: Items.plain, at: 60)
        for _ in 0..<4 { viewer.press(.ff) }
        viewer.run(.seconds(3))
        #expect(viewer.exactSeeks == [.seconds(100)])
        #expect(viewer.isPlaying)
    }

    @Test func theBeginningStopsAScan() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        for _ in 0..<4 { viewer.press(.rw) }
        viewer.run(.seconds(3))
        #expect(viewer.exactSeeks == [.zero])
        #expect(viewer.isPlaying)
    }

    @Test func scanningFromPauseStaysPaused() {
        var viewer = Viewer(watching: Self.film, at: 60)
        viewer.press(.pause)
        viewer.press(.right)
        viewer.press(.ff)
        viewer.run(.seconds(1))
        #expect(viewer.state.bar?.scrub != nil)
        viewer.press(.ok)
        viewer.run(.milliseconds(300))
        #expect(!viewer.isPlaying)
        #expect(viewer.state.bar?.glyph == .pause)
    }

    @Test(arguments: [RemoteKey.up, .down]) func scanningIgnoresUpAndDown(_ key: RemoteKey) {
        var viewer = Viewer(watching: Self.film, at: 60)
        viewer.press(.ff)
        #expect(viewer.press(key) == .failed(.notSupported))
        #expect(viewer.state.bar?.scrub != nil)
    }

    // MARK: Scrubbing

    @Test func scrubbingStepsTenSecondsAndOneAfterAChangeOfDirection() {
        var viewer = Viewer(watching: Items.plain, at: 50)
        viewer.press(.pause)
        let origin = viewer.position!
        viewer.press(.right)
        viewer.press(.right)
        #expect(viewer.machine.searchContent == origin + .seconds(20))
        viewer.press(.left)
        #expect(viewer.machine.searchContent == origin + .seconds(19))
        viewer.press(.left)
        #expect(viewer.machine.searchContent == origin + .seconds(18))
        viewer.run(.seconds(2))
        viewer.press(.left)
        #expect(viewer.machine.searchContent == origin + .seconds(8))
    }

    @Test(arguments: [RemoteKey.ok, .playpause, .play]) func scrubbingCommitsAndResumes(_ key: RemoteKey) {
        let policy = CountingPolicy()
        var viewer = Viewer(watching: Items.plain, at: 50, policy: InterfacePolicy(navigation: policy))
        viewer.press(.pause)
        let origin = viewer.position!
        viewer.press(.right)
        viewer.press(.right)
        viewer.press(key)
        #expect(viewer.exactSeeks == [origin + .seconds(20)])
        #expect(policy.count == 1)
        #expect(viewer.isPlaying)
    }

    @Test func backFromScrubbingReturnsToItsOriginAndStaysPaused() {
        var viewer = Viewer(watching: Items.plain, at: 50)
        viewer.press(.pause)
        let origin = viewer.position!
        for _ in 0..<3 { viewer.press(.left) }
        viewer.run(.seconds(1))
        #expect(viewer.position! < origin - .seconds(20), "previews are shown on the way")
        viewer.press(.back)
        viewer.run(.milliseconds(300))
        #expect(viewer.position == origin)
        #expect(!viewer.isPlaying)
        #expect(viewer.state.bar?.scrub == nil)
    }

    @Test func holdingAcceleratesTheScrub() {
        var viewer = Viewer(watching: Self.film, at: 30)
        viewer.press(.pause)
        viewer.down(.right)
        viewer.run(.milliseconds(1400))
        let first = viewer.machine.searchContent!
        viewer.run(.seconds(1))
        let second = viewer.machine.searchContent!
        viewer.run(.seconds(1))
        let third = viewer.machine.searchContent!
        #expect(second - first > (first - .seconds(30)))
        #expect(third - second > second - first)
        viewer.up(.right)
        viewer.run(.seconds(1))
        #expect(viewer.machine.searchContent == third)
    }

    @Test func scrubbingHidesNothingAndWaitsForEver() {
        var viewer = Viewer(watching: Items.plain, at: 50)
        viewer.press(.pause)
        viewer.press(.right)
        viewer.run(.seconds(30))
        #expect(viewer.state.bar?.scrub != nil)
        #expect(viewer.state.spinner == nil)
    }
}

/// The default policy, with a count of its calls.
final class CountingPolicy: NavigationPolicy {
    private let asked = Mutex(0)
    var count: Int { asked.withLock { $0 } }

    func timeToSeekAfterUserNavigated(_ navigation: UserNavigation) -> MediaTime {
        asked.withLock { $0 += 1 }
        return StandardNavigationPolicy().timeToSeekAfterUserNavigated(navigation)
    }

    func shouldPresent(_ proposal: ProposalPresentation) -> Bool { false }
}
