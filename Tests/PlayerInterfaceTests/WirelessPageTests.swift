import BoxModel
import LinuxSupport
import MediaTime
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

extension Items {
    /// A known network, two that are protected, an open one, and one that cannot be used here.
    static let wireless = WirelessStatus(
        radio: .on,
        networks: [
            .init(id: "/home", name: "Home", security: .passphrase, strength: -4500),
            .init(id: "/known", name: "Grandma", security: .passphrase, strength: -6000, isKnown: true),
            .init(id: "/office", name: "Office", security: .unsupported, strength: -6100),
            .init(id: "/cafe", name: "Café", security: .open, strength: -8000),
        ])
}

/// The Wi-Fi page: each way through it by six keys, and Back from each step.
@Suite struct WirelessPageTests {
    private func opened(
        _ status: WirelessStatus = Items.wireless, answers: Bool = true, _ change: (inout InterfacePolicy) -> Void = { _ in }
    ) -> Viewer {
        var policy = InterfacePolicy()
        change(&policy)
        var viewer = Viewer(policy: policy)
        if answers { viewer.wireless = status }
        viewer.send(.homeChanged(Items.home))
        viewer.send(.wirelessChanged(status))
        viewer.press(.menu)
        viewer.choose("Network")
        viewer.choose("Wi-Fi")
        return viewer
    }

    private func rows(_ viewer: Viewer) -> [String] { viewer.state.settings?.choices ?? [] }
    private func words(_ viewer: Viewer) -> String { viewer.state.settings?.words ?? "" }
    private func focused(_ viewer: Viewer) -> String? { viewer.state.settings?.focusedChoice }

    private func requests(_ viewer: Viewer) -> [WirelessRequest] {
        viewer.effects.compactMap { if case .wireless(let request) = $0 { request } else { nil } }
    }

    @Test func theListSaysWhatEachNetworkIs() {
        let viewer = opened()
        #expect(viewer.state.settings?.page == "wireless" && viewer.state.settings?.menu.title == "Wi-Fi")
        #expect(rows(viewer) == ["Home", "Grandma", "Office", "Café", "Search Again"])
        let found = viewer.state.settings?.menu.rows ?? []
        #expect(found.map(\.note) == ["Protected", "Protected", "Can’t be used on this box", "Not protected", nil])
        #expect(found.map(\.value) == [nil, "Saved", nil, nil, nil])
        #expect(found.map(\.icon) == [.signal4, .signal3, .signal3, .signal1, nil])
        #expect(found.map(\.isEnabled) == [true, true, false, true, true])
        #expect(requests(viewer) == [.watch(true)])
    }

