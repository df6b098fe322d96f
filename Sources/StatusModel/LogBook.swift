import LinuxSupport
import MediaTime
import URLReferences

/// The last lines of the log, for the local page and for diagnosis. Bounded; main loop only.
@MainActor
package final class LogBook {
    /// The date, in nanoseconds since the start of 1970 (UTC); nil while it is not known. Lines that were written before it was known get a date with it.
    package var wallClock: (@MainActor () -> Int64?)?
    private var lines: [LogLine] = []
    private let clock: any HostClock
    private let echo: (@MainActor (LogLine) -> Void)?
    private static let mostLines = 500

    /// Makes an empty book.
    ///
    /// - Parameter echo: called with each line, e.g. to write it to standard error.
    package init(clock: any HostClock, echo: (@MainActor (LogLine) -> Void)? = nil) {
        self.clock = clock
        self.echo = echo
    }

    /// Adds a line with the clock's time. Secrets in its addresses are removed, because the page, crash reports and the journal show it.
    ///
    /// - Parameter part: the source file, whose module is the part that the line names.
    package func note(_ words: String, _ level: LogLevel = .info, part: String = #fileID) {
        let now = clock.now
        var line = LogLine(
            level: level, part: String(part.prefix { $0 != "/" }), words: Redaction.inText(words), time: now)
        line.date = wallClock?()
        lines.append(line)
        if lines.count > Self.mostLines { lines.removeFirst(lines.count - Self.mostLines) }
        echo?(line)
    }

    /// The last lines, oldest first.
    package func tail(_ count: Int) -> [String] {
        let (now, date) = (clock.now, wallClock?())
        return lines.suffix(count).map { line in
            var line = line
            line.date = line.date ?? date?.subtractingReportingOverflow((now - line.time).wholeNanoseconds).partialValue
            return line.text
        }
    }
}

/// How much a line of the log matters, with the severity of syslog (RFC 5424, 6.2.1).
package enum LogLevel: Int, Sendable, CaseIterable {
    /// Something that a viewer or an operator wanted did not happen.
    case error = 3
    /// It happened, but not as it should.
    case warning = 4
    case info = 6

    package var name: String {
        switch self {
        case .error: "error"
        case .warning: "warning"
        case .info: "info"
        }
    }
}

/// A line of the log.
package struct LogLine: Sendable, Equatable {
    package var level: LogLevel
    /// The module that wrote it.
    package var part: String
    package var words: String
    /// When it was written.
    package var time: HostTime
    /// The same as a date: nanoseconds since the start of 1970, UTC; nil while it is not known.
    package var date: Int64?

    package init(level: LogLevel, part: String, words: String, time: HostTime) {
        self.level = level
        self.part = part
        self.words = words
        self.time = time
    }

    /// The line with its date in the form of RFC 3339, or with the seconds since the start of the player while the date is not known.
    package var text: String {
        let stamp = date.map(Self.stamp) ?? String(time.description.dropLast(6))
        return "\(stamp) \(level.name) \(part): \(words)"
    }

    private static func stamp(_ nanoseconds: Int64) -> String {
        let milliseconds = max(0, nanoseconds) / 1_000_000
        return ISO8601.text(
            secondsSince1970: milliseconds / 1000, nanoseconds: milliseconds % 1000 * 1_000_000, minimumDigits: 3)
    }
}
