import LinuxSupport
import MediaModel
import MediaTime

/// The tabs Subtitles, Audio and Picture, and what is chosen there.
extension InterfaceMachine {
    func subtitleEntries() -> [MenuEntry] {
        let options = snapshot.options
        func choice(_ choice: SubtitleChoice, _ title: String, note: String? = nil) -> MenuEntry {
            MenuEntry(
                action: .selectSubtitles(choice), title: title, note: note,
                mark: .choice(isCurrent: options.subtitleChoice == choice))
        }
        let shown = options.subtitles.first { $0.id == options.shownSubtitles }.map(label)
        var entries = [
            choice(.off, strings.text(.off)),
            choice(.automatic, strings.text(.automatic), note: options.subtitleChoice == .automatic ? shown : nil),
            MenuEntry(
                action: .whatDidTheySay, title: strings.text(.whatDidTheySay), isEnabled: navigationRefusal == nil),
        ]
        entries += options.subtitles.map { choice(.option($0.id), label(of: $0)) }
        entries.append(MenuEntry(action: .open(.captionStyle), title: strings.text(.captionStyle), mark: .submenu))
        return entries
    }

    func audioEntries() -> [MenuEntry] {
        let options = snapshot.options
        return options.audio.map { option in
            MenuEntry(
                action: .selectAudio(option.id), title: label(of: option),
                mark: .choice(isCurrent: option.id == options.selectedAudio))
        } + settingsMenu.soundEntries
    }

    func speedEntries() -> [MenuEntry] {
        snapshot.speeds.map {
            MenuEntry(
                action: .setSpeed($0), title: title(ofSpeed: $0), mark: .choice(isCurrent: $0 == session.speed.chosen),
                isEnabled: !isLinear)
        }
    }

    func pictureEntries() -> [MenuEntry] {
        var entries = [MenuEntry(action: .open(.captionStyle), title: strings.text(.captionStyle), mark: .submenu)]
        if snapshot.hasVideo {
            entries.append(
                MenuEntry(
                    action: .open(.aspect(isGeneral: false)), title: strings.text(.aspect),
                    value: settings.fit(of: fitKey).title(in: strings), mark: .submenu))
        }
        if hasSpeeds {
            entries.append(
                MenuEntry(
                    action: .open(.speed), title: strings.text(.speed), value: title(ofSpeed: session.speed.chosen),
                    mark: .submenu,
                    isEnabled: !isLinear))
        }
        entries.append(
            MenuEntry(
                action: .open(.sleepTimer), title: strings.text(.sleepTimer), value: sleep.value(at: now, in: strings),
                mark: .submenu))
        if offersListening { entries.append(MenuEntry(action: .listen, title: strings.text(.listenWithScreenOff))) }
        return entries
    }

    // MARK: Captions

    mutating func choose(_ choice: SubtitleChoice) -> CommandResult {
        guard snapshot.options.subtitleChoice != choice else { return .failed(.noChange) }
        effects.append(.selectSubtitles(choice))
        return .success
    }

    /// The Subtitle key: the next choice, and its name on the screen.
    mutating func cycleSubtitles() -> CommandResult {
        let options = snapshot.options
        guard !options.subtitles.isEmpty else {
            showToast(strings.text(.noSubtitles))
            return .failed(.notSupported)
        }
        let all = [SubtitleChoice.off, .automatic] + options.subtitles.map { .option($0.id) }
        let next = all[((all.firstIndex(of: options.subtitleChoice) ?? 0) + 1) % all.count]
        effects.append(.selectSubtitles(next))
        showToast(strings.text(.subtitlesAre, title(of: next)))
        return .success
    }

    private func title(of choice: SubtitleChoice) -> String {
        switch choice {
        case .off: strings.text(.off)
        case .automatic: strings.text(.automatic)
        case .option(let id): snapshot.options.subtitles.first { $0.id == id }.map(label) ?? id
        }
    }

    /// Back fifteen seconds, with captions until the place of asking. A navigation of the viewer: the policy is asked.
    mutating func whatDidTheySay() -> CommandResult {
        if let reason = navigationRefusal { return refuseNavigation(reason) }
        guard let position else { return .failed(.notReady) }
        let asked = clock.content(at: position)
        let content = clamped(asked - Timing.whatDidTheySay)
        panel = nil
        let result = jump(to: place(of: content, from: position))
        guard result == .success else { return result }
        viewing.replay.begin(asked: asked)
        if !snapshot.options.subtitles.isEmpty { effects.append(.showCaptionsForReplay(true)) }
        if !wantsToPlay { resume() }
        showToast(strings.text(.whatDidTheySay))
        return .success
    }

    /// The place of asking is reached again, or the viewer has gone elsewhere.
    mutating func settleReplay() {
        guard !viewing.seeking.isSeeking else { return }
        let place = mode == .watching && item != nil ? position : nil
        if viewing.replay.isOver(at: place.map { clock.content(at: $0) }) { endReplay() }
    }

    mutating func endReplay() {
        if let effect = viewing.replay.end() { effects.append(effect) }
    }

    // MARK: Speed

    var hasSpeeds: Bool { snapshot.speeds.count > 1 && item?.isLive != true }

    mutating func setSpeed(_ new: Ratio) -> CommandResult {
        guard snapshot.speeds.contains(new) else { return .failed(.notSupported) }
        guard !isLinear else { return refuseNavigation(.linear) }
        guard new != session.speed.chosen else { return .failed(.noChange) }
        session.speed.choose(new)
        return .success
    }

    /// An ad is heard as it was made; after it the viewer's speed comes back.
    mutating func settleSpeed() {
        if item != nil, let effect = session.speed.settle(isLinear: isLinear) { effects.append(effect) }
    }

    func title(ofSpeed rate: Ratio) -> String {
        guard rate != .one else { return strings.text(.normalSpeed) }
        let hundredths = rate.numerator * 100 / rate.denominator
        let fraction = hundredths % 100
        let digits =
            fraction == 0 ? "" : fraction % 10 == 0 ? ".\(fraction / 10)" : "." + (fraction < 10 ? "0" : "") + "\(fraction)"
        return "\(hundredths / 100)\(digits)×"
    }

    // MARK: Labels

    /// "English, Audio Description, 5.1".
    func label(of option: MediaOption) -> String {
        var words: [String] = []
        let language = option.languageTag.flatMap { $0 == "und" ? nil : strings.languageName(of: $0) }
        if let language { words.append(language) }
        if let name = option.name, !name.isEmpty, name.lowercased() != language?.lowercased() {
            words.append(strings.isolated(name))
        }
        if words.isEmpty { words.append(strings.text(.unknownLanguage)) }
        for badge in option.badges {
            switch badge {
            case .sdh, .closedCaptions: words.append(badge.rawValue)
            case .audioDescription: words.append(strings.text(.audioDescription))
            case .forced: words.append(strings.text(.forcedCaptions))
            case .surround: words.append(surround(option.channels))
            case .enhancedDialogue: words.append(strings.text(.clearDialogue))
            case .easyToRead: words.append(strings.text(.easyToRead))
            case .commentary: words.append(strings.text(.commentary))
            }
        }
        return strings.list(words)
    }

    private func surround(_ channels: Int?) -> String {
        switch channels {
        case 6?: "5.1"
        case 8?: "7.1"
        default: strings.text(.surroundSound)
        }
    }
}
