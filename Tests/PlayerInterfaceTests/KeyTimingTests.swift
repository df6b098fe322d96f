import BoxModel
import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Shell
@testable import Viewing

/// When a press becomes a hold, a double press or an operator's sequence: on both sides of each limit.
@Suite struct KeyTimingTests {
    private func withSubtitles() -> Viewer {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.options = Items.options
        viewer.run(.milliseconds(80))
        viewer.effects = []
        return viewer
    }

    private func asksForReplay(_ viewer: Viewer) -> Bool { viewer.effects.contains(.showCaptionsForReplay(true)) }

    private func choosesSubtitles(_ viewer: Viewer) -> Bool {
        viewer.effects.contains { if case .selectSubtitles = $0 { true } else { false } }
    }

    @Test("Subtitle held for 400 ms asks what they said; released earlier, it selects the next captions")
    func subtitleHeld() {
        var viewer = withSubtitles()
        viewer.down(.subtitle)
        viewer.run(.milliseconds(399))
        #expect(!asksForReplay(viewer))
        var early = viewer
        early.up(.subtitle)
        #expect(choosesSubtitles(early) && !asksForReplay(early))
        viewer.run(.milliseconds(1))
        #expect(asksForReplay(viewer))
        viewer.up(.subtitle)
        #expect(!choosesSubtitles(viewer))
    }

    @Test("without releases two presses of Subtitle up to 550 ms apart are a hold")
    func subtitlePair() {
        for (gap, isHold) in [(550, true), (551, false)] {
            var viewer = withSubtitles()
            viewer.down(.subtitle, sendsReleases: false)
            viewer.run(.milliseconds(Int64(gap)))
            viewer.effects = []
            viewer.down(.subtitle, sendsReleases: false)
            #expect(asksForReplay(viewer) == isHold, "\(gap) ms")
            #expect(choosesSubtitles(viewer) != isHold, "\(gap) ms")
        }
    }

    @Test("without releases two presses of an arrow up to 550 ms apart are a hold")
    func arrowPair() {
        for (gap, isHold) in [(550, true), (551, false)] {
            var viewer = Viewer(watching: Items.plain, at: 30)
            viewer.down(.right, sendsReleases: false)
            viewer.run(.milliseconds(Int64(gap)))
            viewer.down(.right, sendsReleases: false)
            #expect((viewer.state.bar?.scrub != nil) == isHold, "\(gap) ms")
        }
    }

    @Test("two presses of different arrows, or on two devices, are not a hold")
    func noPair() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.down(.right, sendsReleases: false)
        viewer.run(.milliseconds(200))
        viewer.down(.left, sendsReleases: false)
        #expect(viewer.state.bar?.scrub == nil)
        viewer.run(.milliseconds(200))
        viewer.send(.key(RemoteEvent(key: .left, phase: .press, time: viewer.now, device: "cec", sendsReleases: false)))
        #expect(viewer.state.bar?.scrub == nil)
    }

    @Test("without releases a hold ends 550 ms after its last press")
    func unreleasedHoldEnds() {
        var viewer = Viewer(watching: Items.episode(interstitials: [], duration: 3000), at: 30)
        viewer.press(.pause)
        viewer.run(.seconds(1))
        func content(_ viewer: Viewer) -> MediaTime? { viewer.machine.searchContent }
        viewer.down(.right, sendsReleases: false)
        viewer.run(.milliseconds(500))
        viewer.down(.right, sendsReleases: false)
        viewer.run(.milliseconds(549))
        let moving = content(viewer)
        viewer.run(.milliseconds(1))
        viewer.run(.seconds(2))
        #expect(content(viewer) == moving, "two steps of a held scrub fit into 550 ms, and no step comes after them")
        #expect(viewer.state.bar?.scrub != nil)
    }

    @Test("another key releases the first, whose tap counts")
    func anotherKey() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.down(.right)
        viewer.run(.milliseconds(100))
        viewer.down(.pause)
        #expect(viewer.exactSeeks.count == 1)
        #expect(!viewer.isPlaying)
        viewer.up(.pause)
        viewer.up(.right)
        #expect(viewer.exactSeeks.count == 1)
    }

    @Test("a key pressed on another device also releases the first")
    func anotherDevice() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.down(.right)
        viewer.send(.key(RemoteEvent(key: .right, phase: .press, time: viewer.now, device: "other")))
        #expect(viewer.exactSeeks.count == 1)
        viewer.up(.right)
        #expect(viewer.exactSeeks.count == 1, "the release is reported for the first device, whose key is released")
        viewer.send(.key(RemoteEvent(key: .right, phase: .release, time: viewer.now, device: "other")))
        #expect(viewer.exactSeeks.count == 2)
    }

    @Test("no hold starts under a card, and a key released there does nothing")
    func underACard() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.down(.right)
        viewer.run(.milliseconds(200))
        viewer.failure = MediaError(.sourceMissing, "It is gone.")
        viewer.run(.milliseconds(400))
        #expect(viewer.state.card != nil && viewer.machine.searchContent == nil)
        #expect(Viewer.answer(in: viewer.up(.right)) == .failed(.notSupported))
        #expect(viewer.exactSeeks.isEmpty)
    }

    @Test("repeats of a key that is not down do nothing")
    func strayRepeats() {
        var viewer = Viewer()
        viewer.send(.homeChanged(Items.home))
        let focus = viewer.state.home?.focus
        viewer.send(.key(RemoteEvent(key: .right, phase: .repeat, time: viewer.now, device: "test")))
        #expect(viewer.state.home?.focus == focus)
        viewer.down(.right)
        viewer.run(.milliseconds(200))
        viewer.send(.key(RemoteEvent(key: .right, phase: .repeat, time: viewer.now, device: "other")))
        #expect(viewer.state.home?.focus == .entry(row: 0, column: 1))
    }

    @Test("a repeat moves a list 125 ms after the last move, not before")
    func repeatPace() {
        var viewer = Viewer()
        viewer.send(.homeChanged(Items.home))
        func again(_ viewer: inout Viewer) {
            viewer.send(.key(RemoteEvent(key: .right, phase: .repeat, time: viewer.now, device: "test")))
        }
        viewer.down(.right)
        viewer.run(.milliseconds(124))
        again(&viewer)
        #expect(viewer.state.home?.focus == .entry(row: 0, column: 1))
        viewer.run(.milliseconds(1))
        again(&viewer)
        #expect(viewer.state.home?.focus == .entry(row: 0, column: 2))
    }

    @Test("the bar does not hide while a key is down, and a repeat does not count as a key press")
    func fingerOnTheBar() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.press(.up)
        viewer.run(.seconds(3))
        viewer.down(.up)
        for _ in 0..<20 {
            viewer.run(.milliseconds(100))
            viewer.send(.key(RemoteEvent(key: .up, phase: .repeat, time: viewer.now, device: "test")))
        }
        viewer.run(.milliseconds(1999))
        #expect(viewer.state.bar != nil)
        viewer.run(.milliseconds(1))
        #expect(viewer.state.bar == nil)
    }
}

