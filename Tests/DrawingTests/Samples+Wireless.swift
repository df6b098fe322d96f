import BoxModel
import LinuxSupport
import Screens
import Viewing

/// The Wi-Fi page.
extension Samples {
    static let wirelessStatus = WirelessStatus(
        radio: .on,
        networks: [
            .init(id: "/harbour", name: "Harbour 5G", security: .passphrase, strength: -4500, isConnected: true, isKnown: true),
            .init(id: "/pier", name: "pier-guest", security: .open, strength: -6000),
            .init(id: "/light", name: "Lighthouse", security: .passphrase, strength: -6900, isKnown: true),
            .init(id: "/north", name: "North by East", security: .passphrase, strength: -7500),
            .init(id: "/office", name: "Harbour Office", security: .unsupported, strength: -8200),
        ])

    /// The Wi-Fi page, opened from Settings.
    static func wireless(
        _ status: WirelessStatus = wirelessStatus, _ settings: ViewerSettings = ViewerSettings(),
        then act: (inout SampleBox) -> Void = { _ in }
    ) -> SampleBox {
        var box = SampleBox(settings) { $0.hasVoice = true }
        box.send(.homeChanged(SampleFeed.home))
        box.send(.wirelessChanged(status))
        box.press(.menu)
        box.choose(.network, .wireless)
        act(&box)
        return box
    }

    /// How joining a protected network goes.
    static func joining(_ step: WirelessAttempt.Step, _ box: inout SampleBox) {
        var status = wirelessStatus
        status.attempt = WirelessAttempt(network: "/north", name: "North by East", step: step)
        box.send(.wirelessChanged(status))
    }

    /// A passphrase of eight characters is typed, and focus is on Connect.
    static func typePassphrase(_ box: inout SampleBox) {
        box.press(.down, times: 3)
        box.press(.ok)
        box.type("13579135")
        box.press(.down, times: 5)
    }

    static var wirelessScreens: [(name: String, state: PresentationState)] {
        [
            ("wireless", wireless { $0.press(.down, .down) }.state),
            ("wireless-network", wireless { $0.press(.back) }.state),
            ("wireless-none", wireless(WirelessStatus(radio: .on)).state),
            ("wireless-no-country", wireless(WirelessStatus(radio: .noCountry)).state),
            ("wireless-passphrase", wireless(then: typePassphrase).state),
            (
                "wireless-phone",
                wireless {
                    $0.press(.down, times: 3)
                    $0.press(.ok)
                    $0.send(.phoneCode(phoneCode))
                }.state
            ),
            (
                "wireless-joining",
                wireless {
                    typePassphrase(&$0)
                    $0.press(.ok)
                    joining(.joining, &$0)
                }.state
            ),
            (
                "wireless-refused",
                wireless {
                    typePassphrase(&$0)
                    $0.press(.ok)
                    joining(.failed(.passphraseRefused), &$0)
                }.state
            ),
            (
                "wireless-again",
                wireless {
                    typePassphrase(&$0)
                    $0.press(.ok)
                    joining(.failed(.passphraseRefused), &$0)
                    $0.press(.ok)
                }.state
            ),
            ("wireless-forget", wireless { $0.press(.ok) }.state),
        ]
    }
}
