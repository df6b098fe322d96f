import ChannelFeed
import WireFormats

/// Makes a converted feed pass the box's own check: what the check finds wrong is removed and reported at its place in the source, and the
/// rest is checked again. So a converter cannot publish what a box would refuse.
struct CheckedDocument {
    private(set) var document: FeedDocument
    private(set) var findings: [ConversionFinding] = []
    private let options: FeedOptions
    /// The largest feed that a box reads, in bytes.
    private let longest: Int
    /// The most rounds: a removal can only make references point to nothing, whose removal can empty what held them.
    private static let mostRounds = 12

    /// - Parameter options: what is known about the boxes; size and depth are the box's.
    init(_ document: FeedDocument, options: FeedOptions) {
        self.document = document
        longest = options.maximumBytes
        // What is left out does not count.
        var options = options
        options.maximumBytes = .max
        self.options = options
    }

    /// The feed's text; nil, with a refusal, when nothing of it can be used.
    mutating func feed() -> String? {
        for _ in 0..<Self.mostRounds {
            let text = document.json.indentedText + "\n"
            // Only the head names a place outside the feed; there is no address of the feed itself.
            let verdict = FeedReader.read(Array(text.utf8), baseURL: "", options: options)
            let wrong = verdict.findings.filter { $0.severity == .error }
            if wrong.isEmpty {
                if verdict.feed != nil { return text.utf8.count <= longest ? text : refuseSize(of: text) }
                for finding in verdict.findings where finding.severity == .refusal { refuse(finding) }
                return nil
            }
            remove(wrong)
        }
        findings.append(
            ConversionFinding(
                severity: .refusal, place: .whole, message: "the converted feed does not pass the check",
                remedy: "Report this file."))
        return nil
    }

    private mutating func refuseSize(of text: String) -> String? {
        findings.append(
            ConversionFinding(
                severity: .refusal, place: .whole,
                message: "the converted feed has \(text.utf8.count) bytes, and a box reads at most \(longest)",
                remedy: "Convert the parts of the source one by one."))
        return nil
    }

    private mutating func refuse(_ finding: FeedFinding) {
        switch finding.code {
        case .nothingPlayable:
            findings.append(
                ConversionFinding(
                    severity: .refusal, place: .whole, message: "nothing in the source can be played",
                    remedy: findings.contains { $0.severity == .error }
                        ? "Repair the errors above." : "Give a source with films, recordings or streams."))
        default:
            findings.append(
                ConversionFinding(
                    severity: .refusal, place: .whole, message: finding.message,
                    remedy: "Convert the parts of the source one by one."))
        }
    }

    /// What one finding removes from its object.
    private enum Removal {
        case object
        /// The path from the object.
        case part([String])
    }

    private mutating func remove(_ wrong: [FeedFinding]) {
        var removals: [FeedDocument.List: [Int: [Removal]]] = [:]
        for finding in wrong {
            let tokens = finding.pointer.tokens
            guard let name = tokens.first else { continue }
            guard let list = FeedDocument.List(rawValue: name), tokens.count >= 2, let index = Int(tokens[1]),
                document[list].indices.contains(index)
            else {
                report(finding, at: document.head.place(of: name), losing: "It is left out.")
                document.head.remove(name)
                continue
            }
            let entry = document[list][index]
            let removal = removal(finding, path: Array(tokens.dropFirst(2)), entry: entry)
            removals[list, default: [:]][index, default: []].append(removal)
            // What referred to a part that was removed is not a mistake of the source.
            guard finding.code != .noSuchReference else { continue }
            let place = tokens.count > 2 ? entry.place(of: tokens[2]) : entry.place
            switch removal {
            case .object: report(finding, at: place, losing: "The \(Self.name(list)) is left out.", .error)
            case .part(let path) where path.first == "streams":
                report(finding, at: place, losing: "The stream is left out.", .error)
            case .part: report(finding, at: place, losing: "It is left out.")
            }
        }
        for (list, entries) in removals {
            var kept: [FeedDocument.Entry] = []
            for (index, entry) in document[list].enumerated() {
                guard let removals = entries[index] else {
                    kept.append(entry)
                    continue
                }
                if let rest = Self.entry(entry, without: removals) { kept.append(rest) }
            }
            document[list] = kept
        }
    }

    /// Lists whose elements stand for themselves: a wrong one does not cost the others.
    private static let lists: Set<String> = ["streams", "subtitles", "markers", "interstitials", "tags", "items", "entries"]
    /// What an object cannot be without. A window is one of them: without it the object would always be available.
    private static let needed: Set<String> = ["id", "window"]

    private func removal(_ finding: FeedFinding, path: [String], entry: FeedDocument.Entry) -> Removal {
        guard let key = path.first, !Self.needed.contains(key) else { return .object }
        if key == "seasons", path.count >= 4 { return .part(Array(path.prefix(4))) }
        if Self.lists.contains(key) {
            guard path.count >= 2 else { return .object }
            // The last element goes with its object.
            let elements = entry[key]?.elements.count ?? 0
            let isNeeded = key == "streams" || key == "items" || key == "entries"
            return elements <= 1 && isNeeded ? .object : .part(Array(path.prefix(2)))
        }
        if key == "title", entry["streams"] == nil || entry["kind"] != nil { return .object }
        return .part([key])
    }

    /// An object without some of its parts; nil when nothing is left that can be used.
    private static func entry(_ entry: FeedDocument.Entry, without removals: [Removal]) -> FeedDocument.Entry? {
        var paths: Set<[String]> = []
        for removal in removals {
            guard case .part(let path) = removal else { return nil }
            paths.insert(path)
        }
        var entry = entry
        for (key, paths) in Dictionary(grouping: paths, by: { $0[0] }) {
            guard let value = entry[key] else { continue }
            if paths.contains(where: { $0.count == 1 }) {
                entry.remove(key)
            } else {
                entry.set(key, value.removing(paths.map { $0.dropFirst() }))
            }
        }
        let isEmpty = { (key: String) in entry[key].map { $0.elements.isEmpty } == true }
        if isEmpty("streams") || isEmpty("items") || isEmpty("entries") { return nil }
        if let seasons = entry["seasons"]?.elements {
            let kept = seasons.filter { $0["episodes"]?.elements.isEmpty == false }
            if kept.isEmpty { return nil }
            entry.set("seasons", .array(kept))
        }
        return entry
    }

    private static func name(_ list: FeedDocument.List) -> String {
        switch list {
        case .channels: "channel"
        case .series: "series"
        case .items: "item"
        case .rows: "row"
        }
    }

    private mutating func report(
        _ finding: FeedFinding, at place: SourcePlace, losing consequence: String,
        _ severity: ConversionFinding.Severity = .warning
    ) {
        var remedy = consequence
        switch finding.code {
        case .plainHTTP:
            remedy += " Serve it over https, or convert with --allow-http HOST and set [feed] allow_http on the boxes."
        case .badURL where finding.message.contains("relative"): remedy += " Give --base-url URL."
        default: break
        }
        findings.append(
            ConversionFinding(
                severity: severity, place: place, message: "\(finding.message) (\(finding.code.rawValue))", remedy: remedy))
    }
}
