import LinuxSupport
import MediaModel
import MediaTime

/// Home's own state: what has focus, and what of the rows is on the screen.
struct HomeModel: Sendable, Equatable {
    /// Rows without entries left out.
    private(set) var content = HomeContent()
    var isVideoFocused = false
    private(set) var row = 0
    /// Where focus is in each row: a row that is come back to has it where it was.
    private(set) var columns: [Int] = []
    private(set) var firstRow = 0
    private(set) var firstColumns: [Int] = []

    /// Takes new content; focus stays on the entry it was on where that still exists.
    mutating func take(_ new: HomeContent) {
        let old = focusedEntry?.id
        let oldRow = content.rows.indices.contains(row) ? content.rows[row].id : nil
        content = HomeContent(title: new.title, rows: new.rows.filter { !$0.entries.isEmpty })
        columns = content.rows.map { _ in 0 }
        firstColumns = columns
        row = content.rows.firstIndex { $0.id == oldRow } ?? min(row, max(0, content.rows.count - 1))
        if content.rows.indices.contains(row), let column = content.rows[row].entries.firstIndex(where: { $0.id == old }) {
            columns[row] = column
        }
        scroll()
    }

    var focusedEntry: HomeContent.Entry? {
        guard !isVideoFocused, content.rows.indices.contains(row) else { return nil }
        return content.rows[row].entries[columns[row]]
    }

    mutating func focusVideo() { isVideoFocused = true }

    mutating func focusEntries() { isVideoFocused = false }

    /// Moves focus; false: there is nothing in that direction.
    mutating func move(_ key: RemoteKey, hasVideo: Bool) -> Bool {
        switch key {
        case .up:
            guard !isVideoFocused else { return false }
            if row > 0 {
                row -= 1
            } else if hasVideo {
                isVideoFocused = true
            } else {
                return false
            }
        case .down:
            if isVideoFocused {
                guard !content.rows.isEmpty else { return false }
                isVideoFocused = false
            } else {
                guard row + 1 < content.rows.count else { return false }
                row += 1
            }
        case .left, .right:
            guard !isVideoFocused, content.rows.indices.contains(row) else { return false }
            let moved = columns[row] + (key == .left ? -1 : 1)
            guard content.rows[row].entries.indices.contains(moved) else { return false }
            columns[row] = moved
        default: return false
        }
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
    /// Whether the video goes on in the corner.
    var hasCornerVideo: Bool { screen == .home && item != nil }

    mutating func actOnHome(_ key: RemoteKey) -> CommandResult {
        switch key {
        case .up, .down, .left, .right: return home.move(key, hasVideo: hasCornerVideo) ? .success : .failed(.noChange)
        case .ok:
            if home.isVideoFocused, hasCornerVideo {
                returnToPlayer()
                return .success
            }
            guard let entry = home.focusedEntry else { return .failed(.notSupported) }
            return open(entry)
        case .playpause, .play, .pause:
            guard hasCornerVideo else { return .failed(.noItem) }
            return key == .play ? play() : key == .pause ? pause() : togglePlayPause()
        case .back:
            // The top level: what plays in the corner is stopped; beyond Home there is nothing.
            return hasCornerVideo ? stopAndLeave() : .failed(.notSupported)
        case .home:
            home.isVideoFocused = hasCornerVideo
            return .success
        default: return .failed(.notSupported)
        }
    }

    // MARK: Channels by number

    private var numbered: [HomeContent.Entry] {
        var seen: Set<Int> = []
        return home.content.rows.flatMap(\.entries).filter { $0.number.map { seen.insert($0).inserted } ?? false }
            .sorted { ($0.number ?? 0) < ($1.number ?? 0) }
    }

    /// Channel up and down: round the list.
    mutating func zap(by step: Int) -> CommandResult {
        let list = numbered
        guard !list.isEmpty else { return .failed(.notSupported) }
        let playing = opening?.id ?? item?.id
        guard let current = list.firstIndex(where: { $0.id == playing }) else { return open(list[step > 0 ? 0 : list.count - 1]) }
        return open(list[(current + step + list.count) % list.count])
    }

    mutating func typeDigit(_ digit: String) {
        digits = String((digits + digit).suffix(4))
        toast = digits
        cancel(.toast)
        arm(.digits, at: now + Timing.digits)
    }

    mutating func commitDigits() {
        let typed = digits
        digits = ""
        toast = nil
        guard let number = Int(typed), let entry = numbered.first(where: { $0.number == number }) else {
            showToast(policy.strings.text(.noSuchChannel, typed))
            return
        }
        _ = open(entry)
    }
}
