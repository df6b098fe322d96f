import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Screens
@testable import Viewing

/// The parts of an item as values, at the limits of their counts.
private let start = HostTime(nanoseconds: 5_000_000_000_000)

@Suite struct ContextualActionKindTests {
    private func kind(
        at position: MediaTime, _ markers: [NavigationMarker], hasProposed: Bool = false,
        _ build: (inout ItemPresentation) -> Void = { _ in }
    ) -> ContextualActionView.Kind? {
        var item = Items.episode(interstitials: [Items.ad("a", 60)], markers: markers, proposal: ProposalTests.offer(at: 90))
        build(&item)
        var transport = Transport(item)
        var turn = ViewingTurn.test(at: start)
        var snapshot = PlaybackSnapshot(state: .playing, position: position, rate: .one)
        snapshot.seekableRanges = [TimeRange(start: .zero, end: .seconds(100))]
        transport.take(snapshot, &turn)
        return ContextualActionView.Kind(in: transport, hasProposed: hasProposed)
    }

    @Test("an intro can be skipped from its first moment to its last")
    func intro() {
        let markers = [
            NavigationMarker(kind: .recap, start: .seconds(5), end: .seconds(10)),
            NavigationMarker(kind: .intro, start: .seconds(10), end: .seconds(20)),
        ]
        #expect(kind(at: .milliseconds(4999), markers) == nil)
        #expect(kind(at: .seconds(5), markers) == .skipRecap)
        #expect(kind(at: .seconds(10), markers) == .skipIntro)
        #expect(kind(at: .milliseconds(19_999), markers) == .skipIntro)
        #expect(kind(at: .seconds(20), markers) == nil)
        #expect(kind(at: .seconds(15), markers) { $0.requiresLinearPlayback = true } == nil)
        #expect(kind(at: .seconds(65), [NavigationMarker(kind: .intro, start: .zero, end: .seconds(90))]) == nil, "an ad plays")
    }

    @Test("in the credits the next episode is offered after it was proposed")
    func credits() {
        let markers = [NavigationMarker(kind: .credits, start: .seconds(90), end: .seconds(100))]
        #expect(kind(at: .seconds(90), markers) == nil)
        #expect(kind(at: .seconds(90), markers, hasProposed: true) == .nextEpisode)
        #expect(kind(at: .milliseconds(89_999), markers, hasProposed: true) == nil)
        #expect(kind(at: .seconds(100), markers, hasProposed: true) == nil)
        #expect(kind(at: .seconds(95), markers, hasProposed: true) { $0.proposal = nil } == nil)
        let open = [NavigationMarker(kind: .credits, start: .seconds(90))]
        #expect(kind(at: .seconds(109), open, hasProposed: true) == .nextEpisode)
    }

    @Test("behind the live edge, going live is offered instead of skipping content")
    func live() {
        let markers = [NavigationMarker(kind: .intro, start: .zero, end: .seconds(200))]
        #expect(kind(at: .seconds(80), markers) { $0.isLive = true } == .goLive)
        #expect(kind(at: .milliseconds(80_001), markers) { $0.isLive = true } == nil)
    }
}

@Suite struct ActionFocusTests {
    @Test("an action takes focus at once, or a second after a key that came just before it")
    func focus() {
        var action = ActionFocus()
        action.settle(.skipIntro, lastPress: nil, at: start)
        #expect(action.hasFocus(at: start) && action.focusTime(at: start) == nil)
        action.settle(nil, lastPress: nil, at: start)
        #expect(!action.hasFocus(at: start) && action.focusTime(at: start) == nil)
        let press = start - .milliseconds(400)
        action.settle(.skipIntro, lastPress: press, at: start)
        #expect(action.focusTime(at: start) == press + Timing.actionGuard)
        // Another key while it is shown does not remove its focus.
        action.settle(.skipIntro, lastPress: start, at: start + .milliseconds(1))
        #expect(!action.hasFocus(at: press + Timing.actionGuard - .nanoseconds(1)))
        #expect(action.hasFocus(at: press + Timing.actionGuard))
        action.settle(.skipRecap, lastPress: start - Timing.actionGuard, at: start)
        #expect(action.hasFocus(at: start), "the last key was long ago")
    }
}

