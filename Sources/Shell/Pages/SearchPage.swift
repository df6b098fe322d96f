import BoxModel
import Screens
import Viewing

/// Search by letters: the query, its results, and the focus.
struct SearchPage: Sendable, Equatable {
    private enum Focus: Sendable, Equatable {
        case key(row: Int, column: Int)
        case result(Int)
        /// A recent search; after the last of them the row that clears them.
        case recent(Int)
    }
    /// What Back undoes before it leaves.
    private enum Undo: Sendable, Equatable {
        /// These recent searches were cleared.
        case cleared([String])
        /// A recent search was chosen.
        case chosen
    }
    /// What a query found.
    private enum Found: Sendable, Equatable {
        case entry(HomeContent.Entry)
        case programme(FoundProgramme)

        /// - Parameter plays: whether it is played at once, and its page is not opened.
        func intent(plays: Bool, in context: BrowsingContext) -> Intent {
            switch self {
            case .entry(let entry): return plays ? .open(entry) : entry.intent
            case .programme(let found):
                if let time = context.timeOfDay, found.programme.start > time {
                    return .openListing(found.programme, on: found.channel)
                }
                return .tune(context.channel(found.channel.id))
            }
        }

        func shown(_ context: BrowsingContext) -> HomeContent.Entry {
            switch self {
            case .entry(let entry): entry
            case .programme(let found): found.shown(as: context.channel(found.channel.id), in: context.strings)
            }
        }
    }
    /// A key of the pad.
    private enum Key: Sendable, Equatable {
        case letter(Character)
        case space, delete, clear
    }
    private var query = ""
    private var focus = Focus.key(row: 0, column: 0)
    private var firstKeyRow = 0
    private var firstResult = 0
    private var firstRecent = 0
    /// Until something is typed.
    private var undo: Undo?

    // MARK: Keys

    mutating func act(_ key: RemoteKey, in context: BrowsingContext) -> KeyOutcome {
        let pad = pad(context)
        let result: CommandResult
        switch (key, focus) {
        case (.back, _): return goBack(in: context)
        case (.ok, .key(let row, let column)):
            guard pad.indices.contains(row), pad[row].indices.contains(column) else { return .refused(.notSupported) }
            result = press(pad[row][column])
        case (.ok, .result(let index)):
            let found = results(context)
            guard found.indices.contains(index) else { return .refused(.notSupported) }
            return .wants(.found(query: query, then: found[index].intent(plays: false, in: context)))
        case (.ok, .recent(let row)): return choose(recent: row, in: context)
        case (.play, .result(let index)), (.playpause, .result(let index)):
            let found = results(context)
            guard found.indices.contains(index) else { return .refused(.notSupported) }
            return .wants(.found(query: query, then: found[index].intent(plays: true, in: context)))
        case (.up, _), (.down, _), (.left, _), (.right, _): result = move(key, pad, context)
        case (.digit0, _), (.digit1, _), (.digit2, _), (.digit3, _), (.digit4, _), (.digit5, _), (.digit6, _), (.digit7, _),
            (.digit8, _), (.digit9, _):
            type(Character(key.rawValue), in: context)
            return .done
        default: return .refused(.notSupported)
        }
        settle(context)
        return .answered(result)
    }

    private mutating func goBack(in context: BrowsingContext) -> KeyOutcome {
        defer { undo = nil }
        switch undo {
        case nil: return .closed
        case .cleared(let queries):
            focus = .recent(queries.count)
            return .wants(.keepSearches(queries))
        case .chosen:
            // Its row may be another one by now.
            focus = .recent(context.recentSearches.firstIndex(of: query) ?? 0)
            query = ""
            settle(context)
            return .done
        }
    }

    private mutating func choose(recent row: Int, in context: BrowsingContext) -> KeyOutcome {
        let recents = recents(context)
        guard !recents.isEmpty else { return .refused(.notSupported) }
        firstResult = 0
        guard recents.indices.contains(row) else {
            undo = .cleared(recents)
            focus = .key(row: firstKeyRow, column: 0)
            return .wants(.keepSearches([]))
        }
        undo = .chosen
        query = recents[row]
        focus = results(context).isEmpty ? .key(row: firstKeyRow, column: 0) : .result(0)
        settle(context)
        return .done
    }

