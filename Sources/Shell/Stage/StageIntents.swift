import BoxModel
import MediaTime
import Screens
import Viewing

/// Carries out the intents and commands that concern what is on the screen, in the item or beyond it.
enum StageIntents {
    /// - Returns: nil if another part carries it out.
    static func carryOut(_ intent: Intent, _ flow: inout StageFlow, _ turn: inout StageTurn) -> KeyOutcome? {
        switch intent {
        case .play: return play(&flow, &turn)
        case .pause: return .answered(flow.view(&turn, PlayerCommands.pause))
        case .togglePlayPause: return togglePlayPause(&flow, &turn)
        case .scan(let direction): return .answered(flow.view(&turn) { $0.transport.beginScan(direction, &$1) })
        case .nextChapter: return .answered(nextChapter(&flow, &turn))
        case .previousChapter: return .answered(flow.view(&turn) { $0.previousChapter(&$1) })
        case .chapter(let start): return .answered(flow.view(&turn) { $0.goToChapter(at: start, &$1) })
        case .fromBeginning: return .answered(played(flow.view(&turn) { $0.fromBeginning(&$1) }, &flow, &turn))
        case .startOver: return .answered(played(startOver(&flow, &turn), &flow, &turn))
        case .catchUp(let start):
            flow.uncover()
            return .answered(flow.view(&turn) { $0.goToProgramme(at: start, &$1) })
        case .goLive: return .answered(flow.view(&turn) { $0.goLive(&$1) })
        case .whatDidTheySay: return .answered(whatDidTheySay(&flow, &turn))
        case .replay: return .answered(flow.replay(&turn))
        case .retry: flow.tryAgain(isAsked: true, &turn)
        case .playNext: Succession.acceptProposal(automatic: false, &flow, &turn)
        case .nextEpisode: return .answered(Succession.playNextEpisode(&flow, &turn))
        case .backToCredits: flow.deferProposal(&turn)
        case .rejectProposal: Succession.rejectProposal(&flow, &turn)
        case .cycleSubtitles: return .answered(flow.view(&turn, PlayerCommands.cycleSubtitles))
        case .choose(let action): return choose(action, &flow, &turn).map { .answered($0) }
        case .open(let entry): flow.open(entry, &turn)
        case .openFromBeginning(let entry): flow.open(entry, fromBeginning: true, &turn)
        case .openDetails(let entry):
            flow.open(.page(.details(DetailsPage(entry, over: flow.stage.overlays.page))))
            turn.effects.append(.describe(id: entry.id))
        case .openListing(let programme, let channel):
            let listing = ListingPage(programme, on: channel)
            guard let page = DetailsPage(listing, over: flow.stage.overlays.page) else { return .refused(.notSupported) }
            flow.open(.page(.details(page)))
        case .tune(let channel): flow.tune(to: channel, &turn)
        case .found, .keepSearches, .firstRun: return nil
        case .returnToPlayer: flow.returnToPlayer(&turn)
        case .goBack: return .answered(goBack(&flow, &turn))
        case .goHome: return .answered(flow.goHome(&turn))
        case .leave: return .answered(flow.stopAndLeave(&turn))
        case .standby: flow.goToStandby(&turn)
        case .keepWatching: flow.keepWatching(&turn)
        case .request(let effect): turn.effects.append(effect)
        case .toggleGuide: return flow.toggleGuide(&turn)
        case .testLipSync: return flow.testLipSync(&turn)
        case .endDelay(let keeps): return flow.endDelay(keeps: keeps, &turn)
        case .toast(let text): turn.showToast(text)
        case .read(let text, let title, let artwork):
            let text = LongText(text, title: title, artwork: artwork, hasLargerText: turn.settings[.largerText])
            flow.open(.longText(text))
        case .askPIN(let purpose): return .answered(flow.askPIN(for: purpose, &turn))
        case .savePIN(let digits): return flow.pinChosen(digits, &turn)
        case .cancelPIN: flow.cancelPIN(&turn)
        case .openPanel(let tab): return openPanel(on: tab, &flow, &turn)
        case .openPage(let kind):
            let open = flow.stage.overlays.page
            guard let page = Page(kind, over: open, in: flow.stage.interfaceContext(turn.parts)) else {
                return .refused(.notSupported)
            }
            if kind == .settings { turn.effects.append(.readFacts) }
            flow.open(.page(page))
        }
        return .done
    }

