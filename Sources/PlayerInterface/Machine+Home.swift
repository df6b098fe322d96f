import LinuxSupport
import MediaModel
import MediaTime

/// Home's own state: what has focus, and what of the rows is on the screen.
struct HomeModel: Sendable, Equatable {
    /// Rows without entries left out.
    private(set) var content = HomeContent()
    /// Whether anybody has said what Home offers: until then it is not known to be nothing.
    private(set) var isKnown = false
    var isVideoFocused = false
    /// The button at the top with focus; nil: none has.
    var button: Int?
    private(set) var row = 0
    /// Where focus is in each row: a row that is come back to has it where it was.
    private(set) var columns: [Int] = []
    private(set) var firstRow = 0
    private(set) var firstColumns: [Int] = []

    /// Takes new content; focus stays on the entry it was on where that still exists.
    mutating func take(_ new: HomeContent) {
        isKnown = true
        let old = focusedEntry?.id
        let oldRow = content.rows.indices.contains(row) ? content.rows[row].id : nil
        let isFirst = content.rows.isEmpty
        let before = Dictionary(
            zip(content.rows.map(\.id), zip(columns, content.rows)).map { ($0, $1.1.entries[$1.0].id) },
            uniquingKeysWith: { one, _ in one })
        content = new
        content.rows = new.rows.filter { !$0.entries.isEmpty }
        columns = content.rows.map { row in row.entries.firstIndex { $0.id == before[row.id] } ?? 0 }
        firstColumns = columns.map { max(0, $0 - Metrics.Home.postersPerScreen + 1) }
        row = content.rows.firstIndex { $0.id == oldRow } ?? min(row, max(0, content.rows.count - 1))
        if content.rows.indices.contains(row), let column = content.rows[row].entries.firstIndex(where: { $0.id == old }) {
            columns[row] = column
        }
        if isFirst, !content.rows.isEmpty { button = nil }
        scroll()
    }

    var focusedEntry: HomeContent.Entry? {
        guard !isVideoFocused, button == nil, content.rows.indices.contains(row) else { return nil }
        return content.rows[row].entries[columns[row]]
    }

    mutating func focusVideo() {
        isVideoFocused = true
        button = nil
    }

    mutating func focusEntries() {
        isVideoFocused = false
        button = nil
    }

    /// Moves focus; false: there is nothing in that direction.
    ///
    /// - Parameters:
    ///   - step: -1 or 1 along a line, for Left and Right in the direction of the language.
    ///   - buttons: how many there are at the top.
    mutating func move(_ key: RemoteKey, step: Int, hasVideo: Bool, buttons: Int) -> Bool {
        switch key {
        case .up:
            guard !isVideoFocused, button == nil else { return false }
            if row > 0 {
                row -= 1
            } else if hasVideo {
                isVideoFocused = true
            } else if buttons > 0 {
                button = 0
            } else {
                return false
            }
        case .down:
            if isVideoFocused || button != nil {
                guard !content.rows.isEmpty else { return false }
                focusEntries()
            } else {
                guard row + 1 < content.rows.count else { return false }
                row += 1
            }
        case .left, .right: return moveAlong(step, hasVideo: hasVideo, buttons: buttons)
        default: return false
        }
        scroll()
        return true
    }

    private mutating func moveAlong(_ step: Int, hasVideo: Bool, buttons: Int) -> Bool {
        if isVideoFocused {
            // The buttons stand before the corner.
            guard step < 0, buttons > 0 else { return false }
            isVideoFocused = false
            button = buttons - 1
            return true
        }
        if let button {
            let moved = button + step
            if (0..<buttons).contains(moved) {
                self.button = moved
            } else if moved == buttons, hasVideo {
                focusVideo()
            } else {
                return false
            }
            return true
        }
        guard content.rows.indices.contains(row) else { return false }
        let moved = columns[row] + step
        guard content.rows[row].entries.indices.contains(moved) else { return false }
        columns[row] = moved
        scroll()
        return true
    }

    private mutating func scroll() {
        guard content.rows.indices.contains(row) else {
            firstRow = 0
            return
        }
        firstRow = min(max(firstRow, row - Metrics.Home.rowsPerScreen + 1), row)
        firstColumns[row] = min(max(firstColumns[row], columns[row] - Metrics.Home.postersPerScreen + 1), columns[row])
    }
}

