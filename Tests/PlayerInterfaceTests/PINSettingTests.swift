import BoxModel
import LinuxSupport
import MediaTime
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

/// A PIN that a viewer sets, changes and removes on the television.
@Suite struct PINSettingTests {
    private func viewer(hasPIN: Bool = false, setsPIN: Bool = true, isKiosk: Bool = false) -> Viewer {
        var policy = InterfacePolicy(isKiosk: isKiosk)
        (policy.hasPIN, policy.setsPIN) = (hasPIN, setsPIN)
        var viewer = Viewer(policy: policy)
        viewer.send(.homeChanged(Items.home))
        viewer.effects = []
        return viewer
    }

    private func type(_ digits: String, _ viewer: inout Viewer) {
        for digit in digits { viewer.press(RemoteKey(rawValue: String(digit))!) }
    }

    private func saved(_ viewer: Viewer) -> [String?] {
        viewer.effects.compactMap { effect -> String?? in if case .savePIN(let digits) = effect { .some(digits) } else { nil } }
    }

    private func openParental(_ viewer: inout Viewer) {
        viewer.press(.menu)
        viewer.choose("Parental Controls")
    }

    @Test func itIsTypedTwiceAndStoredOnce() {
        var viewer = viewer()
        openParental(&viewer)
        #expect(viewer.menu?.rows.map(\.title) == ["Create PIN", "Ask for PIN"] && viewer.menu?.rows[1].isEnabled == false)
        viewer.choose("Create PIN")
        #expect(viewer.state.pin?.title == "New PIN")
        type("135", &viewer)
        #expect(viewer.state.pin?.enteredCount == 3 && saved(viewer).isEmpty)
        type("7", &viewer)
        #expect(viewer.state.pin?.title == "Repeat PIN" && viewer.state.pin?.enteredCount == 0)
        type("1357", &viewer)
        #expect(saved(viewer) == ["1357"] && viewer.state.pin == nil && viewer.state.settings?.page == "parental")
        viewer.changePolicy { $0.hasPIN = true }
        #expect(viewer.menu?.rows.map(\.title) == ["Ask for PIN", "Change PIN", "Remove PIN"])
        #expect(viewer.menu?.rows[0].isEnabled == true)
    }

    @Test func anotherRepeatIsToldAndBeginsAnew() {
        var viewer = viewer()
        openParental(&viewer)
        viewer.choose("Create PIN")
        type("13571358", &viewer)
        #expect(viewer.state.pin?.title == "New PIN" && viewer.state.pin?.warning?.isEmpty == false)
        #expect(saved(viewer).isEmpty)
        type("1", &viewer)
        #expect(viewer.state.pin?.warning == nil, "the first digit answers it")
        type("1112222", &viewer)
        #expect(viewer.state.pin?.title == "New PIN" && saved(viewer).isEmpty)
        type("44444444", &viewer)
        #expect(saved(viewer) == ["4444"])
        #expect(!viewer.effects.contains { if case .savePINFailures = $0 { true } else { false } }, "these were no tries")
    }

    @Test func backUndoesStepByStep() {
        var viewer = viewer()
        openParental(&viewer)
        viewer.choose("Create PIN")
        type("135799", &viewer)
        #expect(viewer.state.pin?.title == "Repeat PIN")
        viewer.press(.back)
        #expect(viewer.state.pin?.title == "New PIN" && viewer.state.pin?.enteredCount == 0 && viewer.state.pin?.warning == nil)
        viewer.press(.back)
        #expect(viewer.state.pin == nil && viewer.state.settings?.page == "parental" && saved(viewer).isEmpty)
    }

    /// Whoever stands before it may be a child: a new PIN opens nothing by itself.
    @Test func whatIsLockedStaysLockedUntilAPINOfSettingsOpensIt() {
        var viewer = viewer()
        viewer.locked = ["m1"]
        viewer.command(.open(id: "m1"))
        #expect(viewer.state.pin == nil && viewer.state.screen == .home)
        #expect(viewer.state.toast == "Locked. To open it, create a PIN in Settings.")
        #expect(!viewer.effects.contains(.unlock(id: "m1")) && saved(viewer).isEmpty)
        openParental(&viewer)
        viewer.choose("Create PIN")
        type("24682468", &viewer)
        #expect(saved(viewer) == ["2468"] && !viewer.effects.contains(.unlock(id: "m1")))
        viewer.changePolicy { $0.hasPIN = true }
        viewer.command(.open(id: "m1"))
        #expect(viewer.state.pin?.title == "Enter PIN" && !viewer.effects.contains(.unlock(id: "m1")))
    }

