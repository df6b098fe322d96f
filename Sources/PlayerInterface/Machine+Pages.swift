import LinuxSupport
import MediaModel
import MediaTime

/// Pages: opening, closing, and the keys of Settings and of long texts.
extension InterfaceMachine {
    mutating func closePage() { page = nil }

    /// Everything that lies over Home or the picture goes: a zap, standby, another item.
    mutating func closeLayers() {
        overlays.close()
        panel = nil
    }

    // MARK: Settings

    mutating func openSettings() -> CommandResult {
        guard isOpenToViewer else { return .failed(.notSupported) }
        effects.append(.readFacts)
        page = .settings(MenuModel(.settings, entries: settingsMenu.entries(of: .settings)))
        return .success
    }

    private mutating func actInSettings(_ key: RemoteKey, _ menu: MenuModel) -> CommandResult {
        if let purpose = settingsMenu.purposeOfOpening(key, in: menu), !pinLock.isOpen(purpose, hasPIN: policy.hasPIN) {
            return askPIN(for: purpose)
        }
        var menu = menu
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

    /// Opens a page of Settings that was behind the PIN.
    mutating func openLockedPage(_ locked: MenuPage) {
        guard case .settings(var menu) = page else { return }
        menu.push(locked, focus: 0)
        page = .settings(menu)
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
        BrowsingContext(content: home.content, playing: playingID, schedule: schedule, now: now, strings: strings)
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
    var hasSearch: Bool { isOpenToViewer && !home.content.searchable.isEmpty }

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