extension InterfaceMachine {
    /// What the buttons at the top of Home lead to.
    enum HomeButton: Sendable, Hashable {
        case search, guide, settings
    }

    /// As far as there is something behind them.
    var homeButtons: [HomeButton] {
        var buttons: [HomeButton] = []
        if hasSearch { buttons.append(.search) }
        if hasGuide { buttons.append(.guide) }
        if isOpenToViewer { buttons.append(.settings) }
        return buttons
    }

    /// Whether the video goes on in the corner.
    var hasCornerVideo: Bool { screen == .home && item != nil }

    mutating func actOnHome(_ key: RemoteKey) -> CommandResult {
        switch key {
        case .up, .down, .left, .right:
            let hasMoved = home.move(key, step: step(of: key), hasVideo: hasCornerVideo, buttons: homeButtons.count)
            return hasMoved ? .success : .failed(.noChange)
        case .ok: return activateOnHome()
        case .playpause, .play, .pause:
            guard hasCornerVideo else { return .failed(.noItem) }
            return key == .play ? play() : key == .pause ? pause() : togglePlayPause()
        case .back:
            // The top level: what plays in the corner is stopped; beyond Home there is nothing.
            return hasCornerVideo ? stopAndLeave() : .failed(.notSupported)
        case .home:
            if hasCornerVideo { home.focusVideo() } else { home.focusEntries() }
            return .success
        case .menu: return openSettings()
        default: return .failed(.notSupported)
        }
    }

    private mutating func activateOnHome() -> CommandResult {
        if home.isVideoFocused, hasCornerVideo {
            returnToPlayer()
            return .success
        }
        let buttons = homeButtons
        if let index = home.button ?? (home.content.rows.isEmpty ? 0 : nil) {
            guard buttons.indices.contains(index) else { return .failed(.notSupported) }
            switch buttons[index] {
            case .search: return openSearch()
            case .guide: return openGuide()
            case .settings: return openSettings()
            }
        }
        guard let entry = home.focusedEntry else { return .failed(.notSupported) }
        return open(entry)
    }

    /// Focus never stays on a button that has gone.
    mutating func settleHome() {
        let count = homeButtons.count
        if let button = home.button, button >= count { home.button = count > 0 ? count - 1 : nil }
        if home.isVideoFocused, !hasCornerVideo, screen == .home { home.isVideoFocused = false }
    }

    var homeView: HomeView {
        let isEmpty = home.content.rows.isEmpty
        let buttons = homeButtons
        let focused = home.button ?? (isEmpty && !buttons.isEmpty ? 0 : nil)
        let focus: HomeView.Focus =
            if home.isVideoFocused && hasCornerVideo {
                .video
            } else if let focused, buttons.indices.contains(focused) {
                .button(focused)
            } else if isEmpty {
                .none
            } else {
                .entry(row: home.row, column: home.columns[home.row])
            }
        return HomeView(
            content: shownContent, focus: focus, firstRow: home.firstRow, firstColumns: home.firstColumns,
            emptyMessage: isEmpty ? strings.text(home.isKnown ? .emptyHome : .loading) : nil,
            buttons: buttons.enumerated().map { index, button in
                let title =
                    switch button {
                    case .search: strings.text(.search)
                    case .guide: strings.text(.guide)
                    case .settings: strings.text(.settings)
                    }
                return ButtonView(title: title, isFocused: focus == .button(index))
            })
    }

    /// The rows with what is on now; the rest of what can be found is not for drawing.
    private var shownContent: HomeContent {
        var content = home.content
        content.searchable = []
        guard schedule.isReadable else { return content }
        for row in content.rows.indices where content.rows[row].style == .channels {
            for index in content.rows[row].entries.indices {
                guard let on = schedule.programme(on: content.rows[row].entries[index].id, at: now) else { continue }
                content.rows[row].entries[index].subtitle = on.title
                content.rows[row].entries[index].watchedPercent = schedule.progress(of: on, at: now)
            }
        }
        return content
    }
}
