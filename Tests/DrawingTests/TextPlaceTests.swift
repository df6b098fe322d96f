import MediaModel
import Screens
import Testing

@testable import Drawing

/// The catalogue's texts at their places on the screen.
@Suite("The texts of every language fit where they are drawn", .serialized)
@MainActor
struct TextPlaceTests {
    /// Languages whose words are longest, and the pseudo language, which is 40 % longer than English.
    nonisolated private static let longest = ["en-XA", "de", "fr", "ru", "pt-BR"]

    @Test("no text of the catalogue is cut off", arguments: StringCatalogue.all.map(\.language) + ["en-XA"])
    func normal(language: String) throws { try check(language, isLarge: false) }

    @Test("nor in larger type", arguments: longest) func larger(language: String) throws { try check(language, isLarge: true) }

    private func check(_ language: String, isLarge: Bool) throws {
        let strings = StringCatalogue.best(for: [language])
        let easel = try Easel(
            appearance: Appearance(language: language, isRightToLeft: strings.isRightToLeft, hasLargerText: isLarge))
        defer { easel.stop() }
        var shown: Set<String> = []
        for (name, state, texts) in Self.places(strings) {
            easel.show(state)
            let wanted = Set(texts)
            for drawn in easel.renderer.drawnTexts.values.joined() where wanted.contains(drawn.text) {
                shown.insert(drawn.text)
                #expect(!drawn.isEllipsized, "\(language), \(name): “\(drawn.text)”")
                let ink = Rect(x: drawn.x, y: drawn.y, width: drawn.width, height: drawn.height)
                #expect(Rect.safeArea.inset(-1).contains(ink), "\(language), \(name): “\(drawn.text)” at \(ink)")
            }
        }
        // Something was looked at: long texts are drawn in lines, but buttons, rows and toasts are whole.
        #expect(shown.count > 60, "\(shown.count)")
    }

    /// States that have texts, and those texts.
    private static func places(_ strings: StringCatalogue) -> [(name: String, state: PresentationState, texts: [String])] {
        var all: [(String, PresentationState, [String])] = []
        func text(_ phrase: Phrase) -> String { strings.text(phrase, "0:12", "2", "0:12") }
        let toasts: [Phrase] = [
            .movedOn, .livePauseRefused, .audioUnavailable, .soundUnplayable, .soundMissing, .anyKeyForPicture, .whatDidTheySay,
            .noSubtitles, .errorSoundLost, .errorSourceMissing,
        ]
        for phrase in toasts {
            var state = Samples.volume
            (state.toast, state.volume) = (text(phrase), nil)
            all.append(("toast", state, [text(phrase)]))
        }
        var silent = Samples.volume
        let silence = "\(text(.soundOff)) · \(text(.backToUndo))"
        (silent.toast, silent.volume) = (silence, nil)
        all.append(("toast", silent, [silence]))
        for phrase in [Phrase.availableIn, .availableLater] {
            var state = Samples.adWithBar
            state.refusal = RefusalView(words: text(phrase), count: 1)
            state.interstitialLabel = text(.adOf)
            state.skipCountdown = strings.text(.skipIn, "5")
            all.append(("refusal", state, [text(phrase), text(.adOf), strings.text(.skipIn, "5")]))
        }
        for phrase in [Phrase.skipAd, .skip, .skipIntro, .skipRecap, .nextEpisode, .upNext, .goLive] {
            var state = Samples.skipIntro
            state.action = ContextualActionView(kind: .skipIntro, title: text(phrase), isFocused: true)
            all.append(("action", state, [text(phrase)]))
        }
        var hinted = Samples.playing
        hinted.bar?.hint = text(.backToUndo)
        let end = strings.text(.endsAt, strings.timeOfDay(43_200))
        hinted.bar?.trailing = end
        all.append(("hint", hinted, [text(.backToUndo), end]))
        for pair in [[Phrase.startOver, .goLive, .info], [.fromBeginning, .info]] {
            var state = Samples.actions
            state.bar?.actions = pair.map(text)
            all.append(("actions", state, pair.map(text)))
        }
        let held: [Phrase] = [.heldAnnouncement, .heldOtherInput, .heldDisplay, .heldSound, .heldHeat]
        for phrase in held {
            var state = Samples.announced
            state.notice = NoticeView(words: text(phrase))
            all.append(("notice", state, [text(phrase)]))
        }
        for phrase in [Phrase.loading, .buffering, .slowNetwork] {
            var state = Samples.buffering
            state.spinner = SpinnerView(words: text(phrase))
            all.append(("spinner", state, [text(phrase)]))
        }
        all += cards(strings, text) + pages(strings, text) + menus(strings, text)
        return all
    }

