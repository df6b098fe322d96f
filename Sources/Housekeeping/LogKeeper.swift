import LinuxSupport
import StatusModel
import WireFormats

/// The log of the box on its disk, where it is still there after a power cut: a line as one record (`RecordFolder`). Main loop only.
///
/// Lines are written together, a few seconds after the first of them, and the disk is not waited for: a power cut takes the last ones.
@MainActor
package final class LogKeeper {
    private let folder: RecordFolder
    private let clock: any HostClock
    private let thread: WorkerThread
    private var waiting: [String] = []
    private var timer: ScheduledEvent?
    private var isClosed = false

    private static let pause = Duration.seconds(5)
    /// More lines in one pause are a fault of the box, which the disk must not suffer from.
    private static let mostWaiting = 500

    /// - Parameter stateFolder: of the box.
    package init(in stateFolder: String, clock: any HostClock) {
        folder = RecordFolder(StoredLog.path(in: stateFolder), limits: StoredLog.limits, isSynced: false)
        self.clock = clock
        thread = WorkerThread(name: "log", clock: clock)
    }

    /// Adds a line.
    package func keep(_ line: LogLine) {
        guard !isClosed, waiting.count < Self.mostWaiting else { return }
        waiting.append(StoredLog.Line(line).json.text)
        if timer == nil { timer = clock.schedule(after: Self.pause) { [weak self] in self?.write() } }
    }

    /// Waits until the last lines are written. A second call does nothing.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        timer?.cancel()
        write()
        thread.stop()
    }

    private func write() {
        timer = nil
        let lines = waiting
        waiting = []
        guard !lines.isEmpty else { return }
        // A disk that takes nothing is told of by those whose files matter more.
        thread.perform { [folder] in _ = folder.append(lines) }
    }
}

/// The log of a box as it is on the disk.
package enum StoredLog {
    /// A line of it.
    package struct Line: Sendable, Equatable {
        /// Nanoseconds since the start of 1970, UTC; nil where the box never knew the date in that run of the player.
        package var date: Int64?
        /// Since the start of the player.
        package var uptime: Duration
        package var level: LogLevel
        /// The module that wrote it.
        package var part: String
        package var words: String

        init(_ line: LogLine) {
            date = line.date
            uptime = line.time - HostTime.zero
            (level, part, words) = (line.level, line.part, line.words)
        }

        init?(json: String) {
            guard let line = JSONMembers(json), let level = LogLevel.allCases.first(where: { $0.name == line.text("level") }),
                let milliseconds = line.whole("uptime"), let part = line.text("part"), let words = line.text("text")
            else { return nil }
            date = line.whole("date").flatMap { $0.multipliedReportingOverflow(by: 1_000_000).overflow ? nil : $0 * 1_000_000 }
            uptime = .milliseconds(milliseconds)
            (self.level, self.part, self.words) = (level, part, words)
        }

        /// As on the disk, with times in milliseconds.
        var json: JSONText {
            .object([
                ("date", .optional(date.map { $0 / 1_000_000 })), ("uptime", .number("\(uptime.wholeNanoseconds / 1_000_000)")),
                ("level", .string(level.name)), ("part", .string(part)), ("text", .string(words)),
            ])
        }

        /// As `marquee log` prints it: the date in the form of RFC 3339.
        package var published: JSONText {
            .object([
                ("date", .optional(date.map(ReportedTimes.text))), ("uptime", ReportedTimes.seconds(uptime)),
                ("level", .string(level.name)), ("part", .string(part)), ("text", .string(words)),
            ])
        }

        /// One line for people, as in the journal.
        package var text: String {
            var line = LogLine(level: level, part: part, words: words, time: HostTime.zero + uptime)
            line.date = date
            return line.text
        }
    }

    static let limits = RecordFolder.Limits(fileLength: 256 << 10, mostFiles: 8)

    static func path(in stateFolder: String) -> String { stateFolder + "/log" }

    /// The lines in a state folder, oldest first. Blocks on the disk.
    ///
    /// - Parameter since: only those that are not older, in nanoseconds since the start of 1970, UTC. Lines without a date are left out then.
    package static func lines(in stateFolder: String, since: Int64? = nil) -> [Line] {
        var lines = RecordFolder(path(in: stateFolder)).records().compactMap { Line(json: $0.text) }
        // Each run writes its first line at its start.
        ReportedTimes.complete(&lines, date: \.date, uptime: \.uptime) { $0.uptime <= $1.uptime }
        return lines.filter { line in since.map { since in line.date.map { $0 >= since } ?? false } ?? true }
    }
}
