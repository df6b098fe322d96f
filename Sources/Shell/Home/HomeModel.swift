import BoxModel
import LinuxSupport
import MediaTime
import Screens
import Viewing

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
        /// The title of what continues there.
        let playing: String?
        /// The buttons that lead somewhere.
        let buttons: [HomeButton]
        let grid: Metrics.Home.Grid
        let browsing: BrowsingContext

        fileprivate var strings: StringCatalogue { browsing.strings }
    }

    /// As it was delivered.
    private var delivered = HomeContent()
    /// The rows as the viewer wants their channels, without empty ones.
    private(set) var content = HomeContent()
    /// All channels ordered by number, each number once. Kept, since every key needs it and there may be thousands of entries.
    private(set) var channels: [HomeContent.Entry] = []
    /// The same as the viewer wants them, without those that are hidden.
    private(set) var lineup: [HomeContent.Entry] = []
    /// As the viewer wants the channels.
    var order = ChannelOrder() { didSet { if order != oldValue { arrange() } } }
    /// Whether content has been delivered; until then Home is not known to be empty.
    private var isKnown = false
    private var focus = Focus.entries
    private var row = 0
    /// The focused column of each row, kept while another row has focus.
    private var columns: [Int] = []
    /// Whether the machine has no network; then only what plays without one can have focus.
    private(set) var isOffline = false
    /// Whether focus left the rows because nothing in them plays without a network.
    private var isDisplaced = false
    private var firstRow = 0
    private var firstColumns: [Int] = []
    /// The end of a row that the last key has found, and how many were found so far.
    private var edge: RowEdge?
    private var edges = 0
    /// Until then another Back stops what plays in the corner: as long as the words that say so are shown.
    private var stopsUntil: HostTime?
    /// How many rows and entries are on the screen.
    private var grid = Metrics.Home.Grid.standard

    var isVideoFocused: Bool { focus == .video }

    /// An entry of the rows or of the searchable entries.
    func entry(_ id: String) -> HomeContent.Entry? {
        (content.rows.flatMap(\.entries) + content.searchable).first { $0.id == id }
    }

    // MARK: Changes

    /// Applies new contents; focus stays on its entry if that still exists.
    mutating func take(_ new: HomeContent) {
        isKnown = true
        delivered = new
        channels = new.channelsByNumber()
        arrange()
    }

    private mutating func arrange() {
        let old = focusedEntry?.id
        let oldRow = content.rows.indices.contains(row) ? content.rows[row].id : nil
        let isFirst = content.rows.isEmpty
        let before = Dictionary(
            zip(content.rows.map(\.id), zip(columns, content.rows)).map { ($0, $1.1.entries[$1.0].id) },
            uniquingKeysWith: { one, _ in one })
        content = delivered
        content.favourites = order.favourites
        content.rows = delivered.rows.map { row in
            var row = row
            row.entries =
                row.style == .channels
                ? order.arranged(row.entries, id: \.id)
                : row.entries.filter { $0.kind != .channel || order.places[$0.id] != .hidden }
            return row
        }
        .filter { !$0.entries.isEmpty }
        lineup = order.arranged(channels, id: \.id)
        columns = content.rows.map { row in row.entries.firstIndex { $0.id == before[row.id] } ?? 0 }
        firstColumns = columns.map { firstColumn(0, showing: $0) }
        row = content.rows.firstIndex { $0.id == oldRow } ?? min(row, max(0, content.rows.count - 1))
        if content.rows.indices.contains(row), let column = content.rows[row].entries.firstIndex(where: { $0.id == old }) {
            columns[row] = column
        }
        if isFirst, !content.rows.isEmpty, case .button = focus { focus = .entries }
        scroll()
    }

    /// The machine has or has no network from now on. Focus that had to leave the rows returns with the network, unless a key was pressed since.
    mutating func connectionChanged(isConnected: Bool) {
        isOffline = !isConnected
        if isConnected, isDisplaced { focus = .entries }
        isDisplaced = false
    }

    mutating func focusVideo() { focus = .video }

    mutating func focusEntries() { focus = .entries }

    /// Moves focus away from a button or a video that no longer exists, and from an entry that does not play without a network while there is none.
    mutating func settle(in context: Context) {
        if grid != context.grid {
            grid = context.grid
            firstColumns = zip(firstColumns, columns).map { firstColumn($0, showing: $1) }
            scroll()
        }
        switch focus {
        case .entries: settleEntries(in: context)
        case .button(let index):
            guard index >= context.buttons.count else { break }
            focus = context.buttons.isEmpty ? .entries : .button(context.buttons.count - 1)
        case .video: if !context.hasVideo { focus = .entries }
        }
    }

    private mutating func settleEntries(in context: Context) {
        guard content.rows.indices.contains(row), !canFocus(content.rows[row].entries[columns[row]]) else { return }
        let rows = content.rows.indices.sorted { (abs($0 - row), $0) < (abs($1 - row), $1) }
        if let nearest = rows.first(where: { column(in: $0) != nil }) {
            enter(nearest)
            scroll()
        } else if context.hasVideo || !context.buttons.isEmpty {
            focus = context.hasVideo ? .video : .button(0)
            isDisplaced = true
        }
    }

    /// The column that gets focus in a row: its last one, otherwise the nearest that can have it; nil if there is none.
    private func column(in row: Int) -> Int? {
        let entries = content.rows[row].entries
        return entries.indices.filter { canFocus(entries[$0]) }.min { abs($0 - columns[row]) < abs($1 - columns[row]) }
    }

    private func canFocus(_ entry: HomeContent.Entry) -> Bool { entry.canPlay(isOffline: isOffline) }

    private mutating func enter(_ row: Int) {
        guard let column = column(in: row) else { return }
        self.row = row
        columns[row] = column
    }

    // MARK: Keys

    mutating func act(_ key: RemoteKey, in context: Context) -> KeyOutcome {
        isDisplaced = false
        edge = nil
        switch key {
        case .up, .down, .left, .right: return move(key, in: context) ? .done : .refused(.noChange)
        case .ok: return select(in: context)
        case .playpause, .play, .pause:
            if context.hasVideo { return .playback(key) }
            guard key != .pause, let entry = focusedEntry, canFocus(entry) else { return .refused(.noItem) }
            return .wants(.open(entry))
        case .back: return leaveCorner(in: context)
        case .home:
            focus = context.hasVideo ? .video : .entries
            return .done
        case .menu: return .wants(.openPage(.settings))
        default: return .refused(.notSupported)
        }
    }

    /// The top level: Back stops what plays in the corner, after it was asked, because there is no way back from that; it has no further effect.
    private mutating func leaveCorner(in context: Context) -> KeyOutcome {
        guard context.hasVideo else { return .refused(.notSupported) }
        let now = context.browsing.now
        if let end = stopsUntil, now < end { return .wants(.leave) }
        stopsUntil = now + Timing.toast
        return .wants(.toast(context.strings.text(.backToStop)))
    }

    /// A press had no effect. At the end of a row that is shown; a held key stops there without a bump.
    mutating func found(edgeBy key: RemoteKey) {
        guard key == .left || key == .right else { return }
        edges += 1
        edge = RowEdge(isRight: key == .right, count: edges)
    }

    private func select(in context: Context) -> KeyOutcome {
        if focus == .video, context.hasVideo { return .wants(.returnToPlayer) }
        if let index = focusedButton(content.rows.isEmpty) {
            guard context.buttons.indices.contains(index) else { return .refused(.notSupported) }
            return .wants(context.buttons[index].intent)
        }
        guard let entry = focusedEntry, canFocus(entry) else { return .refused(.notSupported) }
        return .wants(entry.intent)
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
            if let above = content.rows.indices.prefix(row).last(where: { column(in: $0) != nil }) {
                enter(above)
            } else if context.hasVideo {
                focus = .video
            } else if !context.buttons.isEmpty {
                focus = .button(0)
            } else {
                return false
            }
        case .down:
            // From the top line back to the row that had focus.
            let candidates = focus == .entries ? Array(content.rows.indices.dropFirst(row + 1)) : returningRows
            guard let below = candidates.first(where: { column(in: $0) != nil }) else { return false }
            focus = .entries
            enter(below)
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
            let entries = content.rows[row].entries
            var moved = columns[row] + step
            while entries.indices.contains(moved), !canFocus(entries[moved]) { moved += step }
            guard entries.indices.contains(moved) else { return false }
            columns[row] = moved
            scroll()
        }
        return true
    }

    /// The rows in the order in which Down from the top line tries them: the one that had focus, those below it, then those above.
    private var returningRows: [Int] {
        Array(content.rows.indices.dropFirst(row)) + content.rows.indices.prefix(row).reversed()
    }

    private mutating func scroll() {
        guard content.rows.indices.contains(row) else {
            firstRow = 0
            return
        }
        firstRow = min(max(firstRow, row - grid.rowsPerScreen + 1), row)
        firstColumns[row] = firstColumn(firstColumns[row], showing: columns[row])
    }

    /// The first entry on the screen that is nearest to `first` and has a column on the screen.
    private func firstColumn(_ first: Int, showing column: Int) -> Int {
        min(max(first, column - grid.postersPerScreen + 1), column)
    }

    // MARK: View

    func view(_ context: Context) -> HomeView {
        let isEmpty = content.rows.isEmpty
        let shownFocus: HomeView.Focus =
            if focus == .video && context.hasVideo {
                .video
            } else if let index = focusedButton(isEmpty), context.buttons.indices.contains(index) {
                .button(index)
            } else if focusedEntry.map(canFocus) != true {
                .none
            } else {
                .entry(row: row, column: columns[row])
            }
        return HomeView(
            content: shownContent(context.browsing), focus: shownFocus, grid: grid, firstRow: firstRow,
            firstColumns: firstColumns,
            emptyMessage: isEmpty ? context.strings.text(isKnown ? .emptyHome : .loading) : nil,
            notice: isEmpty ? nil : notice.map { context.strings.text($0) },
            isOffline: isOffline,
            clock: context.browsing.timeOfDay.map { context.strings.timeOfDay(Int64($0)) },
            playing: context.hasVideo ? context.playing : nil,
            buttons: context.buttons.enumerated().map { index, button in
                ButtonView(title: button.title(in: context.strings), isFocused: shownFocus == .button(index))
            },
            watched: context.strings.text(.watched), edge: edge)
    }

    private var notice: Phrase? {
        if isOffline { return hasOffline ? .showingSaved : .nothingSaved }
        return content.storageTrouble.map { Phrase($0) }
    }

    /// Whether something plays without a network.
    private var hasOffline: Bool { content.rows.contains { $0.entries.contains(where: \.playsOffline) } }

    /// The rows with the current programmes; the other searchable entries are not drawn.
    private func shownContent(_ context: BrowsingContext) -> HomeContent {
        var content = content
        content.searchable = []
        guard context.schedule.isReadable else { return content }
        for row in content.rows.indices where content.rows[row].style == .channels {
            for index in content.rows[row].entries.indices {
                var entry = content.rows[row].entries[index]
                guard let on = context.onNow(entry.id) else { continue }
                entry.subtitle = on.title
                entry.facts = [context.strings.times(of: on)]
                if !entry.isLocked {
                    entry.summary = on.summary
                    entry.backdrop = on.artwork ?? entry.backdrop
                }
                entry.watchedPercent = context.progress(of: on)
                content.rows[row].entries[index] = entry
            }
        }
        return content
    }
}
