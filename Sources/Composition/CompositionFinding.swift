import MediaTime
import WireFormats

/// One thing that is wrong with a composition.
package struct CompositionFinding: Sendable, Hashable, CustomStringConvertible {
    /// The consequence.
    package enum Severity: String, Sendable, Hashable {
        /// It can be played, as described.
        case warning
        /// It cannot be played.
        case error
    }

    /// The violated rule.
    package enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The text is not JSON, or a value has the wrong form.
        case form
        /// A key is unknown or occurs twice.
        case key
        /// An address cannot be used.
        case url
        /// A number of a track is missing, used twice or of another type.
        case track
        /// Two ranges overlap.
        case overlap
        /// There is nothing between two ranges, which an empty segment must fill.
        case gap
        /// A time or length is negative.
        case negative
        /// A range has no length.
        case empty
        /// A segment is slower or faster than can be played.
        case rate
        /// The media of one track have different codecs.
        case codec
        /// A time, size or count exceeds its limit.
        case limit
        /// A time cannot be expressed exactly.
        case inexact
        /// A setting has no effect.
        case unused
        /// A source cannot be opened, is not a file, or has nothing in the range.
        case source
    }

    package let severity: Severity
    package let reason: Reason
    /// The position in the document.
    package let pointer: JSONPointer
    /// The position in the text; nil if the composition was not read from one.
    package internal(set) var location: TextLocation?
    /// The problem: part of a sentence, without its full stop.
    package let message: String
    /// What to change: a whole sentence.
    package let remedy: String

    init(_ severity: Severity, _ reason: Reason, _ pointer: JSONPointer, _ message: String, _ remedy: String) {
        self.severity = severity
        self.reason = reason
        self.pointer = pointer
        self.message = message
        self.remedy = remedy
    }

    /// One line: `error gap /tracks/0/segments/3/target: begins at 8.000, 2.000 s after … . Fill …`.
    package var description: String {
        let place = pointer.tokens.isEmpty ? location.map { "\($0)" } ?? "composition" : JSONText.escaped(pointer.description)
        return "\(severity.rawValue) \(reason.rawValue) \(place): \(message). \(remedy)"
    }

    /// For `compose check --json`.
    package var json: JSONText {
        var members: [(String, JSONText)] = [
            ("severity", .string(severity.rawValue)), ("reason", .string(reason.rawValue)),
            ("pointer", .string(pointer.description)),
        ]
        if let location {
            members += [("line", .number("\(location.line)")), ("column", .number("\(location.column)"))]
        }
        return .object(members + [("message", .string(message)), ("remedy", .string(remedy))])
    }
}

/// Collects findings up to a bound, so that a document of errors gives a report and not a flood.
struct CompositionFindings {
    static let most = 1000
    private var stored: [CompositionFinding] = []
    private var isFull = false
    /// Whether something was found that prevents playing.
    private(set) var hasError = false

    /// The findings in the order in which they were made. Where some are missing the last says so, as an error if there was one.
    var list: [CompositionFinding] {
        guard isFull else { return stored }
        return stored + [
            CompositionFinding(
                hasError ? .error : .warning, .limit, JSONPointer(), "there are more than \(Self.most) findings",
                "Correct these first.")
        ]
    }

    mutating func error(_ reason: CompositionFinding.Reason, _ pointer: JSONPointer, _ message: String, _ remedy: String) {
        add([CompositionFinding(.error, reason, pointer, message, remedy)])
    }

    mutating func warn(_ reason: CompositionFinding.Reason, _ pointer: JSONPointer, _ message: String, _ remedy: String) {
        add([CompositionFinding(.warning, reason, pointer, message, remedy)])
    }

    mutating func add(_ findings: [CompositionFinding]) {
        for finding in findings {
            hasError = hasError || finding.severity == .error
            if stored.count < Self.most { stored.append(finding) } else { isFull = true }
        }
    }

    /// Checks a range: it begins at or after zero, is within the limits and has an exact end.
    ///
    /// - Returns: whether it can be used.
    mutating func checkRange(_ range: TimeRange, mayBeEmpty: Bool = false, at pointer: JSONPointer) -> Bool {
        if range.start < .zero {
            error(.negative, pointer.appending("start"), "\(range.start) is before zero", "Use a time from zero on.")
        } else if range.isEmpty, !mayBeEmpty {
            error(.empty, pointer.appending("duration"), "the range has no length", "Use a positive duration.")
        } else if range.start >= CompositionLimits.time || range.duration >= CompositionLimits.time {
            error(.limit, pointer, "\(range) is too long or too late", "Use times below \(CompositionLimits.time) s.")
        } else if range.start.adding(exactly: range.duration) == nil {
            error(.inexact, pointer, "the end of \(range) cannot be expressed exactly", "Use times of a common timescale.")
        } else {
            return true
        }
        return false
    }
}
