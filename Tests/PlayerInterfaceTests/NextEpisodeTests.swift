import BoxModel
import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

/// The next episode from the player: the panel, the row above the bar, the card at the end, and the key Next.
@Suite struct NextEpisodeTests {
    private static let next = HomeContent.Entry(id: "e2", title: "Second", subtitle: "Happy · S1 E2")
    private static let played = InterfaceEffect.playNext(id: "e2", automatic: false)

    /// 110 seconds with two advertisements and two chapters.
    private static func episode(
        interstitials: [Interstitial]? = [], markers: [NavigationMarker] = Items.chapters, proposal: ProposalPresentation? = nil,
        _ change: (inout ItemPresentation) -> Void = { _ in }
    ) -> ItemPresentation {
        var item = Items.episode(interstitials: interstitials, markers: markers, proposal: proposal)
        item.nextEpisode = Self.next
        change(&item)
        return item
    }

    private func actions(_ viewer: Viewer) -> [ButtonView] {
        if case .info(let view)? = viewer.state.panel?.content { view.actions } else { [] }
    }

    // MARK: The panel

    @Test(arguments: ["It begins.", nil]) func threePressesInThePanel(summary: String?) {
        var viewer = Viewer(watching: Self.episode { $0.summary = summary }, at: 35)
        viewer.press(.down)
        #expect(actions(viewer).map(\.title) == ["Next Episode", "From Beginning"])
        viewer.press(.down)
        #expect(actions(viewer).map(\.isFocused) == [true, false])
        viewer.press(.ok)
        #expect(viewer.effects.contains(Self.played) && viewer.state.panel == nil && viewer.state.poster?.title == "Second")
        #expect(!viewer.effects.contains(.savePlace(id: "e1", nil)), "half an episode was not watched")
        #expect(viewer.effects.contains { if case .savePlace(id: "e1", _?) = $0 { true } else { false } })
    }

    @Test func theDescriptionIsBeforeIt() {
        var viewer = Viewer(watching: Self.episode(), at: 35)
        for key in [RemoteKey.down, .down, .left] { viewer.press(key) }
        guard case .info(let view)? = viewer.state.panel?.content else { return #expect(Bool(false), "no panel") }
        #expect(view.isSummaryFocused)
    }

    @Test func theRowAboveTheBarHasItToo() {
        var viewer = Viewer(watching: Self.episode(), at: 35)
        for key in [RemoteKey.ok, .up, .right] { viewer.press(key) }
        #expect(viewer.state.bar?.actions == ["From Beginning", "Next Episode", "Info"])
        viewer.press(.ok)
        #expect(viewer.effects.contains(Self.played))
    }

    @Test func threePressesToTheBeginningOfIt() {
        var viewer = Viewer(watching: Self.episode(), at: 35)
        viewer.press(.ok)
        #expect(viewer.state.bar?.above == "From Beginning", "Up does what the bar says")
        for key in [RemoteKey.up, .ok] { viewer.press(key) }
        #expect(viewer.exactSeeks == [.zero] && !viewer.effects.contains(Self.played))
    }

    @Test func whatHasNoNextEpisodeIsAsBefore() {
        var viewer = Viewer(watching: Self.episode { $0.nextEpisode = nil }, at: 35)
        for key in [RemoteKey.down, .down] { viewer.press(key) }
        #expect(actions(viewer).map(\.title) == ["From Beginning"])
        #expect(viewer.machine.state.panel != nil && !viewer.effects.contains(Self.played))
    }

    @Test func anAdvertisementThatMustBeWatchedKeepsIt() {
        var viewer = Viewer(watching: Self.episode(interstitials: [Items.ad("a1", 20)]), at: 22)
        for key in [RemoteKey.down, .down] { viewer.press(key) }
        #expect(viewer.press(.ok) == .failed(.linear) && viewer.state.panel != nil && !viewer.effects.contains(Self.played))
    }

    @Test(
        "an episode that is left in its credits was watched",
        arguments: [(90, true), (110, false)] as [(Int64, Bool)])
    func credits(start: Int64, isWatched: Bool) {
        let credits = NavigationMarker(kind: .credits, start: .seconds(start))
        var viewer = Viewer(watching: Self.episode(markers: [credits]), at: 95)
        for key in [RemoteKey.down, .down, .ok] { viewer.press(key) }
        #expect(viewer.effects.contains(Self.played))
        #expect(viewer.effects.contains(.savePlace(id: "e1", nil)) == isWatched)
    }

    // MARK: The card at the end

    private func ended(_ item: ItemPresentation = Self.episode()) -> Viewer {
        var viewer = Viewer(watching: item, at: 106)
        viewer.send(.homeChanged(Items.home))
        viewer.run(.seconds(6))
        #expect(viewer.state.card?.kind == .end)
        return viewer
    }

    @Test func onePressAtTheEndWithoutAProposal() {
        var viewer = ended()
        #expect(viewer.state.card?.buttons.map(\.title) == ["Next Episode", "Replay", "Home"])
        #expect(viewer.state.card?.buttons.map(\.isFocused) == [true, false, false])
        viewer.press(.ok)
        #expect(viewer.effects.contains(Self.played) && viewer.state.card == nil && viewer.state.screen == .player)
    }

    @Test func theOtherButtonsOfTheCardFollow() {
        var viewer = ended()
        #expect(viewer.press(.left) == .failed(.noChange))
        viewer.press(.right)
        viewer.press(.right)
        #expect(viewer.state.card?.buttons.map(\.isFocused) == [false, false, true])
        #expect(viewer.press(.right) == .failed(.noChange))
        viewer.press(.back)
        #expect(viewer.state.screen == .home && !viewer.effects.contains(Self.played))
        viewer = ended()
        viewer.press(.right)
        viewer.press(.ok)
        #expect(viewer.state.card == nil && !viewer.effects.contains(Self.played), "Replay")
    }

    @Test func thePlayKeyPlaysTheSameAgain() {
        var viewer = ended()
        viewer.press(.play)
        #expect(viewer.state.card == nil && !viewer.effects.contains(Self.played) && viewer.state.screen == .player)
    }

    @Test func aNextEpisodeThatGoesAwayLeavesTheCardWithReplay() {
        var viewer = ended()
        viewer.send(.itemUpdated(Self.episode { $0.nextEpisode = nil }))
        #expect(
            viewer.state.card?.buttons == [
                ButtonView(title: "Replay", isFocused: true), ButtonView(title: "Home", isFocused: false),
            ])
    }