    /// Like `carryOut`, for an intent for which the panel closes unless it is refused.
    static func leavePanel(for intent: Intent, _ flow: inout StageFlow, _ turn: inout StageTurn) -> KeyOutcome? {
        let panel = flow.stage.viewing.overlay.panel
        flow.closePanel()
        let outcome = carryOut(intent, &flow, &turn)
        if case .answered(.failed) = outcome, let panel { flow.open(panel) }
        return outcome
    }

    private static func openPanel(on tab: PanelView.Tab?, _ flow: inout StageFlow, _ turn: inout StageTurn) -> KeyOutcome {
        guard let content = flow.stage.interfaceContext(turn.parts).panel else { return .refused(.noItem) }
        guard let panel = Panel(tab, in: content) else { return .refused(.notSupported) }
        flow.open(panel)
        turn.effects.append(.readSignal)
        return .done
    }

    private static func choose(_ action: MenuAction, _ flow: inout StageFlow, _ turn: inout StageTurn) -> CommandResult? {
        switch action {
        case .selectSubtitles(let choice):
            guard flow.stage.viewing.played.snapshot.options.subtitleChoice != choice else { return .failed(.noChange) }
            turn.effects.append(.selectSubtitles(choice))
        case .selectAudio(let id): return flow.view(&turn) { $0.selectAudio(id, &$1) }
        case .turnSoundOff:
            let result = flow.view(&turn) { $0.turnSoundOff(&$1) }
            if result == .success { flow.closePanel() }
            return result
        case .selectAngle(let id):
            guard flow.stage.viewing.played.snapshot.options.selectedAngle != id else { return .failed(.noChange) }
            turn.effects.append(.selectAngle(id: id))
        case .setSpeed(let rate): return flow.view(&turn) { PlayerCommands.setSpeed(rate, &$0, &$1) }
        case .listen:
            let result = flow.view(&turn, PlayerCommands.beginListening)
            if result == .success { flow.closePanel() }
            return result
        case .set, .toggle, .setSleep, .open, .close, .wants, .nothing: return nil
        }
        return .success
    }

    // MARK: Commands

    /// A command for what plays. It obeys the same rules as keys, and wakes the box as they do.
    static func carryOut(_ command: RemoteCommand, _ flow: inout StageFlow, _ turn: inout StageTurn) -> KeyOutcome {
        let rule = command.rule
        guard rule.subject != .box else { return .refused(.notSupported) }
        if flow.stage.screen == .standby {
            if command == .standby { return .done }
            guard !rule.traits.contains(.yieldsToStandby) else { return .refused(.standby) }
            flow.wake(&turn)
            return .done
        }
        switch command {
        case .wake: return .done
        case .standby: return carryOut(.standby, &flow, &turn) ?? .done
        case .showMessage(let text, let seconds):
            turn.consequences.append(.message(text, seconds: seconds))
            return .done
        // The machine has carried out the others about the screen.
        default: return rule.subject == .item ? carryOutForItem(command, &flow, &turn) : .refused(.notSupported)
        }
    }

