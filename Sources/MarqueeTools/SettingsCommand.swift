import ArgumentParser
import ChannelFeed
import CommandSupport
import Configuration
import Housekeeping
import WireFormats

/// `marquee settings`: documents of settings from afar (`docs/settings.md`).
struct SettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: CommandName.settings.abstract,
        subcommands: [SettingsCheckCommand.self, SettingsSignCommand.self])
}

/// A document that boxes understand.
private struct SettingsOptions: ParsableArguments {
    @Argument(help: "The document: a JSON file, or - for standard input.", completion: .file())
    var document: String

    /// Reads it, and prints what it sets and for whom.
    ///
    /// - Parameter date: nil: it is not known.
    func read(at date: FeedDate?) throws -> (bytes: [UInt8], content: SettingsDocument) {
        let bytes = try SigningOptions.read(document, "the document")
        let content: SettingsDocument
        do throws(DocumentFault) {
            content = try SettingsDocument(bytes)
        } catch {
            throw CommandFault("Boxes would refuse \(document): \(error).")
        }
        if let lateness = content.lateness(at: date) { throw CommandFault("Boxes would refuse \(document): \(lateness).") }
        Self.describe(content)
        return (bytes, content)
    }

    private static func describe(_ settings: SettingsDocument) {
        Console.print("Revision \(settings.revision)\(settings.isCritical ? ", critical," : "") for \(audience(settings)):")
        Console.print(
            settings.keys.isEmpty
                ? "  sets nothing; marquee.toml counts alone" : "  sets \(settings.keys.joined(separator: ", "))")
        if let expires = settings.expires { Console.print("  is taken until \(expires)") }
        for (name, keys) in [("publicKeys", settings.publicKeys), ("spareKeys", settings.spareKeys)] {
            guard let keys else { continue }
            let names = keys.isEmpty ? "none" : keys.map { String($0.prefix { $0 != ":" }) }.joined(separator: ", ")
            Console.print("  \(name) from then on: \(names)")
        }
    }

    private static func audience(_ settings: SettingsDocument) -> String {
        let groups = settings.groups.map { "the group\($0.count == 1 ? "" : "s") \($0.sorted().joined(separator: ", "))" }
        let boxes = settings.boxes.map { "the box\($0.count == 1 ? "" : "es") \($0.sorted().joined(separator: ", "))" }
        guard let boxes else { return groups ?? "all boxes" }
        return boxes + (groups.map { " in \($0)" } ?? "")
    }
}

/// `marquee settings check`: whether boxes accept a document, and what one of them would make of it.
struct SettingsCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check settings: exit 0 boxes accept them, 1 they do not; with --card also what a box makes of them.")

    @OptionGroup private var options: SettingsOptions

    @Option(
        help: ArgumentHelp("The marquee.toml of a box that pins the key of the signature.", valueName: "FILE"),
        completion: .file())
    var card: String?

    @Option(help: ArgumentHelp("With --card: the signature; without it FILE.sig.", valueName: "FILE"), completion: .file())
    var signature: String?

    @Option(help: ArgumentHelp("With --card: the serial number of the box, where its name has it.", valueName: "TEXT"))
    var serial: String?

    @Option(help: ArgumentHelp("Check for this date (2026-03-29, or RFC 3339); without it for the machine's.", valueName: "DATE"))
    var at: String?

    func run() throws {
        let date = try at.map { try ZoneChoice.asked($0, in: .machine()) } ?? MainActor.assumeIsolated { WallClock.machineDate }
        let bytes = try options.read(at: date).bytes
        guard let card else { return }
        let verdict = SettingsPreview.verdict(
            bytes, signature: try readSignature(), card: try Self.provisioning(card), serial: serial, at: date)
        switch verdict {
        case .refused(let sentence): throw CommandFault("The box would refuse it. \(sentence)")
        case .taken(_, nil): Console.print("The box keeps it at once, since it changes no setting.")
        case .taken(let changes, let way?):
            let what = way == .restartMachine ? "the machine" : "the player"
            Console.print("The box tries it after a restart of \(what): it changes \(changes.joined(separator: ", ")).")
        }
    }

    private func readSignature() throws -> [UInt8] {
        guard let path = signature ?? (options.document == "-" ? nil : options.document + ".sig") else {
            throw CommandFault(
                "What comes from standard input has no signature beside it; name one with --signature FILE.", code: 2)
        }
        return try SigningOptions.read(path, "the signature")
    }

    private static func provisioning(_ path: String) throws -> Provisioning {
        let provisioning: Provisioning
        do throws(ConfigurationError) {
            provisioning = try ProvisioningFiles(file: path, folder: nil).read()
        } catch {
            throw CommandFault(error.description)
        }
        if let problem = provisioning.problem { throw CommandFault(problem.description) }
        guard provisioning.hasFile else { throw CommandFault("There is no file \(path).") }
        return provisioning
    }
}

/// `marquee settings sign`: writes the signature beside a document.
struct SettingsSignCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Sign settings with a key of marquee feed keygen, after checking them; writes FILE.sig.")

    @OptionGroup private var options: SettingsOptions
    @OptionGroup var signing: SigningOptions

    @Flag(help: "The key is a spare key of the boxes: it may take all others away.")
    var spare = false

    func run() throws {
        let (bytes, content) = try options.read(at: MainActor.assumeIsolated { WallClock.machineDate })
        let key = try signing.signingKey()
        let isSpare = spare || content.spareKeys?.contains(key.pinned) == true
        if let objection = content.objection(to: key.pinned, isOfSpare: isSpare) {
            throw CommandFault(
                """
                \(options.document) was not signed, because every box would refuse it: \(objection)\
                \(spare ? "." : ". If \(key.name) is a spare key of the boxes, say so with --spare.")
                """)
        }
        try signing.sign(bytes, of: options.document, with: key)
    }
}
