import LinuxSupport
import MediaModel
import MediaTime

/// Settings: its pages as menus. Each change is in force at once and kept.
extension InterfaceMachine {
    func entries(of page: MenuPage) -> [MenuEntry] {
        let strings = policy.strings
        switch page {
        case .subtitles: return subtitleEntries()
        case .audio: return audioEntries()
        case .picture: return pictureEntries()
        case .settings: return settingsEntries()
        case .language:
            return [
                submenu(.interfaceLanguage, .interfaceLanguage, value: interfaceLanguageName),
                submenu(.audioLanguage, .audioLanguage, value: languageValue(settings.audioLanguages)),
                submenu(.captionLanguage, .captionLanguage, value: languageValue(settings.subtitleLanguages)),
            ]
        case .captions:
            return [
                submenu(.captionStyle, .captionStyle),
                toggle(.preferSDH, \.prefersSDH, explanation: strings.text(.preferSDHExplained)),
                toggle(.captionsOnReplay, \.showsCaptionsOnReplay, explanation: strings.text(.captionsOnReplayExplained)),
                toggle(.captionsWhenMuted, \.showsCaptionsWhenMuted, explanation: strings.text(.captionsWhenMutedExplained)),
            ]
        case .sound:
            return soundEntries() + [
                toggle(
                    .preferAudioDescription, \.prefersAudioDescription,
                    explanation: strings.text(.preferAudioDescriptionExplained))
            ]
        case .pictureSettings:
            return [
                submenu(.aspect, .aspect(isGeneral: true), value: title(of: settings.videoFit)),
                submenu(
                    .overscan, .overscan, value: percent(appearance.overscanPercent),
                    explanation: strings.text(.overscanExplained)),
            ]
        case .accessibility:
            return [
                toggle(.largerText, \.hasLargerText), toggle(.highContrast, \.hasHighContrast),
                toggle(.reduceMotion, \.reducesMotion),
                toggle(.speakFocus, \.speaksFocus, explanation: strings.text(.speakFocusExplained), isEnabled: policy.hasVoice),
                submenu(.patience, .patience, value: title(of: settings.patience), explanation: strings.text(.patienceExplained)),
                toggle(
                    .preferAudioDescription, \.prefersAudioDescription,
                    explanation: strings.text(.preferAudioDescriptionExplained)),
                toggle(.preferSDH, \.prefersSDH, explanation: strings.text(.preferSDHExplained)),
            ]
        case .network, .about, .storage: return factEntries(page)
        case .parental:
            return [submenu(.parentalAge, .parentalAge, value: parentalValue, explanation: strings.text(.parentalExplained))]
        case .interfaceLanguage: return interfaceLanguageEntries()
        case .audioLanguage: return languageEntries(\.audioLanguages)
        case .captionLanguage: return languageEntries(\.subtitleLanguages)
        case .captionStyle, .captionColour, .captionOpacity, .captionSize, .captionFont, .captionEdge, .captionBackground,
            .captionBackgroundOpacity, .captionWindow, .captionWindowOpacity:
            return captionStyleEntries(page)
        case .aspect(let isGeneral): return aspectEntries(isGeneral)
        case .speed:
            return snapshot.speeds.map {
                MenuEntry(
                    action: .setSpeed($0), title: title(ofSpeed: $0), mark: .choice(isCurrent: $0 == speed), isEnabled: !isLinear)
            }
        case .sleepTimer: return sleepEntries()
        case .overscan:
            return (0...5).map { value in
                choice(percent(value), isCurrent: value == appearance.overscanPercent) { $0.overscanPercent = value }
            }
        case .patience:
            return ViewerSettings.Patience.allCases.map { value in
                choice(title(of: value), isCurrent: value == settings.patience) { $0.patience = value }
            }
        case .parentalAge: return parentalEntries()
        case .deletion(let id):
            return [
                MenuEntry(action: .close, title: strings.text(.keep)),
                MenuEntry(action: .delete(id), title: strings.text(.delete)),
            ]
        case .factoryReset:
            let explanation = strings.text(.resetBoxExplained)
            return [
                MenuEntry(action: .close, title: strings.text(.keep), explanation: explanation),
                MenuEntry(action: .factoryReset, title: strings.text(.delete), explanation: explanation),
            ]
        }
    }

    func title(of page: MenuPage) -> String? {
        let strings = policy.strings
        return switch page {
        case .subtitles, .audio, .picture: nil
        case .settings: strings.text(.settings)
        case .language: strings.text(.language)
        case .captions: strings.text(.captions)
        case .sound: strings.text(.sound)
        case .pictureSettings: strings.text(.picture)
        case .accessibility: strings.text(.accessibility)
        case .network: strings.text(.network)
        case .storage: strings.text(.storage)
        case .parental: strings.text(.parental)
        case .about: strings.text(.about)
        case .interfaceLanguage: strings.text(.interfaceLanguage)
        case .audioLanguage: strings.text(.audioLanguage)
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
        case .speed: strings.text(.speed)
        case .sleepTimer: strings.text(.sleepTimer)
        case .overscan: strings.text(.overscan)
        case .patience: strings.text(.patience)
        case .parentalAge: strings.text(.parentalAge)
        case .deletion(let id): strings.text(.deleteQuestion, facts.stores.first { $0.id == id }.map(title) ?? id)
        case .factoryReset: strings.text(.resetBoxQuestion)
        }
    }

