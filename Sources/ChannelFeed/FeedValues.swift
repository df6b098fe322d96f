import CivilTime
import Languages
import MediaTime
import WireFormats

/// Reads the values of a feed by their type, and reports those that have another one.
final class FeedValues {
    private let findings: FeedFindings
    private let urls: FeedURLs
    private var suggestions = Suggestions()
    /// Every text for viewers must have this language, if it is set.
    private var defaultLanguage: String?
    /// Tags that were found to be well-formed: a feed has few, each very often.
    private var knownLanguages: Set<String> = []
    private static let mostKnownLanguages = 64

    init(findings: FeedFindings, urls: FeedURLs) {
        self.findings = findings
        self.urls = urls
    }

    /// From now on, a text for viewers without this language is an error.
    func require(defaultLanguage: String?) { self.defaultLanguage = defaultLanguage }

    /// The candidate nearest to a word that may be misspelt.
    func suggestion(for word: String, among candidates: [String], except excluded: String? = nil) -> String? {
        suggestions.nearest(to: word, among: candidates, except: excluded)
    }

    // MARK: JSON types

    /// The value as an object; reports its unknown keys.
    func object(_ node: FeedNode, keys: [String]) -> FeedObject? {
        guard case .object(let object) = node.json.value else {
            wrongType(node, "an object in braces, e.g. {\(keys.first.map { "\"\($0)\": …" } ?? "")}")
            return nil
        }
        for member in object.members where !keys.contains(member.key) && !member.key.hasPrefix("x-") {
            let place = FeedNode(
                json: JSONNode(value: member.node.value, offset: member.keyOffset),
                step: FeedNode.Step(parent: node.step, token: member.key), page: node.page)
            let suggestion = suggestion(for: member.key, among: keys.filter { object[$0] == nil })
            findings.warn(
                .unknownKey, place, "unknown key \(FeedText.quoted(member.key))",
                suggestion.map { "Did you mean \"\($0)\"? It is ignored." }
                    ?? "It is ignored; name it x-… to keep it for your own use.")
        }
        return FeedObject(node: node, object: object)
    }

    /// The elements of the list under a key; none when the key is absent.
    func list(_ object: FeedObject, _ key: String) -> [FeedNode] {
        guard let node = object[key] else { return [] }
        return elements(node)
    }

    /// The same for lists of a bounded length; a longer one is an error.
    func list(_ object: FeedObject, _ key: String, atMost limit: Int) -> [FeedNode] {
        let nodes = list(object, key)
        guard nodes.count > limit, let node = object[key] else { return nodes }
        findings.fail(.wrongType, node, "\(nodes.count) elements", "Write \(limit) or fewer.")
        return Array(nodes.prefix(limit))
    }

    /// The elements of a list without those that are null. Each knows its own place.
    func elements(_ node: FeedNode) -> [FeedNode] {
        guard case .array(let nodes) = node.json.value else {
            wrongType(node, "a list in square brackets")
            return []
        }
        return nodes.enumerated().map { node.child($1, String($0)) }.filter { !$0.isNull }
    }

    /// Whether a value is a list without anything in it.
    func isEmptyList(_ node: FeedNode) -> Bool {
        if case .array = node.json.value { elements(node).isEmpty } else { false }
    }

    func string(_ node: FeedNode) -> String? {
        if case .string(let text) = node.json.value { return text }
        wrongType(node, "a text in quotation marks")
        return nil
    }

    func string(_ object: FeedObject, _ key: String) -> String? { object[key].flatMap { string($0) } }

    /// The texts of the list under a key.
    func strings(_ object: FeedObject, _ key: String) -> [String] { list(object, key).compactMap { string($0) } }

    func boolean(_ object: FeedObject, _ key: String) -> Bool? {
        guard let node = object[key] else { return nil }
        if case .boolean(let value) = node.json.value { return value }
        wrongType(node, "true or false")
        return nil
    }

    func integer(_ object: FeedObject, _ key: String, in range: ClosedRange<Int64>) -> Int64? {
        guard let node = object[key] else { return nil }
        if case .number(let text) = node.json.value, let value = Int64(text), range.contains(value) { return value }
        let upper = range.upperBound == .max ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
        wrongNumber(node, "a whole number, \(upper)") { !$0.contains { ".eE".contains($0) } }
        return nil
    }

    /// A share in percent, 0 to 100, also in decimals.
    func percent(_ object: FeedObject, _ key: String) -> Double? { number(object, key, in: 0...100) }

    /// A number, also in decimals.
    ///
    /// - Parameter isAbove: whether it must be greater than the first of the range.
    func number(_ object: FeedObject, _ key: String, in range: ClosedRange<Int>, isAbove: Bool = false) -> Double? {
        guard let node = object[key] else { return nil }
        if case .number(let text) = node.json.value, let value = Double(text),
            (Double(range.lowerBound)...Double(range.upperBound)).contains(value), !isAbove || value > Double(range.lowerBound)
        {
            return value
        }
        wrongNumber(
            node,
            isAbove
                ? "a number above \(range.lowerBound), at most \(range.upperBound)"
                : "a number, \(range.lowerBound) to \(range.upperBound)")
        return nil
    }

    /// - Parameter isWhole: whether it has the form that is wanted.
    private func wrongNumber(_ node: FeedNode, _ wanted: String, isWhole: (String) -> Bool = { _ in true }) {
        guard case .number(let text) = node.json.value else { return wrongType(node, wanted) }
        findings.fail(
            .wrongType, node, "\(FeedText.value(node.json)) is \(isWhole(text) ? "out of range" : "not a whole number")",
            "Write \(wanted).")
    }

    func wrongType(_ node: FeedNode, _ wanted: String) {
        findings.fail(
            .wrongType, node, "\(FeedText.value(node.json)) has the wrong type",
            "Write \(wanted)\(wanted.hasSuffix("…") ? "" : ".")")
    }

    /// The value under a required key.
    func required(_ object: FeedObject, _ key: String, _ wanted: @autoclosure () -> String) -> FeedNode? {
        if let node = object[key] { return node }
        findings.report(.error, .wrongType, object.missing(key), showing: false, "missing", "Write \(wanted()).")
        return nil
    }

    // MARK: Feed types

    /// An id, `[A-Za-z0-9._-]{1,64}`.
    func id(_ node: FeedNode) -> String? {
        guard let text = string(node) else { return nil }
        if PlainName.isOne(text) { return text }
        findings.fail(
            .wrongType, node, "\(FeedText.quoted(text)) is not an id", "Write 1 to 64 of A-Z a-z 0-9 . _ - and never change it.")
        return nil
    }

    /// A word of an enumeration. Other words are ignored with a warning: a later 1.x may define them.
    func word<Word: RawRepresentable & CaseIterable>(_ object: FeedObject, _ key: String, as type: Word.Type) -> Word?
    where Word.RawValue == String {
        guard let node = object[key], let text = string(node) else { return nil }
        if let word = Word(rawValue: text) { return word }
        let words = Word.allCases.map(\.rawValue)
        let suggestion = suggestion(for: text, among: words)
        findings.warn(
            .unknownKey, node, "unknown word \(FeedText.quoted(text))",
            (suggestion.map { "Did you mean \"\($0)\"? " } ?? "Write \(FeedText.choice(words)). ") + "The default is used.")
        return nil
    }

    func time(_ object: FeedObject, _ key: String, signed: Bool = false) -> MediaTime? {
        object[key].flatMap { time($0, signed: signed) }
    }

    func time(_ node: FeedNode, signed: Bool = false) -> MediaTime? {
        let text: String
        switch node.json.value {
        case .number(let number): text = number
        case .string(let string): text = string
        default:
            wrongType(node, "a time: 1320, \"22:00\" or \"1320.000\"")
            return nil
        }
        if let time = FeedTime.parse(text, signed: signed) { return time }
        if let seconds = Double(text), seconds.magnitude >= Double(FeedTime.limit.value) {
            findings.fail(
                .notATime, node, "\(FeedText.value(node.json)) is longer than any programme",
                "Write a time in seconds below \(FeedTime.limit.value).")
            return nil
        }
        findings.fail(
            .notATime, node, "\(FeedText.value(node.json)) is not a time",
            "Write \(FeedTime.spellings(FeedTime.guess(text) ?? .seconds(1320))).")
        return nil
    }

    func date(_ object: FeedObject, _ key: String) -> FeedDate? { object[key].flatMap { date($0) } }

    func date(_ node: FeedNode) -> FeedDate? {
        guard let text = string(node) else { return nil }
        if let date = FeedDate(text) { return date }
        findings.fail(
            .wrongType, node, "\(FeedText.quoted(text)) is not a date", "Write it with its offset, e.g. \"2026-11-20T20:00:00Z\"."
        )
        return nil
    }

    /// Days and times of day.
    func timetable(_ node: FeedNode, _ text: String, mayBeClosed: Bool = false) -> Recurrence? {
        do throws(CivilFault) {
            return try Recurrence(text, mayBeClosed: mayBeClosed)
        } catch {
            findings.report(.error, .notATimetable, node, showing: false, error.message, error.remedy)
            return nil
        }
    }

    /// One text about days and times, or several.
    func timetables(_ node: FeedNode) -> [Recurrence] {
        let nodes: [FeedNode]
        if case .array = node.json.value { nodes = elements(node) } else { nodes = [node] }
        if nodes.isEmpty { wrongType(node, "days and times, e.g. \"mon-fri 08:00-18:00\"") }
        guard nodes.count <= FeedLimit.ruleTimes else {
            findings.report(
                .error, .wrongType, node, showing: false, "\(nodes.count) texts about days and times",
                "Write \(FeedLimit.ruleTimes) or fewer.")
            return []
        }
        return nodes.compactMap { node in string(node).flatMap { timetable(node, $0) } }
    }

    func language(_ node: FeedNode) -> String? {
        guard let text = string(node) else { return nil }
        return isLanguage(text, at: node) ? text : nil
    }

    func isLanguage(_ tag: String, at node: FeedNode) -> Bool {
        if knownLanguages.contains(tag) { return true }
        if LanguageTag.isWellFormed(tag) {
            if knownLanguages.count < Self.mostKnownLanguages { knownLanguages.insert(tag) }
            return true
        }
        let repaired = String(tag.map { $0 == "_" ? "-" : $0 })
        let remedy =
            LanguageTag.isWellFormed(repaired)
            ? "Did you mean \"\(repaired)\"?" : "Write one such as \"en\", \"ar\" or \"zh-Hant\"."
        findings.fail(.notALanguage, node, "\(FeedText.quoted(tag)) is not a BCP 47 language tag", remedy)
        return false
    }

    /// A text for viewers: one string, or one for each language. A text longer than `limit` characters is clipped.
    func text(_ object: FeedObject, _ key: String, limit: Int) -> LocalizedText? {
        object[key].flatMap { text($0, limit: limit) }
    }

    func text(_ node: FeedNode, limit: Int) -> LocalizedText? {
        switch node.json.value {
        case .string(let text): return LocalizedText(clipped(text, at: node, limit: limit))
        case .object(let object):
            var entries: [LocalizedText.Entry] = []
            for member in object.members {
                let child = node.child(member.node, member.key)
                if child.isNull { continue }
                if isLanguage(member.key, at: child), let text = string(child) {
                    entries.append(LocalizedText.Entry(language: member.key, text: clipped(text, at: child, limit: limit)))
                }
            }
            let result = LocalizedText(entries: entries)
            let isServed = { (wanted: String) in
                entries.contains {
                    $0.language.lowercased() == LanguageTag.undetermined || LanguageTag.match($0.language, for: wanted) != nil
                }
            }
            if object.members.isEmpty || defaultLanguage.map({ !isServed($0) }) == true {
                let wanted = defaultLanguage ?? LanguageTag.undetermined
                findings.fail(
                    .noDefaultText, node, "no text for \"\(wanted)\"\(wanted == LanguageTag.undetermined ? "" : " nor \"und\"")",
                    "Add {\"\(wanted)\": \"…\"}.")
                return nil
            }
            return result
        default:
            wrongType(node, "a text, or one for each language: {\"en\": \"…\"}")
            return nil
        }
    }

    private func clipped(_ stated: String, at node: FeedNode, limit: Int) -> String {
        let text = FeedText.withoutControls(stated)
        if text.utf8.count < stated.utf8.count {
            findings.warn(
                .controlCharacters, node, "control characters, which nothing shows",
                "Write the text without them; they are left out.")
        }
        // No text has more characters than bytes, which are known without reading it.
        guard text.utf8.count > limit, text.count > limit else { return text }
        findings.warn(.textTooLong, node, "\(text.count) characters", "Write \(limit) or fewer; it is clipped.")
        return text.prefix(limit - 1) + "…"
    }

    /// What relative URLs resolve on; empty when there is nothing.
    var baseURL: String { urls.baseURL }

    func url(_ object: FeedObject, _ key: String) -> String? { object[key].flatMap { url($0) } }

    /// The absolute URL of a text.
    ///
    /// - Parameter isChannel: whether it is a stream of a channel.
    func url(_ node: FeedNode, isChannel: Bool = false) -> String? {
        string(node).flatMap { urls.absolute($0, at: node, isChannel: isChannel) }
    }
}
