import Glibc
import LinuxSupport
import Shell

/// The current session on the disk, so that a player restarted in the same boot resumes it. Main loop only.
@MainActor
final class SessionFile {
    private let path: String?
    private let boot: String
    private var last: String?

    /// - Parameters:
    ///   - path: nil stores nothing.
    ///   - boot: the kernel's id of this boot.
    init(_ path: String?, boot: String) {
        self.path = path
        self.boot = boot
    }

    /// The session of the previous process, if it ended unexpectedly in this boot.
    func read() -> Session? {
        guard let path, let bytes = WholeFile.read(path) else { return nil }
        let session = Session(String(decoding: bytes, as: UTF8.self))
        return session?.boot == boot ? session : nil
    }

    /// Stores the session if it has changed. It is a few hundred bytes in a memory file system, so the main loop writes it directly. On a developer's
    /// machine it is in the state folder.
    func keep(_ makeSession: (_ boot: String) -> Session?) {
        guard let path else { return }
        let text = makeSession(boot)?.text
        guard text != last else { return }
        last = text
        guard let text else {
            unlink(path)
            return
        }
        WholeFile.write(Array(text.utf8), to: path, isSynced: false)
    }

    /// The program ends in order, so there is no session to resume.
    func remove() {
        if let path { unlink(path) }
    }
}
