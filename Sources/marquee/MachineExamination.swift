import Configuration
import Housekeeping
import LinuxSupport
import Sound
import Supervision
import TransportSecurity
import WireFormats

/// What `marquee doctor` and support bundles say about this machine, apart from the parts of a player. Any thread; it reads files, and
/// may take its time.
enum MachineExamination {
    /// The facts, in the order of the output.
    static func facts(_ provisioning: Result<Provisioning, ConfigurationError>) -> [BoxExamination.Fact] {
        let known = (try? provisioning.get()) ?? Provisioning(file: nil, applied: nil)
        var facts: [BoxExamination.Fact] = CardMixers.all().map { ("mixer", "\($0.card): \($0.words)") }
        facts += BoxExamination.slot()
        facts += BoxExamination.updates()
        facts += updateAuthorities()
        facts += BoxExamination.support()
        facts += BoxExamination.network(known.configuration, serial: MachineFacts.serial)
        facts += BoxExamination.feed(known, stateFolder: StateFolder.path(), serial: MachineFacts.serial)
        facts += BoxExamination.plays(stateFolder: StateFolder.path())
        facts += BoxExamination.settings(provisioning)
        return facts + crashes
    }

    /// As lines of text.
    static func text(_ facts: [BoxExamination.Fact]) -> String { facts.map { "\($0.0): \($0.1)" }.joined(separator: "\n") }

    /// As JSON: an object by heading. A heading that a machine can have any number of times has an array.
    static func json(_ facts: [BoxExamination.Fact]) -> JSONText {
        .grouped(
            facts.map { ($0.0, .string($0.1)) }, lists: ["found", "note", "mixer", "setting", "update authority", "crash"])
    }

    /// The authorities below which bundles of updates must be signed; nothing on a system without updates.
    static func updateAuthorities(_ keyring: String = "/etc/rauc/keyring.pem") -> [BoxExamination.Fact] {
        guard let bytes = WholeFile.read(keyring, most: 1 << 20) else { return [] }
        let authorities = (try? CertificateFacts.list(bytes)) ?? []
        guard !authorities.isEmpty else {
            return [("update authority", "\(keyring) has no certificate that can be read: no update is accepted")]
        }
        return authorities.map { ("update authority", $0.description) }
    }

    /// The crash records.
    private static var crashes: [BoxExamination.Fact] {
        guard let folder = StateFolder.path() else { return [] }
        let now = MachineInstant.now()
        return CrashFolder(folder + "/crash").records.map { record in
            (
                "crash",
                "\(record.summary), \(Int(now.age(of: record) / .seconds(60))) min ago, version \(record.version), build \(record.build ?? "-")"
            )
        }
    }
}
