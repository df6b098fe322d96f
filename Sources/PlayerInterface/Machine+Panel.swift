import LinuxSupport
import MediaModel
import MediaTime

/// The information panel: tabs, and what is in them.
extension InterfaceMachine {
    /// What the Info tab offers.
    enum InfoAction: Sendable, Hashable {
        case fromBeginning
    }

    var infoActions: [InfoAction] { item?.isLive == false ? [.fromBeginning] : [] }

    /// The tabs with something in them.
    var tabs: [PanelView.TabTitle] {
        guard let item else { return [] }
        var tabs: [PanelView.TabTitle] = []
        if item.hasInformation || !infoActions.isEmpty {
            tabs.append(.init(tab: .info, title: policy.strings.text(.info)))
        }
        if !chapters.isEmpty {
            tabs.append(.init(tab: .chapters, title: policy.strings.text(.chapters), isEnabled: !isLinear))
        }
        return tabs
    }

    /// Opens the panel on a tab; nil: on the first.
    mutating func openPanel(_ tab: PanelView.Tab?) -> CommandResult {
        guard item != nil else { return .failed(.noItem) }
        guard let chosen = tab ?? tabs.first?.tab, tabs.contains(where: { $0.tab == chosen && $0.isEnabled }) else {
            return .failed(.notSupported)
        }
        panel = PanelModel(tab: chosen)
        return .success
    }

    mutating func openTab(_ tab: PanelView.Tab) {
        panel?.tab = tab
        panel?.isSummaryOpen = false
        panel?.focus = .tabs
    }

    mutating func actOnPanel(_ key: RemoteKey) -> CommandResult {
        guard let panel else { return .failed(.notSupported) }
        switch key {
        case .playpause: return togglePlayPause()
        case .play: return play()
        case .pause: return pause()
        case .info where panel.tab == .info, .menu, .back:
            if panel.isSummaryOpen, key == .back {
                self.panel?.isSummaryOpen = false
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
        if panel.isSummaryOpen {
            guard key == .ok else { return .failed(.notSupported) }
            self.panel?.isSummaryOpen = false
            return .success
        }
        switch panel.focus {
        case .tabs: return moveTabs(key, in: panel)
        case .content(let index): return moveContent(key, at: index, in: panel)
        }
    }

    private mutating func moveTabs(_ key: RemoteKey, in panel: PanelModel) -> CommandResult {
        switch key {
        case .left, .right:
            let open = tabs.filter(\.isEnabled)
            guard let current = open.firstIndex(where: { $0.tab == panel.tab }) else { return .failed(.noChange) }
            let moved = current + (key == .left ? -1 : 1)
            guard open.indices.contains(moved) else { return .failed(.noChange) }
            openTab(open[moved].tab)
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

    private mutating func moveContent(_ key: RemoteKey, at index: Int, in panel: PanelModel) -> CommandResult {
        switch key {
        case .left, .right:
            let moved = index + (key == .left ? -1 : 1)
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
        case .subtitles, .audio, .picture: 0
        }
    }

    private mutating func activate(_ index: Int, in tab: PanelView.Tab) -> CommandResult {
        switch tab {
        case .info:
            let hasSummary = item?.summary?.isEmpty == false
            if hasSummary, index == 0 {
                panel?.isSummaryOpen = true
                return .success
            }
            let action = infoActions[index - (hasSummary ? 1 : 0)]
            switch action {
            case .fromBeginning: return leavePanel { $0.fromBeginning() }
            }
        case .chapters:
            let chapter = chapters[index]
            return leavePanel { machine in
                machine.bar.isVisible = true
                return machine.jump(
                    to: chapter.start < machine.position ?? .zero ? machine.backTarget(chapter.start) : chapter.start)
            }
        case .subtitles, .audio, .picture: return .failed(.notSupported)
        }
    }

    // MARK: The actions row of the bar and the contextual action

    enum RowAction: Sendable, Hashable {
        case info, fromBeginning
    }

    var actionsRow: [RowAction] {
        guard item != nil else { return [] }
        var row: [RowAction] = []
        if tabs.contains(where: { $0.tab == .info }) { row.append(.info) }
        if item?.isLive == false { row.append(.fromBeginning) }
        return row
    }

    mutating func activate(_ action: RowAction) -> CommandResult {
        switch action {
        case .info: return openPanel(.info)
        case .fromBeginning:
            bar.focus = .bar
            return fromBeginning()
        }
    }
}

extension ItemPresentation {
    /// Whether the Info tab has anything to show.
    var hasInformation: Bool {
        [artwork, title, subtitle, summary, genre, rating].contains { $0?.isEmpty == false } || !badges.isEmpty
    }
}
