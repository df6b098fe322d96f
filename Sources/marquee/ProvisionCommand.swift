import ArgumentParser
import CommandSupport
import Configuration
import Glibc
import Housekeeping
import LinuxSupport
import WireFormats

/// `marquee provision`: checks a `marquee.toml` on any machine, or applies the box's own.
struct ProvisionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "provision", abstract: CommandName.provision.abstract,
        discussion: """
            --check tries a file, and those beside it that it names, as a box does, and prints what would be applied: exit 0 all applied, \
            3 some keys ignored or wrong, 1 not TOML. Nothing is written.
            --apply is what the box does at each start: it keeps the applied settings on the data partition, writes applied.txt into the folder of the \
            file, wipes secrets from the file, and writes the files that system services need.
            """)

    @Option(
        help: ArgumentHelp("Check this file, or - for standard input, and write nothing.", valueName: "FILE"), completion: .file()
    )
    var check: String?

    @Flag(help: "With --check: print JSON.")
    var json = false

    @Flag(help: "Print what each key accepts.")
    var keys = false

    @Option(help: ArgumentHelp("Apply this file to this box.", valueName: "FILE"), completion: .file())
    var apply: String?

    @Option(help: ArgumentHelp("With --apply: the folder for the applied settings.", valueName: "DIR"), completion: .directory)
    var provisioned: String?

    @Option(
        help: ArgumentHelp("With --apply: the folder in which the player keeps settings from afar.", valueName: "DIR"),
        completion: .directory)
    var state: String?

    @Option(help: ArgumentHelp("With --apply: the group that may read it.", valueName: "NAME"))
    var group: String?

    @Option(
        help: ArgumentHelp("With --apply: the folder for the files of system services.", valueName: "DIR"), completion: .directory
    )
    var system: String?

    @Flag(help: "With --apply: make the file's partition writable while the file is written.")
    var remount = false

    func validate() throws {
        guard [check != nil, apply != nil, keys].count(where: { $0 }) == 1 else {
            throw ValidationError("give one of --check FILE, --apply FILE and --keys.")
        }
    }

    func run() throws {
        if keys { return printKeys() }
        if let check { return try checkFile(check) }
        if let apply { try applyFile(apply) }
    }

    private func printKeys() {
        for key in Configuration.reference {
            Console.print("\(key.name): \(key.takes); without it \(key.standard)\(key.isSecret ? "; secret" : "")")
        }
    }

    private func checkFile(_ path: String) throws {
        let files = ProvisioningFiles(file: path, folder: nil)
        let read: Provisioning
        do throws(ConfigurationError) {
            read = try files.read()
        } catch {
            throw CommandFault(error.description)
        }
        guard read.hasFile else {
            throw CommandFault("The file \(path) could not be read: \(String(cString: strerror(ENOENT))).")
        }
        let (provisioning, found) = SettingsTrial.tried(read, files)
        let remarks =
            found + [SystemFiles.radioRemark, PageAnnouncement.remark].compactMap { $0(provisioning.configuration) }
        if json {
            let verdicts = provisioning.configuration.verdicts.map { verdict in
                JSONText.object(
                    [
                        ("key", .string(verdict.name)), ("outcome", .string(verdict.outcome.rawValue)),
                        ("remark", .string(verdict.remark)),
                    ] + (verdict.line.map { [("line", .number("\($0)"))] } ?? []))
            }
            Console.print(
                JSONText.object([
                    ("summary", .string(provisioning.summary)), ("keys", .array(verdicts)),
                    ("remarks", .array(remarks.map { .string($0) })),
                ]).text)
        } else {
            Console.write(provisioning.report)
            remarks.forEach { Console.print($0) }
        }
        if provisioning.problem != nil { throw CommandFault("", code: 1) }
        if !provisioning.isFlawless || !found.isEmpty { throw CommandFault("", code: 3) }
    }

    private func applyFile(_ path: String) throws {
        let files = ProvisioningFiles(file: path, folder: provisioned)
        let partition = files.firmware
        var isOpen = false
        defer { if isOpen { Self.remount(partition, readOnly: true) } }
        do throws(ConfigurationError) {
            let provisioning = SettingsTrial.tried(try files.read(), files).provisioning
            // The network first, because the box needs it soonest.
            if let system {
                let standing = state.map { SettingsFile(in: $0).standing(for: provisioning) } ?? provisioning
                try SystemFiles(standing.configuration, serial: MachineFacts.serial).write(below: system)
            }
            let changes = try files.write(provisioning, group: try groupNumber()) {
                guard remount else { return }
                isOpen = true
                Self.remount(partition, readOnly: false)
            }
            Console.print(provisioning.summary)
            for problem in provisioning.configuration.problems { Console.print(problem.description) }
            if changes.contains(.wiped) { Console.print("The secrets in it are kept by the box and were wiped from the file.") }
        } catch {
            throw CommandFault(error.description)
        }
    }

    private func groupNumber() throws(ConfigurationError) -> gid_t? {
        guard let group else { return nil }
        guard let entry = getgrnam(group) else {
            throw ConfigurationError(
                code: .system(ENOENT),
                description: "There is no group \(group) on this machine; create it, or leave --group out.")
        }
        return entry.pointee.gr_gid
    }

    /// If this fails, the write that follows reports the reason.
    private static func remount(_ path: String, readOnly: Bool) {
        sync()
        var flags = [MS_REMOUNT, MS_NOATIME, MS_NOSUID, MS_NODEV, MS_NOEXEC].reduce(UInt(0)) { $0 | UInt($1) }
        if readOnly { flags |= UInt(MS_RDONLY) }
        _ = mount(nil, path, nil, flags, nil)
    }
}
