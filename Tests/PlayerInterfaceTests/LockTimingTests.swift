import BoxModel
import LinuxSupport
import MediaTime
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

/// Waiting times of the PIN, and how long a right PIN is valid.
@Suite struct PINTimingTests {
    private func asked() -> Viewer {
        var policy = InterfacePolicy()
        policy.hasPIN = true
        var viewer = Viewer(policy: policy)
        viewer.locked = ["m1"]
        viewer.send(.homeChanged(Items.home))
        viewer.command(.open(id: "m1"))
        return viewer
    }

    private func type(_ digits: String, on viewer: inout Viewer) {
        for digit in digits { viewer.press(RemoteKey(rawValue: String(digit))!, for: .zero) }
    }

    @Test("the wait is 300 seconds, and is counted down")
    func wait() {
        var viewer = asked()
        for _ in 0..<5 { type("0000", on: &viewer) }
        #expect(viewer.state.pin?.warning == "Too many tries. Try again in 5:00.")
        viewer.run(.milliseconds(999))
        #expect(viewer.state.pin?.warning == "Too many tries. Try again in 5:00.")
        viewer.run(.milliseconds(1))
        #expect(viewer.state.pin?.warning == "Too many tries. Try again in 4:59.")
        // Without a key the screen saver would cover the page at the same instant.
        viewer.press(.up, for: .zero)
        viewer.run(.milliseconds(298_999))
        #expect(viewer.state.pin?.isLocked == true)
        viewer.run(.milliseconds(1))
        #expect(viewer.state.pin?.isLocked == false)
        #expect(viewer.state.pin?.warning == "Wrong PIN. 5 tries left.")
        type("2468", on: &viewer)
        #expect(viewer.effects.contains(.unlock(id: "m1")))
    }

    @Test("failures before a power cut still count")
    func restored() {
        for (failures, isLocked) in [(0, false), (4, false), (5, true), (6, false), (10, true)] {
            var viewer = asked()
            viewer.send(.pinFailuresRestored(failures))
            #expect(viewer.state.pin?.isLocked == isLocked, "\(failures)")
        }
        var viewer = asked()
        viewer.send(.pinFailuresRestored(9))
        type("0000", on: &viewer)
        #expect(viewer.state.pin?.isLocked == true)
        #expect(viewer.effects.contains(.savePINFailures(10)))
    }

    @Test("no digit is accepted during a check, and an answer without a request changes nothing")
    func checking() {
        var policy = InterfacePolicy()
        policy.hasPIN = true
        var machine = InterfaceMachine(policy: policy)
        let now = HostTime(nanoseconds: 1_000_000_000)
        func key(_ key: RemoteKey, _ machine: inout InterfaceMachine) -> [InterfaceEffect] {
            machine.handle(.command(.key(key), origin: "web"), at: now)
        }
        _ = machine.handle(.pinChecked(true), at: now)
        _ = machine.handle(.locked(HomeContent.Entry(id: "m1", title: "Film"), rating: nil), at: now)
        for _ in 0..<3 { #expect(key(.digit1, &machine) == [.answer(.success)]) }
        #expect(machine.handle(.pinChecked(true), at: now).isEmpty)
        #expect(machine.state.pin?.enteredCount == 3)
        #expect(key(.digit1, &machine).contains(.checkPIN("1111")))
        #expect(key(.digit1, &machine).contains(.answer(.failed(.notReady))))
        #expect(machine.handle(.pinChecked(false), at: now).contains(.savePINFailures(1)))
        #expect(machine.state.pin?.enteredCount == 0)
        #expect(machine.state.pin?.warning == "Wrong PIN. 4 tries left.")
        #expect(key(.digit1, &machine).contains(.answer(.success)))
        #expect(machine.state.pin?.warning == nil)
    }

    @Test("Delete removes the last digit, and Cancel leaves the page and the programme")
    func deleteAndCancel() {
        var viewer = asked()
        for _ in 0..<3 { viewer.press(.down) }
        viewer.press(.left)
        #expect(viewer.press(.ok) == .failed(.noChange))
        type("24", on: &viewer)
        viewer.press(.ok)
        #expect(viewer.state.pin?.enteredCount == 1)
        #expect(viewer.press(.down) == .failed(.noChange) && viewer.press(.left) == .failed(.noChange))
        viewer.effects = []
        for _ in 0..<2 { viewer.press(.right) }
        viewer.press(.ok)
        #expect(viewer.state.pin == nil && viewer.state.screen == .home)
        #expect(viewer.effects.contains(.leavePlayer))
    }

    @Test("the page of the limit stays unlocked until standby")
    func parental() {
        var policy = InterfacePolicy()
        policy.hasPIN = true
        var viewer = Viewer(policy: policy)
        viewer.press(.ok)
        viewer.choose("Parental Controls")
        type("2468", on: &viewer)
        viewer.press(.back)
        viewer.choose("Parental Controls")
        #expect(viewer.state.pin == nil && viewer.state.settings?.page == "parental")
        viewer.press(.power)
        viewer.press(.ok)
        viewer.press(.ok)
        viewer.choose("Parental Controls")
        #expect(viewer.state.pin != nil)
    }
}

/// Sleep timer, long pauses and "Still watching?": on both sides of each limit.
@Suite struct SleepTimingTests {
    private func watching(_ item: ItemPresentation = Items.episode(interstitials: [], duration: 6000)) -> Viewer {
        Viewer(watching: item, at: 10)
    }

