import LinuxSupport
import URLReferences

/// The last lines of the log, for the local page and for diagnosis. Bounded; main loop only.
@MainActor
package final class LogBook {
    private var lines: [String] = []
    private let clock: any HostClock
    private let echo: (@MainActor (String) -> Void)?
    private static let mostLines = 500

    /// Makes an empty book.
    ///
    /// - Parameter echo: called with each line, e.g. to write it to standard error.
    package init(clock: any HostClock, echo: (@MainActor (String) -> Void)? = nil) {
        self.clock = clock
        self.echo = echo
    }

    /// Adds a line with the clock's time. Secrets in its addresses are removed, because the page, crash reports and the journal show it.
    package func note(_ words: String) {
        let line = "\(clock.now.description.dropLast(6)) \(Redaction.inText(words))"
        lines.append(line)
        if lines.count > Self.mostLines { lines.removeFirst(lines.count - Self.mostLines) }
        echo?(line)
    }

    /// The last lines, oldest first.
    package func tail(_ count: Int) -> [String] { Array(lines.suffix(count)) }
}
