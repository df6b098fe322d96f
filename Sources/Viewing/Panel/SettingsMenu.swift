import BoxModel
import LinuxSupport
import Screens

/// A page of Settings, with its name in dumps. The Wi-Fi page, which is opened from Network, is no menu.
package enum SettingsSection: String, Sendable, Hashable {
    /// The list of all others.
    case top
    case language, captions, sound, picture, channels, accessibility, network, storage, parental, sleepTimer, about

    /// Its title, also where it is opened.
    var title: Phrase {
        switch self {
        case .top: .settings
        case .language: .language
        case .captions: .captions
        case .sound: .sound
        case .picture: .picture
        case .channels: .channels
        case .accessibility: .accessibility
        case .network: .network
        case .storage: .storage
        case .parental: .parental
        case .sleepTimer: .sleepTimer
        case .about: .about
        }
    }

    /// The picture beside its title, which has its name; nil for one without.
    var icon: MenuIcon? { MenuIcon(rawValue: rawValue) }
}

/// The pages of Settings as menus. A row states what it changes; each change is applied and stored at once.
package struct SettingsMenu: Sendable {
    let rows: MenuRows
    package let policy: InterfacePolicy
    let facts: BoxFacts
    /// Nil where there is no Wi-Fi page.
    let wireless: WirelessStatus?
    let sleep: SleepTimer
    let now: HostTime
    /// The key for a choice of picture size, while something plays; see `ViewerSettings.videoFits`.
    let fitKey: String?
    /// Whether the current item has an end, for the sleep timer.
    let canSleepAtEnd: Bool
    /// All channels by number, also hidden ones.
    let channels: [HomeContent.Entry]

    package init(
        rows: MenuRows, policy: InterfacePolicy, facts: BoxFacts, wireless: WirelessStatus?, sleep: SleepTimer, now: HostTime,
        fitKey: String?, canSleepAtEnd: Bool, channels: [HomeContent.Entry]
    ) {
        self.rows = rows
        self.policy = policy
        self.facts = facts
        self.wireless = wireless
        self.sleep = sleep
        self.now = now
        self.fitKey = fitKey
        self.canSleepAtEnd = canSleepAtEnd
        self.channels = channels
    }

    package var strings: StringCatalogue { rows.strings }
    var captionStyle: CaptionStyleMenu { CaptionStyleMenu(rows: rows) }
    private var box: FactsMenu { FactsMenu(rows: rows, policy: policy, facts: facts, wireless: wireless) }
    package var outputs: OutputMenu { OutputMenu(rows: rows, policy: policy) }
    private var settings: ViewerSettings { rows.settings }
    private var overscanPercent: Int { settings.overscanPercent ?? policy.overscanPercent }

    package func entries(of page: MenuPage) -> [MenuEntry] {
        switch page {
        case .subtitles, .audio, .picture, .signal, .angle, .speed: return []  // they are menus of the panel
        case .settings(let section): return entries(on: section)
        case .interfaceLanguage: return interfaceLanguageEntries
        case .audioLanguage: return languageEntries(\.audioLanguages)
        case .soundOutput: return outputs.choices
        case .captionLanguage: return languageEntries(\.subtitleLanguages)
        case .captionStyle, .captionColour, .captionOpacity, .captionSize, .captionFont, .captionEdge, .captionBackground,
            .captionBackgroundOpacity, .captionWindow, .captionWindowOpacity:
            return captionStyle.entries(of: page)
        case .aspect(let isGeneral): return aspectEntries(isGeneral)
        case .overscan: return overscanChoices
        case .screenSaver: return screenSaverChoices
        case .patience:
            return ViewerSettings.Patience.allCases.map { value in
                rows.choice(title(of: value), isCurrent: value == settings.patience) { $0.patience = value }
            }
        case .parentalAge: return parentalEntries
        case .channelPlace(let id): return channelPlaces(of: id)
        case .deletion(let id):
            return [
                MenuEntry(action: .close, title: strings.text(.keep)),
                MenuEntry(action: .wants(.request(.deleteStore(id: id))), title: strings.text(.delete)),
            ]
        case .task(let task):
            let explanation = strings.text(task.phrases.explanation)
            return [
                MenuEntry(action: .close, title: strings.text(.cancel), explanation: explanation),
                MenuEntry(action: task.action, title: strings.text(task.phrases.button), explanation: explanation),
            ]
        }
    }

    private func entries(on page: SettingsSection) -> [MenuEntry] {
        switch page {
        case .top: topEntries
        case .language:
            [
                rows.submenu(.interfaceLanguage, .interfaceLanguage, value: interfaceLanguageName),
                rows.submenu(.audioLanguage, .audioLanguage, value: languageValue(settings.audioLanguages)),
                rows.submenu(.captionLanguage, .captionLanguage, value: languageValue(settings.subtitleLanguages)),
            ]
        case .captions: captionsPage
        case .sound: soundPage
        case .picture: picturePage
        case .channels: channelsPage
        case .accessibility: accessibilityPage
        case .network: box.network
        case .storage: box.storage
        case .about: box.about
        case .parental: parentalPage
        case .sleepTimer: sleepEntries
        }
    }

    private var captionsPage: [MenuEntry] {
        [
            rows.submenu(.language, .captionLanguage, value: languageValue(settings.subtitleLanguages)),
            rows.submenu(.captionStyle, .captionStyle),
            rows.toggle(.captionsForDeaf), rows.toggle(.captionsOnReplay), rows.toggle(.captionsWhenMuted),
        ]
    }

    private var soundPage: [MenuEntry] {
        var entries = [rows.submenu(.language, .audioLanguage, value: languageValue(settings.audioLanguages))]
        entries += [outputs.entry, lipSyncEntry].compactMap { $0 }
        entries += soundEntries
        entries += [rows.toggle(.audioDescription), rows.toggle(.navigationSounds)]
        return entries
    }

    private var picturePage: [MenuEntry] {
        [
            rows.submenu(.aspect, .aspect(isGeneral: true), value: settings.videoFit.title(in: strings)),
            rows.submenu(
                .overscan, .overscan, value: rows.percent(overscanPercent),
                explanation: strings.text(.overscanExplained)),
            rows.submenu(
                .screenSaver, .screenSaver, value: title(ofScreenSaver: settings.screenSaverMinutes),
                explanation: strings.text(.screenSaverExplained)),
        ]
    }

    private var channelsPage: [MenuEntry] {
        channels.map { channel in
            MenuEntry(
                action: .open(.channelPlace(channel.id)), title: strings.station(number: channel.number, title: channel.title),
                value: settings.channelOrder.places[channel.id].map { strings.text($0.phrases.title) }, mark: .submenu)
        }
    }

    private func channelPlaces(of id: String) -> [MenuEntry] {
        let place = settings.channelOrder.places[id]
        var entries = [rows.choice(strings.text(.shown), isCurrent: place == nil) { $0.channelOrder.places[id] = nil }]
        for value in ChannelPlace.allCases {
            let (title, explanation) = value.phrases
            entries.append(
                rows.choice(strings.text(title), isCurrent: value == place, explanation: strings.text(explanation)) {
                    $0.channelOrder.places[id] = value
                })
        }
        return entries
    }

    private var accessibilityPage: [MenuEntry] {
        [
            rows.toggle(.largerText), rows.toggle(.highContrast), rows.toggle(.reducedMotion),
            rows.toggle(.spokenFocus, isEnabled: policy.hasVoice),
            rows.submenu(
                .patience, .patience, value: title(of: settings.patience), explanation: strings.text(.patienceExplained)),
            rows.toggle(.audioDescription), rows.toggle(.captionsForDeaf),
        ]
    }

    private var overscanChoices: [MenuEntry] {
        (0...5).map { value in
            rows.choice(rows.percent(value), isCurrent: value == overscanPercent) { $0.overscanPercent = value }
        }
    }

    private var screenSaverChoices: [MenuEntry] {
        ViewerSettings.screenSaverChoices.map { minutes in
            rows.choice(title(ofScreenSaver: minutes), isCurrent: minutes == settings.screenSaverMinutes) {
                $0.screenSaverMinutes = minutes
            }
        }
    }

    func title(of page: MenuPage) -> String? {
        switch page {
        case .subtitles, .audio, .picture: nil
        case .settings(let section): strings.text(section.title)
        case .interfaceLanguage: strings.text(.interfaceLanguage)
        case .audioLanguage: strings.text(.audioLanguage)
        case .soundOutput: strings.text(.soundOutput)
        case .captionLanguage: strings.text(.captionLanguage)
        case .captionStyle: strings.text(.captionStyle)
        case .captionColour: strings.text(.captionColour)
        case .captionOpacity: strings.text(.captionOpacity)
        case .captionSize: strings.text(.captionSize)
        case .captionFont: strings.text(.captionFont)
        case .captionEdge: strings.text(.captionEdge)
        case .captionBackground: strings.text(.captionBackground)
        case .captionBackgroundOpacity: strings.text(.captionBackgroundOpacity)
        case .captionWindow: strings.text(.captionWindow)
        case .captionWindowOpacity: strings.text(.captionWindowOpacity)
        case .aspect: strings.text(.aspect)
        case .signal: strings.text(.signal)
        case .angle: strings.text(.angle)
        case .speed: strings.text(.speed)
        case .overscan: strings.text(.overscan)
        case .screenSaver: strings.text(.screenSaver)
        case .patience: strings.text(.patience)
        case .parentalAge: strings.text(.parentalAge)
        case .channelPlace(let id): channels.first { $0.id == id }?.title
        case .deletion(let id): strings.text(.deleteQuestion, facts.stores.first { $0.id == id }.map(box.title) ?? id)
        case .task(.installFromStick):
            strings.text(.updateFromStickQuestion, strings.isolated(facts.stickUpdate?.version ?? strings.text(.updateFromStick)))
        case .task(let task): strings.text(task.phrases.question)
        }
    }

    private var topEntries: [MenuEntry] {
        var entries = [
            rows.section(.language, value: interfaceLanguageName),
            rows.section(.captions, value: languageValue(settings.subtitleLanguages)),
            rows.section(.sound, value: languageValue(settings.audioLanguages)),
            rows.section(.picture, value: settings.videoFit.title(in: strings)), rows.section(.accessibility),
        ]
        if policy.hasPIN || policy.setsPIN { entries.append(rows.section(.parental, value: parentalValue)) }
        entries.append(rows.section(.sleepTimer, value: sleep.value(at: now, in: strings)))
        if channels.count > 1 { entries.append(rows.section(.channels)) }
        entries += [
            rows.section(.network, value: box.onlineValue), rows.section(.storage), rows.section(.about),
        ]
        if policy.canReset {
            entries.append(
                rows.submenu(.resetBox, .task(.factoryReset), explanation: strings.text(.resetBoxExplained), icon: .reset))
        }
        return entries
    }

    /// The delay of the sound: set over the test film, because without it nothing is heard or seen.
    private var lipSyncEntry: MenuEntry? {
        guard policy.lipSyncFilm != nil, policy.hasHome else { return nil }
        let delay = settings.soundDelays[policy.soundOutput] ?? policy.soundDelay
        return MenuEntry(
            action: .wants(.testLipSync), title: strings.text(.soundDelay), value: strings.delay(delay), mark: .submenu,
            explanation: strings.text(.soundDelayExplained))
    }

    /// The rows that are also in the Audio tab of the panel.
    var soundEntries: [MenuEntry] { [rows.toggle(.reducedLoudSounds), rows.toggle(.enhancedDialogue)] }

    /// Opens the sleep timer page.
    var sleepEntry: MenuEntry { rows.submenu(.sleepTimer, .settings(.sleepTimer), value: sleep.value(at: now, in: strings)) }

    /// Opens the page for the video fit.
    var aspectEntry: MenuEntry {
        rows.submenu(.aspect, .aspect(isGeneral: false), value: settings.fit(of: fitKey).title(in: strings))
    }

    /// Off is there while it is on.
    private var sleepEntries: [MenuEntry] {
        SleepChoice.all.filter { $0 != .off || sleep.choice != .off }.map { choice in
            MenuEntry(
                action: .setSleep(choice), title: choice.title(in: strings), mark: .choice(isCurrent: choice == sleep.choice),
                isEnabled: choice != .endOfItem || canSleepAtEnd)
        }
    }

    private func title(ofScreenSaver minutes: Int) -> String {
        minutes == 0 ? strings.text(.off) : strings.plural(.minutes, minutes)
    }

    private func title(of patience: ViewerSettings.Patience) -> String {
        switch patience {
        case .normal: strings.text(.patienceNormal)
        case .long: strings.text(.patienceLong)
        case .endless: strings.text(.patienceEndless)
        }
    }

    private func aspectEntries(_ isGeneral: Bool) -> [MenuEntry] {
        let id = isGeneral ? nil : fitKey
        return VideoFit.allCases.map { fit in
            rows.choice(fit.title(in: strings), isCurrent: fit == settings.fit(of: id)) { changed in
                if let id { changed.videoFits[id] = fit == changed.videoFit ? nil : fit } else { changed.videoFit = fit }
            }
        }
    }

    // MARK: The page

    package func view(of menu: MenuModel) -> SettingsView {
        if menu.page.isQuestion, let parent = menu.parent { return question(menu, over: parent) }
        let entries = entries(of: menu.page)
        let view = menu.view(
            entries, rowsOnScreen: Metrics.Menu.settingsRows, hasFocus: true,
            // The page has this title itself.
            title: menu.page == .settings(.top) ? nil : title(of: menu.page), captions: captionStyle)
        let explanation = view.focusedRow.flatMap { entries.indices.contains($0) ? entries[$0].explanation : nil }
        let section = menu.levels.compactMap(\.page.section).first { $0 != .top } ?? .top
        return SettingsView(
            page: .init(rawValue: section.rawValue), title: strings.text(.settings), explanation: explanation, menu: view)
    }

    /// A question, over the page from which it was asked.
    private func question(_ menu: MenuModel, over parent: MenuModel) -> SettingsView {
        let entries = entries(of: menu.page)
        var view = view(of: parent)
        view.menu.removeFocus()
        view.explanation = nil
        view.card = CardView(
            kind: menu.page == .task(.factoryReset) ? .erasure : .question, title: title(of: menu.page) ?? "",
            message: entries.first?.explanation,
            buttons: entries.enumerated().map { ButtonView(title: $1.title, isFocused: $0 == menu.top.index) })
        return view
    }

    /// Why a key on the focused row needs the PIN: the limit can be changed, a saved programme deleted, and the box reset, only with the PIN.
    package func purposeOfOpening(_ key: RemoteKey, in menu: MenuModel) -> PINPurpose? {
        guard key == .ok || [.left, .right].contains(key) && strings.step(of: key) > 0 else { return nil }
        let entries = entries(of: menu.page)
        guard entries.indices.contains(menu.top.index), case .open(let page) = entries[menu.top.index].action else { return nil }
        return protected(page).map { .page(page, about: $0) }
    }

    /// The words for what the PIN protects; nil for a page that is open to all.
    private func protected(_ page: MenuPage) -> String? {
        switch page {
        case .settings(.parental): strings.text(.parental)
        case .task(let task): strings.text(task.phrases.title)
        case .deletion(let id):
            facts.stores.first { $0.id == id && $0.kind == .downloads }.map { strings.text(.deleteQuestion, box.title(of: $0)) }
        default: nil
        }
    }

    // MARK: Parental control

    private var parentalValue: String { title(ofAge: settings.parentalAge ?? policy.configuredAge) }

    private func title(ofAge age: Int?) -> String { age.map { strings.text(.fromAge, "\($0)") } ?? strings.text(.off) }

    /// The limit, which means something only with a PIN, and the PIN itself where it is the viewer's.
    private var parentalPage: [MenuEntry] {
        var age = rows.submenu(.parentalAge, .parentalAge, value: parentalValue, explanation: strings.text(.parentalExplained))
        age.isEnabled = policy.hasPIN
        guard policy.setsPIN else { return [age] }
        func pin(_ phrase: Phrase, _ purpose: PINPurpose, explanation: Phrase? = nil) -> MenuEntry {
            MenuEntry(
                action: .wants(.askPIN(purpose)), title: strings.text(phrase), mark: .submenu,
                explanation: explanation.map { strings.text($0) })
        }
        if policy.hasPIN {
            return [age, pin(.changePIN, .changePIN), pin(.removePIN, .removePIN, explanation: .removePINExplained)]
        }
        return [pin(.createPIN, .newPIN, explanation: .newPINExplained), age]
    }

    private var parentalEntries: [MenuEntry] {
        [
            rows.choice(
                strings.text(.defaultIs, title(ofAge: policy.configuredAge)), isCurrent: settings.parentalAge == nil
            ) { $0.parentalAge = nil }
        ]
            + [0, 7, 10, 12, 13, 15, 16, 18].map { (age: Int) in
                rows.choice(title(ofAge: age), isCurrent: settings.parentalAge == age) { $0.parentalAge = age }
            }
    }

    // MARK: Languages

    private var interfaceLanguageName: String { strings.ownName }

    private var interfaceLanguageEntries: [MenuEntry] {
        let configured = StringCatalogue.best(for: policy.languages).ownName
        return [rows.choice(strings.text(.defaultIs, configured), isCurrent: settings.language == nil) { $0.language = nil }]
            + StringCatalogue.all.map { catalogue in
                // Each in its own language, so that viewers who cannot read the others find it.
                rows.choice(catalogue.ownName, isCurrent: settings.language == catalogue.language) {
                    $0.language = catalogue.language
                }
            }
    }

    private func languageValue(_ tags: [String]) -> String {
        tags.first.map { strings.languageName(of: $0) } ?? strings.text(.automatic)
    }

    private func languageEntries(_ path: WritableKeyPath<ViewerSettings, [String]>) -> [MenuEntry] {
        let current = settings[keyPath: path].first
        return [rows.choice(strings.text(.automatic), isCurrent: current == nil) { $0[keyPath: path] = [] }]
            + StringCatalogue.languageTags.map { tag in
                rows.choice(strings.languageName(of: tag), isCurrent: tag == current) { $0[keyPath: path] = [tag] }
            }
    }
}
