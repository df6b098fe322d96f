import BoxModel
import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

@Suite struct ProposalTests {
    static func offer(
        at time: Int64?, accepts: Int64? = nil, place: ProposalPresentation.VideoPlace = .preferred, locked: Bool = false
    )
        -> ProposalPresentation
    {
        ProposalPresentation(
            next: "e2", title: "Second", subtitle: "S1 E2", summary: "It goes on.", genre: "Comedy", rating: "PG", image: "art2",
            transitionTime: time.map { .seconds($0) }, automaticAcceptanceInterval: accepts.map { .seconds($0) },
            videoPlace: place,
            isLocked: locked)
    }

    /// An item of 110 s whose last marker is at 80 s.
    static func item(_ offer: ProposalPresentation) -> ItemPresentation { Items.episode(interstitials: [], proposal: offer) }

    @Test func itIsShownNextToTheShrunkVideoAtItsTime() {
        var viewer = Viewer(watching: Self.item(Self.offer(at: 90)), at: 88)
        viewer.run(.milliseconds(1900))
        #expect(viewer.state.proposal == nil)
        viewer.run(.milliseconds(200))
        #expect(viewer.state.proposal?.title == "Second")
        #expect(viewer.state.proposal?.buttons.map(\.title) == ["Play Now", "Back to Credits", "Home"])
        #expect(viewer.state.proposal?.buttons.map(\.isFocused) == [true, false, false])
        #expect(viewer.state.proposal?.countdown == nil)
        #expect(viewer.state.proposal?.buttons[0].formerTitle == nil, "it never counted down")
        #expect(viewer.state.video.frame == Metrics.Video.proposalFrame)
    }

