import BoxModel
import LinuxSupport
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

/// The pages of the first run: each way through them by six keys.
@Suite struct FirstRunPageTests {
    private static let steps: [FirstRunStep] = [.language, .network, .channels, .pictureAndSound, .pin]

    /// The first run on a step, to which OK has led.
    private func started(
        _ facts: FirstRunFacts = FirstRunFacts(steps: steps), at step: FirstRunStep = .language, wireless: WirelessStatus? = nil
    ) -> Viewer {
        var viewer = Viewer()
        viewer.changePolicy { $0.setsPIN = true }
        if let wireless {
            viewer.wireless = wireless
            viewer.send(.wirelessChanged(wireless))
        }
        viewer.send(.firstRunChanged(FirstRunFacts(steps: facts.steps, address: "10.0.0.7")))
        for _ in 0..<(Self.steps.firstIndex(of: step) ?? 0) {
            if let way = ["Skip", "Continue"].first(where: rows(viewer).contains) {
                viewer.choose(way)
            } else {
                viewer.press(.ok)
            }
        }
        viewer.send(.firstRunChanged(facts))
        return viewer
    }

    private func rows(_ viewer: Viewer) -> [String] { viewer.state.settings?.choices ?? [] }
    private func focused(_ viewer: Viewer) -> String? { viewer.state.settings?.focusedChoice }
    private func step(_ viewer: Viewer) -> String? { viewer.state.settings?.menu.title }

    private func requests(_ viewer: Viewer) -> [FirstRunRequest] {
        viewer.effects.compactMap { if case .firstRun(let request) = $0 { request } else { nil } }
    }

