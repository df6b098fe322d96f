import WireFormats

/// Formats values for messages that must stay on one line.
enum FeedText {
    /// A text in quotation marks, on one line, shortened in its middle beyond 80 characters.
    static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars
        return JSONText.quoted(scalars.count > 80 ? String(scalars.prefix(60)) + "…" + String(scalars.suffix(16)) : text)
    }

    /// A value in a recognisable form: whole if it is short, otherwise its kind.
    static func value(_ node: JSONNode) -> String {
        switch node.value {
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .number(let text): text.count > 40 ? String(text.prefix(40)) + "…" : text
        case .string(let text): quoted(text)
        case .array(let nodes): nodes.isEmpty ? "[]" : "a list"
        case .object(let object): object.members.isEmpty ? "{}" : "an object"
        }
    }

    /// A text for viewers without control characters other than tabs and ends of lines.
    static func withoutControls(_ text: String) -> String {
        func isLeftOut(_ scalar: Unicode.Scalar) -> Bool {
            scalar.value < 0x20 && !(0x09...0x0D).contains(scalar.value)
                || (0x7F...0x9F).contains(scalar.value) && scalar.value != 0x85
        }
        guard text.unicodeScalars.contains(where: isLeftOut) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.lazy.filter { !isLeftOut($0) }))
    }

    /// Words as a list: `a, b or c`.
    static func choice(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }
}

/// Suggests the word that was probably meant.
struct Suggestions {
    /// How many comparisons one check may still make: a feed full of errors gets fewer suggestions, not a slow check.
    private var budget = 2_000_000

    /// The candidate nearest to a word, if it is near enough to be a typing error; the earlier of two equally near.
    mutating func nearest(to word: String, among candidates: [String], except excluded: String? = nil) -> String? {
        let wanted = Array(word.lowercased().unicodeScalars)
        guard wanted.count <= 64 else { return nil }
        let limit = max(1, min(3, wanted.count / 3))
        var best: (distance: Int, word: String)?
        for candidate in candidates where candidate != excluded {
            if budget <= 0 { return nil }
            budget -= 1
            guard abs(candidate.unicodeScalars.count - wanted.count) <= limit else { continue }
            budget -= wanted.count
            let distance = Self.distance(wanted, Array(candidate.lowercased().unicodeScalars))
            if distance <= limit, distance < (best?.distance ?? .max) { best = (distance, candidate) }
        }
        return best?.word
    }

    /// The number of letters to insert, remove, change or swap with their neighbour (optimal string alignment distance).
    static func distance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Int {
        var beforePrevious: [Int] = []
        var previous = Array(0...second.count)
        for row in 0..<first.count {
            var current = [row + 1]
            for column in 0..<second.count {
                var cost = min(previous[column + 1], current[column]) + 1
                cost = min(cost, previous[column] + (first[row] == second[column] ? 0 : 1))
                if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                    cost = min(cost, beforePrevious[column - 1] + 1)
                }
                current.append(cost)
            }
            beforePrevious = previous
            previous = current
        }
        return previous[second.count]
    }
}
