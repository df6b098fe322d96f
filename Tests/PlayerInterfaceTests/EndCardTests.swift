import BoxModel
import LinuxSupport
import MediaTime
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

/// What the card at the end of a programme offers to watch next.
@Suite struct EndCardTests {
    private static let pilot = Items.home.rows[0].entries[0]
    private static let others = Array(Items.home.rows[0].entries[1...])

    /// The programme has ended.
    private func ended(_ related: [HomeContent.Entry] = Self.others, _ change: (inout InterfacePolicy) -> Void = { _ in })
        -> Viewer
    {
        var policy = InterfacePolicy()
        policy.hasVoice = true
        change(&policy)
        var viewer = Viewer(watching: Items.plain, at: 108, policy: policy)
        viewer.send(.settingsRestored(ViewerSettings(entries: [("interface.speech", "true")])))
        viewer.details["e1"] = .programme(ProgrammeDetails(entry: Self.pilot, related: related))
        viewer.send(.homeChanged(Items.home))
        viewer.run(.seconds(4))
        #expect(viewer.state.card?.kind == .end)
        return viewer
    }

    private func focused(_ viewer: Viewer) -> String? {
        guard let card = viewer.state.card else { return nil }
        return card.related.flatMap { row in row.focused.map { row.entries[$0].id } }
            ?? card.buttons.first(where: \.isFocused)?.title
    }

    @Test func whatIsLikeTheProgrammeIsBelowTheCardAndPlaysAtOnce() {
        var viewer = ended()
        #expect(viewer.state.card?.related?.entries.map(\.id) == ["e2", "m1"] && focused(viewer) == "Replay")
        viewer.press(.right)
        viewer.press(.down)
        #expect(focused(viewer) == "e2" && viewer.press(.down) == .failed(.notSupported))
        viewer.press(.right)
        #expect(focused(viewer) == "m1" && viewer.press(.right) == .failed(.noChange))
        viewer.press(.up)
        #expect(focused(viewer) == "Home", "the buttons keep their focus")
        viewer.press(.down)
        viewer.press(.ok)
        #expect(viewer.effects.contains(.open(id: "m1")) && viewer.state.card == nil && viewer.state.screen == .player)
    }

    @Test(arguments: [RemoteKey.play, .playpause]) func thePlayKeyPlaysWhatHasFocus(_ key: RemoteKey) {
        var viewer = ended()
        viewer.press(.down)
        viewer.press(key)
        #expect(viewer.effects.contains(.open(id: "e2")))
    }

    @Test func backLeavesFromTheRowToo() {
        var viewer = ended()
        viewer.press(.down)
        viewer.press(.back)
        #expect(viewer.state.screen == .home && viewer.state.card == nil && !viewer.effects.contains(.open(id: "e2")))
    }

    @Test func theRowFollowsWhatIsAvailable() {
        var viewer = ended()
        viewer.press(.down)
        viewer.details["e1"] = .programme(ProgrammeDetails(entry: Self.pilot))
        viewer.send(.homeChanged(Items.home))
        #expect(viewer.state.card?.related == nil)
        #expect(viewer.press(.down) == .failed(.notSupported) && focused(viewer) == "Replay")
        var offline = ended()
        offline.send(.connectionChanged(isConnected: false))
        #expect(offline.state.card?.related == nil, "nothing of it is on the box")
    }

    @Test func withoutHomeThereIsNothingToChoose() {
        #expect(ended { $0.hasHome = false }.state.card?.related == nil)
        #expect(ended([]).state.card?.related == nil)
    }

    @Test func theVoiceSaysTheRow() {
        var viewer = ended()
        let before = viewer.effects.count
        viewer.press(.down)
        #expect(viewer.effects[before...].contains(.speak("More Like This, Second, 1 of 2")))
    }
}
