import Glibc
import LinuxSupport
import Updates

/// Whether the running system is on trial (`docs/updates.md`). Any thread; blocks on files in memory.
package struct TrialMark: Sendable {
    /// Made by the initramfs when it starts a slot on trial; it stays until the machine is restarted.
    private let mark: String
    /// What the system says of its slots, if the player has a runtime folder.
    private let slots: String?

    /// - Parameter runtimeFolder: the player's.
    package init(runtimeFolder: String?, mark: String = "/run/marquee-disk/trial") {
        self.mark = mark
        slots = runtimeFolder.map { "\($0)/\(InstallerFiles.folder)/\(InstallerFiles.slots)" }
    }

    /// False as soon as the system was found good. True after it was given up, until the machine is restarted.
    package var isOnTrial: Bool {
        guard access(mark, F_OK) == 0 else { return false }
        guard let slots, let bytes = WholeFile.read(slots, most: InstallerFiles.longest), let facts = SlotFacts(bytes) else {
            return true
        }
        return facts.isOnTrial || facts.refused[facts.version] != nil
    }
}
