import LinuxSupport
import MediaModel
import MediaTime

/// The information panel: tabs, and what is in them.
extension InterfaceMachine {
    /// What the Info tab offers.
    enum InfoAction: Sendable, Hashable {
        case fromBeginning, restart, goLive
    }

    var infoActions: [InfoAction] {
        guard let item else { return [] }
        guard item.isLive else { return [.fromBeginning] }
        return isLiveWithoutWindow ? [] : viewing.played.isBehindLive ? [.restart, .goLive] : [.restart]
    }

    /// The tabs with something in them.
    var tabs: [PanelView.TabTitle] {
        guard let item else { return [] }
        var tabs: [PanelView.TabTitle] = []
        if item.hasInformation || !infoActions.isEmpty {
            tabs.append(.init(tab: .info, title: strings.text(.info)))
        }
        if !chapters.isEmpty {
            tabs.append(.init(tab: .chapters, title: strings.text(.chapters), isEnabled: !isLinear))
        }
        if !snapshot.options.subtitles.isEmpty { tabs.append(.init(tab: .subtitles, title: strings.text(.subtitles))) }
        if !snapshot.options.audio.isEmpty { tabs.append(.init(tab: .audio, title: strings.text(.audio))) }
        tabs.append(.init(tab: .picture, title: strings.text(.picture)))
        return tabs
    }

    /// Opens the panel on a tab; nil: on the first.
    mutating func openPanel(_ tab: PanelView.Tab?) -> CommandResult {
        guard item != nil else { return .failed(.noItem) }
        guard let chosen = tab ?? tabs.first?.tab, tabs.contains(where: { $0.tab == chosen && $0.isEnabled }) else {
            return .failed(.notSupported)
        }
        panel = PanelModel(tab: chosen, menu: menu(of: chosen))
        // A shortcut to a menu leads to its rows at once.
        if tab == .audio || tab == .subtitles, panelEntryCount(chosen) > 0 { panel?.focus = .content(0) }
        return .success
    }

    mutating func openTab(_ tab: PanelView.Tab) { panel = PanelModel(tab: tab, menu: menu(of: tab)) }

    private func menu(of tab: PanelView.Tab) -> MenuModel? {
        let page: MenuPage? =
            switch tab {
            case .info, .chapters: nil
            case .subtitles: .subtitles
            case .audio: .audio
            case .picture: .picture
            }
        return page.map { MenuModel($0, entries: entries(of: $0)) }
    }

    mutating func actOnPanel(_ key: RemoteKey, _ panel: PanelModel) -> CommandResult {
        switch key {
        case .playpause: return togglePlayPause()
        case .play: return play()
        case .pause: return pause()
        case .info where panel.tab == .info, .menu, .back:
            if key == .back, case .content = panel.focus, var menu = panel.menu, menu.isNested {
                menu.pop()  // the top layer is the submenu
                self.panel?.menu = menu
            } else {
                closePanel()
            }
            return .success
        case .info:
            openTab(.info)
            return .success
        case .ff: return leavePanel { $0.beginScan(1) }
        case .rw: return leavePanel { $0.beginScan(-1) }
        case .next: return leavePanel { $0.nextChapter() }
        case .prev: return leavePanel { $0.previousChapter() }
        case .audio where panel.tab != .audio: return openPanel(.audio)
        case .audio:
            closePanel()
            return .success
        case .subtitle: return cycleSubtitles()
        case .up, .down, .left, .right, .ok: return move(key, in: panel)
        default: return .failed(.notSupported)
        }
    }

    private mutating func closePanel() {
        panel = nil
    }

    /// A shortcut that needs the picture closes the panel, where it does something.
    private mutating func leavePanel(_ action: (inout InterfaceMachine) -> CommandResult) -> CommandResult {
        let kept = panel
        panel = nil
        let result = action(&self)
        if result != .success { panel = kept }
        return result
    }

    private mutating func move(_ key: RemoteKey, in panel: PanelModel) -> CommandResult {
        switch panel.focus {
        case .tabs: return moveTabs(key, in: panel)
        case .content where panel.menu != nil: return moveMenu(key)
        case .content(let index): return moveContent(key, at: index, in: panel)
        }
    }

    private mutating func moveTabs(_ key: RemoteKey, in panel: PanelModel) -> CommandResult {
        switch key {
        case .left, .right:
            let open = tabs.filter(\.isEnabled)
            guard let current = open.firstIndex(where: { $0.tab == panel.tab }) else { return .failed(.noChange) }
            // The tabs go round: the last is one press away, and captions' style with it three.
            guard open.count > 1 else { return .failed(.noChange) }
            openTab(open[(current + step(of: key) + open.count) % open.count].tab)
            return .success
        case .up:
            closePanel()
            return .success
        case .down, .ok:
            guard panelEntryCount(panel.tab) > 0 else { return .failed(.noChange) }
            let first = panel.tab == .chapters ? chapterIndex(at: position ?? .zero) ?? 0 : 0
            self.panel?.focus = .content(first)
            return .success
        default: return .failed(.notSupported)
        }
    }

