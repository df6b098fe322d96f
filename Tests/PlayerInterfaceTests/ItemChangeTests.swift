import BoxModel
import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

/// State that belongs to an item ends with it.
@Suite struct ItemChangeTests {
    /// What was done with the previous item.
    enum Before: String, CaseIterable {
        case playing, paused, pausedForLong, held, scrubbing, scanning, fastScanning, tapped, seeking, tapRun, inAdvertisement,
            enforced,
            pastAdvertisement, hasBoundary, bar, actionsRow, panel, menu, longText, proposal, deferredProposal, endCard,
            errorCard, slowCard, waiting, refusal, replay, fast, action, skippable, soundOnly, beside, savedPlace
    }

    private static let ads = [
        Items.ad("a0", 8, 4), Items.ad("a1", 20, skip: .init(offset: .seconds(2))), Items.ad("a2", 60),
    ]
    private static let markers = Items.chapters + [NavigationMarker(kind: .intro, start: .seconds(32), end: .seconds(40))]

    private static func item(_ id: String) -> ItemPresentation {
        var item = Items.episode(
            interstitials: ads, watched: ["a0"], markers: markers, proposal: ProposalTests.offer(at: 100, accepts: -5))
        item.id = id
        return item
    }

    private func fresh() -> Viewer {
        var viewer = Viewer()
        viewer.options = Items.options
        viewer.speeds = [.one, Ratio(2)]
        viewer.send(.wallClock(secondsSinceMidnight: 72900))
        return viewer
    }

    private func viewer(after before: Before) -> Viewer {
        var viewer = fresh()
        viewer.open(Self.item("first"))
        viewer.run(.milliseconds(200))
        viewer.press(.ok)
        viewer.press(.ok)
        viewer.run(.seconds(6))
        viewer.place(.seconds(42))
        viewer.run(.milliseconds(200))
        act(before, &viewer)
        return viewer
    }

    private func act(_ before: Before, _ viewer: inout Viewer) {
        switch before {
        case .playing: break
        case .paused: viewer.press(.pause)
        case .pausedForLong:
            viewer.press(.pause)
            viewer.pass(.seconds(700))
        case .held:
            viewer.isPlaying = false
            viewer.run(.milliseconds(100))
            viewer.send(.held(.announcement))
        case .scrubbing: for key in [RemoteKey.pause, .right] { viewer.press(key) }
        case .scanning: viewer.press(.ff)
        case .fastScanning:
            viewer.canPlayFast = true
            viewer.run(.milliseconds(100))
            viewer.press(.rw)
            viewer.run(.milliseconds(400))
        case .tapped:
            viewer.press(.left)
            viewer.run(.milliseconds(300))
        case .seeking:
            viewer.seekLatency = .seconds(60)
            viewer.press(.left)
        case .tapRun: for _ in 0..<2 { viewer.press(.left) }
        case .inAdvertisement: viewer.place(.seconds(22))
        case .enforced:
            viewer.place(.seconds(15))
            viewer.command(.skip(.seconds(20)))
            viewer.run(.milliseconds(300))
        case .pastAdvertisement:
            viewer.place(.seconds(19))
            viewer.run(.seconds(12))
        case .hasBoundary: viewer.place(.seconds(2))
        case .bar: viewer.press(.up)
        case .actionsRow: for key in [RemoteKey.pause, .up] { viewer.press(key) }
        case .panel: viewer.press(.down)
        case .menu:
            viewer.openTab(.picture)
            viewer.press(.ok)
        case .longText: for key in [RemoteKey.down, .down, .left, .ok] { viewer.press(key) }
        case .proposal:
            viewer.place(.seconds(101))
            viewer.run(.milliseconds(200))
        case .deferredProposal:
            viewer.place(.seconds(101))
            viewer.run(.milliseconds(200))
            viewer.press(.back)
        case .endCard:
            viewer.place(.seconds(101))
            viewer.press(.back)
            viewer.run(.seconds(12))
            viewer.press(.back)
        case .errorCard:
            viewer.failure = MediaError(.sourceMissing, "It is gone.")
            viewer.run(.milliseconds(100))
        case .slowCard:
            viewer.isStalled = true
            viewer.run(.seconds(21))
        case .waiting:
            viewer.isStalled = true
            viewer.run(.seconds(3))
        case .refusal:
            viewer.place(.seconds(22))
            viewer.press(.right)
        case .replay:
            viewer.press(.blue)
            viewer.run(.seconds(5))
        case .fast:
            viewer.openTab(.picture)
            viewer.choose("Speed")
            viewer.choose("2×")
            viewer.run(.milliseconds(100))
        case .action: viewer.place(.seconds(33))
        case .skippable:
            viewer.place(.seconds(20))
            viewer.run(.seconds(3))
        case .soundOnly:
            viewer.hasVideo = false
            viewer.run(.seconds(70))
        case .beside:
            viewer.presented = InterstitialStatus(
                interstitial: Items.beside("b", 42, skip: .init(offset: .zero)), duration: .seconds(9), target: .seconds(50))
            viewer.run(.milliseconds(200))
        case .savedPlace: viewer.run(.seconds(11))
        }
    }

