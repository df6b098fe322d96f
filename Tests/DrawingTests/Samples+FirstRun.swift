import BoxModel
import Screens
import Viewing

/// The pages of the first run.
extension Samples {
    private static let offer = FirstRunFacts(steps: FirstRunStep.allCases, address: "192.168.178.120")

    /// The first run with these facts, after as many presses of OK.
    private static func firstRun(
        _ facts: FirstRunFacts = offer, steps: Int, then act: (inout SampleBox) -> Void = { _ in }
    ) -> PresentationState {
        var box = SampleBox { ($0.hasPIN, $0.setsPIN) = (false, true) }
        box.send(.wirelessChanged(wirelessStatus))
        box.send(.firstRunChanged(offer))
        for _ in 0..<steps { box.press(.ok) }
        box.send(.firstRunChanged(facts))
        act(&box)
        return box.state
    }

    static var firstRunScreens: [(name: String, state: PresentationState)] {
        var offline = offer
        offline.address = nil
        var found = offer
        found.sources = [.file("feed.json", disk: "sda1"), .address("https://cdn.example/feeds/harbour.json")]
        var refused = offer
        refused.check = .unreachable(.sourceTimeout)
        var kept = offer
        kept.check = .kept("Harbour")
        return [
            ("first-run-language", firstRun(steps: 0)), ("first-run-network", firstRun(steps: 1)),
            ("first-run-offline", firstRun(offline, steps: 1)), ("first-run-channels", firstRun(found, steps: 2)),
            ("first-run-address", firstRun(steps: 2) { $0.press(.ok) }), ("first-run-refused", firstRun(refused, steps: 2)),
            ("first-run-kept", firstRun(kept, steps: 2)),
            ("first-run-pin", firstRun(kept, steps: 2) { $0.press(.ok) }),
        ]
    }
}
