import BoxModel
import MediaTime
import Screens

/// The open information panel: its tab, its focus, and the menu in it.
package struct Panel: Sendable, Equatable {
    private(set) var tab: PanelView.Tab
    private var focus = PanelView.Focus.tabs
    /// The menu of Subtitles, Audio or Picture.
    private var menu: MenuModel?

    private init(on tab: PanelView.Tab, in content: PanelContent) {
        self.tab = tab
        menu = content.menu(of: tab)
    }

    /// Opens on a tab; nil for the first one.
    ///
    /// - Returns: nil if the tab cannot be opened.
    package init?(_ wanted: PanelView.Tab?, in content: PanelContent) {
        guard let tab = wanted ?? content.tabs.first?.tab, content.canOpen(tab) else { return nil }
        self.init(on: tab, in: content)
        // A shortcut to a menu focuses its rows at once.
        if wanted == .audio || wanted == .subtitles, content.entryCount(of: tab) > 0 { focus = .content(0) }
    }

    /// Whether holding a key moves focus repeatedly.
    func isMoved(by key: RemoteKey) -> Bool { focus != .tabs && key != .up || [.left, .right].contains(key) }

    // MARK: Keys

    mutating func act(_ key: RemoteKey, in content: PanelContent) -> KeyOutcome {
        switch key {
        case .playpause, .play, .pause: return .playback(key)
        case .back:
            guard case .content = focus, menu?.isNested == true else { return .closed }
            menu?.pop()  // the top layer is the submenu
        case .info where tab != .info: self = Panel(on: .info, in: content)
        case .audio where tab != .audio:
            guard let opened = Panel(.audio, in: content) else { return .refused(.notSupported) }
            self = opened
        case .info, .audio, .menu: return .closed
        case .ff: return .leaves(.scan(1))
        case .rw: return .leaves(.scan(-1))
        case .next: return .leaves(.nextChapter)
        case .prev: return .leaves(.previousChapter)
        case .subtitle: return .wants(.cycleSubtitles)
        case .up, .down, .left, .right, .ok:
            return switch focus {
            case .tabs: moveTabs(key, in: content)
            case .content where menu != nil: moveMenu(key, in: content)
            case .content(let index): moveContent(key, at: index, in: content)
            }
        default: return .refused(.notSupported)
        }
        return .done
    }

    private mutating func moveTabs(_ key: RemoteKey, in content: PanelContent) -> KeyOutcome {
        switch key {
        case .left, .right:
            let open = content.tabs.filter(\.isEnabled)
            // The tabs wrap around: the last is one press away, and the caption style three.
            guard let current = open.firstIndex(where: { $0.tab == tab }), open.count > 1 else { return .refused(.noChange) }
            self = Panel(on: open[(current + content.strings.step(of: key) + open.count) % open.count].tab, in: content)
            return .done
        case .up: return .closed
        case .down, .ok:
            guard content.entryCount(of: tab) > 0 else { return .refused(.noChange) }
            focus = .content(content.firstFocus(of: tab))
            if key == .ok, let page = menu?.page {
                menu?.passCurrentChoice(content.menus.entries(of: page), rowsOnScreen: Metrics.Menu.panelRows)
            }
            return .done
        default: return .refused(.notSupported)
        }
    }

    private mutating func moveMenu(_ key: RemoteKey, in content: PanelContent) -> KeyOutcome {
        let outcome = menu?.act(
            key, step: content.strings.step(of: key), rowsOnScreen: Metrics.Menu.panelRows, entries: content.menus.entries)
        switch outcome {
        case .answered(let result): return .answered(result)
        case .chosen(let action): return .wants(action.intent)
        case .unused, nil:
            guard key == .up else { return .refused(.notSupported) }
            focus = .tabs
            return .done
        }
    }

    private mutating func moveContent(_ key: RemoteKey, at index: Int, in content: PanelContent) -> KeyOutcome {
        switch key {
        case .left, .right:
            let moved = index + content.strings.step(of: key)
            guard (0..<content.entryCount(of: tab)).contains(moved) else { return .refused(.noChange) }
            focus = .content(moved)
        case .up: focus = .tabs
        case .ok: return content.select(index, in: tab)
        default: return .refused(.notSupported)
        }
        return .done
    }

    // MARK: Changes of the item

    /// Keeps focus on an existing row: options change while the panel is open.
    ///
    /// - Returns: whether a tab is left to show.
    mutating func settle(in content: PanelContent) -> Bool {
        guard content.canOpen(tab) else {
            guard let first = content.tabs.first(where: \.isEnabled) else { return false }
            self = Panel(on: first.tab, in: content)
            return true
        }
        let count = content.entryCount(of: tab)
        if case .content(let index) = focus, menu == nil, index >= count {
            focus = count > 0 ? .content(count - 1) : .tabs
        }
        if let page = menu?.page {
            menu?.settle(content.menus.entries(of: page), rowsOnScreen: Metrics.Menu.panelRows)
            if case .speed = page, content.isLinear { menu?.pop() }
        }
        return true
    }

    // MARK: View

    /// - Parameter showsWholeSummary: whether the description is shown in full.
    package func view(_ content: PanelContent, showsWholeSummary: Bool) -> PanelView? {
        let tabs = content.tabs
        guard let selected = tabs.firstIndex(where: { $0.tab == tab }) else { return nil }
        var index: Int?
        if case .content(let focused) = focus { index = focused }
        switch tab {
        case .chapters:
            return PanelView(
                tabs: tabs, selected: selected, focus: focus, content: .chapters(content.chapterViews(focused: index)))
        case .info:
            var info = content.infoView(focused: index)
            info.showsWholeSummary = showsWholeSummary
            return PanelView(tabs: tabs, selected: selected, focus: focus, content: .info(info))
        case .subtitles, .audio, .picture:
            guard let menu else { return nil }
            let view = content.menus.view(of: menu, rowsOnScreen: Metrics.Menu.panelRows, hasFocus: focus != .tabs)
            return PanelView(
                tabs: tabs, selected: selected, focus: focus == .tabs ? .tabs : .content(view.focusedRow ?? 0),
                content: .menu(view))
        }
    }
}
