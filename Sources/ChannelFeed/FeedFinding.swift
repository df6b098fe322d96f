import WireFormats

/// One finding of a feed check.
package struct FeedFinding: Sendable, Hashable, CustomStringConvertible {
    /// The consequence of a finding.
    package enum Severity: String, Sendable, Hashable, Comparable, CaseIterable {
        /// The box compensates, as described.
        case warning
        /// The enclosing element (item, channel, series, row, list entry, setting) is dropped; the rest is used.
        case error
        /// The whole feed is refused.
        case refusal

        package static func < (left: Severity, right: Severity) -> Bool {
            (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
        }
    }

    package let severity: Severity
    /// The violated rule.
    package let code: FeedCode
    /// The position in the document.
    package let pointer: JSONPointer
    /// The position in the text.
    package internal(set) var location: TextLocation?
    /// The value as JSON on one line, shortened; nil if there is none.
    package let value: String?
    /// The problem: part of a sentence, without its full stop.
    package let message: String
    /// What to write instead, or what the box will do: whole sentences.
    package let remedy: String

    init(
        severity: Severity, code: FeedCode, pointer: JSONPointer, location: TextLocation?, value: String?, message: String,
        remedy: String
    ) {
        self.severity = severity
        self.code = code
        self.pointer = pointer
        self.location = location
        self.value = value
        self.message = message
        self.remedy = remedy
    }

    /// A finding that is not made from the text of the feed, such as one of a probe.
    package init(_ severity: Severity, _ code: FeedCode, _ pointer: JSONPointer, _ message: String, _ remedy: String) {
        self.init(
            severity: severity, code: code, pointer: pointer, location: nil, value: nil, message: message, remedy: remedy)
    }

    /// One line: `error FEED-001 /items/3/duration: "22m" is not a time. Write 1320, "22:00" or "1320.000".`
    package var description: String {
        let place = pointer.tokens.isEmpty && pointer.document == nil ? (location.map { "\($0)" } ?? "feed") : pointer.description
        return "\(severity) \(code.rawValue) \(Self.oneLine(place)): \(message). \(remedy)"
    }

    /// Keys may contain line breaks, but a finding is one line.
    private static func oneLine(_ text: String) -> String {
        let quoted = JSONText.quoted(text)
        return quoted == "\"\(text)\"" ? text : quoted
    }
}

/// The result of a feed check.
package struct FeedVerdict: Sendable {
    /// The feed with everything that passed; nil when it was refused.
    package let feed: Feed?
    /// All findings, in the order of the text.
    package let findings: [FeedFinding]
    /// The number of its pages that were read.
    package let pageCount: Int

    /// The rule for which a feed without a value was refused: the first of them.
    package var refusal: FeedCode { findings.first { $0.severity == .refusal }?.code ?? .notATime }

    /// 0 good (warnings allowed), 3 something was dropped, 1 the feed was refused.
    package var exitCode: Int32 { exitCode(strict: false) }

    /// As `exitCode`; if `strict`, a warning counts like an error.
    package func exitCode(strict: Bool) -> Int32 {
        if feed == nil { return 1 }
        return findings.contains { strict || $0.severity >= .error } ? 3 : 0
    }
}

extension FeedVerdict {
    /// The verdict with findings made elsewhere at its end.
    package func adding(_ more: [FeedFinding]) -> FeedVerdict {
        FeedVerdict(feed: feed, findings: findings + more, pageCount: pageCount)
    }

    /// The report as text: one line per finding, then one summary line.
    package func text() -> String { (findings.map(\.description) + [summary]).joined(separator: "\n") + "\n" }

    /// One sentence: `Good: 3 channels, 3 items; 1 warning.`, with the number of pages if there are several.
    package var summary: String {
        func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }
        let errors = findings.filter { $0.severity == .error }.count
        let warnings = findings.filter { $0.severity == .warning }.count
        guard let feed else {
            return "Refused: the box keeps its last good feed; \(count(findings.count, "finding"))."
        }
        let pages = pageCount > 1 ? " on \(pageCount) pages" : ""
        let playable = "\(count(feed.channels.count, "channel")), \(count(feed.items.count, "item"))\(pages)"
        if errors > 0 {
            return "Partly good: \(playable) can be used; \(count(errors, "error")), \(count(warnings, "warning"))."
        }
        return "Good: \(playable); \(warnings == 0 ? "no warnings" : count(warnings, "warning"))."
    }

    /// The report as JSON: one object with keys in a fixed order, one line per finding.
    ///
    /// - Parameter day: a day that is told as well.
    package func json(day: DayPlan? = nil) -> String {
        let verdict = feed == nil ? "refused" : exitCode == 0 ? "good" : "dropped"
        var text = "{\"verdict\": \"\(verdict)\", \"exitCode\": \(exitCode), \"channels\": \(feed?.channels.count ?? 0), "
        text += "\"items\": \(feed?.items.count ?? 0), \"findings\": ["
        for (index, finding) in findings.enumerated() {
            text += index == 0 ? "\n" : ",\n"
            var members = [
                ("severity", JSONText.quoted(finding.severity.rawValue)),
                ("code", JSONText.quoted(finding.code.rawValue)),
                ("pointer", JSONText.quoted(finding.pointer.description)),
            ]
            if let location = finding.location {
                members += [("line", "\(location.line)"), ("column", "\(location.column)")]
            }
            if let value = finding.value { members.append(("value", JSONText.quoted(value))) }
            members += [("message", JSONText.quoted(finding.message)), ("remedy", JSONText.quoted(finding.remedy))]
            text += " {" + members.map { "\"\($0)\": \($1)" }.joined(separator: ", ") + "}"
        }
        let more = day.map { ",\n\"day\": \($0.json())" } ?? ""
        return text + (findings.isEmpty ? "]" : "\n]") + more + "}\n"
    }
}
