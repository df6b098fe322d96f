import LinuxSupport
import MediaModel
import MediaTime

/// Pages: opening, closing, and the keys of Settings and of long texts.
extension InterfaceMachine {
    mutating func closePage() { page = nil }

    /// Everything that lies over Home or the picture goes: a zap, standby, another item.
    mutating func closeLayers() {
        page = nil
        longText = nil
        pin = nil
        panel = nil
    }

    // MARK: Settings

    mutating func openSettings(at start: MenuPage = .settings) -> CommandResult {
        guard !policy.isKiosk || isOperator else { return .failed(.notSupported) }
        effects.append(.readFacts)
        page = .settings(MenuModel(start, focus: firstFocus(in: entries(of: start))))
        return .success
    }

    mutating func actInSettings(_ key: RemoteKey, _ menu: MenuModel) -> CommandResult {
        var menu = menu
        // The limit may only be moved, and the box reset, by whoever knows the PIN.
        let opens = key == .ok || [.left, .right].contains(key) && step(of: key) > 0
        if opens, let purpose = purposeOfOpening(menu), !isUnlocked(purpose) { return askPIN(for: purpose) }
        if let result = act(key, inMenu: &menu, rowsOnScreen: Metrics.Menu.settingsRows) {
            if case .settings = page { page = .settings(menu) }
            return result
        }
        switch key {
        case .back, .menu, .home:
            closePage()
            return .success
        default: return .failed(.notSupported)
        }
    }

    private func purposeOfOpening(_ menu: MenuModel) -> PINPurpose? {
        let entries = entries(of: menu.page)
        guard entries.indices.contains(menu.top.index) else { return nil }
        switch entries[menu.top.index].action {
        case .open(.parental): return .parental
        case .open(.factoryReset): return .factoryReset
        default: return nil
        }
    }

    /// Opens a page of Settings that was behind the PIN.
    mutating func openLockedPage(_ locked: MenuPage) {
        guard case .settings(var menu) = page else { return }
        menu.push(locked, focus: 0)
        page = .settings(menu)
    }

    func settingsView(_ menu: MenuModel) -> SettingsView {
        let view = menuView(menu, rowsOnScreen: Metrics.Menu.settingsRows, hasFocus: true, title: title(of: menu.page))
        let entries = entries(of: menu.page)
        let explanation = view.focusedRow.flatMap { entries.indices.contains($0) ? entries[$0].explanation : nil }
        let section = menu.levels.first { $0.page.section != .top }?.page.section ?? .top
        return SettingsView(page: section, title: policy.strings.text(.settings), explanation: explanation, menu: view)
    }

    // MARK: Long texts

    mutating func openText(_ text: String, title: String?) {
        longText = LongText(text, title: title, hasLargerText: settings.hasLargerText)
    }

    mutating func actOnLongText(_ key: RemoteKey) -> CommandResult {
        guard let outcome = longText?.act(key) else { return .failed(.notSupported) }
        if outcome == .closed {
            longText = nil
            return .success
        }
        return carryOut(outcome)
    }

    // MARK: Where keys go

    /// What the pages are given to show.
    var browsing: BrowsingContext {
        BrowsingContext(content: home.content, playing: playingID, schedule: schedule, now: now, strings: policy.strings)
    }

    var hasGuide: Bool { schedule.isReadable }

    mutating func openGuide() -> CommandResult {
        guard let guide = GuidePage(browsing) else { return .failed(.notSupported) }
        bar.hide()
        panel = nil
        page = .guide(guide)
        return .success
    }

    /// There is something to be found, and the operator allows looking.
    var hasSearch: Bool { (!policy.isKiosk || isOperator) && !home.content.searchable.isEmpty }

    mutating func openSearch() -> CommandResult {
        guard hasSearch else { return .failed(.notSupported) }
        page = .search(SearchPage())
        return .success
    }

    mutating func openChannelList() -> CommandResult {
        guard let list = ChannelListPage(browsing) else { return .failed(.notSupported) }
        bar.hide()
        page = .channels(list)
        return .success
    }

    mutating func act(_ key: RemoteKey, on page: Page) -> CommandResult {
        let outcome: PageOutcome
        switch page {
        case .settings(let menu): return actInSettings(key, menu)
        case .search(var search):
            outcome = search.act(key, in: browsing)
            self.page = .search(search)
        case .guide(var guide):
            outcome = guide.act(key, in: browsing)
            self.page = .guide(guide)
        case .channels(var list):
            outcome = list.act(key, in: browsing)
            self.page = .channels(list)
        }
        return carryOut(outcome)
    }

    private mutating func carryOut(_ outcome: PageOutcome) -> CommandResult {
        switch outcome {
        case .answered(let result): return result
        case .closed:
            closePage()
            return .success
        case .open(let entry): return open(entry)
        case .tune(let channel): return zap(to: channel)
        case .read(let text, let title):
            openText(text, title: title)
            return .success
        case .playback(.play): return play()
        case .playback(.pause): return pause()
        case .playback: return togglePlayPause()
        }
    }
}

extension MenuPage {
    /// The page of Settings that it belongs to.
    var section: SettingsView.Page {
        switch self {
        case .settings, .subtitles, .audio, .picture, .speed: .top
        case .language, .interfaceLanguage, .audioLanguage, .captionLanguage: .language
        case .captions, .captionStyle, .captionColour, .captionOpacity, .captionSize, .captionFont, .captionEdge,
            .captionBackground,
            .captionBackgroundOpacity, .captionWindow, .captionWindowOpacity:
            .captions
        case .sound: .sound
        case .pictureSettings, .aspect, .overscan: .picture
        case .accessibility, .patience: .accessibility
        case .network: .network
        case .storage, .deletion: .storage
        case .parental, .parentalAge: .parental
        case .sleepTimer: .sleepTimer
        case .about, .factoryReset: .about
        }
    }
}
