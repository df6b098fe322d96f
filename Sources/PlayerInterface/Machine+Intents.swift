import LinuxSupport
import MediaModel
import MediaTime

/// Carries out intents, each by the part that owns it.
extension InterfaceMachine {
    mutating func carryOut(_ intent: Intent) -> CommandResult {
        switch intent {
        case .play: return play()
        case .pause: return pause()
        case .togglePlayPause: return togglePlayPause()
        case .scan(let direction): return view { $0.transport.beginScan(direction, &$1) }
        case .nextChapter: return nextChapter()
        case .previousChapter: return view { $0.previousChapter(&$1) }
        case .chapter(let start): return view { $0.goToChapter(at: start, &$1) }
        case .fromBeginning: return view { $0.fromBeginning(&$1) }
        case .restartLive: return view { $0.restartLive(&$1) }
        case .goLive: return view { $0.goLive(&$1) }
        case .whatDidTheySay: return whatDidTheySay()
        case .replay: return replay()
        case .retry: tryAgain()
        case .playNext: acceptProposal(automatic: false)
        case .backToCredits: deferProposal()
        case .rejectProposal: rejectProposal()
        case .choose(let action):
            let result = carryOut(action)
            let menus = settingsMenu
            overlays.page?.settle(in: menus)
            return result
        case .cycleSubtitles: return cycleSubtitles()
        case .open(let entry): return open(entry)
        case .tune(let channel): return zap(to: channel)
        case .returnToPlayer: returnToPlayer()
        case .leave: return stopAndLeave()
        case .standby: goToStandby()
        case .keepWatching: keepWatching()
        case .openPanel(let tab): return openPanel(tab)
        case .openSettings: return openSettings()
        case .openSearch: return openSearch()
        case .openGuide: return openGuide()
        case .openChannelList: return openChannelList()
        case .read(let text, let title):
            overlays.put(.longText(LongText(text, title: title, hasLargerText: settings.hasLargerText)))
        case .askPIN(let purpose): return askPIN(for: purpose)
        case .checkPIN(let digits): effects.append(.checkPIN(digits))
        case .cancelPIN: cancelPIN()
        }
        return .success
    }

    private mutating func carryOut(_ action: MenuAction) -> CommandResult {
        switch action {
        case .set(let new), .toggle(let new):
            guard new != settings else { return .failed(.noChange) }
            apply(new)
            effects.append(.saveSettings(new))
        case .selectSubtitles(let choice):
            guard snapshot.options.subtitleChoice != choice else { return .failed(.noChange) }
            effects.append(.selectSubtitles(choice))
        case .whatDidTheySay: return whatDidTheySay()
        case .selectAudio(let id): effects.append(.selectAudio(id: id))
        case .setSpeed(let rate): return setSpeed(rate)
        case .setSleep(let choice): setSleep(choice)
        case .listen: return beginListening()
        case .delete(let id): effects.append(.deleteStore(id: id))
        case .factoryReset: effects.append(.factoryReset)
        case .open, .close, .nothing: break  // the menu has handled it
        }
        return .success
    }

    // MARK: Pages and the panel

    /// Opens the panel on a tab; nil for the first.
    private mutating func openPanel(_ tab: PanelView.Tab?) -> CommandResult {
        guard let content = panelContent else { return .failed(.noItem) }
        guard let panel = Panel(tab, in: content) else { return .failed(.notSupported) }
        overlays.put(.panel(panel))
        return .success
    }

    mutating func openSettings() -> CommandResult {
        guard isOpenToViewer else { return .failed(.notSupported) }
        effects.append(.readFacts)
        overlays.put(.page(.settings(SettingsPage(settingsMenu))))
        return .success
    }

    private mutating func openSearch() -> CommandResult {
        guard hasSearch else { return .failed(.notSupported) }
        overlays.put(.page(.search(SearchPage())))
        return .success
    }

    mutating func openGuide() -> CommandResult {
        guard let guide = GuidePage(browsing) else { return .failed(.notSupported) }
        bar.hide()
        overlays.remove(.panel)
        overlays.put(.page(.guide(guide)))
        return .success
    }

    private mutating func openChannelList() -> CommandResult {
        guard let list = ChannelListPage(browsing) else { return .failed(.notSupported) }
        bar.hide()
        overlays.put(.page(.channels(list)))
        return .success
    }

    /// Closes everything over Home or the picture except a card, for a zap, standby or another item.
    mutating func closeLayers() { overlays.remove(.panel, .page, .longText, .pin) }

    /// Focus stays on an existing element; options may change while the panel is open.
    mutating func settlePanel() {
        guard var panel = overlays.panel else { return }
        overlays.panel = panelContent.flatMap { panel.settle(in: $0) ? panel : nil }
    }

    // MARK: Channels