    @Test func theVoiceSaysWhatTheListShowsAndNotAgainWhenASignalDrifts() {
        var viewer = opened(answers: false) { $0.hasVoice = true }
        var settings = viewer.machine.settings
        settings[.spokenFocus] = true
        viewer.send(.settingsRestored(settings))
        func said(_ viewer: inout Viewer, _ act: (inout Viewer) -> Void) -> [String] {
            viewer.effects = []
            act(&viewer)
            return viewer.effects.compactMap { if case .speak(let words) = $0 { words } else { nil } }
        }
        // The first words also say where the viewer is.
        #expect(said(&viewer) { $0.press(.down) } == ["Wi-Fi, Grandma, 2 of 5, Saved, Protected, signal strength 3 of 4"])
        var status = Items.wireless
        status.networks[1].bars = 1
        #expect(said(&viewer) { $0.send(.wirelessChanged(status)) } == [])
        #expect(said(&viewer) { $0.press(.down) } == ["Café, 4 of 5, Not protected, signal strength 1 of 4"])
        #expect(said(&viewer) { $0.press(.up) } == ["Grandma, 2 of 5, Saved, Protected, signal strength 1 of 4"])
        status.networks[1].isConnected = true
        #expect(
            said(&viewer) { $0.send(.wirelessChanged(status)) }
                == ["Grandma, 2 of 5, Connected, Protected, signal strength 1 of 4, Press OK to forget this network."])
    }

    @Test func backLeadsToThePageNetworkAndThenHome() {
        var viewer = opened()
        viewer.press(.back)
        #expect(viewer.state.settings?.page == "network" && focused(viewer) == "Wi-Fi")
        #expect(requests(viewer) == [.watch(true), .watch(false)])
        viewer.press(.back)
        viewer.press(.back)
        #expect(viewer.state.home != nil)
    }

    @Test func anOpenNetworkIsJoinedByOneKey() {
        var viewer = opened()
        viewer.choose("Café")
        #expect(requests(viewer).last == .join("/cafe", passphrase: nil))
        #expect(focused(viewer) == "Café" && viewer.state.settings?.menu.rows[3].value == "Connected")
        #expect(viewer.state.toast == "Connected to Café")
        viewer.press(.back)
        #expect(viewer.state.settings?.menu.rows.first?.value == "Café", "the page Network says which one")
    }

    /// Moves to a key of the pad with arrows, and presses it.
    private func press(_ title: String, _ viewer: inout Viewer) {
        for _ in 0..<60 {
            guard let view = viewer.state.passphrase,
                let row = view.keys.firstIndex(where: { $0.contains { $0.title == title } }),
                let column = view.keys[row].firstIndex(where: { $0.title == title })
            else {
                Issue.record("no key \(title)")
                return
            }
            if view.row != row {
                viewer.press(view.row < row ? .down : .up)
            } else if view.column != column {
                viewer.press(view.column < column ? .right : .left)
            } else {
                viewer.press(.ok)
                return
            }
        }
        Issue.record("the key \(title) is not reached")
    }

    private func type(_ titles: [String], _ viewer: inout Viewer) { for title in titles { press(title, &viewer) } }

    @Test func everyCharacterOfAPassphraseIsTypedWithSixKeys() {
        var viewer = opened(answers: false)
        viewer.choose("Home")
        #expect(viewer.state.passphrase?.title == "Password for Home")
        type(["a", "z", "1", "Space", "ABC", "A", "Z", "#+=", "~", "!", "\"", "\\", "abc", "b"], &viewer)
        #expect(viewer.state.passphrase?.field.words.count == 11)
        type(["Delete", "Connect"], &viewer)
        #expect(requests(viewer).last == .join("/home", passphrase: Passphrase("az1 AZ~!\"\\")))
    }

    @Test(arguments: ["ar", "he"]) func thePadOfLatinCharactersIsNotMirrored(language: String) {
        var viewer = opened(answers: false)
        viewer.send(.settingsRestored(ViewerSettings(entries: [("interface.language", language)])))
        #expect(viewer.state.appearance.isRightToLeft)
        viewer.choose("\u{2068}Home\u{2069}")
        // The keys are drawn from left to right, and Right goes to the next one.
        type(["a", "z", "1", "ABC", "A", "#+=", "~", "\\", "abc", "b"], &viewer)
        #expect(viewer.state.passphrase?.field.words.count == 7)
        press("a", &viewer)
        #expect(viewer.press(.left) == .failed(.noChange))
        press(viewer.machine.strings.text(.wirelessConnect), &viewer)
        #expect(requests(viewer).last == .join("/home", passphrase: Passphrase("az1A~\\ba")))
    }

    @Test func thePassphraseIsNowhereOnTheScreenNorInADump() {
        var viewer = opened(answers: false)
        viewer.choose("Home")
        for key: RemoteKey in [.digit9, .digit8, .digit7, .digit6, .digit5, .digit4, .digit3, .digit2] { viewer.press(key) }
        #expect(viewer.state.passphrase?.field.words.count == 8)
        var text = ""
        dump(viewer.machine, to: &text)
        dump(viewer.state, to: &text)
        #expect(!text.contains("98765432"))
        press("Connect", &viewer)
        dump(viewer.effects, to: &text)
        dump(viewer.machine, to: &text)
        #expect(!"\(viewer.effects)\(viewer.state)\(text)".contains("98765432"))
        #expect(requests(viewer).last == .join("/home", passphrase: Passphrase("98765432")))
    }

    @Test func theCharacterTypedLastIsReadUntilTheNextKey() {
        var viewer = opened(answers: false)
        viewer.choose("Home")
        viewer.press(.digit9)
        #expect(viewer.state.passphrase?.field.words == "9")
        viewer.press(.digit8)
        #expect(viewer.state.passphrase?.field.words == "•8")
        viewer.press(.right)
        #expect(viewer.state.passphrase?.field.words == "••")
        press("Delete", &viewer)
        #expect(viewer.state.passphrase?.field.words == "•", "what was typed before stays hidden")
        viewer.press(.digit7)
        viewer.send(.typed("correct horse"))
        #expect(viewer.state.passphrase?.field.words == "•••••••••••••", "and so does what a phone types")
    }

    @Test func thePassphraseIsShownAndHiddenByAKeyAndNeverLeavesTheScreen() throws {
        var viewer = opened(answers: false)
        viewer.choose("Home")
        for key: RemoteKey in [.digit9, .digit8, .digit7, .digit6, .digit5, .digit4, .digit3, .digit2] { viewer.press(key) }
        press("Show Password", &viewer)
        #expect(viewer.state.passphrase?.field.words == "98765432")
        viewer.press(.digit1)
        #expect(viewer.state.passphrase?.field.words == "987654321", "it stays shown while more is typed")
        let view = try #require(viewer.state.passphrase)
        let spoken = view.spoken(in: viewer.machine.strings)
        #expect(!"\(spoken)\(viewer.effects)\(viewer.state)".contains("9876"))
        var text = ""
        dump(viewer.machine, to: &text)
        dump(viewer.state, to: &text)
        #expect(!"\(text)\(view.dumpValue)".contains("9876"))
        press("Hide Password", &viewer)
        #expect(viewer.state.passphrase?.field.words == "•••••••••")
    }

    @Test func aPassphraseHasEightToSixtyThreeCharacters() {
        var viewer = opened(answers: false)
        viewer.choose("Home")
        for _ in 0..<7 { viewer.press(.digit1) }
        press("Connect", &viewer)
        #expect(viewer.state.passphrase?.hint == "The password has at least 8 characters.")
        #expect(requests(viewer) == [.watch(true)])
        for _ in 0..<70 { viewer.press(.digit1) }
        #expect(viewer.state.passphrase?.field.words.count == 63)
        press("Connect", &viewer)
        #expect(requests(viewer).last == .join("/home", passphrase: Passphrase(String(repeating: "1", count: 63))))
    }

    @Test func aWrongPassphraseIsSaidAndCorrected() {
        var viewer = opened()
        viewer.choose("Home")
        for key: RemoteKey in [.digit1, .digit2, .digit3, .digit4, .digit5, .digit6, .digit7, .digit9] { viewer.press(key) }
        press("Connect", &viewer)
        #expect(words(viewer) == "Home didn’t accept the password." && rows(viewer) == ["Enter Password Again", "Cancel"])
        viewer.press(.ok)
        #expect(viewer.state.passphrase?.field.words.count == 8, "what was typed is corrected, not typed again")
        #expect(viewer.state.passphrase?.warning == "Home didn’t accept the password.")
        press("Delete", &viewer)
        viewer.press(.digit8)
        press("Connect", &viewer)
        #expect(viewer.state.toast == "Connected to Home" && focused(viewer) == "Home")
    }

    @Test func backUndoesEachStepOfAnAttempt() {
        var viewer = opened(answers: false)
        viewer.choose("Home")
        for _ in 0..<8 { viewer.press(.digit1) }
        press("Connect", &viewer)
        #expect(words(viewer) == "Connecting to Home…" && rows(viewer) == ["Cancel"])
        viewer.press(.back)
        #expect(requests(viewer).last == .giveUp && viewer.state.passphrase?.field.words.count == 8)
        viewer.press(.back)
        #expect(focused(viewer) == "Home" && viewer.state.passphrase == nil)
        viewer.choose("Café")
        viewer.press(.ok)
        #expect(requests(viewer).last == .giveUp && focused(viewer) == "Café")
    }

    @Test(arguments: WirelessAttempt.Failure.allCases)
    func everyFailureHasWordsAndAWayOut(_ failure: WirelessAttempt.Failure) {
        var viewer = opened(answers: false)
        viewer.choose("Grandma")
        #expect(requests(viewer).last == .join("/known", passphrase: nil))
        var status = Items.wireless
        status.attempt = WirelessAttempt(network: "/known", name: "Grandma", step: .waitingForAddress)
        viewer.send(.wirelessChanged(status))
        #expect(words(viewer) == "Connected to Grandma. Waiting for an address…")
        status.attempt?.step = .failed(failure)
        viewer.send(.wirelessChanged(status))
        #expect(words(viewer).contains("Grandma") && words(viewer) != "Connected to Grandma. Waiting for an address…")
        let isPassphrase = failure == .passphraseMissing || failure == .passphraseRefused
        #expect(rows(viewer) == [isPassphrase ? "Enter Password Again" : "Try Again", "Cancel"])
        viewer.press(.ok)
        #expect((viewer.state.passphrase != nil) == isPassphrase)
        #expect(
            isPassphrase || requests(viewer).suffix(2) == [.join("/known", passphrase: nil), .join("/known", passphrase: nil)])
        viewer.press(.back)
        #expect(requests(viewer).last == .giveUp && focused(viewer) == "Grandma")
    }

    @Test func theConnectedNetworkIsForgottenAfterAQuestion() {
        var viewer = opened()
        viewer.choose("Café")
        viewer.press(.ok)
        #expect(viewer.state.settings?.card?.title == "Forget Café?" && focused(viewer) == "Cancel")
        viewer.press(.ok)
        #expect(focused(viewer) == "Café")
        viewer.press(.ok)
        viewer.press(.back)
        #expect(focused(viewer) == "Café" && !requests(viewer).contains(.forget("/cafe")))
        viewer.press(.ok)
        viewer.choose("Forget Network")
        #expect(requests(viewer).last == .forget("/cafe") && focused(viewer) == "Café")
        #expect(viewer.state.settings?.menu.rows[3].value == nil)
    }

    @Test func arrowsAlongALineMoveOnACardAndLeaveTheList() {
        var viewer = opened(answers: false)
        #expect(viewer.press(.right) == .failed(.noChange) && focused(viewer) == "Home")
        viewer.choose("Grandma")
        var status = Items.wireless
        status.attempt = WirelessAttempt(network: "/known", name: "Grandma", step: .failed(.timedOut))
        viewer.send(.wirelessChanged(status))
        #expect(viewer.state.settings?.card?.title == "Grandma" && viewer.state.settings?.menu.focusedRow == nil)
        #expect(viewer.press(.left) == .failed(.noChange) && focused(viewer) == "Try Again")
        #expect(viewer.press(.right) == .success && focused(viewer) == "Cancel")
        viewer.press(.ok)
        #expect(viewer.state.settings?.card == nil && focused(viewer) == "Grandma")
        viewer.press(.left)
        #expect(viewer.state.settings?.page == "network")
    }

    @Test func theOperatorsNetworkIsNotForgotten() {
        var status = Items.wireless
        status.networks[0].isConnected = true
        var viewer = opened(status) { $0.configuredNetwork = "Home" }
        #expect(words(viewer) == "This network is set in marquee.toml.")
        #expect(viewer.press(.ok) == .failed(.notSupported))
        #expect(rows(viewer).count == 5)
    }

    @Test func focusStaysOnANetworkThatMoves() {
        var viewer = opened(answers: false)
        viewer.press(.down)
        #expect(focused(viewer) == "Grandma")
        var status = Items.wireless
        status.networks.insert(.init(id: "/new", name: "New", security: .open, strength: -1000), at: 0)
        viewer.send(.wirelessChanged(status))
        #expect(focused(viewer) == "Grandma")
        viewer.press(.ok)
        #expect(requests(viewer).last == .join("/known", passphrase: nil))
        viewer.press(.back)
        status.networks.removeAll { $0.id == "/known" }
        viewer.send(.wirelessChanged(status))
        #expect(focused(viewer) != nil)
    }

    @Test func aLongListScrolls() {
        var status = Items.wireless
        status.networks = (0..<40).map { .init(id: "/\($0)", name: "Network \($0)", security: .open, strength: -5000) }
        var viewer = opened(status, answers: false)
        for _ in 0..<39 { viewer.press(.down) }
        #expect(focused(viewer) == "Network 39")
        let first = viewer.state.settings?.menu.firstRow ?? 0
        #expect((first..<first + Metrics.Menu.settingsRows).contains(39))
    }

    @Test func everyStateOfTheRadioHasWords() {
        var viewer = opened(answers: false)
        func say(_ radio: WirelessStatus.Radio, isScanning: Bool = false) -> String {
            viewer.send(.wirelessChanged(WirelessStatus(radio: radio, isScanning: isScanning)))
            return words(viewer)
        }
        #expect(say(.absent) == "There is no Wi-Fi adapter." && rows(viewer).isEmpty)
        #expect(say(.noCountry).hasPrefix("Wi-Fi is off until a country is set."))
        #expect(say(.unavailable) == "Wi-Fi isn’t ready yet.")
        #expect(say(.off) == "Wi-Fi is being turned on.")
        #expect(say(.on) == "No networks found. Check that the router is on and close enough.")
        #expect(say(.on, isScanning: true).isEmpty && viewer.state.settings?.menu.rows.last?.value == "Searching…")
        viewer.press(.ok)
        #expect(requests(viewer).last == .scan)
        viewer.press(.back)
        #expect(viewer.state.settings?.page == "network")
    }

    @Test func withoutAnAdapterThereIsNoRow() {
        var viewer = Viewer()
        viewer.send(.homeChanged(Items.home))
        viewer.send(.factsChanged(BoxFacts(isOnline: true)))
        viewer.press(.menu)
        viewer.choose("Network")
        #expect(rows(viewer) == ["Connection"])
        viewer.send(.wirelessAsked)
        #expect(viewer.state.settings?.page == "network" && !viewer.machine.leadsToWireless)
    }

    @Test func aScreenOfTheBoxLeadsToThePageAndBackReturns() {
        var viewer = Viewer()
        viewer.send(.wirelessChanged(Items.wireless))
        #expect(viewer.machine.leadsToWireless && !viewer.machine.isInWireless)
        viewer.send(.wirelessAsked)
        #expect(viewer.machine.isInWireless && viewer.state.settings?.page == "wireless")
        #expect(viewer.press(.left) == .failed(.noChange))
        viewer.press(.back)
        #expect(!viewer.machine.isInWireless && viewer.state.page == nil)
        #expect(requests(viewer) == [.watch(true), .watch(false)])
    }

    @Test func inAKioskThePINComesFirst() {
        var policy = InterfacePolicy(isKiosk: true)
        policy.hasPIN = true
        var viewer = Viewer(policy: policy)
        viewer.send(.wirelessChanged(Items.wireless))
        viewer.send(.wirelessAsked)
        #expect(viewer.state.pin?.message == "Wi-Fi" && viewer.state.page == nil && viewer.machine.isInWireless)
        viewer.press(.back)
        #expect(viewer.state.pin == nil && !viewer.machine.isInWireless)
        viewer.send(.wirelessAsked)
        for digit in viewer.pin { viewer.press(RemoteKey(rawValue: String(digit))!) }
        #expect(viewer.state.settings?.page == "wireless" && viewer.machine.isInWireless)
    }

    @Test func aKioskWithoutAPINHasNoWayToThePage() {
        var viewer = Viewer(policy: InterfacePolicy(isKiosk: true))
        viewer.send(.wirelessChanged(Items.wireless))
        viewer.send(.wirelessAsked)
        #expect(viewer.state.pin == nil && viewer.state.page == nil && !viewer.machine.leadsToWireless)
    }

    @Test func standbyEndsTheSearch() {
        var viewer = opened()
        viewer.press(.power)
        #expect(viewer.state.screen == .standby && requests(viewer).last == .watch(false))
    }

    @Test func strengthsAreFourSteps() {
        let bars = [0, -5500, -5501, -6700, -6701, -7800, -7801, -10000, Int(Int16.min)].map {
            WirelessNetwork(id: "", name: "", security: .open, strength: $0).bars
        }
        #expect(bars == [4, 4, 3, 3, 2, 2, 1, 1, 1])
    }
}
