import BoxModel
import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

/// FF and RW in a pause: single frames, slow motion, backward.
@Suite struct FrameByFrameTests {
    private static let film = Items.episode(interstitials: [], markers: [], duration: 7200)

    private func paused(_ item: ItemPresentation = film, at place: Int64 = 600) -> Viewer {
        var viewer = Viewer(watching: item, at: place)
        viewer.speeds = [Ratio(1, 2), .one, Ratio(2)]
        viewer.canPlayBackward = true
        viewer.canPlayFast = true
        viewer.tell()
        viewer.press(.pause)
        viewer.run(.milliseconds(500))
        viewer.effects = []
        viewer.shown = []
        return viewer
    }

    private func rates(_ viewer: Viewer) -> [Ratio?] {
        viewer.effects.compactMap { if case .scan(let rate) = $0 { .some(rate) } else { nil } }
    }

    @Test("a tap steps one frame, and stays paused", arguments: [(RemoteKey.ff, 1), (.rw, -1)])
    func step(_ key: RemoteKey, _ direction: Int) {
        var viewer = paused()
        let start = viewer.position!
        for count in 1...3 {
            #expect(viewer.press(key) == .success)
            viewer.run(.milliseconds(200))
            #expect(viewer.position == start + Viewer.frame * direction * count && !viewer.isPlaying)
            #expect(viewer.machine.stage.viewing.played.position == viewer.position)
        }
        #expect(viewer.state.bar?.hint == "Frame by frame" && viewer.state.bar?.scrub == nil)
        #expect(viewer.effects.filter { $0 == .step(direction) }.count == 3 && viewer.exactSeeks.isEmpty)
        viewer.press(.ok)
        viewer.run(.milliseconds(400))
        #expect(viewer.isPlaying && viewer.position! >= start - .seconds(1) && viewer.state.bar?.hint == nil)
    }

    @Test(
        "held, the picture moves slowly until the release, and it is still a pause",
        arguments: [(RemoteKey.ff, Int64(1), "Slow motion"), (.rw, -1, "In reverse")])
    func slow(_ key: RemoteKey, _ direction: Int64, _ words: String) {
        var viewer = paused()
        let start = viewer.position!
        viewer.down(key)
        viewer.run(.milliseconds(399))
        #expect(rates(viewer).isEmpty)
        viewer.run(.milliseconds(2001))
        #expect(rates(viewer) == [Ratio(direction, 2)] && viewer.state.bar?.hint == words)
        let moved = viewer.position! - start
        #expect((moved - .seconds(direction)).magnitude < .milliseconds(100), "\(moved) in two seconds")
        #expect(viewer.machine.isPausedByViewer)
        viewer.up(key)
        #expect(rates(viewer) == [Ratio(direction, 2), nil] && !viewer.isPlaying && viewer.state.bar?.hint == nil)
        let place = viewer.position!
        viewer.run(.seconds(2))
        #expect(viewer.position == place && viewer.machine.isPausedByViewer && viewer.exactSeeks.isEmpty)
        #expect(viewer.state.bar?.glyph == .pause)
    }

    @Test("a film that cannot play slowly or backward steps once", arguments: [RemoteKey.ff, .rw])
    func cannot(_ key: RemoteKey) {
        var viewer = paused()
        (viewer.speeds, viewer.canPlayBackward) = ([.one], false)
        viewer.tell()
        viewer.press(key, for: .seconds(2))
        #expect(rates(viewer).isEmpty && viewer.effects.filter { if case .step = $0 { true } else { false } }.count == 1)
    }

    @Test("a still has no frames: the keys go through its time, as during playback", arguments: [RemoteKey.ff, .rw])
    func still(_ key: RemoteKey) {
        var viewer = paused()
        viewer.isStill = true
        viewer.tell()
        let place = viewer.position!
        #expect(viewer.press(key) == .success)
        #expect(viewer.state.bar?.glyph == (key == .ff ? .scanForward(level: 1) : .scanBackward(level: 1)))
        viewer.press(.back)
        viewer.run(.seconds(1))
        #expect(viewer.position == place && viewer.machine.isPausedByViewer)
    }

    @Test("a device without releases steps with each press", arguments: [RemoteKey.ff, .rw])
    func withoutReleases(_ key: RemoteKey) {
        var viewer = paused()
        for _ in 0..<4 {
            viewer.down(key, sendsReleases: false)
            viewer.run(.milliseconds(200))
        }
        #expect(rates(viewer).isEmpty && viewer.effects.filter { if case .step = $0 { true } else { false } }.count == 4)
    }

    @Test("while it plays, and while scrubbing, the keys scan as before")
    func scanning() {
        var viewer = paused()
        viewer.press(.right)
        viewer.press(.ff)
        #expect(viewer.state.bar?.glyph == .scanForward(level: 1))
        viewer.press(.back)
        viewer.run(.milliseconds(300))
        viewer.press(.play)
        viewer.run(.milliseconds(300))
        viewer.press(.rw)
        #expect(viewer.state.bar?.glyph == .scanBackward(level: 1))
    }

    @Test("slow motion stops where an advertisement begins, which cannot be left by it")
    func advertisement() {
        var viewer = paused(Items.episode(interstitials: [Items.ad("a1", 600)], markers: [], duration: 7210), at: 598)
        viewer.press(.ff, for: .seconds(6))
        #expect(viewer.machine.requiresLinearPlayback && !viewer.isPlaying && viewer.scanRate == nil)
        #expect(viewer.position! <= .milliseconds(600_200))
        #expect(viewer.press(.ff) == .failed(.linear) && viewer.press(.rw) == .failed(.linear))
    }

    @Test("backward it stops behind an advertisement and behind the beginning")
    func backward() {
        let item = Items.episode(interstitials: [Items.ad("a1", 590)], watched: ["a1"], markers: [], duration: 7210)
        var viewer = paused(item, at: 601)
        viewer.press(.rw, for: .seconds(6))
        #expect(!viewer.isPlaying && viewer.position! >= .seconds(600) && viewer.position! < .seconds(600) + Viewer.frame * 2)
        #expect(viewer.presentations.isEmpty)
        viewer = paused(at: 1)
        viewer.press(.rw, for: .seconds(6))
        #expect(!viewer.isPlaying && viewer.position! < Viewer.frame)
    }

    @Test("another key ends it first")
    func otherKey() {
        var viewer = paused()
        viewer.down(.ff)
        viewer.run(.seconds(2))
        viewer.press(.ok)
        #expect(rates(viewer) == [Ratio(1, 2), nil] && viewer.isPlaying)
        viewer.run(.seconds(1))
        #expect(!viewer.machine.isPausedByViewer)
        viewer.up(.ff)
        #expect(viewer.isPlaying)
    }

    @Test("a command to play goes on at normal speed")
    func command() {
        var viewer = paused()
        viewer.down(.rw)
        viewer.run(.seconds(2))
        #expect(viewer.command(.play) == .success)
        #expect(viewer.isPlaying && viewer.scanRate == nil)
        viewer.up(.rw)
        viewer.run(.seconds(1))
        #expect(viewer.isPlaying && !viewer.machine.isPausedByViewer)
    }
}