@Suite struct SoundOnlyTests {
    @Test("the card moves every minute after video was disabled")
    func moves() {
        var sound = SoundOnly()
        sound.settle(false, at: start)
        #expect(sound.nextMove(at: start) == nil && sound.moves(at: start) == 0)
        sound.settle(true, at: start)
        let later = start + Timing.burnIn - .nanoseconds(1)
        sound.settle(true, at: later)
        #expect(sound.moves(at: later) == 0 && sound.nextMove(at: later) == start + Timing.burnIn)
        #expect(sound.moves(at: start + Timing.burnIn) == 1)
        #expect(sound.nextMove(at: start + Timing.burnIn) == start + Timing.burnIn * 2)
        sound.settle(false, at: later)
        sound.settle(true, at: later)
        #expect(sound.nextMove(at: later) == later + Timing.burnIn, "the time restarts")
    }
}

@Suite struct LongPauseTests {
    @Test("ten minutes dim the picture, thirty end in standby, counted from the last key")
    func counts() {
        var pause = LongPause()
        pause.update(isPaused: true, lastPress: start - .seconds(60), at: start)
        #expect(pause.deadline(at: start) == start + Timing.pausedDims)
        #expect(!pause.isDimmed(at: start + Timing.pausedDims - .nanoseconds(1)))
        let dim = start + Timing.pausedDims
        #expect(pause.isDimmed(at: dim) && pause.deadline(at: dim) == start + Timing.pausedStandby)
        #expect(!pause.isOver(at: start + Timing.pausedStandby - .nanoseconds(1)))
        #expect(pause.isOver(at: start + Timing.pausedStandby))
        pause.update(isPaused: true, lastPress: dim, at: dim)
        #expect(!pause.isDimmed(at: dim) && pause.deadline(at: dim) == dim + Timing.pausedDims, "a key restarts the time")
        pause.update(isPaused: false, lastPress: dim, at: dim + .seconds(1))
        #expect(pause.deadline(at: dim) == nil)
    }
}

@Suite struct StillnessTests {
    @Test("it is over five minutes after its beginning or the last key, and then something else moves each minute")
    func counts() {
        var stillness = Stillness()
        #expect(!stillness.isOver(at: start) && stillness.nextStep(at: start) == nil)
        stillness.update(true, lastPress: start - .seconds(60), at: start)
        let end = start + .seconds(300)
        #expect(!stillness.isOver(at: end - .nanoseconds(1)) && stillness.isOver(at: end))
        #expect(stillness.deadline(at: start) == end && stillness.deadline(at: end) == nil)
        #expect(stillness.nextStep(at: start) == end && stillness.nextStep(at: end) == end + Timing.burnIn)
        #expect(stillness.moves(at: end) == 0 && stillness.moves(at: end + Timing.burnIn * 19) == 19)
        stillness.update(true, lastPress: end, at: end)
        #expect(!stillness.isOver(at: end) && stillness.deadline(at: end) == end + .seconds(300), "a key restarts the time")
        stillness.update(false, lastPress: end, at: end)
        #expect(stillness.since == nil && stillness.moves(at: end) == 0)
    }
}

@Suite struct WaitingStepTests {
    @Test("each step of the waiting is due at its time, and the last one once")
    func steps() {
        var waiting = Waiting()
        #expect(waiting.isAtRest && waiting.nextStep(at: start) == nil)
        #expect(waiting.go(on: start) == .zero && !waiting.isAtRest)
        var now = start
        for step in [Timing.spinner, Timing.spinnerWord, Timing.slowNetwork, Timing.slowCard, Timing.moveOn] {
            #expect(waiting.nextStep(at: now) == start + step)
            now = start + step
            #expect(waiting.go(on: now) == step, "the time counts from its start")
        }
        #expect(waiting.nextStep(at: now) == nil)
        waiting.restart(at: now)
        #expect(waiting.nextStep(at: now) == now + Timing.spinner)
        waiting.end()
        #expect(waiting.isAtRest)
    }