    private static func cards(
        _ strings: StringCatalogue, _ text: (Phrase) -> String
    ) -> [(String, PresentationState, [String])] {
        var all: [(String, PresentationState, [String])] = []
        for code in ErrorCode.allCases {
            var state = Samples.errorCard
            let again = strings.text(.tryAgainIn, "20")
            state.card = CardView(
                kind: .error, title: text(.cannotPlay), message: text(Phrase(code)), code: "\(code.rawValue) · 5E21C0DE",
                countdown: text(.movingOn), artwork: code == .internal ? nil : "cover",
                buttons: [ButtonView(title: again, isFocused: true), ButtonView(title: text(.home), isFocused: false)])
            all.append(("card", state, [text(.cannotPlay), again, text(.home), text(.movingOn)]))
        }
        var still = Samples.stillWatching
        still.card?.title = text(.stillWatching)
        still.card?.buttons = [
            ButtonView(title: text(.keepWatching), isFocused: true), ButtonView(title: text(.home), isFocused: false),
        ]
        all.append(("still watching", still, [text(.stillWatching), text(.keepWatching)]))
        for title in [Phrase.sleepTimer, .openingHours] {
            var sleep = Samples.sleepTimer
            sleep.card?.title = text(title)
            sleep.card?.message = text(.sleepingIn)
            sleep.card?.buttons = [
                ButtonView(title: text(.stayAwake), isFocused: true), ButtonView(title: text(.sleepNow), isFocused: false),
            ]
            all.append(("sleep timer", sleep, [text(title), text(.sleepingIn), text(.stayAwake), text(.sleepNow)]))
        }
        var reminder = Samples.reminder
        reminder.card?.message = text(.reminderStarts)
        reminder.card?.buttons = [
            ButtonView(title: text(.watchNow), isFocused: true), ButtonView(title: text(.notNow), isFocused: false),
        ]
        all.append(("reminder", reminder, [text(.reminderStarts), text(.watchNow), text(.notNow)]))
        var proposal = Samples.proposal()
        let play = strings.text(.playNowIn, "12")
        proposal.proposal?.buttons = [
            ButtonView(title: play, isFocused: true), ButtonView(title: text(.backToCredits), isFocused: false),
            ButtonView(title: text(.home), isFocused: false),
        ]
        all.append(("proposal", proposal, [play, text(.backToCredits), text(.home)]))
        return all
    }

    private static func pages(
        _ strings: StringCatalogue, _ text: (Phrase) -> String
    ) -> [(String, PresentationState, [String])] {
        var all: [(String, PresentationState, [String])] = []
        for phrase in [Phrase.showingSaved, .nothingSaved, .errorStorage] {
            var state = Samples.offlineHome
            state.home?.notice = text(phrase)
            all.append(("home", state, [text(phrase)]))
        }
        var empty = Samples.emptyHome
        empty.home?.emptyMessage = text(.emptyHome)
        all.append(("empty home", empty, [text(.emptyHome)]))
        let warnings = [strings.text(.wrongPIN) + " " + strings.plural(.triesLeft, 3), strings.text(.pinLocked, "14:32")]
        for warning in warnings {
            var state = Samples.pin("")
            state.pin?.warning = warning
            state.pin?.title = text(.enterPIN)
            state.pin?.keys[3] = [text(.deleteLetter), "0", text(.cancel)]
            all.append(("PIN", state, [text(.enterPIN), warning, text(.deleteLetter), text(.cancel)]))
        }
        return all
    }

    /// The cards over pages of Settings.
    private static func questions(
        _ strings: StringCatalogue, _ text: (Phrase) -> String
    ) -> [(String, PresentationState, [String])] {
        let name = "Network"
        let questions: [(String, String?, [Phrase])] = [
            (text(.resetBoxQuestion), text(.resetBoxExplained), [.cancel, .resetBoxErase]),
            (strings.text(.deleteQuestion, name), nil, [.keep, .delete]),
            (strings.text(.updateFromStickQuestion, "0.2.0"), text(.updateFromStickExplained), [.cancel, .install]),
            (strings.text(.wirelessForgetQuestion, name), text(.wirelessForgetExplained), [.cancel, .wirelessForget]),
            (name, strings.text(.wirelessTimedOut, name), [.tryAgain, .cancel]),
            (name, strings.text(.wirelessRefused, name), [.wirelessEnterAgain, .cancel]),
        ]
        return questions.map { title, message, buttons in
            var state = Samples.settings
            let card = CardView(
                kind: .question, title: title, message: message,
                buttons: buttons.enumerated().map { ButtonView(title: text($1), isFocused: $0 == 0) })
            state.page = .settings(
                SettingsView(page: "top", title: text(.settings), menu: MenuView(rows: []), card: card))
            return ("question", state, [title] + [message].compactMap { $0 } + buttons.map(text))
        }
    }

