import ArgumentParser
import CommandSupport
import Housekeeping

/// `marquee log plays`: what was played, as the proof that it was.
struct LogPlaysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plays",
        abstract: "Print what was played, oldest first: what was shown, for how long, and whether to its end.")

    @OptionGroup var since: SinceOption

    @Option(help: ArgumentHelp("Only plays with a greater number.", valueName: "number"))
    var after: UInt64 = 0

    @Flag(help: "One JSON object on each line.")
    var json = false

    @Flag(help: "As a table in CSV, with the names of the columns.")
    var csv = false

    @Option(help: ArgumentHelp("The state folder of the box.", valueName: "folder"), completion: .directory)
    var state: String?

    func validate() throws {
        if json, csv { throw ValidationError("Give --json or --csv, not both.") }
    }

    func run() throws {
        guard let state = state ?? StateFolder.path() else {
            throw CommandFault("There is no state folder on this machine: give it with --state.", code: 2)
        }
        let since = try since.nanoseconds()
        if csv { Console.print(StoredPlay.header) }
        let file = PlayFile(in: state)
        for play in file.page(after: after, most: .max - 1).plays {
            if let since { guard let start = play.start, start >= since else { continue } }
            Console.print(json ? play.published.text : csv ? play.row : play.line)
        }
    }
}
