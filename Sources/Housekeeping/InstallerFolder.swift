import Glibc
import LinuxSupport
import Updates

/// The folder of the files that player and installer share. Any thread; blocks on the file system, which is memory.
struct InstallerFolder: Sendable {
    let path: String

    var slots: SlotFacts? { read(InstallerFiles.slots).flatMap(SlotFacts.init) }
    var state: InstallerState? { read(InstallerFiles.state).flatMap(InstallerState.init) }

    /// - Returns: errno when it could not be written; nil otherwise. So do the others.
    func request(version: String, bundle: String) -> Int32? {
        unlink(file(InstallerFiles.state))
        unlink(file(InstallerFiles.cancel))
        return write(InstallerFiles.request(version: version, bundle: bundle), InstallerFiles.request)
    }

    func cancel() -> Int32? {
        unlink(file(InstallerFiles.request))
        return write("", InstallerFiles.cancel)
    }

    func restart() -> Int32? { write("", InstallerFiles.restart) }

    private func file(_ name: String) -> String { path + "/" + name }

    private func read(_ name: String) -> [UInt8]? { WholeFile.read(file(name), most: InstallerFiles.longest) }

    private func write(_ text: String, _ name: String) -> Int32? {
        WholeFile.write(Array(text.utf8), to: file(name), isSynced: false) ? nil : errno
    }
}