    /// No digit is further away than three presses.
    @Test func focusBeginsInTheMiddleOfThePad() {
        var viewer = viewer()
        openParental(&viewer)
        viewer.choose("Create PIN")
        #expect(viewer.state.pin?.focus == .key(row: 1, column: 1) && viewer.state.pin?.keys[1][1] == "5")
    }

    @Test(arguments: [(nil, "Off"), (13, "Above age 13")] as [(Int?, String)])
    func theDefaultSaysWhatItIs(_ age: Int?, _ words: String) {
        var viewer = viewer(hasPIN: true)
        viewer.changePolicy { $0.configuredAge = age }
        viewer.press(.menu)
        viewer.choose("Parental Controls")
        type(Viewer.rightPIN, &viewer)
        #expect(viewer.menu?.rows.first?.value == words)
        viewer.choose("Ask for PIN")
        #expect(viewer.menu?.rows.first?.title == "Default (\(words))")
    }

    @Test func anotherPINNeedsTheOneInForce() {
        var viewer = viewer(hasPIN: true)
        viewer.press(.menu)
        viewer.choose("Parental Controls")
        type(Viewer.rightPIN, &viewer)
        viewer.choose("Change PIN")
        #expect(viewer.state.pin?.title == "Current PIN")
        type("0000", &viewer)
        #expect(viewer.state.pin?.title == "Current PIN" && viewer.state.pin?.warning?.contains("4 tries") == true)
        type(Viewer.rightPIN, &viewer)
        #expect(viewer.state.pin?.title == "New PIN")
        type("97539753", &viewer)
        #expect(saved(viewer) == ["9753"])
    }

    @Test func wrongOnesLockTheChangeAsTheyLockProgrammes() {
        var viewer = viewer(hasPIN: true)
        viewer.press(.menu)
        viewer.choose("Parental Controls")
        type(Viewer.rightPIN, &viewer)
        viewer.choose("Remove PIN")
        for _ in 0..<Timing.pinTries { type("0000", &viewer) }
        #expect(viewer.state.pin?.isLocked == true)
        type(Viewer.rightPIN, &viewer)
        #expect(saved(viewer).isEmpty)
        viewer.run(Timing.pinLock + .seconds(1))
        viewer.press(.up)  // the screen saver
        type(Viewer.rightPIN, &viewer)
        #expect(saved(viewer) == [nil])
    }

    @Test func withThePINTheViewersLimitGoes() {
        var viewer = viewer(hasPIN: true)
        viewer.send(.settingsRestored(ViewerSettings(entries: [("parental.age", "12")])))
        viewer.press(.menu)
        viewer.choose("Parental Controls")
        type(Viewer.rightPIN, &viewer)
        viewer.choose("Remove PIN")
        type(Viewer.rightPIN, &viewer)
        #expect(saved(viewer) == [nil] && viewer.machine.settings.parentalAge == nil)
        #expect(viewer.effects.contains { if case .saveSettings = $0 { true } else { false } })
    }

    @Test func theOperatorsPINIsNotTheViewersToChange() {
        var viewer = viewer(hasPIN: true, setsPIN: false)
        viewer.press(.menu)
        viewer.choose("Parental Controls")
        type(Viewer.rightPIN, &viewer)
        #expect(viewer.menu?.rows.map(\.title) == ["Ask for PIN"])
    }

    @Test func aKioskIsNotOpenedByANewPIN() {
        var viewer = viewer(setsPIN: false, isKiosk: true)
        viewer.locked = ["m1"]
        viewer.command(.open(id: "m1"))
        #expect(viewer.state.pin == nil && viewer.state.toast == "This programme is locked.")
    }
}