    /// A digit of the remote is typed like a letter of the pad.
    mutating func type(_ digit: Character, in context: BrowsingContext) {
        _ = press(.letter(digit))
        settle(context)
    }

    /// The text that is typed, for another device.
    func question(_ context: BrowsingContext) -> TextQuestion {
        TextQuestion(
            title: context.strings.text(.searchPlaceholder), text: query, count: query.count, longest: SearchHistory.longestQuery)
    }

    /// Another device has typed: the first result has focus.
    mutating func take(_ text: String, in context: BrowsingContext) {
        (query, firstResult, undo) = (text, 0, nil)
        focus = results(context).isEmpty ? .key(row: firstKeyRow, column: 0) : .result(0)
        settle(context)
    }

    private mutating func press(_ key: Key) -> CommandResult {
        switch key {
        case .letter(let letter):
            guard query.count < SearchHistory.longestQuery else { return .failed(.noChange) }
            query.append(letter)
        case .space:
            guard !query.isEmpty, query.last != " " else { return .failed(.noChange) }
            query.append(" ")
        case .delete:
            guard !query.isEmpty else { return .failed(.noChange) }
            query.removeLast()
        case .clear:
            guard !query.isEmpty else { return .failed(.noChange) }
            query = ""
        }
        (firstResult, undo) = (0, nil)
        return .success
    }

    private mutating func move(_ key: RemoteKey, _ pad: [[Key]], _ context: BrowsingContext) -> CommandResult {
        switch focus {
        case .key(let row, let column):
            if key == .up || key == .down {
                let moved = row + (key == .down ? 1 : -1)
                guard pad.indices.contains(moved) else { return .failed(.noChange) }
                focus = .key(
                    row: moved,
                    column: min(
                        Self.column(from: column, of: pad[row], to: pad[moved], in: context.strings.letterColumns),
                        pad[moved].count - 1))
                return .success
            }
            let moved = column + context.strings.step(of: key)
            if pad[row].indices.contains(moved) {
                focus = .key(row: row, column: moved)
                return .success
            }
            guard moved > 0 else { return .failed(.noChange) }
            if !results(context).isEmpty {
                focus = .result(firstResult)
            } else if !recents(context).isEmpty {
                focus = .recent(firstRecent)
            } else {
                return .failed(.noChange)
            }
            return .success
        case .result(let index):
            if key == .up || key == .down {
                let moved = index + (key == .down ? 1 : -1)
                guard results(context).indices.contains(moved) else { return .failed(.noChange) }
                focus = .result(moved)
                return .success
            }
            return moveToPad(key, pad, context)
        case .recent(let row):
            if key == .up || key == .down {
                let moved = row + (key == .down ? 1 : -1)
                guard (0...recents(context).count).contains(moved) else { return .failed(.noChange) }
                focus = .recent(moved)
                return .success
            }
            return moveToPad(key, pad, context)
        }
    }

    private mutating func moveToPad(_ key: RemoteKey, _ pad: [[Key]], _ context: BrowsingContext) -> CommandResult {
        guard context.strings.step(of: key) < 0 else { return .failed(.noChange) }
        let row = min(firstKeyRow, pad.count - 1)
        focus = .key(row: row, column: pad[row].count - 1)
        return .success
    }

    /// The last row has wide keys: focus keeps its horizontal position.
    private static func column(from column: Int, of old: [Key], to new: [Key], in columns: Int) -> Int {
        guard old.count != new.count, old.contains(.space) || new.contains(.space) else { return column }
        return column * new.count / max(1, old.contains(.space) ? old.count : columns)
    }

    /// Keeps focus on an existing key or result, and scrolls to it.
    private mutating func settle(_ context: BrowsingContext) {
        let pad = pad(context)
        let count = results(context).count
        switch focus {
        case .key(let row, let column):
            let row = min(row, pad.count - 1)
            focus = .key(row: row, column: min(column, pad[row].count - 1))
            firstKeyRow = min(max(firstKeyRow, row - Metrics.Search.keyRowsPerScreen + 1), row)
        case .result(let index):
            if count == 0 { (focus, firstKeyRow) = (.key(row: 0, column: 0), 0) }
            let index = min(index, max(0, count - 1))
            if count > 0 { focus = .result(index) }
            firstResult = min(max(firstResult, index - Metrics.Search.resultsPerScreen + 1), index)
        case .recent(let row):
            let last = recents(context).count
            guard last > 0 else {
                (focus, firstKeyRow) = (.key(row: 0, column: 0), 0)
                break
            }
            focus = .recent(min(row, last))
            firstRecent = min(max(firstRecent, min(row, last) - Metrics.Search.recentsPerScreen + 1), min(row, last))
        }
        firstResult = min(firstResult, max(0, count - 1))
    }

