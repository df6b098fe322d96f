import Configuration
import Glibc
import LinuxSupport
import Supervision

/// The settings from afar at a start of the player.
package struct RemoteSettings: Sendable {
    let file: SettingsFile
    /// The settings of the card alone.
    let card: Provisioning
    /// On the disk.
    let record: SettingsRecord
    /// This start of the machine; nil if it is not known.
    let boot: String?
    /// What is left of the trial, if the player ended in order during it.
    private let left: Duration?
    /// What was damaged on the disk, as a sentence without its capital letter and its end.
    let damage: String?

    /// Counts the start. Called once, before anything uses the settings. Blocks on the disk.
    ///
    /// - Parameters:
    ///   - folder: the player's own, on the data partition.
    ///   - runtimeFolder: one that is empty when the machine starts; nil where the machine cannot be started again.
    ///   - boot: this start of the machine.
    package init(
        card: Provisioning, folder: String, runtimeFolder: String? = RuntimeFolder.path, boot: String? = MachineInstant.now().boot
    ) {
        file = SettingsFile(in: folder)
        self.card = card
        self.boot = boot
        let (kept, damage) = file.readMending(pinned: card.configuration.settingsKeys)
        self.damage = damage
        left = (kept.trial?.left).map { .seconds($0) }
        let mark = runtimeFolder.map { $0 + "/settings-not-counted" }
        let counted = kept.counting(in: boot, isSystemOld: mark.map { access($0, F_OK) == 0 } ?? false)
        guard counted != kept, !file.write(counted) else {
            record = counted
            return
        }
        // What could not be counted stays as it is on the disk, for this process and for the system, which has it until the machine starts again.
        record = kept
        if let mark { WholeFile.write([], to: mark, isSynced: false) }
    }

    /// Whether there are keys that may sign them.
    package var isWanted: Bool { !record.pinned.isEmpty }

    /// How long their trial takes at most.
    var trialLength: Duration {
        let whole = provisioning.configuration.settingsTrial
        return left.map { min($0, whole) } ?? whole
    }

    /// The settings before those on trial; nil while none are.
    var provisioningBefore: Provisioning? {
        guard let trial = record.trial, trial.starts > 0 else { return nil }
        return card.replacing(by: record.kept?.content)
    }

    /// The settings in use.
    package var provisioning: Provisioning { card.replacing(by: record.inForce) }
}