    /// A command that needs something that plays.
    private static func carryOutForItem(
        _ command: RemoteCommand, _ flow: inout StageFlow, _ turn: inout StageTurn
    ) -> KeyOutcome {
        guard flow.stage.overlays.pin == nil else { return .refused(.notReady) }
        guard flow.stage.hasItem else { return .refused(.noItem) }
        if flow.stage.viewing.played.isLoading, !canDoWhileLoading(command, flow.stage.viewing.orders) {
            return .refused(.notReady)
        }
        let hasProposal = flow.stage.hasProposal
        turn.consequences.append(.answered)
        if !hasProposal { turn.consequences.append(.viewerIsActive) }
        switch command {
        case .play: return hasProposal ? actOnProposal(.play, &flow, &turn) : play(&flow, &turn)
        case .pause:
            return hasProposal ? actOnProposal(.pause, &flow, &turn) : .answered(flow.view(&turn, PlayerCommands.pause))
        case .togglePlayPause:
            if hasProposal { return actOnProposal(.playpause, &flow, &turn) }
            return flow.stage.card == nil ? togglePlayPause(&flow, &turn) : play(&flow, &turn)
        case .changePlaybackPosition(let content): return .answered(go(to: content, &flow, &turn))
        case .skip(let distance):
            let viewing = flow.stage.viewing
            return .answered(
                go(to: (viewing.seeking.search?.content ?? viewing.transport.viewedContent) + distance, &flow, &turn))
        case .restart:
            guard flow.stage.card?.kind != .end else { return .answered(flow.replay(&turn)) }
            if flow.stage.viewing.played.item?.isLive == true { return .answered(startOver(&flow, &turn)) }
            return .answered(
                flow.view(&turn) { viewing, turn in PlayerCommands.leavingProposal(&viewing) { $0.fromBeginning(&turn) } })
        case .selectAudio(let id): return choose(audio: id, &flow, &turn)
        case .selectSubtitles(let id): return choose(captions: id, &flow, &turn)
        case .selectAngle(let id): return choose(angle: id, &flow, &turn)
        case .setCaptions(let isOn): return setCaptions(isOn, &flow, &turn)
        case .goToTimeOfDay(let seconds): return .answered(go(toTimeOfDay: seconds, &flow, &turn))
        case .changePlaybackRate(let rate): return .answered(flow.view(&turn) { PlayerCommands.setSpeed(rate, &$0, &$1) })
        case .goLive:
            let result = flow.view(&turn) { viewing, turn in
                if let reason = viewing.transport.navigationRefusal { return viewing.transport.refuse(reason, &turn) }
                return PlayerCommands.leavingProposal(&viewing) { $0.goLive(&turn) }
            }
            return .answered(result)
        default: return .refused(.notSupported)  // not about what plays
        }
    }

    private static func choose(audio id: String, _ flow: inout StageFlow, _ turn: inout StageTurn) -> KeyOutcome {
        let options = flow.stage.viewing.played.snapshot.options
        guard options.audio.contains(where: { $0.id == id }) else { return .refused(.unknownID) }
        return .answered(choose(.selectAudio(id), &flow, &turn) ?? .failed(.notSupported))
    }

    private static func choose(captions id: String, _ flow: inout StageFlow, _ turn: inout StageTurn) -> KeyOutcome {
        let options = flow.stage.viewing.played.snapshot.options
        guard options.subtitles.contains(where: { $0.id == id }) else { return .refused(.unknownID) }
        return .answered(choose(.selectSubtitles(.option(id)), &flow, &turn) ?? .failed(.notSupported))
    }

    private static func choose(angle id: String, _ flow: inout StageFlow, _ turn: inout StageTurn) -> KeyOutcome {
        guard flow.stage.viewing.played.snapshot.options.angles.contains(where: { $0.id == id }) else {
            return .refused(.unknownID)
        }
        return .answered(choose(.selectAngle(id), &flow, &turn) ?? .failed(.notSupported))
    }

    /// Captions that are shown already stay.
    private static func setCaptions(_ isOn: Bool, _ flow: inout StageFlow, _ turn: inout StageTurn) -> KeyOutcome {
        let options = flow.stage.viewing.played.snapshot.options
        guard isOn else { return .answered(choose(.selectSubtitles(.off), &flow, &turn) ?? .failed(.notSupported)) }
        guard !options.subtitles.contains(where: { $0.id == options.shownSubtitles }) else { return .refused(.noChange) }
        guard let captions = options.subtitles(for: turn.strings.language) else { return .refused(.notSupported) }
        return choose(captions: captions, &flow, &turn)
    }

    /// An item that is being opened can be told to pause at its first frame, and then to play after all.
    private static func canDoWhileLoading(_ command: RemoteCommand, _ orders: PlayOrders) -> Bool {
        switch command {
        case .pause: true
        case .play, .togglePlayPause: !orders.wantsToPlay
        default: false
        }
    }

    private static func actOnProposal(_ key: RemoteKey, _ flow: inout StageFlow, _ turn: inout StageTurn) -> KeyOutcome {
        flow.view(&turn) { $0.actOnProposal(key, step: 0, &$1) }
    }

    private static func go(to content: MediaTime, _ flow: inout StageFlow, _ turn: inout StageTurn) -> CommandResult {
        let viewing = flow.stage.viewing
        let isAllowed = viewing.transport.navigationRefusal == nil && viewing.played.position != nil
        let result = flow.view(&turn) { PlayerCommands.go(to: content, &$0, &$1) }
        if isAllowed { flow.closeCard(.end) }
        return result
    }