    // MARK: Pad and results

    /// The letters of the language, then those of other scripts that titles have; of scripts with too many letters those that can follow the query.
    private func pad(_ context: BrowsingContext) -> [[Key]] {
        let columns = context.strings.letterColumns
        var groups = context.strings.letterGroups
        var rows: [[Key]] = []
        var letters = PadLetters(of: titles(context), besides: context.strings.letters)
        let next = letters.next(after: query, limit: columns * 12)
        if context.strings.hasManyLetters {
            // Rows of a table keep their columns.
            if groups.count > 1 { groups.insert(next, at: 0) } else { groups[0] = next + groups[0] }
        } else {
            letters.other.append(next)
        }
        groups += letters.other
        // Digits run from left to right in every language, as letters run in the direction of their script. Where the pad runs in the other one they have rows
        // of their own, from their end.
        let isMirrored = context.strings.isRightToLeft
        if isMirrored { groups = groups.flatMap { [$0.filter { !PadLetters.isDigit($0) }, $0.filter(PadLetters.isDigit)] } }
        for letters in groups {
            for start in stride(from: 0, to: letters.count, by: columns) {
                let row = letters[start..<min(start + columns, letters.count)].map { Key.letter($0) }
                rows.append(PadLetters.isRightToLeft(letters[start]) == isMirrored ? row : row.reversed())
            }
        }
        rows.append([.space, .delete, .clear])
        return rows
    }

    /// All titles that can be found.
    private func titles(_ context: BrowsingContext) -> [FoldedTitle] {
        context.content.searchable.map { FoldedTitle.of($0.title) } + context.schedule.titles.folded
    }

    private func results(_ context: BrowsingContext) -> [Found] {
        let search = LetterSearch(query)
        let programmes = context.timeOfDay.map { search.find(in: context.schedule.titles, at: $0) } ?? []
        return search.find(in: context.content.searchable).map { .entry($0) } + programmes.map { .programme($0) }
    }

    /// The recent searches, while nothing is typed.
    private func recents(_ context: BrowsingContext) -> [String] { query.isEmpty ? context.recentSearches : [] }

    // MARK: View

    func view(_ context: BrowsingContext) -> SearchView {
        var page = self
        page.settle(context)
        return page.settledView(context)
    }

    private func settledView(_ context: BrowsingContext) -> SearchView {
        let strings = context.strings
        let found = results(context)
        let keys = pad(context).map { row in
            row.map { key in
                switch key {
                case .letter(let letter): SearchView.Key(title: PadLetters.label(of: letter))
                case .space: SearchView.Key(title: strings.text(.space), width: 3)
                case .delete: SearchView.Key(title: strings.text(.deleteLetter), width: 2)
                case .clear: SearchView.Key(title: strings.text(.clear), width: 2)
                }
            }
        }
        let shownFocus: SearchView.Focus =
            switch focus {
            case .key(let row, let column): .key(row: row, column: column)
            case .result(let index): .result(index)
            case .recent(let row): .recent(row)
            }
        return SearchView(
            query: query, placeholder: strings.text(.searchPlaceholder), keys: keys, columns: strings.letterColumns,
            firstKeyRow: firstKeyRow,
            results: found.map { $0.shown(context) }, firstResult: firstResult,
            recents: recentsView(context), message: found.isEmpty ? message(strings) : nil,
            phone: query.isEmpty ? context.phoneCode : nil, focus: shownFocus)
    }

    private func recentsView(_ context: BrowsingContext) -> SearchView.Recents? {
        let recents = recents(context)
        guard !recents.isEmpty else { return nil }
        return SearchView.Recents(
            title: context.strings.text(.recentSearches), queries: recents, clear: context.strings.text(.clearRecentSearches),
            firstRow: firstRecent)
    }

    private func message(_ strings: StringCatalogue) -> String? {
        if case .cleared? = undo { return strings.text(.backToUndo) }
        return LetterSearch.folded(query).isEmpty ? nil : strings.text(.nothingFound, query)
    }
}
