import LinuxSupport
import MediaModel
import MediaTime

/// Every menu that there is: what the tabs and the pages of Settings show, and what their submenus open.
enum MenuPage: Sendable, Hashable {
    // Tabs of the panel.
    case subtitles, audio, picture
    // Settings, and the pages of it.
    case settings, language, captions, sound, pictureSettings, accessibility, network, storage, parental, about
    // Choices of one thing.
    case interfaceLanguage, audioLanguage, captionLanguage
    case captionStyle, captionColour, captionOpacity, captionSize, captionFont, captionEdge
    case captionBackground, captionBackgroundOpacity, captionWindow, captionWindowOpacity
    case aspect(isGeneral: Bool), speed, sleepTimer, overscan, patience, parentalAge
    case deletion(String), factoryReset

    /// Whether the caption style is chosen here, and a preview is wanted.
    var choosesCaptionStyle: Bool {
        switch self {
        case .captionStyle, .captionColour, .captionOpacity, .captionSize, .captionFont, .captionEdge, .captionBackground,
            .captionBackgroundOpacity, .captionWindow, .captionWindowOpacity:
            true
        default: false
        }
    }
}

/// When the box goes to sleep by itself.
enum SleepChoice: Sendable, Hashable {
    case off
    case minutes(Int)
    case endOfItem
}

/// What Select does on a row of a menu.
enum MenuAction: Sendable, Equatable {
    case open(MenuPage)
    /// A change of the settings; a choice closes its submenu.
    case set(ViewerSettings)
    /// The same for what is on or off: the menu stays.
    case toggle(ViewerSettings)
    case selectSubtitles(SubtitleChoice)
    case whatDidTheySay
    case selectAudio(String)
    case setSpeed(Ratio)
    case setSleep(SleepChoice)
    case listen
    case delete(String)
    case factoryReset
    case close
    /// It is only read.
    case nothing
}

/// A row of a menu with what it does.
struct MenuEntry: Sendable, Equatable {
    var action: MenuAction
    var title: String
    var value: String?
    var note: String?
    var mark = MenuView.Mark.none
    /// In a sentence, for Settings.
    var explanation: String?
    var isEnabled = true

    /// Whether focus stops here.
    var takesFocus: Bool { isEnabled && action != .nothing }
}

/// Where the viewer is in menus that open one another: the last one is on the screen.
struct MenuModel: Sendable, Equatable {
    struct Level: Sendable, Equatable {
        let page: MenuPage
        /// The row with focus.
        var index: Int
        /// The first row on the screen.
        var first = 0
    }
    private(set) var levels: [Level]

    init(_ page: MenuPage, focus index: Int = 0) { levels = [Level(page: page, index: index)] }

    var top: Level { levels[levels.count - 1] }
    var page: MenuPage { top.page }
    var isNested: Bool { levels.count > 1 }

    mutating func push(_ page: MenuPage, focus index: Int) { levels.append(Level(page: page, index: index)) }

    mutating func pop() { if isNested { levels.removeLast() } }

    mutating func focus(_ index: Int) { levels[levels.count - 1].index = index }

    /// Keeps focus on a row that is there and takes it, and that row on the screen.
    mutating func settle(_ entries: [MenuEntry], rowsOnScreen: Int) {
        var level = top
        if !entries.indices.contains(level.index) || !entries[level.index].takesFocus {
            level.index =
                entries.indices.filter { entries[$0].takesFocus }.min { abs($0 - level.index) < abs($1 - level.index) } ?? 0
        }
        level.first = min(max(level.first, level.index - rowsOnScreen + 1), level.index)
        // What only is read above the first row that takes focus is seen as well.
        if level.index < rowsOnScreen, !entries.prefix(level.index).contains(where: \.takesFocus) { level.first = 0 }
        level.first = min(level.first, max(0, entries.count - rowsOnScreen))
        levels[levels.count - 1] = level
    }
}

extension InterfaceMachine {
    /// Where focus begins in a menu: on the current choice, else on the first row that takes it.
    func firstFocus(in entries: [MenuEntry]) -> Int {
        entries.firstIndex { $0.mark == .choice(isCurrent: true) && $0.takesFocus } ?? entries.firstIndex(where: \.takesFocus)
            ?? 0
    }