    @Test("the card appears a minute before, counts down, and the box sleeps after that minute")
    func sleepTimer() {
        var viewer = watching()
        viewer.openTab(.picture)
        viewer.choose("Sleep Timer")
        viewer.choose("15 minutes")
        let asked = viewer.now + .milliseconds(-40)  // the press, whose release came 40 ms later
        viewer.press(.back)
        viewer.now = asked + .seconds(840) + .milliseconds(-41)
        viewer.run(.milliseconds(40))
        #expect(viewer.state.card == nil)
        viewer.run(.milliseconds(1))
        #expect(viewer.state.card?.kind == .sleepTimer)
        #expect(viewer.state.card?.message?.contains("1:00") == true)
        viewer.run(.seconds(1))
        #expect(viewer.state.card?.message?.contains("0:59") == true)
        viewer.run(.milliseconds(58_999))
        #expect(viewer.state.screen == .player)
        viewer.run(.milliseconds(1))
        #expect(viewer.state.screen == .standby)
        viewer.press(.ok)
        viewer.press(.menu)
        #expect(viewer.menu?.rows.first { $0.title == "Sleep Timer" }?.value == "Off")
    }

    @Test("Sleep Now and Off do what they say")
    func sleepCard() {
        var viewer = watching()
        viewer.machine.setSleep(.minutes(15))
        viewer.pass(.seconds(850))
        var other = viewer
        viewer.press(.right)
        viewer.press(.ok)
        #expect(viewer.state.screen == .standby)
        other.press(.back)
        #expect(other.state.card == nil)
        other.pass(.seconds(100))
        #expect(other.state.screen == .player)
    }

    @Test("the value of the sleep timer is in whole minutes, rounded up")
    func sleepValue() {
        var viewer = watching()
        viewer.press(.back)
        viewer.machine.setSleep(.minutes(30))
        func value(_ viewer: Viewer) -> String? { viewer.menu?.rows.first { $0.title == "Sleep Timer" }?.value }
        viewer.press(.menu, for: .zero)
        #expect(value(viewer) == "30 minutes")
        viewer.now = viewer.now + .milliseconds(28 * 60_000 - 1)
        viewer.press(.down, for: .zero)
        #expect(value(viewer) == "3 minutes")
        viewer.now = viewer.now + .milliseconds(1)
        viewer.press(.down, for: .zero)
        #expect(value(viewer) == "2 minutes")
        viewer.machine.setSleep(.endOfItem)
        viewer.press(.up, for: .zero)
        #expect(value(viewer) == "End of programme")
    }

    @Test("a pause dims after 600 s and sleeps after 1800 s, counted from the last key")
    func longPause() {
        var viewer = watching()
        viewer.press(.pause, for: .zero)
        viewer.now = viewer.now + .milliseconds(599_999)
        viewer.run(.zero)
        viewer.tell()
        #expect(viewer.state.video.dimPercent == 0)
        viewer.now = viewer.now + .milliseconds(1)
        viewer.tell()
        #expect(viewer.state.video.dimPercent > 0)
        viewer.press(.up, for: .zero)
        #expect(viewer.state.video.dimPercent == 0, "a key restarts the count")
        viewer.now = viewer.now + .milliseconds(1_799_999)
        viewer.tell()
        #expect(viewer.state.screen == .player)
        viewer.now = viewer.now + .milliseconds(1)
        viewer.tell()
        #expect(viewer.state.screen == .standby)
    }

    @Test("the question needs three automatic acceptances and 5400 s: fewer or less do not ask")
    func stillWatching() {
        let item = Items.episode(interstitials: [], proposal: ProposalTests.offer(at: 5950, accepts: 0), duration: 6000)
        for (acceptances, idle, asks) in [(3, 5400, true), (2, 5400, false), (3, 5300, false)] {
            var viewer = Viewer(watching: item, at: 5940)
            viewer.press(.up)
            for _ in 0..<acceptances { viewer.machine.activity.proposalAcceptedItself() }
            viewer.now = viewer.now + .seconds(Int64(idle))
            viewer.run(.seconds(70))
            #expect((viewer.state.card?.kind == .stillWatching) == asks, "\(acceptances) \(idle)")
        }
    }

    @Test("live asks exactly after the time in the feed, and never if the viewer turned time limits off")
    func liveIdle() {
        var viewer = Viewer(watching: Items.live(), at: 30)
        viewer.changePolicy { $0.asksAfter = .seconds(3600) }
        viewer.seekable = [TimeRange(start: .zero, end: .seconds(30))]
        viewer.press(.up, for: .zero)
        let pressed = viewer.now
        var patient = viewer
        patient.send(.settingsRestored(ViewerSettings(entries: [("interface.patience", "endless")])))
        viewer.now = pressed + .milliseconds(3_599_999)
        viewer.tell()
        #expect(viewer.state.card == nil)
        viewer.now = pressed + .seconds(3600)
        viewer.tell()
        #expect(viewer.state.card?.kind == .stillWatching)
        patient.now = pressed + .seconds(3700)
        patient.tell()
        #expect(patient.state.card == nil)
    }

    @Test("the question waits 300 s for an answer")
    func answer() {
        var viewer = Viewer(watching: Items.live(), at: 30)
        viewer.changePolicy { $0.asksAfter = .seconds(3600) }
        viewer.seekable = [TimeRange(start: .zero, end: .seconds(30))]
        viewer.now = viewer.now + .seconds(3700)
        viewer.tell()
        #expect(viewer.state.card?.kind == .stillWatching)
        viewer.run(.milliseconds(299_999))
        #expect(viewer.state.card?.kind == .stillWatching)
        viewer.run(.milliseconds(1))
        #expect(viewer.state.screen == .standby)
    }
}