    // MARK: The card of an error

    @Test(arguments: [.sourceMissing, .decoderUnsupported] as [ErrorCode]) func anEpisodeThatCannotBePlayedLeadsOn(
        _ code: ErrorCode
    ) {
        var viewer = Viewer(watching: Self.episode(), at: 35)
        viewer.send(.homeChanged(Items.home))
        viewer.failure = MediaError(code, "Gone.")
        viewer.run(.milliseconds(100))
        #expect(viewer.state.card?.buttons.dropFirst().map(\.title) == ["Next Episode", "Home"])
        viewer.press(code == .sourceMissing ? .right : .left)
        #expect(viewer.state.card?.buttons[1].isFocused == true)
        viewer.press(.ok)
        #expect(viewer.effects.contains(Self.played) && !viewer.effects.contains(.savePlace(id: "e1", nil)))
        #expect(viewer.state.card == nil && viewer.state.poster?.title == "Second")
    }

    @Test func oneThatNeverBeganLeadsOnToo() {
        var viewer = Viewer()
        viewer.send(.homeChanged(Items.home))
        viewer.isStalled = true
        viewer.open(Self.episode())
        viewer.failure = MediaError(.sourceMissing, "Gone.")
        viewer.tell()
        for key in [RemoteKey.right, .ok] { viewer.press(key) }
        #expect(viewer.effects.contains(Self.played) && viewer.state.card == nil)
    }

    // MARK: The key Next

    @Test func nextGoesToTheNextChapterAndAfterTheLastToTheNextEpisode() {
        var viewer = Viewer(watching: Self.episode(), at: 5)
        let later = Items.chapters.filter { $0.start > .seconds(6) }.count
        for _ in 0..<later {
            viewer.press(.next)
            viewer.run(.seconds(2))
            #expect(!viewer.effects.contains(Self.played))
        }
        viewer.press(.next)
        #expect(viewer.effects.contains(Self.played))
    }

    @Test func nextOfAProgramGoesToTheNextEpisode() {
        var viewer = Viewer(watching: Self.episode(markers: []), at: 5)
        #expect(viewer.command(.key(.next)) == .success)
        #expect(viewer.effects.contains(Self.played))
    }

    @Test func nextByItemsGoesToTheNextEpisodeUnlessTheFeedProposesSomethingElse() {
        var viewer = Viewer(watching: Self.episode { $0.skipsItems = true }, at: 5)
        viewer.press(.next)
        #expect(viewer.effects.contains(Self.played) && !viewer.effects.contains(.savePlace(id: "e1", nil)))
        let film = ProposalPresentation(next: "m1", title: "Film")
        viewer = Viewer(watching: Self.episode(proposal: film) { $0.skipsItems = true }, at: 5)
        viewer.press(.next)
        #expect(viewer.effects.contains(.playNext(id: "m1", automatic: false)) && !viewer.effects.contains(Self.played))
    }
}
