import LinuxSupport
import MediaModel
import MediaTime

/// Search by letters: what was typed, where focus is.
struct LetterModel: Sendable, Equatable {
    enum Focus: Sendable, Equatable {
        case key(row: Int, column: Int)
        case result(Int)
    }
    var query = ""
    var focus = Focus.key(row: 0, column: 0)
    var firstKeyRow = 0
    var firstResult = 0
}

/// A key of the pad and what it does.
enum LetterKey: Sendable, Equatable {
    case letter(Character)
    case space, delete, clear
}

extension InterfaceMachine {
    mutating func openSearch() -> CommandResult {
        guard hasSearch else { return .failed(.notSupported) }
        page = .search(LetterModel())
        return .success
    }

    /// There is something to be found, and the operator allows looking.
    var hasSearch: Bool { (!policy.isKiosk || isOperator) && !home.content.searchable.isEmpty }

    // MARK: What is found

    /// The letters of the language; for scripts with too many of them those that can follow what was typed.
    func pad(for query: String) -> [[LetterKey]] {
        let columns = Metrics.Search.columns
        var letters = policy.strings.letters
        if policy.strings.hasManyLetters {
            letters = nextLetters(after: query, limit: columns * 12) + letters
        }
        var rows: [[LetterKey]] = []
        for start in stride(from: 0, to: letters.count, by: columns) {
            rows.append(letters[start..<min(start + columns, letters.count)].map { .letter($0) })
        }
        rows.append([.space, .delete, .clear])
        return rows
    }

    /// The characters that stand in titles where the next letter would be: the commonest first.
    private func nextLetters(after query: String, limit: Int) -> [Character] {
        let typed = LetterSearch.folded(query)
        var counts: [Character: Int] = [:]
        for entry in home.content.searchable {
            for word in LetterSearch.starts(of: LetterSearch.folded(entry.title)) where word.hasPrefix(typed) {
                guard let next = word.dropFirst(typed.count).first, !next.isASCII, !next.isWhitespace else { continue }
                counts[next, default: 0] += 1
            }
        }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(limit).map(\.key)
    }

    func results(for query: String) -> [HomeContent.Entry] { LetterSearch.find(query, in: home.content.searchable) }

    // MARK: Keys

    mutating func actInSearch(_ key: RemoteKey, _ model: LetterModel) -> CommandResult {
        var model = model
        let pad = pad(for: model.query)
        let result: CommandResult
        switch (key, model.focus) {
        case (.back, _):
            closePage()
            return .success
        case (.ok, .key(let row, let column)):
            guard pad.indices.contains(row), pad[row].indices.contains(column) else { return .failed(.notSupported) }
            result = type(pad[row][column], into: &model)
        case (.ok, .result(let index)):
            let found = results(for: model.query)
            guard found.indices.contains(index) else { return .failed(.notSupported) }
            return open(found[index])
        case (.up, _), (.down, _), (.left, _), (.right, _):
            result = moveInSearch(key, &model, pad)
        default: return .failed(.notSupported)
        }
        settle(&model)
        page = .search(model)
        return result
    }

    mutating func typeInSearch(_ digit: Character, _ model: LetterModel) {
        var model = model
        _ = type(.letter(digit), into: &model)
        settle(&model)
        page = .search(model)
    }

    private func type(_ key: LetterKey, into model: inout LetterModel) -> CommandResult {
        switch key {
        case .letter(let letter):
            guard model.query.count < 40 else { return .failed(.noChange) }
            model.query.append(letter)
        case .space:
            guard !model.query.isEmpty, model.query.last != " " else { return .failed(.noChange) }
            model.query.append(" ")
        case .delete:
            guard !model.query.isEmpty else { return .failed(.noChange) }
            model.query.removeLast()
        case .clear:
            guard !model.query.isEmpty else { return .failed(.noChange) }
            model.query = ""
        }
        model.firstResult = 0
        return .success
    }

    private func moveInSearch(_ key: RemoteKey, _ model: inout LetterModel, _ pad: [[LetterKey]]) -> CommandResult {
        switch model.focus {
        case .key(let row, let column):
            if key == .up || key == .down {
                let moved = row + (key == .down ? 1 : -1)
                guard pad.indices.contains(moved) else { return .failed(.noChange) }
                model.focus = .key(
                    row: moved, column: min(Self.column(from: column, of: pad[row], to: pad[moved]), pad[moved].count - 1))
                return .success
            }
            let moved = column + step(of: key)
            if pad[row].indices.contains(moved) {
                model.focus = .key(row: row, column: moved)
                return .success
            }
            guard moved > 0, !results(for: model.query).isEmpty else { return .failed(.noChange) }
            model.focus = .result(model.firstResult)
            return .success
        case .result(let index):
            if key == .up || key == .down {
                let moved = index + (key == .down ? 1 : -1)
                guard results(for: model.query).indices.contains(moved) else { return .failed(.noChange) }
                model.focus = .result(moved)
                return .success
            }
            guard step(of: key) < 0 else { return .failed(.noChange) }
            model.focus = .key(
                row: min(model.firstKeyRow, pad.count - 1), column: pad[min(model.firstKeyRow, pad.count - 1)].count - 1)
            return .success
        }
    }

    /// The last row has wide keys: focus stays under the finger.
    private static func column(from column: Int, of old: [LetterKey], to new: [LetterKey]) -> Int {
        guard old.count != new.count, old.contains(.space) || new.contains(.space) else { return column }
        return column * new.count / max(1, old.contains(.space) ? old.count : Metrics.Search.columns)
    }

    /// Focus stays on what is there, and what has it on the screen.
    private func settle(_ model: inout LetterModel) {
        let pad = pad(for: model.query)
        let count = results(for: model.query).count
        switch model.focus {
        case .key(let row, let column):
            let row = min(row, pad.count - 1)
            model.focus = .key(row: row, column: min(column, pad[row].count - 1))
            model.firstKeyRow = min(max(model.firstKeyRow, row - Metrics.Search.keyRowsPerScreen + 1), row)
        case .result(let index):
            if count == 0 { model.focus = .key(row: 0, column: 0) }
            let index = min(index, max(0, count - 1))
            if count > 0 { model.focus = .result(index) }
            model.firstResult = min(max(model.firstResult, index - Metrics.Search.resultsPerScreen + 1), index)
        }
        model.firstResult = min(model.firstResult, max(0, count - 1))
    }

    // MARK: The view

    func searchView(_ model: LetterModel) -> SearchView {
        let strings = policy.strings
        var model = model
        settle(&model)
        let found = results(for: model.query)
        let keys = pad(for: model.query).map { row in
            row.map { key in
                switch key {
                case .letter(let letter): SearchView.Key(title: String(letter).uppercased())
                case .space: SearchView.Key(title: strings.text(.space), width: 3)
                case .delete: SearchView.Key(title: strings.text(.deleteLetter), width: 2)
                case .clear: SearchView.Key(title: strings.text(.clear), width: 2)
                }
            }
        }
        let focus: SearchView.Focus =
            switch model.focus {
            case .key(let row, let column): .key(row: row, column: column)
            case .result(let index): .result(index)
            }
        let isBlank = LetterSearch.folded(model.query).isEmpty
        return SearchView(
            query: model.query, placeholder: strings.text(.searchPlaceholder), keys: keys, firstKeyRow: model.firstKeyRow,
            results: found, firstResult: model.firstResult,
            message: isBlank || !found.isEmpty ? nil : strings.text(.nothingFound, model.query), focus: focus)
    }
}