    /// Up and Down, Select, and what opens and closes submenus; nil: the key is for whoever shows the menu.
    mutating func act(_ key: RemoteKey, inMenu menu: inout MenuModel, rowsOnScreen: Int) -> CommandResult? {
        let entries = entries(of: menu.page)
        menu.settle(entries, rowsOnScreen: rowsOnScreen)
        let index = menu.top.index
        switch key {
        case .down:
            guard let next = entries.indices.dropFirst(index + 1).first(where: { entries[$0].takesFocus }) else {
                return .failed(.noChange)
            }
            menu.focus(next)
        case .up:
            guard let next = entries.indices.prefix(index).last(where: { entries[$0].takesFocus }) else {
                return menu.isNested ? .failed(.noChange) : nil
            }
            menu.focus(next)
        case .ok: return select(entries, at: index, in: &menu, rowsOnScreen: rowsOnScreen)
        case .back where menu.isNested: menu.pop()
        case .left, .right:
            // Towards the end of the line a submenu opens, back from it it closes.
            let opens = step(of: key) > 0
            guard opens, entries.indices.contains(index), case .open = entries[index].action else {
                guard !opens, menu.isNested else { return .failed(.noChange) }
                menu.pop()
                break
            }
            return select(entries, at: index, in: &menu, rowsOnScreen: rowsOnScreen)
        default: return nil
        }
        menu.settle(self.entries(of: menu.page), rowsOnScreen: rowsOnScreen)
        return .success
    }

    private mutating func select(_ entries: [MenuEntry], at index: Int, in menu: inout MenuModel, rowsOnScreen: Int)
        -> CommandResult
    {
        guard entries.indices.contains(index), entries[index].takesFocus else { return .failed(.notSupported) }
        let result: CommandResult
        switch entries[index].action {
        case .open(let page):
            menu.push(page, focus: firstFocus(in: self.entries(of: page)))
            result = .success
        case .set(let new):
            result = change(new)
            if menu.isNested { menu.pop() }
        case .toggle(let new): result = change(new)
        case .selectSubtitles(let choice): result = choose(choice)
        case .whatDidTheySay: result = whatDidTheySay()
        case .selectAudio(let id):
            effects.append(.selectAudio(id: id))
            result = .success
        case .setSpeed(let rate):
            result = setSpeed(rate)
            menu.pop()
        case .setSleep(let choice):
            setSleep(choice)
            menu.pop()
            result = .success
        case .listen: result = beginListening()
        case .delete(let id):
            effects.append(.deleteStore(id: id))
            menu.pop()
            result = .success
        case .factoryReset:
            effects.append(.factoryReset)
            menu.pop()
            result = .success
        case .close:
            menu.pop()
            result = .success
        case .nothing: result = .failed(.notSupported)
        }
        menu.settle(self.entries(of: menu.page), rowsOnScreen: rowsOnScreen)
        return result
    }

    /// Takes changed settings: kept, and in force at once.
    mutating func change(_ new: ViewerSettings) -> CommandResult {
        guard new != settings else { return .failed(.noChange) }
        let old = settings
        settings = new
        applySettings(before: old)
        effects.append(.saveSettings(new))
        return .success
    }

    func step(of key: RemoteKey) -> Int { policy.strings.step(of: key) }

    func menuView(_ menu: MenuModel, rowsOnScreen: Int, hasFocus: Bool, title: String?) -> MenuView {
        let entries = entries(of: menu.page)
        var settled = menu
        settled.settle(entries, rowsOnScreen: rowsOnScreen)
        let preview =
            menu.page.choosesCaptionStyle || menu.page == .captions ? captionPreview(menu, entries, settled.top.index) : nil
        return MenuView(
            title: title,
            rows: entries.enumerated().map { index, entry in
                MenuView.Row(
                    title: entry.title, value: entry.value, note: entry.note, mark: entry.mark, isEnabled: entry.takesFocus,
                    isFocused: hasFocus && index == settled.top.index && entry.takesFocus)
            }, firstRow: settled.top.first, preview: preview)
    }

    /// The preview shows what the row with focus would make of the captions.
    private func captionPreview(_ menu: MenuModel, _ entries: [MenuEntry], _ index: Int) -> CaptionPreviewView {
        var style = settings.captionStyle
        if entries.indices.contains(index), case .set(let tried) = entries[index].action { style = tried.captionStyle }
        return CaptionPreviewView(words: policy.strings.text(.captionPreview), style: style)
    }
}
