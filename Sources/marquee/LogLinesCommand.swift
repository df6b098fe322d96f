import ArgumentParser
import BoxModel
import ChannelFeed
import CommandSupport
import Glibc
import Housekeeping
import StatusModel

/// `marquee log lines`: the log of the box, as it is on the disk.
struct LogLinesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lines", abstract: "Print the log of the box, oldest line first. Without a word, marquee log does the same.")

    @OptionGroup var since: SinceOption

    @Option(help: ArgumentHelp("Only lines that matter as much: error, warning or info.", valueName: "level"))
    var level: Level?

    @Flag(help: "One JSON object on each line.")
    var json = false

    @Option(help: ArgumentHelp("The state folder of the box.", valueName: "folder"), completion: .directory)
    var state: String?

    enum Level: String, ExpressibleByArgument, CaseIterable {
        case error, warning, info

        func includes(_ level: LogLevel) -> Bool {
            switch self {
            case .error: level == .error
            case .warning: level != .info
            case .info: true
            }
        }
    }

    func run() throws {
        guard let state = state ?? StateFolder.path() else {
            throw CommandFault("There is no state folder on this machine: give it with --state.", code: 2)
        }
        for line in StoredLog.lines(in: state, since: try since.nanoseconds()) where level?.includes(line.level) ?? true {
            Console.print(json ? line.published.text : line.text)
        }
    }
}

/// `--since`: a date, or how long ago.
struct SinceOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only what is not older: a date of RFC 3339, or how long ago, such as 90s, 30m, 2h or 7d.", valueName: "time"))
    var since: String?

    /// In nanoseconds since the start of 1970, UTC; nil without the option.
    ///
    /// - Throws: `CommandFault` if it is neither.
    func nanoseconds() throws -> Int64? {
        guard let since else { return nil }
        guard let found = Self.nanoseconds(since, now: Int64(time(nil))) else {
            throw CommandFault(
                "--since \(since) is neither a date such as 2026-11-28T18:00:00Z nor a time such as 90s, 30m, 2h or 7d.", code: 2)
        }
        return found
    }

    /// - Parameter now: seconds since the start of 1970, UTC.
    static func nanoseconds(_ text: String, now: Int64) -> Int64? {
        if let date = FeedDate(text) {
            let (nanoseconds, isTooLarge) = date.milliseconds.multipliedReportingOverflow(by: 1_000_000)
            return isTooLarge ? nil : nanoseconds
        }
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let unit = text.last.flatMap({ units[$0] }), text.dropLast().utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let count = Int64(text.dropLast()), count <= 1_000_000_000 / unit
        else { return nil }
        return (now - count * unit) * 1_000_000_000
    }
}