    mutating func zap(by step: Int) -> CommandResult {
        tuner.channel(step, in: browsing).map { zap(to: $0) } ?? .failed(.notSupported)
    }

    mutating func zapBack() -> CommandResult {
        tuner.previousChannel(in: browsing).map { zap(to: $0) } ?? .failed(.notSupported)
    }

    private mutating func zap(to channel: HomeContent.Entry) -> CommandResult {
        closeLayers()
        tuner.tuned(to: channel.id, at: now)
        if opening == nil, item != nil, playingID == channel.id {
            returnToPlayer()
            return .success
        }
        return open(channel)
    }

    mutating func typeDigit(_ digit: String) -> CommandResult {
        guard hasChannels else { return .failed(.notSupported) }
        tuner.type(digit, at: now)
        return .success
    }

    mutating func commitDigits() {
        let number = tuner.numberIsComplete(in: browsing)
        guard let channel = number.channel else {
            showToast(strings.text(.noSuchChannel, number.typed))
            return
        }
        _ = zap(to: channel)
    }

    // MARK: The PIN

    /// Requests the PIN; nothing protected is shown before.
    private mutating func askPIN(for purpose: PINPurpose) -> CommandResult {
        guard policy.hasPIN else {
            // Without a PIN, protected items stay locked, with a message.
            showToast(strings.text(.lockedWithoutPIN))
            return .failed(.notSupported)
        }
        overlays.put(.pin(PINEntry(for: purpose)))
        return .success
    }

    private mutating func cancelPIN() {
        let purpose = overlays.pin?.purpose
        overlays.remove(.pin)
        guard case .entry = purpose, opening != nil else { return }
        viewing = Viewing()
        screen = .home
        effects.append(.leavePlayer)
    }

    mutating func pinChecked(_ isRight: Bool) {
        guard var pin = overlays.pin, pin.isChecking else { return }
        guard isRight else {
            effects.append(.savePINFailures(pinLock.fail(at: now)))
            pin.failed()
            overlays.put(.pin(pin))
            return
        }
        if pinLock.succeed() { effects.append(.savePINFailures(0)) }
        overlays.remove(.pin)
        pinLock.open(pin.purpose)
        switch pin.purpose {
        case .entry(let entry, _):
            effects.append(.unlock(id: entry.id))
            _ = open(entry)
        case .parental: overlays.page?.open(.parental)
        case .factoryReset: overlays.page?.open(.factoryReset)
        case .operatorPages:
            closeLayers()
            _ = openSettings()
        }
    }

    /// The item to open needs the PIN, which is requested before anything of it is shown.
    mutating func lockedEntry(_ entry: HomeContent.Entry, rating: String?) {
        endViewing()
        viewing = Viewing(opening: entry)
        guard askPIN(for: .entry(entry, rating: rating)) != .success else { return }
        viewing = Viewing()
        screen = .home
        home.focusEntries()
        effects.append(.leavePlayer)
    }

    /// The operator's keys were completed. The page appears after the key itself has had its effect, and is above the result.
    mutating func settleOperator() {
        guard keys.takeOperatorRequest() else { return }
        _ = pinLock.isOperator ? openSettings() : askPIN(for: .operatorPages)
    }

    // MARK: Settings

    /// Applies stored settings without storing them again.
    mutating func apply(_ new: ViewerSettings) {
        let old = settings
        preferences.take(new, languages: policy.languages)
        if settings.captionStyle != old.captionStyle { effects.append(.setCaptionStyle(settings.captionStyle)) }
        if settings.fit(of: fitKey) != old.fit(of: fitKey) { effects.append(.setVideoFit(settings.fit(of: fitKey))) }
    }

    // MARK: Captions and speed

    /// The Subtitle key: selects the next captions and shows their name.
    private mutating func cycleSubtitles() -> CommandResult {
        let options = snapshot.options
        guard let next = options.nextSubtitles else {
            showToast(strings.text(.noSubtitles))
            return .failed(.notSupported)
        }
        effects.append(.selectSubtitles(next))
        showToast(strings.text(.subtitlesAre, options.title(of: next, in: strings)))
        return .success
    }

    /// Back fifteen seconds, with captions up to the position at which the key was pressed.
    mutating func whatDidTheySay() -> CommandResult {
        let result = view { $0.whatDidTheySay(&$1) }
        guard result == .success else { return result }
        overlays.remove(.panel)
        showToast(strings.text(.whatDidTheySay))
        return .success
    }

    private mutating func setSpeed(_ new: Ratio) -> CommandResult {
        guard snapshot.speeds.contains(new) else { return .failed(.notSupported) }
        guard !isLinear else { return view { $0.transport.refuse(.linear, &$1) } }
        guard new != session.speed.chosen else { return .failed(.noChange) }
        session.speed.choose(new)
        return .success
    }
}
