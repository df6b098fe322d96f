import BoxModel
import LinuxSupport
import MediaModel
import MediaTime
import Screens

/// The result of a key in a menu.
package enum MenuOutcome: Sendable, Equatable {
    /// The menu has handled or refused the key.
    case answered(CommandResult)
    /// A row with this effect was selected.
    case chosen(MenuAction)
    /// The key is for the screen that shows the menu.
    case unused
}

/// A row of a menu and its effect.
package struct MenuEntry: Sendable, Equatable {
    var action: MenuAction
    package var title: String
    var value: String?
    var note: String?
    var mark = MenuView.Mark.none
    /// A sentence for Settings.
    var explanation: String?
    /// What it is about, as a picture.
    var icon: MenuIcon?
    /// The colour that it names.
    var swatch: CaptionStyle.Colour?
    var isEnabled = true

    /// Whether it can have focus.
    var takesFocus: Bool { isEnabled && (action != .nothing || explanation != nil) }
}

/// The stack of open menus; the last one is on the screen.
package struct MenuModel: Sendable, Equatable {
    struct Level: Sendable, Equatable {
        let page: MenuPage
        /// The focused row.
        var index: Int
        /// The first row on the screen.
        var first = 0
    }
    private(set) var levels: [Level]

    /// Focus starts on the current choice, otherwise on the first focusable row.
    package init(_ page: MenuPage, entries: [MenuEntry]) { levels = [Level(page: page, index: Self.firstFocus(in: entries))] }

    var top: Level { levels[levels.count - 1] }
    package var page: MenuPage { top.page }
    var isNested: Bool { levels.count > 1 }

    /// The menu from which the open one was opened; nil if it is the first.
    var parent: MenuModel? {
        guard isNested else { return nil }
        var parent = self
        parent.pop()
        return parent
    }

    package mutating func push(_ page: MenuPage, focus index: Int) { levels.append(Level(page: page, index: index)) }

    mutating func pop() { if isNested { levels.removeLast() } }

    private mutating func focus(_ index: Int) { levels[levels.count - 1].index = index }

    /// Keeps focus on an existing, focusable row, and scrolls to it.
    package mutating func settle(_ entries: [MenuEntry], rowsOnScreen: Int) {
        var level = top
        if !entries.indices.contains(level.index) || !entries[level.index].takesFocus {
            level.index =
                entries.indices.filter { entries[$0].takesFocus }.min { abs($0 - level.index) < abs($1 - level.index) } ?? 0
        }
        level.first = min(max(level.first, level.index - rowsOnScreen + 1), level.index)
        // Read-only rows above the first focusable row are shown as well.
        if level.index < rowsOnScreen, !entries.prefix(level.index).contains(where: \.takesFocus) { level.first = 0 }
        level.first = min(level.first, max(0, entries.count - rowsOnScreen))
        levels[levels.count - 1] = level
    }

    /// Moves focus to the choice that OK selects instead of the current one: the next one, after the last one the one before it. Sound is not turned off
    /// by that.
    mutating func passCurrentChoice(_ entries: [MenuEntry], rowsOnScreen: Int) {
        let choices = entries.indices.filter {
            if case .choice = entries[$0].mark { entries[$0].takesFocus && entries[$0].action != .turnSoundOff } else { false }
        }
        guard let current = entries.firstIndex(where: { $0.mark == .choice(isCurrent: true) }) else { return }
        focus(choices.first { $0 > current } ?? choices.last { $0 < current } ?? current)
        settle(entries, rowsOnScreen: rowsOnScreen)
    }

    // MARK: Keys

    /// Up and Down, Select, and the keys that open and close submenus.
    ///
    /// - Parameters:
    ///   - step: 1 if Left or Right points towards the end of the line, which opens a submenu; -1 if it points back.
    ///   - entries: the rows of a menu.
    package mutating func act(_ key: RemoteKey, step: Int, rowsOnScreen: Int, entries: (MenuPage) -> [MenuEntry]) -> MenuOutcome {
        let rows = entries(page)
        settle(rows, rowsOnScreen: rowsOnScreen)
        let index = top.index
        // The buttons of a question stand side by side.
        let isAlong = page.isQuestion && [.left, .right].contains(key)
        switch isAlong ? step > 0 ? .down : .up : key {
        case .down:
            guard let next = rows.indices.dropFirst(index + 1).first(where: { rows[$0].takesFocus }) else {
                return .answered(.failed(.noChange))
            }
            focus(next)
        case .up:
            guard let next = rows.indices.prefix(index).last(where: { rows[$0].takesFocus }) else {
                return isNested ? .answered(.failed(.noChange)) : .unused
            }
            focus(next)
        case .ok: return select(rows, at: index, rowsOnScreen: rowsOnScreen, entries: entries)
        case .back where isNested: pop()
        case .left, .right:
            let opens = step > 0
            if opens, rows.indices.contains(index), case .open = rows[index].action {
                return select(rows, at: index, rowsOnScreen: rowsOnScreen, entries: entries)
            }
            guard !opens, isNested else { return .answered(.failed(.noChange)) }
            pop()
        default: return .unused
        }
        settle(entries(page), rowsOnScreen: rowsOnScreen)
        return .answered(.success)
    }

    private mutating func select(_ rows: [MenuEntry], at index: Int, rowsOnScreen: Int, entries: (MenuPage) -> [MenuEntry])
        -> MenuOutcome
    {
        guard rows.indices.contains(index), rows[index].takesFocus else { return .answered(.failed(.notSupported)) }
        let action = rows[index].action
        if action == .nothing { return .answered(.failed(.noChange)) }
        if case .open(let opened) = action {
            let submenu = entries(opened)
            push(opened, focus: Self.firstFocus(in: submenu))
            settle(submenu, rowsOnScreen: rowsOnScreen)
            return .answered(.success)
        }
        if action.closesSubmenu || page.isQuestion { pop() }
        return .chosen(action)
    }

    private static func firstFocus(in entries: [MenuEntry]) -> Int {
        entries.firstIndex { $0.mark == .choice(isCurrent: true) && $0.takesFocus } ?? entries.firstIndex(where: \.takesFocus)
            ?? 0
    }

    // MARK: View

    /// - Parameter captions: makes the preview for caption menus.
    func view(_ entries: [MenuEntry], rowsOnScreen: Int, hasFocus: Bool, title: String?, captions: CaptionStyleMenu) -> MenuView {
        var settled = self
        settled.settle(entries, rowsOnScreen: rowsOnScreen)
        let (index, first) = (settled.top.index, settled.top.first)
        let previewsCaptions = page.choosesCaptionStyle || page == .settings(.captions)
        return MenuView(
            title: title,
            rows: entries.enumerated().map { row, entry in
                MenuView.Row(
                    title: entry.title, value: entry.value, note: entry.note, mark: entry.mark, icon: entry.icon,
                    swatch: entry.swatch,
                    isEnabled: entry.takesFocus, isFocused: hasFocus && row == index && entry.takesFocus)
            },
            firstRow: first,
            preview: previewsCaptions ? captions.preview(entries.indices.contains(index) ? entries[index] : nil) : nil)
    }
}
