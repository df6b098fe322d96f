import ArgumentParser
import ChannelFeed
import CivilTime
import CommandSupport
import Glibc
import Housekeeping
import LinuxSupport
import MediaSources
import Transfer
import WireFormats

/// `marquee feed`: what an operator does with feeds before boxes read them.
struct FeedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feed", abstract: CommandName.feed.abstract,
        subcommands: [
            Check.self, FeedConvertCommand.self, FeedKeygenCommand.self, FeedSignCommand.self, FeedVerifyCommand.self,
        ])

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check a feed: exit 0 good (warnings allowed), 3 items dropped, 1 refused.")

        @Argument(help: "A file, an http(s) address, or - for standard input.", completion: .file())
        var feed: String

        @Flag(help: "Print the report as JSON.")
        var json = false

        @Flag(help: "Treat warnings as errors.")
        var strict = false

        @Option(
            name: .customLong("allow-http"),
            help: ArgumentHelp("A host as in [feed] allow_http; may be repeated.", valueName: "HOST"))
        var plainHTTPHosts: [String] = []

        @Flag(help: "Compare the feed with its real streams and files, eight at a time.")
        var probe = false

        @Option(
            help: ArgumentHelp(
                "Check for this date (2026-03-29, or RFC 3339), and print what schedules show that day; without it for the machine's.",
                valueName: "DATE"))
        var at: String?

        @Option(help: ArgumentHelp("The zone of the boxes, such as Europe/Paris; without it the machine's.", valueName: "ZONE"))
        var timezone: String?

        func run() throws {
            let (verdict, summary) = try MainActor.assumeIsolated { try check() }
            let day = try MainActor.assumeIsolated { try plan(of: verdict) }
            Console.write(json ? verdict.json(day: day) + "\n" : Self.text(verdict, of: feed) + (day?.text() ?? ""))
            if let summary, !json { Console.print(summary) }
            let code = verdict.exitCode(strict: strict)
            if code != 0 { throw CommandFault("", code: code) }
        }

        /// One line for each finding, with its place as compilers write it, so that editors find it; then the summary.
        static func text(_ verdict: FeedVerdict, of feed: String) -> String {
            let lines = verdict.findings.map { finding in
                guard let place = finding.location else { return finding.description }
                let (severity, words) = ("\(finding.severity)", finding.description)
                let file = finding.pointer.document ?? feed
                return "\(file):\(place.line):\(place.column): \(severity):\(words.dropFirst(severity.count))"
            }
            return (lines + [verdict.summary]).map(JSONText.line).joined(separator: "\n") + "\n"
        }

        @MainActor
        private func check() throws -> (FeedVerdict, probe: String?) {
            let pages = try FeedFile.load(feed, plainHTTPHosts: Set(plainHTTPHosts), clock: try clock())
            let verdict = FeedReader.read(pages)
            guard probe else { return (verdict, nil) }
            let probed = try FeedProbeRun.probed(verdict, pages)
            return (probed.verdict, probed.summary)
        }

        /// The day that was asked for; nil if none was.
        @MainActor
        private func plan(of verdict: FeedVerdict) throws -> DayPlan? {
            let zone = try ZoneChoice.zone(timezone)
            guard let at, let feed = verdict.feed, let date = ZoneChoice.date(at, in: zone) else { return nil }
            return DayPlan(of: feed, at: date, in: zone)
        }

        /// The date of the check. A machine whose own date cannot be believed gives the finding of a box with such a date.
        @MainActor
        private func clock() throws -> FeedClock {
            guard let at else { return WallClock.machineDate.map { .trusted($0) } ?? .untrusted }
            return .trusted(try ZoneChoice.asked(at, in: try ZoneChoice.zone(timezone)))
        }
    }
}

/// The options `--at` and `--timezone`.
enum ZoneChoice {
    /// - Throws: `CommandFault` if the machine does not have it.
    static func zone(_ name: String?) throws -> CivilZone {
        guard let name else { return .machine() }
        guard let zone = CivilZone.named(name) else {
            throw CommandFault("--timezone \(name) is not a zone of this machine; write one such as Europe/Paris.", code: 2)
        }
        return zone
    }

    /// The beginning of a day, or an instant; nil if it is none.
    static func date(_ text: String, in zone: CivilZone) -> FeedDate? {
        Days.date(text).map { FeedDate(second: zone.instant(day: $0, second: 0)) } ?? FeedDate(text)
    }

    static func asked(_ text: String, in zone: CivilZone) throws -> FeedDate {
        guard let date = date(text, in: zone) else {
            throw CommandFault("--at \(text) is not a date; write one such as 2026-11-20 or 2026-11-20T10:00:00Z.", code: 2)
        }
        return date
    }
}