    private mutating func moveMenu(_ key: RemoteKey) -> CommandResult {
        guard var menu = panel?.menu else { return .failed(.notSupported) }
        let result = act(key, inMenu: &menu, rowsOnScreen: Metrics.Menu.panelRows)
        if panel != nil { panel?.menu = menu }  // what was chosen may have closed it
        if let result { return result }
        guard key == .up else { return .failed(.notSupported) }
        panel?.focus = .tabs
        return .success
    }

    private mutating func moveContent(_ key: RemoteKey, at index: Int, in panel: PanelModel) -> CommandResult {
        switch key {
        case .left, .right:
            let moved = index + step(of: key)
            guard (0..<panelEntryCount(panel.tab)).contains(moved) else { return .failed(.noChange) }
            self.panel?.focus = .content(moved)
            return .success
        case .up:
            self.panel?.focus = .tabs
            return .success
        case .ok: return activate(index, in: panel.tab)
        default: return .failed(.notSupported)
        }
    }

    /// How many things in a tab can have focus.
    private func panelEntryCount(_ tab: PanelView.Tab) -> Int {
        switch tab {
        case .info: (item?.summary?.isEmpty == false ? 1 : 0) + infoActions.count
        case .chapters: chapters.count
        case .subtitles: entries(of: .subtitles).count
        case .audio: entries(of: .audio).count
        case .picture: entries(of: .picture).count
        }
    }

    private mutating func activate(_ index: Int, in tab: PanelView.Tab) -> CommandResult {
        switch tab {
        case .info:
            let hasSummary = item?.summary?.isEmpty == false
            if hasSummary, index == 0 {
                openText(item?.summary ?? "", title: item?.title)
                return .success
            }
            let actions = infoActions
            let number = index - (hasSummary ? 1 : 0)
            guard actions.indices.contains(number) else { return .failed(.notSupported) }
            switch actions[number] {
            case .fromBeginning: return leavePanel { $0.fromBeginning() }
            case .restart: return leavePanel { $0.restartLive() }
            case .goLive: return leavePanel { $0.goLive() }
            }
        case .chapters:
            guard chapters.indices.contains(index) else { return .failed(.notSupported) }
            let chapter = chapters[index]
            return leavePanel { machine in
                machine.bar.show()
                return machine.jump(
                    to: chapter.start < machine.position ?? .zero ? machine.backTarget(chapter.start) : chapter.start)
            }
        case .subtitles, .audio, .picture: return .failed(.notSupported)  // their rows are a menu's
        }
    }

    /// Live with a window: back to where the window begins.
    mutating func restartLive() -> CommandResult {
        guard let first = snapshot.seekableRanges.first, item?.isLive == true else { return .failed(.notSupported) }
        bar.show()
        return jump(to: first.start)
    }

    /// Focus stays on what is there: options come and go while the panel is open.
    mutating func settlePanel() {
        guard let panel else { return }
        let all = tabs
        guard all.contains(where: { $0.tab == panel.tab && $0.isEnabled }) else {
            if let first = all.first(where: \.isEnabled) { openTab(first.tab) } else { self.panel = nil }
            return
        }
        let count = panelEntryCount(panel.tab)
        if case .content(let index) = panel.focus, panel.menu == nil, index >= count {
            self.panel?.focus = count > 0 ? .content(count - 1) : .tabs
        }
        guard var menu = panel.menu else { return }
        menu.settle(entries(of: menu.page), rowsOnScreen: Metrics.Menu.panelRows)
        if case .speed = menu.page, isLinear { menu.pop() }
        self.panel?.menu = menu
    }

    // MARK: The actions row of the bar and the contextual action

    enum RowAction: Sendable, Hashable {
        case info, fromBeginning, restart, goLive
    }

    var actionsRow: [RowAction] {
        guard item != nil else { return [] }
        var row: [RowAction] = []
        if tabs.contains(where: { $0.tab == .info }) { row.append(.info) }
        for action in infoActions {
            switch action {
            case .fromBeginning: row.append(.fromBeginning)
            case .restart: row.append(.restart)
            case .goLive: row.append(.goLive)
            }
        }
        return row
    }

    mutating func activate(_ action: RowAction) -> CommandResult {
        switch action {
        case .info: return openPanel(.info)
        case .fromBeginning:
            bar.show(.bar)
            return fromBeginning()
        case .restart:
            bar.show(.bar)
            return restartLive()
        case .goLive:
            bar.show(.bar)
            return goLive()
        }
    }
}

extension ItemPresentation {
    /// Whether the Info tab has anything to show.
    var hasInformation: Bool {
        [artwork, title, subtitle, summary, genre, rating].contains { $0?.isEmpty == false } || !badges.isEmpty
    }
}
