import LinuxSupport
import MediaModel
import MediaTime
import Screens

/// The rows of all menus: those of Settings, and those of the tabs Subtitles, Audio and Picture, which depend on the current item.
package struct Menus: Sendable {
    let settings: SettingsMenu
    let snapshot: PlaybackSnapshot
    let isLive: Bool
    /// Whether position and rate are locked now.
    let isLinear: Bool
    /// Whether the viewer may navigate in the item.
    let canNavigate: Bool
    /// The speed chosen by the viewer.
    let speed: Ratio
    let delays: Delays
    let signal: SignalFacts

    package init(
        settings: SettingsMenu, snapshot: PlaybackSnapshot, isLive: Bool, isLinear: Bool, canNavigate: Bool, speed: Ratio,
        delays: Delays, signal: SignalFacts
    ) {
        self.settings = settings
        self.snapshot = snapshot
        self.isLive = isLive
        self.isLinear = isLinear
        self.canNavigate = canNavigate
        self.speed = speed
        self.delays = delays
        self.signal = signal
    }

    private var strings: StringCatalogue { settings.strings }
    private var options: MediaOptions { snapshot.options }

    func entries(of page: MenuPage) -> [MenuEntry] {
        switch page {
        case .subtitles: subtitleEntries
        case .audio: audioEntries
        case .picture: pictureEntries
        case .angle: angleEntries
        case .speed: speedEntries
        case .signal: signalEntries
        default: settings.entries(of: page)
        }
    }

    func view(of menu: MenuModel, rowsOnScreen: Int, hasFocus: Bool) -> MenuView {
        menu.view(
            entries(of: menu.page), rowsOnScreen: rowsOnScreen, hasFocus: hasFocus,
            title: menu.isNested ? settings.title(of: menu.page) : nil, captions: settings.captionStyle)
    }

    // MARK: Tabs

    private var subtitleEntries: [MenuEntry] {
        func choice(_ choice: SubtitleChoice, _ title: String, note: String? = nil) -> MenuEntry {
            MenuEntry(
                action: .selectSubtitles(choice), title: title, note: note,
                mark: .choice(isCurrent: options.subtitleChoice == choice))
        }
        let shown = options.subtitles.first { $0.id == options.shownSubtitles }.map(strings.label)
        var entries = [
            choice(.off, strings.text(.off)),
            choice(.automatic, strings.text(.automatic), note: options.subtitleChoice == .automatic ? shown : nil),
        ]
        entries += options.subtitles.map { choice(.option($0.id), strings.label(of: $0)) }
        entries.append(
            MenuEntry(action: .wants(.whatDidTheySay), title: strings.text(.whatDidTheySay), isEnabled: canNavigate))
        entries.append(delayEntry(.subtitles, .subtitleDelay, isEnabled: options.shownSubtitles != nil))
        entries.append(captionStyle)
        return entries
    }

    /// Opens the line for a delay.
    private func delayEntry(_ part: DelayedPart, _ phrase: Phrase, isEnabled: Bool = true) -> MenuEntry {
        MenuEntry(
            action: .wants(.openPage(.delay(part))), title: strings.text(phrase), value: strings.delay(delays.value(of: part)),
            mark: .submenu, isEnabled: isEnabled)
    }

    private var captionStyle: MenuEntry {
        MenuEntry(action: .open(.captionStyle), title: strings.text(.captionStyle), mark: .submenu)
    }

    private var audioEntries: [MenuEntry] {
        var entries: [MenuEntry] = []
        // Without pictures nothing would be left.
        if snapshot.hasVideo, !options.audio.isEmpty {
            entries.append(
                MenuEntry(
                    action: .turnSoundOff, title: strings.text(.off), mark: .choice(isCurrent: options.selectedAudio == nil)))
        }
        entries += options.audio.map { option in
            MenuEntry(
                action: .selectAudio(option.id), title: strings.label(of: option),
                mark: .choice(isCurrent: option.id == options.selectedAudio))
        }
        if !settings.policy.isKiosk, let output = settings.outputs.entry { entries.append(output) }
        entries.append(delayEntry(.sound, .soundDelay))
        if settings.policy.lipSyncFilm != nil, settings.policy.hasHome {
            entries.append(MenuEntry(action: .wants(.testLipSync), title: strings.text(.lipSyncTest)))
        }
        return entries + settings.soundEntries
    }

    private var pictureEntries: [MenuEntry] {
        var entries = [captionStyle, settings.sleepEntry]
        if snapshot.hasVideo { entries.append(settings.aspectEntry) }
        if let angle = options.angles.first(where: { $0.id == options.selectedAngle }) {
            entries.append(
                MenuEntry(action: .open(.angle), title: strings.text(.angle), value: strings.label(of: angle), mark: .submenu))
        }
        if snapshot.speeds.count > 1, !isLive {
            entries.append(
                MenuEntry(
                    action: .open(.speed), title: strings.text(.speed), value: title(ofSpeed: speed), mark: .submenu,
                    isEnabled: !isLinear))
        }
        if snapshot.offersListening { entries.append(MenuEntry(action: .listen, title: strings.text(.listenWithScreenOff))) }
        if !signalEntries.isEmpty { entries.append(settings.rows.submenu(.signal, .signal)) }
        return entries
    }

    /// What is played, and what goes out.
    private var signalEntries: [MenuEntry] {
        guard signal.picture != nil || signal.sound != nil else { return [] }
        func fact(_ phrase: Phrase, _ value: String?) -> MenuEntry? {
            value.map { MenuEntry(action: .nothing, title: strings.text(phrase), value: $0) }
        }
        return [
            fact(.picture, signal.picture.map { strings.words($0, rate: .framesPerSecond) }),
            fact(.screen, signal.screen.map { strings.words($0, rate: .hertz) }),
            fact(.audio, signal.sound.map(strings.words)), fact(.soundOutput, signal.output.map(strings.words)),
        ].compactMap { $0 }
    }

    private var angleEntries: [MenuEntry] {
        options.angles.map {
            MenuEntry(
                action: .selectAngle($0.id), title: strings.label(of: $0),
                mark: .choice(isCurrent: $0.id == options.selectedAngle))
        }
    }

    private var speedEntries: [MenuEntry] {
        snapshot.speeds.map {
            MenuEntry(
                action: .setSpeed($0), title: title(ofSpeed: $0), mark: .choice(isCurrent: $0 == speed), isEnabled: !isLinear)
        }
    }

    private func title(ofSpeed rate: Ratio) -> String {
        guard rate != .one else { return strings.text(.normalSpeed) }
        let hundredths = rate.numerator * 100 / rate.denominator
        let fraction = hundredths % 100
        let digits =
            fraction == 0 ? "" : fraction % 10 == 0 ? ".\(fraction / 10)" : "." + (fraction < 10 ? "0" : "") + "\(fraction)"
        return "\(hundredths / 100)\(digits)×"
    }
}

