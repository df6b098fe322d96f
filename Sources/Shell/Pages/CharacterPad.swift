import BoxModel
import Screens

/// A pad on which printable ASCII is typed with six keys, the same in every language: for passphrases and addresses.
struct CharacterPad: Sendable, Equatable, CustomReflectable {
    /// The characters that the pad has now, besides digits.
    private enum Layer: Sendable, Equatable {
        case small, capital, signs

        var characters: [Character] {
            switch self {
            case .small: Array("abcdefghijklmnopqrstuvwxyz")
            case .capital: Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
            case .signs: Array("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
            }
        }
    }

    private enum Key: Sendable, Equatable {
        case character(Character)
        /// Small and capital letters; from the signs back to letters.
        case letters
        /// Signs; from the signs to capital letters.
        case signs
        /// A space, or where none is typed, what is typed often.
        case space, delete
        /// Shows what is typed, or hides it.
        case show
        case done
    }

    /// What the field shows of what is typed.
    private enum Field: Sendable, Equatable {
        /// All of it: it is no secret.
        case plain
        /// Nothing but, right after its key, the last character.
        case hidden(showsLast: Bool)
        /// All of the secret, as the viewer has chosen.
        case shown
    }

    static let columns = 10
    private static let digits: [Character] = Array("1234567890")

    private(set) var typed: String
    private let longest: Int
    /// Characters in place of the space, each with a key of its own.
    private let extras: [Character]
    private var field: Field
    private var layer = Layer.small
    private var row = 1
    private var column = 0

    /// - Parameters:
    ///   - isSecret: whether what is typed is hidden until the viewer shows it.
    ///   - longest: the most characters.
    ///   - extras: characters in place of the space, four at most.
    init(_ typed: String = "", isSecret: Bool, longest: Int, extras: [Character] = []) {
        (self.typed, self.longest, self.extras) = (typed, longest, extras)
        field = isSecret ? .hidden(showsLast: false) : .plain
    }

    var customMirror: Mirror { Mirror(self, children: ["count": typed.count]) }

    /// What a key did.
    enum Outcome: Sendable, Equatable {
        case answered(CommandResult)
        case closed
        /// The last key was pressed.
        case done
    }

    /// The characters are Latin and run from left to right in every language: left is left.
    mutating func act(_ key: RemoteKey) -> Outcome {
        hideLast()
        switch key {
        case .up, .down: return .answered(moveRow(key == .down ? 1 : -1))
        case .left, .right:
            let target = column + (key == .right ? 1 : -1)
            guard rows[row].indices.contains(target) else { return .answered(.failed(.noChange)) }
            column = target
            return .answered(.success)
        case .ok: return press(rows[row][column])
        case .digit0, .digit1, .digit2, .digit3, .digit4, .digit5, .digit6, .digit7, .digit8, .digit9:
            return press(.character(Character(key.rawValue)))
        case .back: return .closed
        default: return .answered(.failed(.notSupported))
        }
    }

    /// Focus keeps its horizontal position: rows of functions have wider keys.
    private mutating func moveRow(_ distance: Int) -> CommandResult {
        let target = row + distance
        guard rows.indices.contains(target) else { return .failed(.noChange) }
        let position = rows[row].prefix(column).reduce(0) { $0 + width(of: $1) }
        var end = 0
        column =
            rows[target].firstIndex { key in
                end += width(of: key)
                return position < end
            } ?? rows[target].count - 1
        row = target
        return .success
    }

    private mutating func press(_ key: Key) -> Outcome {
        switch key {
        case .character(let character): return type(character)
        case .space: return type(" ")
        case .delete:
            guard !typed.isEmpty else { return .answered(.failed(.noChange)) }
            typed.removeLast()
        case .letters:
            layer = layer == .small ? .capital : .small
            settle(on: .letters)
        case .signs:
            layer = layer == .signs ? .capital : .signs
            settle(on: .signs)
        case .show: field = field == .shown ? .hidden(showsLast: false) : .shown
        case .done: return .done
        }
        return .answered(.success)
    }

    private mutating func type(_ character: Character) -> Outcome {
        guard typed.count < longest else { return .answered(.failed(.noChange)) }
        typed.append(character)
        if case .hidden = field { field = .hidden(showsLast: true) }
        return .answered(.success)
    }

    private mutating func hideLast() { if case .hidden = field { field = .hidden(showsLast: false) } }

    /// Another device has typed.
    ///
    /// - Parameter isComplete: whether focus goes to the last key.
    mutating func take(_ text: String, isComplete: Bool) {
        typed = text
        hideLast()
        if isComplete { settle(on: .done) }
    }

    /// The rows of another layer are others.
    private mutating func settle(on key: Key) {
        row = rows.firstIndex { $0.contains(key) } ?? 0
        column = rows[row].firstIndex(of: key) ?? 0
    }

    private var rows: [[Key]] {
        let characters = layer.characters
        let lines = stride(from: 0, to: characters.count, by: Self.columns).map { start in
            characters[start..<min(start + Self.columns, characters.count)].map { Key.character($0) }
        }
        var functions: [Key] = [.letters, .signs]
        if extras.isEmpty { functions.append(.space) } else { functions += extras.map { .character($0) } }
        let ends: [[Key]] = field == .plain ? [[.delete, .done]] : [[.delete, .show], [.done]]
        var rows: [[Key]] = [Self.digits.map { .character($0) }]
        rows += lines
        rows.append(functions)
        return rows + ends
    }

    private func width(of key: Key) -> Int {
        switch key {
        case .character: 1
        case .letters, .signs: 3
        case .space, .delete: 4
        case .show: 6
        case .done: field == .plain ? 6 : Self.columns
        }
    }

    // MARK: View

    private var shown: PassphraseView.Field {
        switch field {
        case .plain: return .init(typed, isSecret: false)
        case .shown: return .init(typed, isSecret: true)
        case .hidden(let showsLast):
            let end = showsLast ? typed.suffix(1) : ""
            return .init(String(repeating: "•", count: typed.count - end.count) + end, isSecret: true)
        }
    }

    /// - Parameter done: the words of the last key.
    func view(
        title: String, placeholder: String, hint: String, warning: String?, phone: PhoneCode?, done: Phrase,
        strings: StringCatalogue
    )
        -> PassphraseView
    {
        let keys = rows.map { row in
            row.map { key in
                let title =
                    switch key {
                    case .character(let character): String(character)
                    case .letters: layer == .small ? "ABC" : "abc"
                    case .signs: layer == .signs ? "ABC" : "#+="
                    case .space: strings.text(.space)
                    case .delete: strings.text(.deleteLetter)
                    case .show: strings.text(field == .shown ? .wirelessPassphraseHide : .wirelessPassphraseShow)
                    case .done: strings.text(done)
                    }
                return SearchView.Key(title: title, width: width(of: key))
            }
        }
        return PassphraseView(
            title: title, field: shown, placeholder: placeholder, hint: hint, warning: warning, phone: phone,
            keys: keys, columns: Self.columns, row: row, column: column)
    }
}