    /// What a live stream has sent at a time of day, if it still has it.
    private static func go(
        toTimeOfDay seconds: Int, _ flow: inout StageFlow, _ turn: inout StageTurn
    ) -> CommandResult {
        let played = flow.stage.viewing.played
        guard let item = played.item, item.isLive, let origin = item.clockOrigin,
            let first = played.snapshot.seekableRanges.first?.start, let last = played.snapshot.seekableRanges.last?.end
        else { return .failed(.notSupported) }
        let search = TimeOfDaySearch(origin: origin, changes: turn.strings.changes)
        guard let place = search.newest(at: seconds, from: first, to: last) else { return .failed(.outOfRange) }
        return go(to: played.clock.content(at: place), &flow, &turn)
    }

    // MARK: Parts

    private static func play(_ flow: inout StageFlow, _ turn: inout StageTurn) -> KeyOutcome {
        guard flow.stage.hasItem else { return .refused(.noItem) }
        if var card = flow.stage.card, !card.kind.leavesPlayback, flow.stage.screen == .player {
            return card.act(.play, step: 0, in: flow.stage.interfaceContext(turn.parts).card)
        }
        return .answered(flow.view(&turn, PlayerCommands.play))
    }

    private static func togglePlayPause(_ flow: inout StageFlow, _ turn: inout StageTurn) -> KeyOutcome {
        guard flow.stage.viewing.orders.wantsToPlay else { return play(&flow, &turn) }
        return .answered(flow.view(&turn, PlayerCommands.pause))
    }

    /// To the page on which what plays was chosen, else to Home. What is on demand ends there, and keeps its place: the page would hide it. A channel goes
    /// on, as it does under the guide.
    private static func goBack(_ flow: inout StageFlow, _ turn: inout StageTurn) -> CommandResult {
        guard let page = flow.stage.pageOfOrigin else { return flow.goHome(&turn) }
        let result = flow.stage.viewing.played.isChannel ? flow.goHome(&turn) : flow.stopAndLeave(&turn)
        guard result == .success else { return result }
        flow.open(.page(page))
        turn.effects += page.describedIDs.map { .describe(id: $0) }
        return .success
    }

    /// Live: the start of the programme that is on, for each way to ask for it.
    private static func startOver(_ flow: inout StageFlow, _ turn: inout StageTurn) -> CommandResult {
        let broadcast = flow.stage.interfaceContext(turn.parts).broadcast
        return flow.view(&turn) { $0.goToProgramme(at: broadcast?.startOfProgramme, &$1) }
    }

    /// What a viewer begins anew plays, also out of a pause.
    private static func played(_ result: CommandResult, _ flow: inout StageFlow, _ turn: inout StageTurn) -> CommandResult {
        if result == .success, !flow.stage.viewing.orders.wantsToPlay { flow.view(&turn) { $0.transport.resume(&$1) } }
        return result
    }

    /// Skips an interstitial if that is offered; otherwise goes to the next item where the feed wants that, else to the next chapter, and after the last one to
    /// the next episode.
    private static func nextChapter(_ flow: inout StageFlow, _ turn: inout StageTurn) -> CommandResult {
        let viewing = flow.stage.viewing
        if viewing.transport.isLinear, viewing.transport.offersSkip {
            return flow.view(&turn) { $0.transport.skipInterstitial(&$1) }
        }
        if viewing.transport.navigationRefusal == nil, viewing.played.item?.skipsItems == true {
            return Succession.moveOn(&flow, &turn)
        }
        let result = flow.view(&turn) { $0.nextChapter(&$1) }
        guard result == .failed(.notSupported), viewing.played.item?.nextEpisode != nil else { return result }
        return Succession.playNextEpisode(&flow, &turn)
    }

    /// Back fifteen seconds, with captions up to the position at which the key was pressed.
    private static func whatDidTheySay(_ flow: inout StageFlow, _ turn: inout StageTurn) -> CommandResult {
        let result = flow.view(&turn) { $0.whatDidTheySay(&$1) }
        guard result == .success else { return result }
        flow.closePanel()
        turn.showToast(turn.strings.text(.whatDidTheySay))
        return .success
    }
}