    private func settingsEntries() -> [MenuEntry] {
        let strings = policy.strings
        var entries = [
            submenu(.language, .language, value: interfaceLanguageName), submenu(.captions, .captions), submenu(.sound, .sound),
            submenu(.picture, .pictureSettings), submenu(.accessibility, .accessibility),
        ]
        if policy.hasPIN { entries.append(submenu(.parental, .parental, value: parentalValue)) }
        entries += [
            submenu(.sleepTimer, .sleepTimer, value: sleepTitle), submenu(.network, .network, value: onlineValue),
            submenu(.storage, .storage), submenu(.about, .about),
        ]
        if policy.canReset {
            entries.append(submenu(.resetBox, .factoryReset, explanation: strings.text(.resetBoxExplained)))
        }
        return entries
    }

    // MARK: Rows

    func submenu(_ phrase: Phrase, _ page: MenuPage, value: String? = nil, explanation: String? = nil) -> MenuEntry {
        MenuEntry(action: .open(page), title: policy.strings.text(phrase), value: value, mark: .submenu, explanation: explanation)
    }

    func toggle(
        _ phrase: Phrase, _ path: WritableKeyPath<ViewerSettings, Bool>, explanation: String? = nil, isEnabled: Bool = true
    ) -> MenuEntry {
        var changed = settings
        changed[keyPath: path].toggle()
        return MenuEntry(
            action: .toggle(changed), title: policy.strings.text(phrase), mark: .toggle(isOn: settings[keyPath: path]),
            explanation: explanation, isEnabled: isEnabled)
    }

    func choice(_ title: String, isCurrent: Bool, _ change: (inout ViewerSettings) -> Void) -> MenuEntry {
        var changed = settings
        change(&changed)
        return MenuEntry(action: .set(changed), title: title, mark: .choice(isCurrent: isCurrent))
    }

    func percent(_ value: Int) -> String { policy.strings.text(.percent, "\(value)") }

    private func title(of patience: ViewerSettings.Patience) -> String {
        switch patience {
        case .normal: policy.strings.text(.patienceNormal)
        case .long: policy.strings.text(.patienceLong)
        case .endless: policy.strings.text(.patienceEndless)
        }
    }

    /// What a choice of how pictures are fitted is kept for: the channel, else the series, else the item.
    var fitKey: String? { item.map { $0.channel ?? $0.series ?? $0.id } }

    private func aspectEntries(_ isGeneral: Bool) -> [MenuEntry] {
        let id = isGeneral ? nil : fitKey
        return VideoFit.allCases.map { fit in
            choice(title(of: fit), isCurrent: fit == settings.fit(of: id)) { changed in
                if let id { changed.videoFits[id] = fit == changed.videoFit ? nil : fit } else { changed.videoFit = fit }
            }
        }
    }

    // MARK: Parental control

    private var parentalValue: String {
        let strings = policy.strings
        return settings.parentalAge.map { strings.text(.fromAge, "\($0)") } ?? strings.text(.asOperator)
    }

    private func parentalEntries() -> [MenuEntry] {
        let strings = policy.strings
        return [choice(strings.text(.asOperator), isCurrent: settings.parentalAge == nil) { $0.parentalAge = nil }]
            + [0, 7, 10, 12, 13, 15, 16, 18].map { (age: Int) in
                choice(strings.text(.fromAge, "\(age)"), isCurrent: settings.parentalAge == age) { $0.parentalAge = age }
            }
    }

    // MARK: What is in force

    /// The viewer's choices over the box's own.
    mutating func applySettings(before old: ViewerSettings) {
        policy.strings = StringCatalogue.best(for: (settings.language.map { [$0] } ?? []) + policy.languages)
        if settings.captionStyle != old.captionStyle { effects.append(.setCaptionStyle(settings.captionStyle)) }
        if settings.fit(of: fitKey) != old.fit(of: fitKey) { effects.append(.setVideoFit(settings.fit(of: fitKey))) }
    }

    /// How everything looks.
    var appearance: Appearance {
        Appearance(
            language: policy.strings.language, isRightToLeft: policy.strings.isRightToLeft, hasLargerText: settings.hasLargerText,
            hasHighContrast: settings.hasHighContrast, reducesMotion: settings.reducesMotion,
            overscanPercent: settings.overscanPercent ?? policy.overscanPercent)
    }
}
