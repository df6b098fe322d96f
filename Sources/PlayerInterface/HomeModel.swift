import LinuxSupport
import MediaModel
import MediaTime

/// A button in the top line of Home.
enum HomeButton: Sendable, Hashable {
    case search, guide, settings

    var intent: Intent {
        switch self {
        case .search: .openPage(.search)
        case .guide: .openPage(.guide)
        case .settings: .openPage(.settings)
        }
    }

    func title(in strings: StringCatalogue) -> String {
        switch self {
        case .search: strings.text(.search)
        case .guide: strings.text(.guide)
        case .settings: strings.text(.settings)
        }
    }
}

/// Home: its rows and its focus. Focus is kept while another screen is shown.
struct HomeModel: Sendable, Equatable {
    private enum Focus: Sendable, Equatable {
        case entries
        /// A button in the top line.
        case button(Int)
        /// The video in the corner.
        case video
    }

    /// What Home shows in addition to its rows.
    struct Context: Sendable {
        /// Whether the video continues in the corner.
        let hasVideo: Bool
        /// The buttons that lead somewhere.
        let buttons: [HomeButton]
        let browsing: BrowsingContext

        fileprivate var strings: StringCatalogue { browsing.strings }
    }

    /// The rows, without empty ones.
    private(set) var content = HomeContent()
    /// Whether content has been delivered; until then Home is not known to be empty.
    private var isKnown = false
    private var focus = Focus.entries
    private var row = 0
    /// The focused column of each row, kept while another row has focus.
    private var columns: [Int] = []
    private var firstRow = 0
    private var firstColumns: [Int] = []

    var isVideoFocused: Bool { focus == .video }

    /// An entry of the rows or of the searchable entries.
    func entry(_ id: String) -> HomeContent.Entry? {
        (content.rows.flatMap(\.entries) + content.searchable).first { $0.id == id }
    }

    // MARK: Changes

    /// Applies new contents; focus stays on its entry if that still exists.
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
        if isFirst, !content.rows.isEmpty, case .button = focus { focus = .entries }
        scroll()
    }

    mutating func focusVideo() { focus = .video }

    mutating func focusEntries() { focus = .entries }

    /// Moves focus away from a button or a video that no longer exists.
    mutating func settle(in context: Context) {
        switch focus {
        case .entries: break
        case .button(let index):
            guard index >= context.buttons.count else { break }
            focus = context.buttons.isEmpty ? .entries : .button(context.buttons.count - 1)
        case .video: if !context.hasVideo { focus = .entries }
        }
    }

    // MARK: Keys

    mutating func act(_ key: RemoteKey, in context: Context) -> KeyOutcome {
        switch key {
        case .up, .down, .left, .right: return move(key, in: context) ? .done : .refused(.noChange)
        case .ok: return select(in: context)
        case .playpause, .play, .pause:
            return context.hasVideo ? .playback(key) : .refused(.noItem)
        case .back:
            // The top level: Back stops what plays in the corner, and has no further effect.
            return context.hasVideo ? .wants(.leave) : .refused(.notSupported)
        case .home:
            focus = context.hasVideo ? .video : .entries
            return .done
        case .menu: return .wants(.openPage(.settings))
        default: return .refused(.notSupported)
        }
    }

    private func select(in context: Context) -> KeyOutcome {
        if focus == .video, context.hasVideo { return .wants(.returnToPlayer) }
        if let index = focusedButton(content.rows.isEmpty) {
            guard context.buttons.indices.contains(index) else { return .refused(.notSupported) }
            return .wants(context.buttons[index].intent)
        }
        return focusedEntry.map { .wants(.open($0)) } ?? .refused(.notSupported)
    }

    private var focusedEntry: HomeContent.Entry? {
        guard focus == .entries, content.rows.indices.contains(row) else { return nil }
        return content.rows[row].entries[columns[row]]
    }

    /// - Parameter isFirst: whether the first button gets focus if none was chosen.
    private func focusedButton(_ isFirst: Bool) -> Int? {
        if case .button(let index) = focus { return index }
        return isFirst ? 0 : nil
    }

    /// Moves focus; returns false if there is no element in that direction.
    private mutating func move(_ key: RemoteKey, in context: Context) -> Bool {
        switch key {
        case .up:
            guard focus == .entries else { return false }
            if row > 0 {
                row -= 1
            } else if context.hasVideo {
                focus = .video
            } else if !context.buttons.isEmpty {
                focus = .button(0)
            } else {
                return false
            }
        case .down:
            if focus != .entries {
                guard !content.rows.isEmpty else { return false }
                focus = .entries
            } else {
                guard row + 1 < content.rows.count else { return false }
                row += 1
            }
        case .left, .right: return moveAlong(context.strings.step(of: key), in: context)
        default: return false
        }
        scroll()
        return true
    }

    /// - Parameter step: -1 or 1 along a line, for Left and Right in the direction of the language.
    private mutating func moveAlong(_ step: Int, in context: Context) -> Bool {
        switch focus {
        case .video:
            // The buttons come before the corner video.
            guard step < 0, !context.buttons.isEmpty else { return false }
            focus = .button(context.buttons.count - 1)
        case .button(let index):
            if context.buttons.indices.contains(index + step) {
                focus = .button(index + step)
            } else if index + step == context.buttons.count, context.hasVideo {
                focus = .video
            } else {
                return false
            }
        case .entries:
            guard content.rows.indices.contains(row) else { return false }
            let moved = columns[row] + step
            guard content.rows[row].entries.indices.contains(moved) else { return false }
            columns[row] = moved
            scroll()
        }
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

    // MARK: View

    func view(_ context: Context) -> HomeView {
        let isEmpty = content.rows.isEmpty
        let shownFocus: HomeView.Focus =
            if focus == .video && context.hasVideo {
                .video
            } else if let index = focusedButton(isEmpty), context.buttons.indices.contains(index) {
                .button(index)
            } else if isEmpty {
                .none
            } else {
                .entry(row: row, column: columns[row])
            }
        return HomeView(
            content: shownContent(context.browsing), focus: shownFocus, firstRow: firstRow, firstColumns: firstColumns,
            emptyMessage: isEmpty ? context.strings.text(isKnown ? .emptyHome : .loading) : nil,
            buttons: context.buttons.enumerated().map { index, button in
                ButtonView(title: button.title(in: context.strings), isFocused: shownFocus == .button(index))
            })
    }

    /// The rows with the current programmes; the other searchable entries are not drawn.
    private func shownContent(_ context: BrowsingContext) -> HomeContent {
        var content = content
        content.searchable = []
        guard context.schedule.isReadable else { return content }
        for row in content.rows.indices where content.rows[row].style == .channels {
            for index in content.rows[row].entries.indices {
                guard let on = context.onNow(content.rows[row].entries[index].id) else { continue }
                content.rows[row].entries[index].subtitle = on.title
                content.rows[row].entries[index].watchedPercent = context.progress(of: on)
            }
        }
        return content
    }
}
