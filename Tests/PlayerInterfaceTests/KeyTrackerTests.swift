import BoxModel
import LinuxSupport
import Testing

@testable import Shell
@testable import Viewing

/// The meaning of presses and releases, without any screen.
@Suite struct KeyTrackerTests {
    private let start = HostTime(nanoseconds: 5_000_000_000)

    private func event(_ key: RemoteKey, _ phase: KeyPhase = .press, device: String = "event3", sendsReleases: Bool = true)
        -> RemoteEvent
    {
        RemoteEvent(key: key, phase: phase, time: start, device: device, sendsReleases: sendsReleases)
    }

    private func deadline(_ timer: InterfaceTimer, of tracker: KeyTracker) -> HostTime? {
        tracker.deadlines.first { $0.timer == timer }?.deadline
    }

    @Test("a key that acts on its press does nothing on its release, however long it was down")
    func press() {
        var tracker = KeyTracker()
        #expect(tracker.press(event(.ok), as: .press, at: start) == [.press(.ok)])
        #expect(tracker.isDown && tracker.tapOrHold == nil && tracker.undecided == nil)
        #expect(deadline(.hold, of: tracker) == nil)
        #expect(tracker.holdTimeIsOver(isHold: true) == nil)
        #expect(tracker.release(event(.ok, .release)) == nil)
        #expect(!tracker.isDown)
    }

    @Test("a key with a hold is a tap when released before the hold, and a hold after 400 ms")
    func tapOrHold() {
        for role in [KeyRole.tapOrHold, .pressOrHold] {
            var tracker = KeyTracker()
            #expect(tracker.press(event(.left), as: role, at: start) == [.began(.left)])
            #expect(tracker.undecided == .left && tracker.tapOrHold == .left)
            #expect(deadline(.hold, of: tracker) == start + .milliseconds(400))
            var held = tracker
            #expect(tracker.release(event(.left, .release)) == .tap(.left))
            #expect(held.holdTimeIsOver(isHold: true) == .holdBegan(.left))
            #expect(held.undecided == nil && held.tapOrHold == .left && deadline(.hold, of: held) == nil)
            #expect(held.release(event(.left, .release)) == .holdEnded(.left))
        }
    }

    @Test("a key that could not be held when the timer fired stays a tap, and the timer does not restart")
    func noHold() {
        var tracker = KeyTracker()
        _ = tracker.press(event(.left), as: .tapOrHold, at: start)
        #expect(tracker.holdTimeIsOver(isHold: false) == nil)
        #expect(tracker.undecided == .left && deadline(.hold, of: tracker) == nil)
        #expect(tracker.release(event(.left, .release)) == .tap(.left))
    }

    @Test("a repeated press has no meaning, and another key or device releases the first")
    func makeWay() {
        var tracker = KeyTracker()
        _ = tracker.press(event(.left), as: .tapOrHold, at: start)
        #expect(tracker.makeWay(for: event(.left), at: start) == nil)
        #expect(tracker.press(event(.left), as: .tapOrHold, at: start).isEmpty)
        var other = tracker
        #expect(tracker.makeWay(for: event(.ok), at: start) == .tap(.left))
        #expect(other.makeWay(for: event(.left, device: "event4"), at: start) == .tap(.left))
        #expect(!tracker.isDown && !other.isDown)
        #expect(tracker.release(event(.left, .release)) == nil)
    }

    @Test("the release of another key or of another device does not release this key")
    func otherReleases() {
        var tracker = KeyTracker()
        _ = tracker.press(event(.left), as: .tapOrHold, at: start)
        #expect(tracker.release(event(.right, .release)) == nil)
        #expect(tracker.release(event(.left, .release, device: "event4")) == nil)
        #expect(tracker.isDown)
    }

    @Test("repeats come eight times a second, and twenty times after two seconds")
    func repeats() {
        var tracker = KeyTracker()
        let again = event(.down, .repeat)
        #expect(tracker.repeat(again, at: start) == nil)
        _ = tracker.press(event(.down), as: .press, at: start)
        #expect(tracker.repeat(again, at: start + .milliseconds(124)) == nil)
        #expect(tracker.repeat(again, at: start + .milliseconds(125)) == .repeated(.down))
        #expect(tracker.repeat(again, at: start + .milliseconds(249)) == nil)
        #expect(tracker.repeat(event(.down, .repeat, device: "event4"), at: start + .seconds(1)) == nil)
        #expect(tracker.repeat(again, at: start + .milliseconds(1960)) == .repeated(.down))
        #expect(tracker.repeat(again, at: start + .milliseconds(2009)) == nil)
        #expect(tracker.repeat(again, at: start + .milliseconds(2010)) == .repeated(.down))
    }

    @Test("without releases a tap is complete at once, and presses in quick succession are one hold")
    func withoutReleases() {
        var tracker = KeyTracker()
        let press = event(.right, sendsReleases: false)
        #expect(tracker.press(press, as: .tapOrHold, at: start) == [.began(.right), .tap(.right)])
        #expect(!tracker.isHeldWithoutReleases && deadline(.holdEnds, of: tracker) == nil)
        var late = tracker
        #expect(late.press(press, as: .tapOrHold, at: start + .milliseconds(551)) == [.began(.right), .tap(.right)])
        let second = start + .milliseconds(550)
        #expect(tracker.press(press, as: .press, at: second) == [.holdBegan(.right)], "whatever the key could mean by now")
        #expect(tracker.isHeldWithoutReleases && deadline(.holdEnds, of: tracker) == second + .milliseconds(550))
        let third = second + .milliseconds(550)
        #expect(tracker.makeWay(for: press, at: third) == nil)
        #expect(tracker.press(press, as: .tapOrHold, at: third) == [.holdContinued(.right)])
        #expect(deadline(.holdEnds, of: tracker) == third + .milliseconds(550))
        var other = tracker
        #expect(other.makeWay(for: event(.ok, sendsReleases: false), at: third) == .holdEnded(.right))
        #expect(other.unreleasedHoldIsOver() == nil)
        #expect(tracker.unreleasedHoldIsOver() == .holdEnded(.right))
        #expect(deadline(.holdEnds, of: tracker) == nil)
    }

    @Test("without releases a key with two meanings acts on its press, and its hold ends at once")
    func pressOrHoldWithoutReleases() {
        var tracker = KeyTracker()
        let press = event(.subtitle, sendsReleases: false)
        #expect(tracker.press(press, as: .pressOrHold, at: start) == [.press(.subtitle)])
        #expect(tracker.press(press, as: .pressOrHold, at: start) == [.holdBegan(.subtitle)])
        #expect(!tracker.isHeldWithoutReleases)
        #expect(tracker.press(press, as: .pressOrHold, at: start) == [.press(.subtitle)], "a third press starts anew")
        #expect(tracker.press(press, as: .press, at: start) == [.press(.subtitle)], "nothing can be held here")
    }
}
