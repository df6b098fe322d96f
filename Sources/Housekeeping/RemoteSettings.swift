import Configuration
import Glibc
import LinuxSupport
import Supervision

/// The file in which a box keeps the settings that it gets from afar. Any thread; blocks on the disk.
package struct SettingsFile: Sendable {
    private let path: String

    /// - Parameter folder: the player's own, on the data partition.
    package init(in folder: String) { path = folder + "/settings.json" }

    /// What is kept for these keys of `marquee.toml`.
    package func read(pinned: SettingsKeys) -> SettingsRecord {
        guard !pinned.isEmpty else { return SettingsRecord(pinned: pinned) }
        return SettingsRecord(WholeFile.read(path, most: SettingsRecord.longest), pinned: pinned)
    }

    /// - Returns: whether it is on the disk. A power cut leaves the record before or this one.
    func write(_ record: SettingsRecord) -> Bool { WholeFile.write(record.bytes, to: path, mode: 0o600) }

    /// The settings in use: those of the card, and over them those of the document in force.
    package func standing(for card: Provisioning) -> Provisioning {
        card.replacing(by: read(pinned: card.configuration.settingsKeys).inForce)
    }
}

/// The settings from afar at a start of the player.
package struct RemoteSettings: Sendable {
    let file: SettingsFile
    /// The settings of the card alone.
    let card: Provisioning
    /// On the disk.
    let record: SettingsRecord
    /// This start of the machine; nil if it is not known.
    let boot: String?

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
        let kept = file.read(pinned: card.configuration.settingsKeys)
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

    /// The settings in use.
    package var provisioning: Provisioning { card.replacing(by: record.inForce) }
}
