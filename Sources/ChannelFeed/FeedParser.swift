import Languages
import MediaTime
import URLReferences

/// Parses the document into values and collects findings. A parser is used once.
///
/// Findings decide what is dropped: an error inside `/items/3` drops that item; the same holds for channels, series and rows.
/// Errors elsewhere leave a setting at its default; a reference to nothing drops only that reference.
struct FeedParser {
    let options: FeedOptions
    /// The text, for lines and columns.
    private let bytes: [UInt8]
    var suggestions = Suggestions()
    /// The base of relative URLs; nil when the feed has no URL of its own.
    var base: URLReference?
    /// Whether the feed is itself a file: only then may it refer to files.
    var allowsFiles = false
    var defaultLanguage: String?
    /// The minimum length of a window.
    var refreshInterval = Refresh().interval

    private(set) var findings: [(offset: Int, finding: FeedFinding)] = []
    private var dropped: [String: Set<Int>] = [:]

    init(options: FeedOptions, bytes: [UInt8]) {
        self.options = options
        self.bytes = bytes
    }

    // MARK: Findings

    /// Adds a finding about a value.
    mutating func report(
        _ severity: FeedFinding.Severity, _ code: FeedCode, _ node: FeedNode, showing: Bool = true, _ message: String,
        _ remedy: String
    ) {
        let pointer = node.pointer
        findings.append(
            (
                node.json.offset,
                FeedFinding(
                    severity: severity, code: code, pointer: pointer, location: nil,
                    value: showing ? FeedText.value(node.json) : nil, message: message, remedy: remedy)
            ))
        if severity == .error, code != .noSuchReference, pointer.tokens.count >= 2, let index = Int(pointer.tokens[1]) {
            dropped[pointer.tokens[0], default: []].insert(index)
        }
    }

    /// The verdict: the findings in the order of the text; at one position, in the order in which they were made.
    func verdict(_ feed: Feed?) -> FeedVerdict {
        var walk = LocationWalk(bytes)
        let sorted = findings.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
        let located = sorted.map { entry in
            var finding = entry.element.finding
            finding.location = walk.location(of: entry.element.offset)
            return finding
        }
        return FeedVerdict(feed: feed, findings: located)
    }

    mutating func warn(_ code: FeedCode, _ node: FeedNode, _ message: String, _ remedy: String) {
        report(.warning, code, node, message, remedy)
    }

    mutating func fail(_ code: FeedCode, _ node: FeedNode, _ message: String, _ remedy: String) {
        report(.error, code, node, message, remedy)
    }

    /// Whether an error was found inside the element at this index of one of the feed's lists.
    func isDropped(_ list: String, _ index: Int) -> Bool { dropped[list]?.contains(index) == true }

    // MARK: JSON types