    @Test("first nothing is shown, then a spinner, a word, and a sentence")
    func words() {
        let waiting = Waiting(since: start)
        func words(_ after: Duration, isLoading: Bool = false) -> SpinnerView? {
            waiting.view(at: start + after, isLoading: isLoading, strings: .english)
        }
        #expect(words(Timing.spinner - .nanoseconds(1)) == nil)
        #expect(words(Timing.spinner) == SpinnerView())
        #expect(words(Timing.spinnerWord)?.words == StringCatalogue.english.text(.buffering))
        #expect(words(Timing.spinnerWord, isLoading: true)?.words == StringCatalogue.english.text(.loading))
        #expect(words(Timing.slowNetwork)?.words == StringCatalogue.english.text(.slowNetwork))
    }
}

@Suite struct ProposalCountdownTests {
    private func shown(left: Duration?, runs: Bool = true) -> ProposalPresenter.Shown {
        var proposal = ProposalPresenter()
        return proposal.show(countdown: left, runs: runs, at: start)
    }

    @Test("the countdown moves each second, and is over at its end")
    func runs() {
        var proposal = shown(left: .milliseconds(4500))
        #expect(proposal.settle(runs: true, at: start) == false)
        #expect(proposal.secondsLeft(at: start) == 5)
        #expect(proposal.nextSecond(at: start) == start + .milliseconds(500))
        let last = start + .milliseconds(4500)
        #expect(proposal.settle(runs: true, at: last - .nanoseconds(1)) == false)
        #expect(proposal.nextSecond(at: last - .nanoseconds(1)) == last)
        #expect(proposal.settle(runs: true, at: last) == true)
    }

    @Test("it stops while the video does, and continues with the remaining time")
    func freezes() {
        var proposal = shown(left: .seconds(5))
        #expect(proposal.settle(runs: false, at: start + .seconds(2)) == false)
        #expect(proposal.nextSecond(at: start + .seconds(2)) == nil)
        #expect(proposal.secondsLeft(at: start + .seconds(90)) == 3)
        #expect(proposal.settle(runs: true, at: start + .seconds(100)) == false)
        #expect(proposal.settle(runs: true, at: start + .milliseconds(102_999)) == false)
        #expect(proposal.settle(runs: true, at: start + .seconds(103)) == true)
    }

    @Test("without a countdown it waits for a key")
    func none() {
        var proposal = shown(left: nil)
        #expect(proposal.settle(runs: true, at: start + .seconds(1000)) == false && proposal.nextSecond(at: start) == nil)
        proposal = shown(left: .seconds(5))
        proposal.stopCountdown()
        #expect(proposal.settle(runs: true, at: start + .seconds(1000)) == false && proposal.nextSecond(at: start) == nil)
    }

    @Test("it comes early enough for five seconds of countdown, but not before the last chapter")
    func time() {
        func time(at transition: Int64?, interval: MediaTime?, _ markers: [NavigationMarker] = []) -> MediaTime? {
            let item = Items.episode(interstitials: [], markers: markers, proposal: ProposalTests.offer(at: transition))
            return ProposalPresenter.time(in: PlayedItem(item), interval: interval)
        }
        #expect(time(at: 100, interval: nil) == .seconds(100))
        #expect(time(at: 100, interval: .seconds(-5)) == .seconds(100))
        #expect(time(at: 100, interval: .seconds(-6)) == .seconds(99))
        #expect(time(at: nil, interval: .zero) == .seconds(105))
        #expect(time(at: nil, interval: .seconds(5)) == nil)
        let credits = [NavigationMarker(kind: .credits, start: .seconds(99))]
        #expect(time(at: 100, interval: .seconds(-6), credits) == .seconds(100), "the credits begin there")
        #expect(time(at: 100, interval: .seconds(-5), [NavigationMarker(kind: .postCredits, start: .seconds(108))]) == nil)
        #expect(ProposalPresenter.time(in: PlayedItem(Items.plain), interval: .zero) == nil)
    }
}