/// How the operator of a kiosk gets to the PIN.
@Suite struct OperatorKeyTests {
    private static let sequence: [RemoteKey] = [.up, .up, .down, .down, .ok]

    private func kiosk(isKiosk: Bool = true) -> Viewer {
        var policy = InterfacePolicy(isKiosk: isKiosk)
        policy.hasPIN = true
        var viewer = Viewer(watching: Items.episode(interstitials: [], duration: 3000), at: 10, policy: policy)
        viewer.run(.seconds(6))
        return viewer
    }

    private func press(_ keys: [RemoteKey], on viewer: inout Viewer) { for key in keys { viewer.press(key) } }

    @Test("both keys must be down for five seconds")
    func chord() {
        var viewer = kiosk()
        viewer.down(.back)
        viewer.run(.milliseconds(100))
        viewer.down(.ok)
        viewer.run(.milliseconds(4999))
        #expect(viewer.state.pin == nil)
        var early = viewer
        early.up(.back)
        early.run(.seconds(1))
        #expect(early.state.pin == nil)
        viewer.run(.milliseconds(1))
        #expect(viewer.state.pin != nil)
    }

    @Test("a key in between cancels the sequence, a key before it does not")
    func sequence() {
        var viewer = kiosk()
        press([.up, .up, .down, .info, .down, .ok], on: &viewer)
        #expect(viewer.state.pin == nil)
        viewer = kiosk()
        press([.up] + Self.sequence, on: &viewer)
        #expect(viewer.state.pin != nil)
    }

    @Test("a box that is not a kiosk has neither")
    func noKiosk() {
        var viewer = kiosk(isKiosk: false)
        press(Self.sequence, on: &viewer)
        #expect(viewer.state.pin == nil)
        viewer.down(.back)
        viewer.down(.ok)
        viewer.run(.seconds(6))
        #expect(viewer.state.pin == nil)
    }

    @Test("an operator who entered the PIN is not asked again until standby")
    func known() {
        var viewer = kiosk()
        press(Self.sequence + [.digit2, .digit4, .digit6, .digit8], on: &viewer)
        #expect(viewer.state.settings != nil)
        viewer.press(.back)
        press(Self.sequence, on: &viewer)
        #expect(viewer.state.settings != nil && viewer.state.pin == nil)
        viewer.press(.power)
        viewer.press(.ok)
        press(Self.sequence, on: &viewer)
        #expect(viewer.state.settings == nil && viewer.state.pin != nil)
    }

    @Test("the sequence has no effect while the PIN is requested")
    func whileAsked() {
        var viewer = kiosk()
        press(Self.sequence, on: &viewer)
        viewer.press(.digit2)
        press(Self.sequence, on: &viewer)
        #expect((viewer.state.pin?.enteredCount ?? 0) > 1, "OK types the focused digit")
    }
}
