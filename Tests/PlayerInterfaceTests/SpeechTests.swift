import MediaModel
import Testing

@testable import Screens

/// What is said, from states: each part once, and again only when it is new.
@Suite struct SaidTests {
    private var speech = FocusSpeech()
    private let strings = StringCatalogue.english

    private mutating func said(_ state: PresentationState) -> String? { speech.words(for: state, in: strings, isWanted: true) }

    private func card(_ title: String, seconds: Int, focused: Int = 0) -> PresentationState {
        var state = PresentationState(screen: .player)
        state.card = CardView(
            kind: .error, title: title, message: "This programme isn’t available right now.",
            countdown: "Next programme in \(seconds) s",
            buttons: [
                ButtonView(title: "Try Again (\(seconds))", plainTitle: "Try Again", isFocused: focused == 0),
                ButtonView(title: "Home", isFocused: focused == 1),
            ])
        return state
    }

    @Test mutating func whatCountsDownIsSaidOnce() {
        #expect(
            said(card("Episode 3", seconds: 9))
                == "Episode 3, This programme isn’t available right now., Next programme in 9 s, Try Again, button, 1 of 2")
        #expect(said(card("Episode 3", seconds: 8)) == nil)
        #expect(said(card("Episode 3", seconds: 8, focused: 1)) == "Home, button, 2 of 2")
    }

    @Test mutating func titlesThatDifferByANumberAreDifferent() {
        _ = said(card("Episode 3", seconds: 9))
        #expect(said(card("Episode 4", seconds: 9))?.hasPrefix("Episode 4, ") == true)
    }

    @Test mutating func theProposalIsSaidOnceWhileItCountsDown() {
        func state(_ seconds: Int) -> PresentationState {
            var state = PresentationState(screen: .player)
            state.proposal = ProposalView(
                heading: "Up Next", title: "The Wreck",
                buttons: [ButtonView(title: "Play Now (\(seconds))", plainTitle: "Play Now", isFocused: true)], countdown: seconds
            )
            return state
        }
        #expect(said(state(12)) == "Up Next, The Wreck, Play Now, button")
        #expect(said(state(11)) == nil)
    }

    @Test mutating func theWaitOfALockedPINIsSaidOnce() {
        func state(_ warning: String?, isLocked: Bool) -> PresentationState {
            var state = PresentationState(screen: .home)
            state.pin = PINView(
                title: "Enter PIN", enteredCount: 0, length: 4, warning: warning, isLocked: isLocked,
                keys: [["1", "2"]], focus: .key(row: 0, column: 1))
            return state
        }
        #expect(said(state(nil, isLocked: false)) == "Enter PIN, 2")
        #expect(said(state("Wrong PIN.", isLocked: false)) == "Enter PIN, Wrong PIN., 2")
        #expect(said(state("Try again in 4:59.", isLocked: true)) == "Enter PIN, Try again in 4:59., 2")
        #expect(said(state("Try again in 4:58.", isLocked: true)) == nil)
    }

    @Test mutating func aRefusalIsSaidOnceAndTheTitleNotAgainAfterIt() {
        func state(_ refusal: RefusalView?) -> PresentationState {
            var state = PresentationState(screen: .player)
            state.title = TitleView(title: "Low Water")
            state.bar = TransportBarView()
            state.refusal = refusal
            return state
        }
        #expect(said(state(nil)) == "Low Water")
        #expect(said(state(RefusalView(words: "You can skip ahead in 0:12", count: 1))) == "You can skip ahead in 0:12")
        #expect(said(state(RefusalView(words: "You can skip ahead in 0:11", count: 1))) == nil)
        #expect(said(state(nil)) == nil)
        #expect(said(state(RefusalView(words: "You can skip ahead in 0:09", count: 2))) == "You can skip ahead in 0:09")
    }

    @Test mutating func aTabHasItsRolePositionAndState() {
        var state = PresentationState(screen: .player)
        state.panel = PanelView(
            tabs: [.init(tab: .info, title: "Info"), .init(tab: .chapters, title: "Chapters")], selected: 1, focus: .tabs,
            content: .chapters([]))
        #expect(said(state) == "Chapters, tab 2 of 2, selected")
    }
}