    @Test func theLanguageWithFocusIsShownAtOnceAndKept() {
        var viewer = started()
        #expect(viewer.state.settings?.page == "first-run" && viewer.state.settings?.title == "Set up this box: step 1 of 5")
        #expect(rows(viewer).contains("Deutsch") && focused(viewer) == "English (UK)")
        for _ in 0..<20 where focused(viewer) != "Deutsch" { viewer.press(.down) }
        for _ in 0..<20 where focused(viewer) != "Deutsch" { viewer.press(.up) }
        #expect(viewer.machine.strings.language == "de" && viewer.machine.settings.language == "de")
        #expect(step(viewer) == "Sprache" && requests(viewer).isEmpty)
        viewer.press(.ok)
        #expect(step(viewer) == "Netzwerk" && requests(viewer).isEmpty)
        viewer.press(.back)
        #expect(step(viewer) == "Sprache" && focused(viewer) == "Deutsch")
        viewer.press(.back)
        #expect(
            viewer.state.page == nil && requests(viewer) == [.end], "before the first step is the screen from which it was begun")
    }

    @Test func noOtherKeyLeavesIt() {
        var viewer = started()
        for key in [RemoteKey.home, .menu, .left, .right, .guide, .stop, .channelUp, .digit1] {
            viewer.press(key)
            #expect(step(viewer) == "Language", "\(key)")
        }
        viewer.press(.power)
        viewer.press(.ok)
        #expect(step(viewer) == "Language", "it is there again after standby")
    }

    @Test func aBoxWithACableSaysItsAddressAndGoesOn() {
        var viewer = started(FirstRunFacts(steps: Self.steps, address: "10.0.0.7"), at: .network)
        #expect(rows(viewer) == ["Continue"] && viewer.state.settings?.words?.contains("10.0.0.7") == true)
        viewer.send(.firstRunChanged(FirstRunFacts(steps: Self.steps)))
        #expect(rows(viewer) == ["Skip"] && viewer.state.settings?.words?.contains("Plug in the network cable") == true)
        viewer.press(.ok)
        #expect(step(viewer) == "Channels")
    }

    @Test func aWirelessNetworkIsChosenOnTheSamePageAsInSettings() {
        var viewer = started(FirstRunFacts(steps: Self.steps), at: .network, wireless: Items.wireless)
        #expect(rows(viewer) == ["Wi-Fi", "Skip"])
        viewer.press(.ok)
        #expect(viewer.state.settings?.page == "wireless" && viewer.effects.contains(.wireless(.watch(true))))
        viewer.choose("Café")
        viewer.send(.firstRunChanged(FirstRunFacts(steps: Self.steps, address: "10.0.0.8")))
        #expect(viewer.state.settings?.page == "wireless", "the page stays until Back")
        viewer.press(.back)
        #expect(rows(viewer) == ["Continue", "Wi-Fi"] && focused(viewer) == "Continue")
        #expect(viewer.effects.contains(.wireless(.watch(false))))
    }

    @Test func aWrongPasswordIsSaidAndCanBeCorrectedOrLeft() {
        var viewer = started(FirstRunFacts(steps: Self.steps), at: .network, wireless: Items.wireless)
        viewer.wireless = nil
        viewer.press(.ok)
        viewer.choose("Home")
        #expect(viewer.state.passphrase?.field.words == "")
        viewer.send(.typed("wrong password"))
        #expect(viewer.state.passphrase?.field.words == String(repeating: "•", count: 14), "a secret stays one")
        viewer.press(.ok)
        var status = Items.wireless
        status.attempt = WirelessAttempt(network: "/home", name: "Home", step: .failed(.passphraseRefused))
        viewer.send(.wirelessChanged(status))
        #expect(viewer.state.settings?.card?.message == "Home didn’t accept the password.")
        viewer.press(.ok)
        #expect(viewer.state.passphrase?.warning == "Home didn’t accept the password.")
        for _ in 0..<2 { viewer.press(.back) }
        #expect(step(viewer) == "Network" && viewer.state.settings?.page == "first-run")
    }

    @Test func theTestPictureIsOpenedAndClosedByOKAndByBack() {
        var viewer = started(at: .pictureAndSound)
        #expect(rows(viewer) == ["Test Picture", "Tone on the Left", "Tone on the Right", "Continue"])
        for key in [RemoteKey.ok, .back] {
            viewer.press(.ok)
            guard case .testPicture(let view)? = viewer.state.page else {
                Issue.record("no picture")
                return
            }
            #expect(view.words.contains("four corners") && view.hint.contains("OK or Back"))
            #expect(viewer.press(.right) == .failed(.notSupported) && viewer.press(.home) != .success)
            viewer.press(key)
            #expect(step(viewer) == "Picture and Sound" && focused(viewer) == "Test Picture")
        }
        viewer.press(.back)
        #expect(step(viewer) == "Channels")
    }

    @Test func aToneIsHeardFromEachSideAsOftenAsItIsAskedFor() {
        var viewer = started(at: .pictureAndSound)
        viewer.choose("Tone on the Left")
        viewer.press(.ok)
        viewer.choose("Tone on the Right")
        let tones = viewer.effects.compactMap { if case .playTone(let side) = $0 { side } else { nil } }
        #expect(tones == [.left, .left, .right] && focused(viewer) == "Tone on the Right")
        viewer.choose("Continue")
        #expect(rows(viewer).last == "Skip" && requests(viewer).isEmpty)
    }

    @Test func foundChannelsAreOfferedAndUsedByOneKey() {
        let found: [FirstRunFacts.Source] = [.file("feed.json", disk: "sda1"), .address("https://a.example/feed.json")]
        var viewer = started(FirstRunFacts(steps: Self.steps, sources: found), at: .channels)
        #expect(rows(viewer) == ["feed.json on a USB stick", "https://a.example/feed.json", "Address of the Channels", "Skip"])
        #expect(focused(viewer) == "Address of the Channels", "the focus stays on its row when something is found")
        viewer.press(.up)
        viewer.press(.ok)
        #expect(requests(viewer).last == .use(found[1]))
        viewer.send(.firstRunChanged(FirstRunFacts(steps: Self.steps, check: .running)))
        #expect(rows(viewer) == ["Skip"] && viewer.state.settings?.words?.contains("being checked") == true)
        viewer.send(.firstRunChanged(FirstRunFacts(steps: Self.steps, check: .kept("Harbour"))))
        #expect(rows(viewer) == ["Continue"] && viewer.state.settings?.words?.contains("Harbour") == true)
        viewer.press(.ok)
        #expect(step(viewer) == "Picture and Sound")
    }

    @Test func anAddressIsTypedWithSixKeysAndCorrectedAfterARefusal() {
        var viewer = started(FirstRunFacts(steps: Self.steps), at: .channels)
        viewer.press(.ok)
        #expect(viewer.state.passphrase?.field.words == "https://" && viewer.machine.asked?.text == "https://")
        press("Continue", &viewer)
        #expect(requests(viewer).isEmpty, "an address without a host is not asked for")
        for key in ["a", ".", "b", "/"] { press(key, &viewer) }
        viewer.press(.digit7)
        #expect(viewer.state.passphrase?.field.words == "https://a.b/7")
        press("Continue", &viewer)
        #expect(requests(viewer).last == .useAddress("https://a.b/7"))
        for (check, words) in [
            (FirstRunFacts.Check.refused("FEED-001"), "can’t be used as channels. Check the address. (FEED-001)"),
            (.unreachable(.sourceTimeout), "Nothing was found at this address."), (.unreachable(.networkDown), "network"),
            (.badAddress, "https://"), (.notKept, "space"),
        ] {
            viewer.send(.firstRunChanged(FirstRunFacts(steps: Self.steps, check: check)))
            #expect(viewer.state.settings?.words?.contains(words) == true, "\(check): \(viewer.state.settings?.words ?? "")")
            #expect(rows(viewer) == ["Address of the Channels", "Skip"])
        }
        viewer.press(.ok)
        #expect(viewer.state.passphrase?.field.words == "https://a.b/7", "it can be corrected")
        viewer.send(.typed("https://other.example/feed.json"))
        #expect(viewer.state.passphrase?.field.words == "https://other.example/feed.json")
        viewer.press(.ok)
        #expect(requests(viewer).last == .useAddress("https://other.example/feed.json"), "from a phone one key is left")
        viewer.press(.back)
        #expect(step(viewer) == "Network")
    }

    @Test func thePINIsMadeOnTheSamePadAndTheEndIsHome() {
        var viewer = started(FirstRunFacts(steps: Self.steps), at: .pin)
        #expect(rows(viewer) == ["Create PIN", "Skip"])
        viewer.press(.ok)
        #expect(viewer.state.pin != nil)
        for _ in 0..<2 { for key in [RemoteKey.digit1, .digit2, .digit3, .digit4] { viewer.press(key) } }
        #expect(viewer.effects.contains(.savePIN("1234")))
        viewer.changePolicy { $0.hasPIN = true }
        #expect(rows(viewer) == ["Continue"])
        viewer.press(.ok)
        #expect(requests(viewer).last == .end && viewer.state.page == nil && viewer.state.home != nil)
        viewer.press(.back)
        #expect(viewer.state.page == nil)
    }

    @Test func everyStepCanBeSkipped() {
        var viewer = started()
        for _ in Self.steps {
            for _ in 0..<6 where !["Skip", "Continue"].contains(focused(viewer)) && step(viewer) != "Language" {
                viewer.press(.down)
            }
            viewer.press(.ok)
        }
        #expect(requests(viewer).last == .end && viewer.state.page == nil)
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
    }
}
