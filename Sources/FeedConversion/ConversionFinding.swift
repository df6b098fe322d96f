import WireFormats

/// A place in the source of a conversion: a JSON Pointer (`/movies/3/rating`), a path in the manner of XPath
/// (`/rss/channel/item[4]/media:title`), or a line (`line 17`).
package struct SourcePlace: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }

    /// The whole source.
    static let whole = SourcePlace("")
}

/// What a conversion could not take over as it is.
package struct ConversionFinding: Sendable, Hashable, CustomStringConvertible {
    /// The consequence.
    package enum Severity: String, Sendable, Hashable {
        /// Something is lost or changed; the rest of its object is used.
        case warning
        /// An item, channel, series, row or stream is left out.
        case error
        /// There is no feed at all.
        case refusal
    }

    package let severity: Severity
    package let place: SourcePlace
    /// The loss: part of a sentence, without its full stop.
    package let message: String
    /// What becomes of it, or what to do: whole sentences.
    package let remedy: String

    /// One line: `warning /movies/3/credits: a channel feed has no credits. They are left out.`
    package var description: String {
        let name = place.description.isEmpty ? "source" : place.description
        let quoted = JSONText.quoted(name)
        return "\(severity): \(quoted == "\"\(name)\"" ? name : quoted): \(message). \(remedy)"
    }
}

/// The result of a conversion.
package struct ConversionResult: Sendable {
    /// The feed as indented JSON with a line break at its end; nil when there is none.
    package let feed: String?
    package let kind: SourceKind?
    /// How many channels, series and items the feed has.
    package let channels: Int
    package let series: Int
    package let items: Int
    /// In the order of the source, as far as it is known.
    package let findings: [ConversionFinding]

    /// 0 converted (warnings allowed), 3 something was left out, 1 there is no feed.
    package var exitCode: Int32 {
        if feed == nil { return 1 }
        return findings.contains { $0.severity == .error } ? 3 : 0
    }

    /// One sentence: `Converted from M3U: 12 channels, 0 series, 3 items; 1 error, 2 warnings.`
    package var summary: String {
        func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 || word == "series" ? "" : "s")" }
        let errors = findings.count { $0.severity == .error }
        let warnings = findings.count { $0.severity == .warning }
        guard feed != nil, let kind else { return "Nothing was converted." }
        return
            "Converted from \(kind.name): \(count(channels, "channel")), \(count(series, "series")), \(count(items, "item")); "
            + "\(count(errors, "error")), \(count(warnings, "warning"))."
    }

    /// The report as text: one line for each finding, then the summary. Of findings that differ only in their place the first three are
    /// printed, and then how many more there are.
    package func text() -> String {
        struct Group: Hashable {
            let severity: ConversionFinding.Severity
            let message: String
            let remedy: String
        }
        func group(_ finding: ConversionFinding) -> Group {
            Group(severity: finding.severity, message: finding.message, remedy: finding.remedy)
        }
        var totals: [Group: Int] = [:]
        for finding in findings { totals[group(finding), default: 0] += 1 }
        var printed: [Group: Int] = [:]
        var lines: [String] = []
        for finding in findings {
            let group = group(finding)
            let number = printed[group, default: 0] + 1
            printed[group] = number
            if number <= 3 { lines.append(finding.description) }
            if number == 3, let total = totals[group], total > 3 {
                lines.append("\(finding.severity): … and \(total - 3) more of this kind (--json lists all of them).")
            }
        }
        return (lines + [summary]).joined(separator: "\n") + "\n"
    }

    /// The report as one JSON object with one line for each finding.
    package func json() -> String {
        let head: [(String, JSONText)] = [
            ("kind", .optional(kind?.rawValue)), ("exitCode", .number("\(exitCode)")), ("channels", .number("\(channels)")),
            ("series", .number("\(series)")), ("items", .number("\(items)")),
        ]
        let lines = findings.map { finding in
            JSONText.object([
                ("severity", .string(finding.severity.rawValue)), ("pointer", .string(finding.place.description)),
                ("message", .string(finding.message)), ("remedy", .string(finding.remedy)),
            ]).text
        }
        let text = JSONText.object(head).text.dropLast()
        return text + ",\"findings\":[" + (lines.isEmpty ? "" : "\n" + lines.joined(separator: ",\n") + "\n") + "]}\n"
    }
}