@Suite struct PlayOrderTests {
    @Test("a command that the player has not carried out yet is kept")
    func inFlight() {
        var orders = PlayOrders()
        #expect(orders.play() == .play && orders.awaitsPlay && !orders.isAtRest)
        #expect(orders.follow(.paused, isWatching: true) == false && orders.wantsToPlay)
        #expect(orders.follow(.playing, isWatching: true) == false && orders.isAtRest && !orders.awaitsPlay)
        #expect(orders.pause() == .pause)
        #expect(orders.follow(.playing, isWatching: true) == false && !orders.wantsToPlay)
        #expect(orders.follow(.paused, isWatching: true) == false)
        #expect(orders.follow(.playing, isWatching: true) == false && orders.wantsToPlay, "a client started playback")
        #expect(orders.follow(.paused, isWatching: true) == true && !orders.wantsToPlay, "a client paused playback")
    }

    @Test("during a search the player's states do not change what the viewer wants")
    func searching() {
        var orders = PlayOrders()
        _ = orders.pause()
        _ = orders.follow(.paused, isWatching: true)
        _ = orders.follow(.playing, isWatching: false)
        #expect(!orders.wantsToPlay)
        _ = orders.play()
        _ = orders.follow(.playing, isWatching: true)
        #expect(orders.follow(.paused, isWatching: false) == false && orders.wantsToPlay)
    }

    @Test("playing ends a hold by the box")
    func hold() {
        var orders = PlayOrders()
        _ = orders.play()
        _ = orders.follow(.playing, isWatching: true)
        orders.note(.announcement)
        #expect(!orders.isAtRest && orders.hold == .announcement)
        _ = orders.play()
        #expect(orders.hold == nil)
    }
}

@Suite struct CaptionReplayTests {
    @Test("the captions end at the position of the key press, or with a navigation")
    func over() {
        var replay = CaptionReplay()
        #expect(!replay.isOver(at: nil) && replay.end() == nil)
        replay.begin(asked: .seconds(60), from: .seconds(45))
        #expect(!replay.isOver(at: .seconds(45)) && !replay.isOver(at: .milliseconds(59_999)))
        #expect(replay.isOver(at: .seconds(60)))
        #expect(!replay.isOver(at: .seconds(44)) && replay.isOver(at: .milliseconds(43_999)))
        #expect(replay.isOver(at: nil), "a search is under way")
        #expect(replay.end() == .showCaptionsForReplay(false) && replay.isAtRest && replay.end() == nil)
    }
}

extension ViewingTurn {
    /// A turn of an item with nothing over it.
    static func test(
        at now: HostTime, lastPress: HostTime? = nil, isOnScreen: Bool = true, card: Card.Kind? = nil, asksForPIN: Bool = false,
        continuesByItself: Bool = true
    ) -> ViewingTurn {
        ViewingTurn(
            now: now, policy: InterfacePolicy(), strings: .english, patience: .normal, showsCaptionsOnReplay: false,
            lastPress: lastPress,
            isDirectionHeld: false,
            isOnScreen: isOnScreen, card: card, asksForPIN: asksForPIN, hasPage: false,
            continuesByItself: continuesByItself, session: ViewingSession())
    }
}

@Suite struct ViewingSettleTests {
    private func settle(_ viewing: inout Viewing, _ turn: ViewingTurn) -> Viewing.Outcome? {
        var turn = turn
        return viewing.settle(&turn)
    }

    /// An item whose player reports that it plays at 50 s.
    private func playing(_ item: ItemPresentation = Items.plain, at position: MediaTime = .seconds(50)) -> Viewing {
        var viewing = Viewing(item, at: start)
        var turn = ViewingTurn.test(at: start)
        viewing.start(&turn)
        _ = viewing.playback(PlaybackSnapshot(state: .playing, position: position, rate: .one), &turn)
        return viewing
    }

