import ArgumentParser
import BoxModel
import CommandSupport
import Housekeeping
import LinuxSupport

/// `marquee download`: the programmes that are stored for playback without a network. It asks the running box; where none runs, it opens the store itself.
struct DownloadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download", abstract: CommandName.download.abstract,
        subcommands: [List.self, Add.self, Remove.self, Verify.self], defaultSubcommand: List.self)

    struct Place: ParsableArguments {
        @OptionGroup var address: BoxAddress

        @Option(help: ArgumentHelp("The state folder of a box that does not run.", valueName: "DIR"), completion: .directory)
        var state: String?

        func validate() throws {
            guard state == nil || !address.isGiven else {
                throw ValidationError(
                    "--state is for a box that does not run, --box and --token-file for one that does: give one of them.")
            }
        }

        /// Opens the box for a command, and closes it afterwards.
        ///
        /// - Throws: `CommandFault` with one sentence.
        @MainActor
        func use(_ body: (any DownloadAccess) throws -> Void) throws {
            let loop = try MainLoop(time: .real)
            if state == nil, let running = try address.find(loop: loop) { return try body(RunningBox(running)) }
            guard let folder = state ?? StateFolder.path() else {
                throw CommandFault("There is no state folder on this machine: give it with --state.", code: 2)
            }
            let closed = try ClosedBox(folder: folder + "/saved", loop: loop)
            defer { closed.close() }
            try body(closed)
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List what is stored, and what is to be stored.")

        @OptionGroup var place: Place

        func run() throws {
            try MainActor.assumeIsolated {
                try place.use { access in
                    let downloads = try access.list()
                    for download in downloads { Console.print(DownloadLine.text(download)) }
                    if downloads.isEmpty { Console.print("Nothing is stored, and nothing is to be stored.") }
                    if let trouble = try access.trouble() { Console.error(trouble) }
                }
            }
        }
    }

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Store an item of the feed, whether the feed marks it or not.")

        @OptionGroup var place: Place

        @Flag(help: "Never remove it to make room for something else.")
        var required = false

        @Argument(help: "The id of the item.")
        var id: String

        func run() throws {
            try MainActor.assumeIsolated { try place.use { try $0.add(id, isRequired: required) } }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove what is stored of an item; it is not stored again until it is added.")

        @OptionGroup var place: Place

        @Argument(help: "The id of the item.")
        var id: String

        func run() throws {
            try MainActor.assumeIsolated { try place.use { try $0.remove(id) } }
        }
    }

    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Compare what is stored with its SHA-256. Exit code 1 if something is damaged; a box loads that again.")

        @OptionGroup var place: Place

        @Argument(help: "The ids of items; everything that is stored by default.")
        var ids: [String] = []

        func run() throws {
            try MainActor.assumeIsolated {
                try place.use { access in
                    let all = ids.isEmpty ? try access.list().filter { $0.bytes > 0 }.map(\.id) : ids
                    var areIntact = true
                    for id in all {
                        let verification = try access.verify(id)
                        Console.print("\(id)  \(verification.rawValue)")
                        if verification != .intact { areIntact = false }
                    }
                    if !areIntact { throw CommandFault("") }
                }
            }
        }
    }
}

/// A line of `marquee download list`.
enum DownloadLine {
    static func text(_ download: DownloadStatus) -> String {
        var words = [download.id, download.state.rawValue]
        if download.state == .downloading || download.state == .queued { words.append("\(Int(download.progress * 100)) %") }
        words.append(size(download))
        if download.isRequired { words.append("required") }
        if let reason = download.waitsFor { words.append("waits: \(reason)") }
        if let title = download.title { words.append(title) }
        if let error = download.error { words.append("\(error.code.rawValue): \(error.sentence)") }
        if let verification = download.verification { words.append("verified: \(verification.rawValue)") }
        return words.joined(separator: "  ")
    }

    private static func size(_ download: DownloadStatus) -> String {
        func mebibytes(_ bytes: Int64) -> String { "\((bytes + (1 << 20) - 1) >> 20) MiB" }
        guard let expected = download.expectedBytes, download.state != .saved else { return mebibytes(download.bytes) }
        return "\(mebibytes(download.bytes)) of \(mebibytes(expected))"
    }
}
