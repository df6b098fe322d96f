import ArgumentParser
import CommandSupport
import Cryptography
import Glibc
import Housekeeping
import LinuxSupport

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

    @Option(
        help: ArgumentHelp(
            "Verify plays that a box has signed: exit 0 all are as it told them, 1 they are not.", valueName: "FILE"),
        completion: .file())
    var verify: String?

    @Option(help: ArgumentHelp("The key of the box, for --verify: playsKey of its report, in Base64.", valueName: "BASE64"))
    var key: String?

    func validate() throws {
        if json, csv { throw ValidationError("Give --json or --csv, not both.") }
        if (verify == nil) != (key == nil) { throw ValidationError("Give --verify and --key together.") }
    }

    func run() throws {
        if let verify, let key { return try Self.verify(verify, key) }
        guard let state = state ?? StateFolder.path() else {
            throw CommandFault("There is no state folder on this machine: give it with --state.", code: 2)
        }
        let since = try since.nanoseconds()
        let file = PlayFile(in: state)
        let signer = file.signer
        if csv { Console.print(StoredPlay.header(isSigned: signer != nil)) }
        for play in file.page(after: after, most: .max - 1).plays {
            if let since { guard let start = play.start, start >= since else { continue } }
            Console.print(json ? play.published(by: signer).text : csv ? play.row(by: signer) : play.line)
        }
    }

    private static func verify(_ path: String, _ key: String) throws {
        guard let key = Ed25519.publicKey(base64: key) else {
            throw CommandFault("--key is no Ed25519 public key: 32 bytes in Base64.", code: 2)
        }
        guard let bytes = WholeFile.read(path, mayBePipe: true) else {
            throw CommandFault("\(path) could not be read: \(String(cString: strerror(errno))).")
        }
        do throws(SignedPlays.Fault) {
            let plays = try SignedPlays(verifying: bytes, key: key)
            Console.print(plays.line)
        } catch {
            throw CommandFault("\(path) is no proof. \(error)")
        }
    }
}