    @Test("after twenty seconds without a picture a card is wanted, where there is room for one")
    func slow() {
        var viewing = Viewing(Items.plain, at: start)
        let late = start + Timing.slowCard
        #expect(settle(&viewing, .test(at: late - .nanoseconds(1))) == nil)
        #expect(settle(&viewing, .test(at: late, isOnScreen: false)) == nil)
        #expect(settle(&viewing, .test(at: late, asksForPIN: true)) == nil)
        #expect(settle(&viewing, .test(at: late, card: .end)) == nil)
        #expect(settle(&viewing, .test(at: late)) == .isSlow)
        #expect(settle(&viewing, .test(at: late, card: .slow)) == nil)
        #expect(settle(&viewing, .test(at: start + .seconds(3600), card: .slow)) == nil, "outside a queue it keeps waiting")
    }

    @Test("a queue continues after thirty seconds without a picture")
    func tooSlow() {
        var viewing = Viewing(Items.episode(isInQueue: true), at: start)
        #expect(settle(&viewing, .test(at: start + Timing.moveOn - .nanoseconds(1), card: .slow)) == nil)
        #expect(settle(&viewing, .test(at: start + Timing.moveOn, card: .slow)) == .isTooSlow)
    }

    @Test("the card of a slow network disappears when there are pictures again")
    func notSlow() {
        var viewing = playing()
        #expect(settle(&viewing, .test(at: start, card: .slow)) == .isNotSlow)
        #expect(settle(&viewing, .test(at: start, card: .end)) == nil)
    }

    @Test("a pause of half an hour ends in standby, unless a card is there")
    func pause() {
        var viewing = playing()
        var turn = ViewingTurn.test(at: start)
        viewing.transport.stand(&turn)
        #expect(turn.effects == [.pause])
        #expect(settle(&viewing, .test(at: start)) == nil)
        let late = start + Timing.pausedStandby
        var other = viewing
        #expect(settle(&other, .test(at: late, card: .stillWatching)) == nil)
        #expect(settle(&viewing, .test(at: late)) == .isPausedForLong)
    }

    @Test("the bar hides first, and the action is there at once")
    func barBeforeAction() {
        let intro = [NavigationMarker(kind: .intro, start: .zero, end: .seconds(90))]
        var viewing = playing(Items.episode(interstitials: [], markers: intro))
        viewing.transport.bar.show(.bar)
        #expect(settle(&viewing, .test(at: start, lastPress: start)) == nil)
        #expect(viewing.action.kind == nil && viewing.transport.bar.hidesAt == start + Timing.autoHide)
        #expect(settle(&viewing, .test(at: start + Timing.autoHide, lastPress: start)) == nil)
        #expect(!viewing.transport.bar.isVisible && viewing.action.kind == .skipIntro)
    }

    @Test("an ad plays at its own speed, and the player gets each speed once")
    func speed() {
        var viewing = playing(Items.episode(), at: .seconds(10))
        var turn = ViewingTurn.test(at: start)
        turn.session.speed.choose(Ratio(2))
        _ = viewing.settle(&turn)
        _ = viewing.settle(&turn)
        #expect(turn.effects.filter { $0 == .setSpeed(Ratio(2)) }.count == 1)
        turn.effects = []
        _ = viewing.playback(PlaybackSnapshot(state: .playing, position: .seconds(21), rate: .one), &turn)
        _ = viewing.settle(&turn)
        #expect(turn.effects.contains(.setSpeed(.one)))
    }

    @Test("the position is saved every four seconds of playback, and never under the end card")
    func places() {
        var viewing = playing()
        func saved(at position: MediaTime, card: Card.Kind? = nil) -> Bool {
            var turn = ViewingTurn.test(at: start, card: card)
            _ = viewing.playback(PlaybackSnapshot(state: .playing, position: position, rate: .one), &turn)
            return turn.effects.contains { if case .savePlace = $0 { true } else { false } }
        }
        #expect(!saved(at: .milliseconds(53_999)))
        #expect(saved(at: .seconds(54)))
        #expect(!saved(at: .seconds(55)))
        #expect(saved(at: .seconds(50)), "back counts too")
        #expect(!saved(at: .seconds(60), card: .end))
    }
}
