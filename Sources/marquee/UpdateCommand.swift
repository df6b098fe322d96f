import ArgumentParser
import CommandSupport
import Housekeeping
import Updates
import WireFormats

/// `marquee update`: the operator's notices of updates (`docs/updates.md`).
struct UpdateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update", abstract: CommandName.update.abstract,
        subcommands: [UpdateCheckCommand.self, UpdateSignCommand.self])
}

/// What a notice means.
private struct NoticeOptions: ParsableArguments {
    @Argument(help: "The notice: a JSON file, or - for standard input.", completion: .file())
    var notice: String

    @Option(help: ArgumentHelp("Where boxes load it; relative bundles refer to this.", valueName: "URL"))
    var url = "https://localhost/update.json"

    func read() throws -> (bytes: [UInt8], notice: UpdateNotice) {
        let bytes = try SigningOptions.read(notice, "the notice")
        do throws(DocumentFault) {
            return (bytes, try UpdateNotice(bytes, url: url))
        } catch {
            throw CommandFault("Boxes would refuse \(notice): \(error).")
        }
    }
}

/// `marquee update check`: whether boxes accept a notice, and whether one of them would install it.
struct UpdateCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a notice: exit 0 boxes accept it, 1 they do not; with --board also whether a box would install it.")

    @OptionGroup private var options: NoticeOptions

    @Option(help: ArgumentHelp("The board of a box, such as raspberrypi.", valueName: "BOARD"))
    var board: String?

    @Option(help: ArgumentHelp("The version that the box runs.", valueName: "VERSION"))
    var running = "0.0.0"

    @Option(help: ArgumentHelp("The box's name and serial number, separated by a space.", valueName: "TEXT"))
    var box = ""

    @Option(help: ArgumentHelp("The box's group.", valueName: "GROUP"))
    var group: String?

    func run() throws {
        let notice = try options.read().notice
        let groups =
            notice.groups.map { "the group\($0.count == 1 ? "" : "s") \($0.sorted().joined(separator: ", "))" } ?? "all groups"
        let minimum = notice.minimumVersion.map { " from version \($0)" } ?? ""
        Console.print(
            "\(notice.version)\(notice.isCritical ? ", critical," : "") is offered to \(notice.share) of 100 boxes of \(groups)\(minimum)."
        )
        for board in notice.boards.sorted() { Console.print("  \(board): \(notice.bundle(for: board))") }
        guard let board else { return }
        guard let version = ReleaseVersion(running) else {
            throw CommandFault("“\(running)” is not a semantic version such as 0.2.0.", code: 2)
        }
        let candidate = UpdateCandidate(box: box, board: board, group: group, version: version)
        Console.print(notice.exclusion(of: candidate).map { "The box does not install it: \($0)." } ?? "The box installs it.")
    }
}

/// `marquee update sign`: writes the signature beside a notice.
struct UpdateSignCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Sign a notice with a key of marquee feed keygen, after checking it; writes FILE.sig.")

    @OptionGroup private var options: NoticeOptions
    @OptionGroup var signing: SigningOptions

    func run() throws { try signing.sign(try options.read().bytes, of: options.notice) }
}