    /// The player of a new item, without any state of the previous one.
    private func openSecond(_ viewer: inout Viewer) -> [String] {
        viewer.hasVideo = true
        viewer.isStalled = false
        viewer.isPlaying = false
        viewer.presented = nil
        viewer.boundary = nil
        viewer.scanRate = nil
        viewer.canPlayFast = false
        viewer.seekLatency = .milliseconds(80)
        let before = viewer.effects.count
        viewer.open(Self.item("second"))
        return viewer.effects[before...].compactMap(told).filter { !$0.hasPrefix("end ") }
    }

    /// An effect as text, without the numbers of seeks; effects that end the previous item start with "end".
    private func told(_ effect: InterfaceEffect) -> String? {
        switch effect {
        case .seek(_, let target, let tolerance): "seek \(target) \(tolerance)"
        case .savePlace(id: "first", _), .tell(.interstitial(_, .ended)), .scan(rate: nil), .showCaptionsForReplay(false):
            "end \(effect)"
        // How long the screen has stood still belongs to the box.
        case .cancel, .arm(.screenSaver, _): nil
        case .arm(let timer, _): "arm \(timer)"
        default: "\(effect)"
        }
    }

    private func shown(_ viewer: Viewer) -> PresentationState {
        var state = viewer.state
        // These belong to the box: messages stay for their time, and refusals are counted.
        state.toast = nil
        state.refusal?.count = 0
        return state
    }

    @Test("a new item does not inherit state of the previous one", arguments: Before.allCases)
    func nothingIsInherited(_ before: Before) {
        var (used, unused) = (viewer(after: before), fresh())
        unused.now = used.now
        for _ in 0..<2 {
            used.press(.mute)
            unused.press(.mute)
        }
        #expect(openSecond(&used) == openSecond(&unused), "\(before)")
        let script: [(RemoteKey?, Duration)] = [
            (nil, .milliseconds(300)), (nil, .seconds(10)), (.up, .seconds(6)), (nil, .seconds(5)), (.right, .seconds(3)),
            (.ok, .seconds(9)),
            (.left, .milliseconds(500)), (.right, .seconds(3)), (.down, .seconds(1)), (.back, .seconds(1)), (.pause, .seconds(1)),
            (.right, .seconds(1)),
            (.back, .seconds(1)), (.play, .seconds(6)),
        ]
        for (index, step) in script.enumerated() {
            let counts = (used.effects.count, unused.effects.count)
            if let key = step.0 { #expect(used.press(key) == unused.press(key)) }
            used.run(step.1)
            unused.run(step.1)
            #expect(shown(used) == shown(unused), "step \(index) after \(before)")
            #expect(
                used.effects[counts.0...].compactMap(told) == unused.effects[counts.1...].compactMap(told),
                "step \(index) after \(before)")
        }
    }

    @Test("leaving an item ends all of its state", arguments: Before.allCases)
    func nothingRemainsOnHome(_ before: Before) {
        var viewer = viewer(after: before)
        let presented = viewer.presentations.count { $0.hasPrefix("will") }
        viewer.send(.itemChanged(nil))
        #expect(viewer.machine.stage.viewing.played.item == nil && viewer.state.screen == .home)
        #expect(
            viewer.state.card == nil && viewer.state.panel == nil && viewer.state.longText == nil && viewer.state.video == .hidden
        )
        #expect(viewer.machine.currentPlace == nil && !viewer.machine.isPausedByViewer && !viewer.machine.requiresLinearPlayback)
        #expect(viewer.presentations.count { $0.hasPrefix("did") } >= presented, "each presentation that started has ended")
        viewer.run(.seconds(1))
        let left: Set<InterfaceTimer> = [.toast, .refusal, .volume, .hold, .minute, .screenSaver]
        #expect(viewer.timers.keys.allSatisfy { left.contains($0) }, "\(viewer.timers.keys)")
    }

    @Test("what becomes known about an item that the viewer has left neither seeks nor holds in the next one")
    func lateUpdate() {
        var viewer = viewer(after: .scanning)
        viewer.send(.homeChanged(Items.channels))
        viewer.effects = []
        viewer.press(.channelUp)
        let opened: [String] = viewer.effects.compactMap { if case .open(let id) = $0 { id } else { nil } }
        #expect(opened.count == 1)
        viewer.effects = []
        viewer.send(.itemUpdated(Self.item("first")))
        #expect(viewer.effects.isEmpty && viewer.machine.stage.viewing.played.opening?.id == opened.first)
    }
}

