import MediaModel
import MediaTime

/// What the viewer has set: the menus in which it is changed, and how it comes into force.
extension InterfaceMachine {
    // MARK: Menus

    var menuRows: MenuRows { MenuRows(strings: strings, settings: settings) }

    var settingsMenu: SettingsMenu {
        SettingsMenu(
            rows: menuRows, policy: policy, facts: facts, sleep: sleep, now: now, fitKey: fitKey,
            canSleepAtEnd: item?.isLive == false)
    }

    /// The rows of a menu of the panel or of Settings.
    func entries(of page: MenuPage) -> [MenuEntry] {
        switch page {
        case .subtitles: subtitleEntries()
        case .audio: audioEntries()
        case .picture: pictureEntries()
        case .speed: speedEntries()
        default: settingsMenu.entries(of: page)
        }
    }

    /// A key in a menu; nil: it is for what shows the menu.
    mutating func act(_ key: RemoteKey, inMenu menu: inout MenuModel, rowsOnScreen: Int) -> CommandResult? {
        switch menu.act(key, step: step(of: key), rowsOnScreen: rowsOnScreen, entries: entries) {
        case .answered(let result): return result
        case .unused: return nil
        case .chosen(let action):
            let result = carryOut(action)
            menu.settle(entries(of: menu.page), rowsOnScreen: rowsOnScreen)  // the rows may be others now
            return result
        }
    }

    private mutating func carryOut(_ action: MenuAction) -> CommandResult {
        switch action {
        case .set(let new), .toggle(let new): return change(new)
        case .selectSubtitles(let choice): return choose(choice)
        case .whatDidTheySay: return whatDidTheySay()
        case .selectAudio(let id): effects.append(.selectAudio(id: id))
        case .setSpeed(let rate): return setSpeed(rate)
        case .setSleep(let choice): setSleep(choice)
        case .listen: return beginListening()
        case .delete(let id): effects.append(.deleteStore(id: id))
        case .factoryReset: effects.append(.factoryReset)
        case .open, .close, .nothing: break  // the menu itself has done it
        }
        return .success
    }

    func step(of key: RemoteKey) -> Int { strings.step(of: key) }

    // MARK: What is in force

    var settings: ViewerSettings { preferences.settings }

    /// Takes changed settings: kept, and in force at once.
    private mutating func change(_ new: ViewerSettings) -> CommandResult {
        guard new != settings else { return .failed(.noChange) }
        apply(new)
        effects.append(.saveSettings(new))
        return .success
    }

    /// Takes settings without keeping them: they come from where they are kept.
    mutating func apply(_ new: ViewerSettings) {
        let old = settings
        preferences.take(new, languages: policy.languages)
        if settings.captionStyle != old.captionStyle { effects.append(.setCaptionStyle(settings.captionStyle)) }
        if settings.fit(of: fitKey) != old.fit(of: fitKey) { effects.append(.setVideoFit(settings.fit(of: fitKey))) }
    }

    /// What a choice of how pictures are fitted is kept for: the channel, else the series, else the item.
    var fitKey: String? { item.map { $0.channel ?? $0.series ?? $0.id } }

    /// How everything looks.
    var appearance: Appearance {
        Appearance(
            language: strings.language, isRightToLeft: strings.isRightToLeft, hasLargerText: settings.hasLargerText,
            hasHighContrast: settings.hasHighContrast, reducesMotion: settings.reducesMotion,
            overscanPercent: settings.overscanPercent ?? policy.overscanPercent)
    }
}