    /// The value as an object; reports its unknown keys.
    mutating func object(_ node: FeedNode, keys: [String]) -> FeedObject? {
        guard case .object(let object) = node.json.value else {
            wrongType(node, "an object in braces, e.g. {\(keys.first.map { "\"\($0)\": …" } ?? "")}")
            return nil
        }
        for member in object.members where !keys.contains(member.key) && !member.key.hasPrefix("x-") {
            let place = FeedNode(
                json: JSONNode(value: member.node.value, offset: member.keyOffset),
                step: FeedNode.Step(parent: node.step, token: member.key))
            let suggestion = suggestions.nearest(to: member.key, among: keys.filter { object[$0] == nil })
            warn(
                .unknownKey, place, "unknown key \(FeedText.quoted(member.key))",
                suggestion.map { "Did you mean \"\($0)\"? It is ignored." }
                    ?? "It is ignored; name it x-… to keep it for your own use.")
        }
        return FeedObject(node: node, object: object)
    }

    /// The elements of the list under a key; none when the key is absent.
    mutating func list(_ object: FeedObject, _ key: String) -> [FeedNode] {
        guard let node = object[key] else { return [] }
        return elements(node)
    }

    mutating func elements(_ node: FeedNode) -> [FeedNode] {
        guard case .array(let nodes) = node.json.value else {
            wrongType(node, "a list in square brackets")
            return []
        }
        return nodes.enumerated().map { node.child($1, String($0)) }
    }

    mutating func string(_ node: FeedNode) -> String? {
        if case .string(let text) = node.json.value { return text }
        wrongType(node, "a text in quotation marks")
        return nil
    }

    mutating func string(_ object: FeedObject, _ key: String) -> String? { object[key].flatMap { string($0) } }

    mutating func boolean(_ object: FeedObject, _ key: String) -> Bool? {
        guard let node = object[key] else { return nil }
        if case .boolean(let value) = node.json.value { return value }
        wrongType(node, "true or false")
        return nil
    }

    mutating func integer(_ object: FeedObject, _ key: String, in range: ClosedRange<Int64>) -> Int64? {
        guard let node = object[key] else { return nil }
        if case .number(let text) = node.json.value, let value = Int64(text), range.contains(value) { return value }
        let upper = range.upperBound == .max ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
        wrongType(node, "a whole number, \(upper)")
        return nil
    }

    mutating func wrongType(_ node: FeedNode, _ wanted: String) {
        fail(
            .wrongType, node, "\(FeedText.value(node.json)) has the wrong type",
            "Write \(wanted)\(wanted.hasSuffix("…") ? "" : ".")")
    }

    /// The value under a required key.
    mutating func required(_ object: FeedObject, _ key: String, _ wanted: String) -> FeedNode? {
        if let node = object[key] { return node }
        report(.error, .wrongType, object.missing(key), showing: false, "missing", "Write \(wanted).")
        return nil
    }

    // MARK: Feed types

    /// An id, `[A-Za-z0-9._-]{1,64}`.
    mutating func id(_ node: FeedNode) -> String? {
        guard let text = string(node) else { return nil }
        let isID =
            (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
        if isID { return text }
        fail(.wrongType, node, "\(FeedText.quoted(text)) is not an id", "Write 1 to 64 of A-Z a-z 0-9 . _ - and never change it.")
        return nil
    }

    /// A word of an enumeration. Other words are ignored with a warning: a later 1.x may define them.
    mutating func word<Word: RawRepresentable & CaseIterable>(_ object: FeedObject, _ key: String, as type: Word.Type) -> Word?
    where Word.RawValue == String {
        guard let node = object[key], let text = string(node) else { return nil }
        if let word = Word(rawValue: text) { return word }
        let words = Word.allCases.map(\.rawValue)
        let suggestion = suggestions.nearest(to: text, among: words)
        warn(
            .unknownKey, node, "unknown word \(FeedText.quoted(text))",
            (suggestion.map { "Did you mean \"\($0)\"? " } ?? "Write \(FeedText.choice(words)). ") + "The default is used.")
        return nil
    }

    mutating func time(_ object: FeedObject, _ key: String, signed: Bool = false) -> MediaTime? {
        object[key].flatMap { time($0, signed: signed) }
    }

    mutating func time(_ node: FeedNode, signed: Bool = false) -> MediaTime? {
        let text: String
        switch node.json.value {
        case .number(let number): text = number
        case .string(let string): text = string
        default:
            wrongType(node, "a time: 1320, \"22:00\" or \"1320.000\"")
            return nil
        }
        if let time = FeedTime.parse(text, signed: signed) { return time }
        fail(
            .notATime, node, "\(FeedText.value(node.json)) is not a time",
            "Write \(FeedTime.spellings(FeedTime.guess(text) ?? .seconds(1320))).")
        return nil
    }

    mutating func date(_ object: FeedObject, _ key: String) -> FeedDate? { object[key].flatMap { date($0) } }

    mutating func date(_ node: FeedNode) -> FeedDate? {
        guard let text = string(node) else { return nil }
        if let date = FeedDate(text) { return date }
        fail(
            .wrongType, node, "\(FeedText.quoted(text)) is not a date", "Write it with its offset, e.g. \"2026-11-20T20:00:00Z\"."
        )
        return nil
    }

    mutating func language(_ node: FeedNode) -> String? {
        guard let text = string(node) else { return nil }
        return isLanguage(text, at: node) ? text : nil
    }

    mutating func isLanguage(_ tag: String, at node: FeedNode) -> Bool {
        if LanguageTag.isWellFormed(tag) { return true }
        let repaired = String(tag.map { $0 == "_" ? "-" : $0 })
        let remedy =
            LanguageTag.isWellFormed(repaired)
            ? "Did you mean \"\(repaired)\"?" : "Write one such as \"en\", \"ar\" or \"zh-Hant\"."
        fail(.notALanguage, node, "\(FeedText.quoted(tag)) is not a BCP 47 language tag", remedy)
        return false
    }

    /// A text for viewers: one string, or one for each language. A text longer than `limit` characters is clipped.
    mutating func text(_ object: FeedObject, _ key: String, limit: Int) -> LocalizedText? {
        object[key].flatMap { text($0, limit: limit) }
    }

    mutating func text(_ node: FeedNode, limit: Int) -> LocalizedText? {
        switch node.json.value {
        case .string(let text): return LocalizedText(clipped(text, at: node, limit: limit))
        case .object(let object):
            var entries: [LocalizedText.Entry] = []
            for member in object.members {
                let child = node.child(member.node, member.key)
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
                fail(
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

    private mutating func clipped(_ text: String, at node: FeedNode, limit: Int) -> String {
        guard text.count > limit else { return text }
        warn(.textTooLong, node, "\(text.count) characters", "Write \(limit) or fewer; it is clipped.")
        return text.prefix(limit - 1) + "…"
    }
}
