import BoxModel
import LinuxSupport
import MediaTime
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

/// Scans for which the player shows key pictures itself.
@Suite struct ScanRateTests {
    private static let film = Items.episode(interstitials: [Items.ad("a1", 120)], markers: [], duration: 1210)

    private func viewer(_ item: ItemPresentation = film, at start: Int64) -> Viewer {
        var viewer = Viewer(watching: item, at: start)
        viewer.canPlayFast = true
        viewer.tell()
        viewer.effects = []
        viewer.shown = []
        return viewer
    }

    private func rates(_ viewer: Viewer) -> [Ratio?] {
        viewer.effects.compactMap { if case .scan(let rate) = $0 { .some(rate) } else { nil } }
    }

    private func previews(_ viewer: Viewer) -> Int {
        viewer.effects.filter { if case .seek(_, _, .unbounded) = $0 { true } else { false } }.count
    }

    @Test(arguments: [(1, 4), (2, 12), (3, 30), (4, 60)]) func eachLevelIsARateOfThePlayer(_ level: Int, _ factor: Int64) {
        var viewer = viewer(at: 200)
        for _ in 0..<level { viewer.press(.ff) }
        let before = viewer.machine.searchContent!
        viewer.run(.seconds(2))
        let walked = viewer.machine.searchContent! - before
        #expect(rates(viewer).last == Ratio(factor))
        #expect(previews(viewer) == 0, "there is no seek while the player scans")
        #expect(viewer.state.bar?.glyph == .scanForward(level: level))
        #expect(walked * 10 >= .seconds(factor * 18) && walked * 10 <= .seconds(factor * 22))
        viewer.press(.ok)
        #expect(rates(viewer).last == .some(nil))
        viewer.run(.milliseconds(200))
        #expect(viewer.exactSeeks.count == 1 && viewer.isPlaying && viewer.scanRate == nil)
    }

    @Test(arguments: [RemoteKey.ff, .rw]) func anInterstitialIsPassedOverWithoutAPictureOfIt(_ key: RemoteKey) {
        var viewer = viewer(at: key == .ff ? 100 : 150)
        viewer.press(key)
        viewer.run(.seconds(14))
        let place = viewer.position!
        #expect(key == .ff ? place > .seconds(130) : place < .seconds(120))
        #expect(!viewer.shown.contains { $0.position >= .seconds(120) && $0.position < .seconds(130) })
        #expect(previews(viewer) > 0 && viewer.scanRate != nil, "beyond it the player scans again")
    }

    @Test func theDirectionChangesThroughNormalSpeed() {
        var viewer = viewer(at: 400)
        viewer.press(.ff)
        viewer.press(.left)
        #expect(viewer.scanRate == nil)
        viewer.press(.left)
        viewer.run(.milliseconds(500))
        #expect(viewer.scanRate == Ratio(-4))
        #expect(viewer.state.bar?.glyph == .scanBackward(level: 1))
    }

    @Test("a position from the web page ends the scan first")
    func jumpOutOfAScan() {
        var viewer = viewer(at: 300)
        viewer.press(.ff)
        viewer.run(.seconds(2))
        viewer.effects = []
        #expect(viewer.command(.changePlaybackPosition(.seconds(600))) == .success)
        let orders = viewer.effects.compactMap { effect in
            switch effect {
            case .scan(let rate): rate == nil ? "end of scan" : "scan"
            case .seek: "seek"
            case .play: "play"
            default: nil
            }
        }
        #expect(orders == ["end of scan", "play", "seek"])
    }

    @Test func backReturnsToTheOriginWithoutAskingThePolicy() {
        var viewer = viewer(at: 300)
        viewer.press(.ff)
        let origin = viewer.machine.stage.viewing.seeking.search!.origin
        viewer.run(.seconds(3))
        #expect(viewer.position! > origin + .seconds(8))
        viewer.press(.back)
        viewer.run(.milliseconds(200))
        #expect(viewer.exactSeeks == [origin])
        #expect(viewer.isPlaying && viewer.scanRate == nil)
    }

    @Test func aSkippedInterstitialIsOwedWhereTheScanStops() {
        var viewer = viewer(at: 100)
        viewer.press(.ff)
        viewer.run(.seconds(14))
        viewer.press(.ok)
        #expect(viewer.exactSeeks == [.seconds(120)])
    }

    @Test func theEndStopsItTenSecondsBefore() {
        var viewer = viewer(Items.plain, at: 30)
        for _ in 0..<3 { viewer.press(.ff) }
        viewer.run(.seconds(5))
        #expect(viewer.exactSeeks == [.seconds(100)])
        #expect(viewer.isPlaying && viewer.scanRate == nil && viewer.state.bar?.scrub == nil)
    }

    @Test(arguments: [3, 4]) func theEndStopsItThoughNoPictureComes(_ level: Int) {
        var viewer = viewer(Items.plain, at: 30)
        for _ in 0..<level { viewer.press(.ff, for: .milliseconds(1)) }
        viewer.showsNothing = true
        viewer.run(.seconds(5))
        #expect(viewer.exactSeeks.first == .seconds(100))
        #expect(viewer.scanRate == nil)
    }

    @Test func aPlayerAtItsEndIsToldToPlayAfterTheScanHasLeftIt() {
        var viewer = viewer(Items.plain, at: 30)
        viewer.press(.ff)
        viewer.hasEnded = true
        viewer.tell()
        #expect(viewer.exactSeeks == [.seconds(100)])
        // The player ignored the command that it received at its end.
        viewer.isPlaying = false
        viewer.run(.seconds(2))
        #expect(viewer.isPlaying && viewer.position! > .seconds(100))
    }

    @Test func theBeginningStopsIt() {
        var viewer = viewer(Items.plain, at: 60)
        for _ in 0..<3 { viewer.press(.rw) }
        viewer.run(.seconds(5))
        #expect(viewer.exactSeeks == [.zero])
        #expect(viewer.isPlaying && viewer.scanRate == nil)
    }

    @Test func noneStartsInALinearRange() {
        var viewer = viewer(at: 110)
        viewer.run(.seconds(12))
        #expect(viewer.machine.requiresLinearPlayback)
        #expect(viewer.press(.ff) == .failed(.linear))
        #expect(rates(viewer).isEmpty)
    }
}
