import BoxModel
import Screens
import Viewing

/// The pages of the first run.
extension Samples {
    private static let offer = FirstRunFacts(steps: FirstRunStep.allCases, address: "192.168.178.120")

    /// The first run on its channels, with these facts.
    private static func firstRun(
        _ facts: FirstRunFacts, then act: (inout SampleBox) -> Void = { _ in }
    ) -> PresentationState {
        var box = SampleBox { ($0.hasPIN, $0.setsPIN) = (false, true) }
        box.send(.wirelessChanged(wirelessStatus))
        box.send(.firstRunChanged(offer))
        box.press(.ok, .ok)
        box.send(.firstRunChanged(facts))
        act(&box)
        return box.state
    }

    static var firstRunScreens: [(name: String, state: PresentationState)] {
        var found = offer
        found.sources = [.file("feed.json", disk: "sda1"), .address("https://cdn.example/feeds/harbour.json")]
        var refused = offer
        refused.check = .unreachable(.sourceTimeout)
        var kept = offer
        kept.check = .kept("Harbour")
        return [
            ("first-run-channels", firstRun(found)), ("first-run-refused", firstRun(refused)),
            ("test-picture", firstRun(kept) { $0.press(.ok, .ok) }),
        ]
    }
}