    @Test func clientsAreToldWhatBecomesOfIt() {
        func answers(_ viewer: Viewer) -> [ViewingEvent.Answer] {
            viewer.effects.compactMap { if case .tell(.proposal(next: "e2", let answer)) = $0 { answer } else { nil } }
        }
        func watched(_ offer: ProposalPresentation, _ keys: [RemoteKey], for length: Duration = .seconds(1)) -> Viewer {
            var viewer = Viewer(watching: Self.item(offer), at: 89)
            viewer.run(.seconds(2))
            for key in keys { viewer.press(key) }
            viewer.run(length)
            return viewer
        }
        #expect(answers(watched(Self.offer(at: 90), [.ok])) == [.offered, .accepted(automatic: false)])
        #expect(
            answers(watched(Self.offer(at: 90, accepts: -10), [], for: .seconds(12))) == [.offered, .accepted(automatic: true)])
        #expect(answers(watched(Self.offer(at: 90), [.right, .ok])) == [.offered, .deferred])
        #expect(answers(watched(Self.offer(at: 90), [.back], for: .seconds(22))) == [.offered, .deferred, .offered])
        #expect(answers(watched(Self.offer(at: 90), [.right, .right, .ok])) == [.offered, .rejected])
    }

    @Test(arguments: [ProposalPresentation.VideoPlace.full, .hidden]) func itMayAskForAnotherPlaceOfTheVideo(
        _ place: ProposalPresentation.VideoPlace
    ) {
        var viewer = Viewer(watching: Self.item(Self.offer(at: 90, place: place)), at: 89)
        viewer.run(.seconds(2))
        #expect(viewer.state.video == (place == .full ? .full : .hidden))
    }

    @Test func acceptPlaysTheNextAtOnce() {
        var viewer = Viewer(watching: Self.item(Self.offer(at: 90)), at: 89)
        viewer.run(.seconds(2))
        viewer.press(.ok)
        #expect(viewer.effects.contains(.playNext(id: "e2", automatic: false)))
        #expect(viewer.state.poster == PosterView(artwork: "art2", title: "Second"))
    }

    /// The longest interval that a feed can state.
    @Test func aCountdownOfYearsHasARing() {
        var viewer = Viewer(watching: Self.item(Self.offer(at: 90, accepts: 99_999_999)), at: 89)
        viewer.run(.seconds(2))
        #expect(viewer.state.proposal?.ringPercent == 99)
    }

    @Test func theCountdownAcceptsByItself() {
        var viewer = Viewer(watching: Self.item(Self.offer(at: 90, accepts: -10)), at: 89)
        viewer.run(.milliseconds(1100))
        #expect(viewer.state.proposal?.countdown == 10)
        #expect(viewer.state.proposal?.buttons[0].title == "Play Now (10)")
        #expect(viewer.state.proposal?.buttons[0].formerTitle == nil)
        viewer.run(.seconds(5))
        #expect(viewer.state.proposal?.countdown == 5)
        #expect(viewer.state.proposal?.ringPercent ?? 0 > 40)
        viewer.run(.seconds(6))
        #expect(viewer.effects.contains(.playNext(id: "e2", automatic: true)))
    }

    @Test func aCountdownThatStopsLeavesItsButtonAsWideAsItWas() {
        var viewer = Viewer(watching: Self.item(Self.offer(at: 90, accepts: -10)), at: 89)
        viewer.run(.milliseconds(1100))
        viewer.press(.right)
        #expect(viewer.state.proposal?.buttons.map(\.title) == ["Play Now", "Back to Credits", "Home"])
        #expect(viewer.state.proposal?.buttons.map(\.formerTitle) == ["Play Now (0)", nil, nil])
        #expect(viewer.state.proposal?.countdown == nil && viewer.state.proposal?.ringPercent == nil)
    }

    @Test func zeroAcceptsAtTheEndAndPositiveAfterIt() {
        var viewer = Viewer(watching: Self.item(Self.offer(at: 90, accepts: 0)), at: 89)
        viewer.run(.milliseconds(20_800))
        #expect(viewer.state.proposal != nil)
        viewer.run(.milliseconds(400))
        #expect(viewer.effects.contains(.playNext(id: "e2", automatic: true)))

        viewer = Viewer(watching: Self.item(Self.offer(at: nil, accepts: 6)), at: 109)
        viewer.run(.seconds(2))
        #expect(viewer.state.proposal?.countdown == 6 || viewer.state.proposal?.countdown == 5)
        viewer.run(.seconds(6))
        #expect(viewer.effects.contains(.playNext(id: "e2", automatic: true)))
    }

    @Test func aTooShortCountdownBeginsEarlier() {
        var viewer = Viewer(watching: Self.item(Self.offer(at: 108, accepts: 0)), at: 104)
        viewer.run(.milliseconds(1100))
        #expect(viewer.state.proposal?.countdown == 5, "at 105 s, after the last marker")
    }

    @Test func ifItCannotBeginEarlierAcceptanceIsDelayed() {
        var item = Self.item(Self.offer(at: 108, accepts: 0))
        item.markers.append(NavigationMarker(kind: .chapter, start: .seconds(107)))
        var viewer = Viewer(watching: item, at: 107)
        viewer.run(.milliseconds(1100))
        #expect(viewer.state.proposal?.countdown == 5)
        viewer.run(.seconds(3))
        #expect(viewer.state.proposal != nil, "the item has ended and the countdown continues")
        viewer.run(.seconds(3))
        #expect(viewer.effects.contains(.playNext(id: "e2", automatic: true)))
    }

    @Test(arguments: [RemoteKey.left, .right, .up, .down]) func anyKeyStopsTheCountdownForGood(_ key: RemoteKey) {
        var viewer = Viewer(watching: Self.item(Self.offer(at: 90, accepts: -10)), at: 89)
        viewer.run(.seconds(3))
        viewer.press(key)
        #expect(viewer.state.proposal != nil)
        #expect(viewer.state.proposal?.countdown == nil)
        viewer.run(.seconds(15))
        #expect(!viewer.effects.contains(.playNext(id: "e2", automatic: true)))
    }

    @Test func pauseFreezesTheCountdownAndPlayResumesIt() {
        var viewer = Viewer(watching: Self.item(Self.offer(at: 90, accepts: -10)), at: 89)
        viewer.run(.seconds(3))
        let left = viewer.state.proposal?.countdown
        viewer.press(.playpause)
        viewer.run(.seconds(30))
        #expect(viewer.state.proposal?.countdown == left)
        viewer.press(.playpause)
        viewer.run(.seconds(10))
        #expect(viewer.effects.contains(.playNext(id: "e2", automatic: true)))
    }

    @Test func deferShowsItOnceMoreAtTheEndWithoutCountdown() {
        var viewer = Viewer(watching: Self.item(Self.offer(at: 90, accepts: -10)), at: 89)
        viewer.run(.seconds(3))
        viewer.press(.back)
        #expect(viewer.state.proposal == nil)
        #expect(viewer.state.video == .full)
        viewer.run(.seconds(16))
        #expect(viewer.state.proposal == nil)
        viewer.run(.seconds(4))
        #expect(viewer.state.proposal?.buttons.map(\.title) == ["Play Now", "Home"])
        #expect(viewer.state.proposal?.countdown == nil)
        viewer.press(.back)
        #expect(viewer.state.card?.kind == .end)
    }

    @Test func rejectLeavesAndKeepsTheNextForLater() {
        var viewer = Viewer(watching: Self.item(Self.offer(at: 90)), at: 89)
        viewer.run(.seconds(2))
        viewer.press(.right)
        viewer.press(.right)
        viewer.press(.ok)
        #expect(viewer.effects.contains(.leavePlayer))
        #expect(viewer.effects.contains(.savePlace(id: "e2", SavedPlace(time: .zero))))
        #expect(viewer.state.screen == .home)
    }

    @Test func aSeekBeforeItHidesAndArmsItAgain() {
        var viewer = Viewer(watching: Self.item(Self.offer(at: 90)), at: 89)
        viewer.run(.seconds(2))
        viewer.place(.seconds(50))
        #expect(viewer.state.proposal == nil)
        viewer.place(.seconds(95))
        #expect(viewer.state.proposal != nil, "a seek that lands after its time shows it")
    }

    @Test func deferredItIsNotShownAgainBeforeTheEnd() {
        var viewer = Viewer(watching: Self.item(Self.offer(at: 90)), at: 89)
        viewer.run(.seconds(2))
        viewer.press(.back)
        viewer.place(.seconds(100))
        #expect(viewer.state.proposal == nil)
    }

    @Test func aVetoLetsItPlayToTheEndCard() {
        var viewer = Viewer(
            watching: Self.item(Self.offer(at: 90)), at: 89, policy: InterfacePolicy(navigation: CountingPolicy()))
        viewer.run(.seconds(22))
        #expect(viewer.state.proposal == nil)
        #expect(viewer.state.card?.kind == .end)
    }

    @Test func aSceneAfterTheCreditsKeepsItToTheEnd() {
        var item = Self.item(Self.offer(at: 90))
        item.markers.append(NavigationMarker(kind: .postCredits, start: .seconds(100)))
        var viewer = Viewer(watching: item, at: 89)
        viewer.run(.seconds(18))
        #expect(viewer.state.proposal == nil)
        viewer.run(.seconds(4))
        #expect(viewer.state.proposal != nil)
    }

    @Test func lockedItNeverAcceptsByItself() {
        var viewer = Viewer(watching: Self.item(Self.offer(at: 90, accepts: -10, locked: true)), at: 89)
        viewer.run(.seconds(30))
        #expect(viewer.state.proposal?.countdown == nil)
        #expect(!viewer.effects.contains(.playNext(id: "e2", automatic: true)))
    }

    @Test func itDoesNotOpenOverTheCorner() {
        var viewer = Viewer(watching: Self.item(Self.offer(at: 90)), at: 85)
        viewer.press(.back)
        viewer.run(.seconds(8))
        #expect(viewer.state.proposal == nil)
        viewer.press(.ok)
        viewer.run(.milliseconds(100))
        #expect(viewer.state.proposal != nil, "back on the whole screen it is shown")
    }

    @Test(arguments: [("e2", "Next Episode"), ("e3", "Up Next"), (nil, "Up Next")] as [(String?, String)])
    func whatWasDeferredIsOfferedInTheCreditsByItsName(next: String?, title: String) {
        var item = Self.item(Self.offer(at: 90))
        item.nextEpisode = next.map { HomeContent.Entry(id: $0, title: "Next") }
        item.markers.append(NavigationMarker(kind: .credits, start: .seconds(88)))
        var viewer = Viewer(watching: item, at: 89)
        viewer.run(.seconds(2))
        viewer.press(.back)
        viewer.run(.seconds(6))
        #expect(viewer.state.action == ContextualActionView(kind: .nextEpisode, title: title, isFocused: true))
        viewer.press(.ok)
        #expect(viewer.effects.contains(.playNext(id: "e2", automatic: false)))
    }

    @Test func whatIsProposedMayGoAwayWhileItIsShown() {
        let item = Self.item(Self.offer(at: 90, accepts: -5))
        var third = Self.offer(at: 90, accepts: -5)
        third.next = "e3"
        third.title = "Third"
        func shown(_ new: ProposalPresentation?, for length: Duration = .seconds(1)) -> Viewer {
            var viewer = Viewer(watching: item, at: 91)
            #expect(viewer.state.proposal?.title == "Second")
            var renewed = item
            renewed.proposal = new
            viewer.send(.itemUpdated(renewed))
            viewer.run(length)
            return viewer
        }
        #expect(shown(item.proposal).state.proposal?.title == "Second")
        #expect(shown(third).state.proposal?.title == "Third")
        let gone = shown(nil)
        #expect(gone.state.proposal == nil && gone.isPlaying && gone.state.video.frame != Metrics.Video.proposalFrame)
        #expect(shown(nil, for: .seconds(25)).state.card?.kind == .end)
        #expect(shown(third, for: .seconds(18)).effects.contains(.playNext(id: "e3", automatic: true)))
    }

    @Test func whatIsProposedAtTheEndMayGoAwayToo() {
        func ended(_ new: ProposalPresentation?) -> Viewer {
            let item = Self.item(Self.offer(at: nil))
            var viewer = Viewer(watching: item, at: 108)
            viewer.run(.seconds(4))
            #expect(viewer.state.proposal?.title == "Second")
            var renewed = item
            renewed.proposal = new
            viewer.send(.itemUpdated(renewed))
            return viewer
        }
        #expect(ended(nil).state.card?.kind == .end)
        var third = Self.offer(at: nil)
        third.next = "e3"
        var viewer = ended(third)
        #expect(viewer.state.card == nil && viewer.state.proposal != nil)
        viewer.press(.ok)
        #expect(viewer.effects.contains(.playNext(id: "e3", automatic: false)))
    }
}
