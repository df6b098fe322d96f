import LinuxSupport
import MediaModel
import MediaTime

/// A page over Home or over the picture. At most one is open; nothing else has focus meanwhile.
enum PageModel: Sendable, Equatable {
    case settings(MenuModel)
    case search(LetterModel)
    case guide(GuideModel)
    case channels(ChannelListModel)
}

/// A long text that is open.
struct LongTextModel: Sendable, Equatable {
    var title: String?
    var pages: [String]
    var page = 0
}

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

    /// Opens a text whole, in pages that fit the screen in every size of type.
    mutating func openText(_ text: String, title: String?) {
        longText = LongTextModel(title: title, pages: Self.pages(of: text, limit: settings.hasLargerText ? 700 : 1100))
    }

    mutating func actOnLongText(_ key: RemoteKey, _ open: LongTextModel) -> CommandResult {
        switch key {
        case .ok, .back, .info, .menu:
            longText = nil
            return .success
        case .down, .up:
            let moved = open.page + (key == .down ? 1 : -1)
            guard open.pages.indices.contains(moved) else { return .failed(.noChange) }
            longText?.page = moved
            return .success
        case .playpause: return togglePlayPause()
        case .play: return play()
        case .pause: return pause()
        default: return .failed(.notSupported)
        }
    }

    /// Cuts a text at the last end of a paragraph, sentence or word before the limit. What stands tightly (Han, Kana) counts double.
    static func pages(of text: String, limit: Int) -> [String] {
        var pages: [String] = []
        var rest = Substring(text)
        while !rest.isEmpty {
            var room = limit
            var end = rest.startIndex
            var breaks: (paragraph: String.Index?, sentence: String.Index?, word: String.Index?)
            while end < rest.endIndex, room > 0 {
                let character = rest[end]
                room -= character.unicodeScalars.first.map { $0.value >= 0x2E80 } ?? false ? 2 : 1
                rest.formIndex(after: &end)
                if character.isNewline {
                    room -= 60
                    breaks.paragraph = end
                } else if ".!?。！？".contains(character) {
                    breaks.sentence = end
                } else if character.isWhitespace {
                    breaks.word = end
                }
            }
            if end < rest.endIndex { end = breaks.paragraph ?? breaks.sentence ?? breaks.word ?? end }
            let page = rest[..<end].drop { $0.isWhitespace }
            if !page.isEmpty { pages.append(String(page)) }
            rest = rest[end...].drop { $0.isWhitespace }
        }
        return pages.isEmpty ? [""] : pages
    }

    // MARK: Where keys go

    mutating func act(_ key: RemoteKey, on page: PageModel) -> CommandResult {
        switch page {
        case .settings(let menu): actInSettings(key, menu)
        case .search(let letters): actInSearch(key, letters)
        case .guide(let guide): actInGuide(key, guide)
        case .channels(let list): actInChannelList(key, list)
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