    /// The rows of Settings and of the player's panel, with their longest values.
    private static func menus(
        _ strings: StringCatalogue, _ text: (Phrase) -> String
    ) -> [(String, PresentationState, [String])] {
        let percent = strings.text(.percent, "100")
        let rows: [(Phrase, String?)] = [
            (.language, strings.ownName), (.captions, strings.languageName(of: "uk")),
            (.sound, strings.languageName(of: "uk")), (.picture, text(.fitFill)), (.accessibility, nil),
            (.network, text(.offline)), (.storage, strings.size(123_400_000_000)), (.parental, strings.text(.fromAge, "18")),
            (.sleepTimer, text(.endOfProgramme)), (.about, nil), (.resetBox, nil), (.interfaceLanguage, strings.ownName),
            (.audioLanguage, strings.languageName(of: "uk")), (.captionLanguage, strings.languageName(of: "uk")),
            (.preferSDH, text(.off)), (.captionsOnReplay, text(.on)), (.captionsWhenMuted, text(.off)),
            (.preferAudioDescription, text(.off)), (.reduceLoudSounds, text(.off)), (.enhanceDialogue, text(.off)),
            (.overscan, percent), (.largerText, text(.off)), (.highContrast, text(.off)), (.reduceMotion, text(.off)),
            (.speakFocus, text(.off)), (.patience, text(.patienceEndless)), (.captionStyle, nil),
            (.captionColour, text(.magenta)), (.captionOpacity, percent), (.captionSize, percent),
            (.captionFont, text(.asProgramme)), (.captionFont, text(.fontMonospacedSerif)), (.captionEdge, text(.edgeDepressed)),
            (.captionBackground, text(.asProgramme)), (.captionBackgroundOpacity, text(.asProgramme)),
            (.captionWindow, text(.asProgramme)), (.captionWindowOpacity, text(.asProgramme)), (.captionReset, nil),
            (.networkState, text(.offline)), (.freeSpace, strings.size(123_400_000_000)), (.viewingHistory, "12 MB"),
            (.storedPictures, "12 MB"), (.parentalAge, strings.text(.fromAge, "18")), (.cancel, nil), (.resetBoxErase, nil),
            (.keep, nil),
            (.aspect, text(.fitWhole)), (.angle, nil), (.speed, text(.normalSpeed)), (.listenWithScreenOff, nil),
            (.navigationSounds, text(.off)), (.screenSaver, strings.plural(.minutes, 30)),
            (.soundDelay, strings.text(.milliseconds, "-1000")),
            (.changePIN, nil), (.removePIN, nil), (.createPIN, nil), (.wireless, nil),
            (.wirelessSearchAgain, text(.wirelessSearching)),
            (.update, text(.updateNone)), (.updateFromStick, nil), (.saveReport, nil),
        ]
        let explanations: [Phrase] = [
            .preferSDHExplained, .captionsOnReplayExplained, .captionsWhenMutedExplained, .preferAudioDescriptionExplained,
            .reduceLoudSoundsExplained, .enhanceDialogueExplained, .overscanExplained, .speakFocusExplained, .patienceExplained,
            .parentalExplained, .storeExplained, .navigationSoundsExplained, .screenSaverExplained, .soundDelayExplained,
            .removePINExplained, .newPINExplained, .saveReportExplained, .boxReportNoStick,
            .wirelessForgetHint, .wirelessNoneFound,
        ]
        var all: [(String, PresentationState, [String])] = []
        let count = 6
        for start in stride(from: 0, to: rows.count, by: count) {
            let some = rows[start..<min(start + count, rows.count)]
            var state = Samples.settings
            state.page = .settings(
                SettingsView(
                    page: "top", title: text(.settings),
                    menu: MenuView(
                        rows: some.enumerated().map { index, row in
                            .init(title: text(row.0), value: row.1, mark: .submenu, isFocused: index == 1)
                        })))
            all.append(("settings", state, some.flatMap { [text($0.0), $0.1].compactMap { $0 } }))
        }
        // Beside the last row of the screen there is the least room.
        for explanation in explanations {
            var state = Samples.settings
            let last = Metrics.Menu.settingsRows - 1
            state.page = .settings(
                SettingsView(
                    page: "top", title: text(.settings), explanation: text(explanation),
                    menu: MenuView(rows: (0...last).map { .init(title: "\($0)", mark: .submenu, isFocused: $0 == last) })))
            all.append(("explanation", state, [text(explanation)]))
        }
        all += questions(strings, text)
        let inPanel: [Phrase] = [
            .whatDidTheySay, .off, .automatic, .captionStyle, .reduceLoudSounds, .enhanceDialogue, .aspect, .fitStretch, .angle,
            .speed,
            .listenWithScreenOff,
        ]
        for start in stride(from: 0, to: inPanel.count, by: 4) {
            let some = inPanel[start..<min(start + 4, inPanel.count)].map(text)
            var state = Samples.subtitles
            let tabs: [PanelView.TabTitle] = [
                .init(tab: .info, title: text(.info)), .init(tab: .chapters, title: text(.chapters)),
                .init(tab: .subtitles, title: text(.subtitles)), .init(tab: .audio, title: text(.audio)),
                .init(tab: .picture, title: text(.picture)),
            ]
            state.panel = PanelView(
                tabs: tabs, selected: 2, focus: .content(0),
                content: .menu(MenuView(rows: some.enumerated().map { .init(title: $1, mark: .submenu, isFocused: $0 == 0) })))
            all.append(("panel", state, some + tabs.map(\.title)))
        }
        return all
    }
}