/// Requests to the player that are repeated or withdrawn when the position changes.
@Suite struct StaleOrderTests {
    @Test("after a jump back before an enforced range has started, its saved target is forgotten")
    func jumpBack() {
        var viewer = Viewer(watching: Items.episode(), at: 15)
        viewer.seekLatency = .milliseconds(400)
        viewer.command(.skip(.seconds(20)))
        viewer.run(.milliseconds(100))
        #expect(viewer.exactSeeks == [.seconds(20)])
        viewer.command(.changePlaybackPosition(.seconds(17)))
        viewer.run(.milliseconds(600))
        #expect(viewer.exactSeeks == [.seconds(20), .seconds(17)])
        viewer.run(.seconds(16))
        #expect(viewer.exactSeeks.count == 2, "playback continues after the range without a seek")
        #expect(viewer.presentations == ["will a1", "did a1 completed"])
        #expect(viewer.lastShown > .seconds(30) && viewer.lastShown < .seconds(36))
    }

    @Test("a jump back out of an enforced range also forgets its saved target")
    func jumpBackFromInside() {
        var viewer = Viewer(watching: Items.episode(interstitials: [Items.ad("a1", 20, kind: .promo)]), at: 15)
        viewer.command(.skip(.seconds(20)))
        viewer.run(.seconds(2))
        #expect(viewer.boundary == .seconds(30))
        viewer.command(.changePlaybackPosition(.seconds(10)))
        viewer.run(.seconds(1))
        #expect(viewer.boundary == nil)
        #expect(viewer.machine.currentPlace?.time ?? .zero < .seconds(12))
        viewer.run(.seconds(22))
        #expect(viewer.exactSeeks == [.seconds(20), .seconds(10)])
    }

    @Test("a reopened player gets the boundary again")
    func rebuild() {
        var viewer = Viewer(watching: Items.episode(interstitials: [Items.ad("a1", 20)], watched: ["a1"]), at: 10)
        viewer.run(.milliseconds(200))
        #expect(viewer.boundary == .seconds(20))
        viewer.effects = []
        let place = viewer.position
        viewer.position = nil
        viewer.boundary = nil
        viewer.tell()
        viewer.position = place
        viewer.tell()
        #expect(viewer.effects.contains(.setForwardBoundary(at: .seconds(20))))
        #expect(viewer.boundary == .seconds(20))
    }

    @Test("the boundary is at the start of the range, and moves with the position")
    func boundaries() {
        let ads = [Items.ad("a1", 20), Items.ad("a2", 60)]
        var viewer = Viewer(watching: Items.episode(interstitials: ads, watched: ["a1", "a2"]), at: 10)
        viewer.run(.milliseconds(100))
        #expect(viewer.boundary == .seconds(20))
        viewer.run(.seconds(11))
        #expect(viewer.boundary == .seconds(60))
        viewer.place(.seconds(75))
        viewer.run(.milliseconds(100))
        #expect(viewer.boundary == nil)
        viewer.place(.seconds(12))
        viewer.run(.milliseconds(100))
        #expect(viewer.boundary == .seconds(20))
    }

    @Test("a range counts as watched at 95 percent, and not before")
    func watchedAt() {
        var viewer = Viewer(watching: Items.episode(), at: 19)
        viewer.place(.seconds(20))
        viewer.place(.milliseconds(29_480))
        viewer.effects = []
        viewer.tell()
        #expect(!viewer.effects.contains(.watched(interstitial: "a1")))
        viewer.position = .milliseconds(29_500)
        viewer.tell()
        #expect(viewer.effects.contains(.watched(interstitial: "a1")))
    }

    @Test("Skip is offered from its offset, for its duration")
    func skipWindow() {
        let skip = Interstitial.SkipControl(offset: .seconds(3), duration: .seconds(2))
        var viewer = Viewer(watching: Items.episode(interstitials: [Items.ad("a1", 20, skip: skip)]), at: 19)
        func offers(at place: MediaTime) -> Bool {
            viewer.position = place
            viewer.tell()
            return viewer.state.action?.kind == .skipInterstitial
        }
        #expect(!offers(at: .seconds(20)) && !offers(at: .milliseconds(22_999)))
        #expect(offers(at: .seconds(23)) && offers(at: .milliseconds(24_999)))
        #expect(!offers(at: .seconds(25)))
    }
}
