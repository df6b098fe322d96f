import LinuxSupport
import Synchronization

/// Whether names in the folder of the bodies have changed and may not be durable yet. A record that relies on names comes after `sync`, which serves
/// all that have changed until then. Blocks on the disk; used on the store's thread only.
final class BodyNames: Sendable {
    private let isChanged = Mutex(false)
    private let folder: String
    private let disk: any StoreDisk

    init(folder: String, disk: any StoreDisk) {
        self.folder = folder
        self.disk = disk
    }

    /// A file was made or renamed.
    func change() { isChanged.withLock { $0 = true } }

    /// Makes all names durable. After a failure they are still to be synced.
    func sync() throws(SystemError) {
        guard isChanged.withLock({ $0 }) else { return }
        try disk.syncFolder(folder)
        isChanged.withLock { $0 = false }
    }
}