extension PlaybackSnapshot {
    /// Whether there is video that can be disabled, and audio that continues.
    var offersListening: Bool { hasVideo && options.selectedAudio != nil }
}

extension MediaOptions {
    /// The choice that the Subtitle key selects next; nil without captions.
    var nextSubtitles: SubtitleChoice? {
        guard !subtitles.isEmpty else { return nil }
        let all = [SubtitleChoice.off, .automatic] + subtitles.map { .option($0.id) }
        return all[((all.firstIndex(of: subtitleChoice) ?? 0) + 1) % all.count]
    }

    /// The captions for a viewer who wants some: the first ones in the language, otherwise the first of all.
    package func subtitles(for language: String) -> String? {
        let primary = language.split(separator: "-").first
        let spoken = subtitles.first { $0.languageTag?.split(separator: "-").first == primary }
        return (spoken ?? subtitles.first)?.id
    }

    func title(of choice: SubtitleChoice, in strings: StringCatalogue) -> String {
        switch choice {
        case .off: strings.text(.off)
        case .automatic: strings.text(.automatic)
        case .option(let id): subtitles.first { $0.id == id }.map(strings.label) ?? id
        }
    }
}

extension StringCatalogue {
    /// "English, Audio Description, 5.1".
    func label(of option: MediaOption) -> String {
        var words: [String] = []
        let language = option.languageTag.flatMap { $0 == "und" ? nil : languageName(of: $0) }
        if let language { words.append(language) }
        if let name = option.name, !name.isEmpty, !isName(name, of: option.languageTag) { words.append(isolated(name)) }
        if words.isEmpty { words.append(text(.unknownLanguage)) }
        for badge in option.badges {
            switch badge {
            case .sdh, .closedCaptions: words.append(badge.rawValue)
            case .audioDescription: words.append(text(.audioDescription))
            case .forced: words.append(text(.forcedCaptions))
            case .surround: words.append(surround(option.channels))
            case .enhancedDialogue: words.append(text(.clearDialogue))
            case .easyToRead: words.append(text(.easyToRead))
            case .commentary: words.append(text(.commentary))
            }
        }
        return list(words)
    }

    /// Whether a name says no more than its language: in the viewer's, in that language itself ("Español") or in English, as streams name their options.
    private func isName(_ name: String, of tag: String?) -> Bool {
        guard let tag else { return false }
        let names = [self, Self.best(for: [tag]), .english].map { $0.languageName(of: tag).lowercased() }
        return names.contains(name.lowercased())
    }

    private func surround(_ channels: Int?) -> String {
        switch channels {
        case 6?: "5.1"
        case 8?: "7.1"
        default: text(.surroundSound)
        }
    }
}
