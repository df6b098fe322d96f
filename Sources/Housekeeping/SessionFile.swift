import Glibc
import LinuxSupport
import PlayerInterface

/// What is on, on the disk: a player that is started again in the same boot goes on there. Main loop only.
@MainActor
final class SessionFile {
    private let path: String?
    private let boot: String
    private var last: String?

    /// - Parameters:
    ///   - path: nil: nothing is kept.
    ///   - boot: the kernel's name of this boot.
    init(_ path: String?, boot: String) {
        self.path = path
        self.boot = boot
    }

    /// What was on when the player of before ended without being told to, in this boot.
    func read() -> Session? {
        guard let path, let bytes = WholeFile.read(path) else { return nil }
        let session = Session(String(decoding: bytes, as: UTF8.self))
        return session?.boot == boot ? session : nil
    }

    /// Keeps what is on where it has changed; a few hundred bytes in a memory file system are cheap enough for the main loop. On a desk it is the state
    /// folder.
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

    /// The program ends in order: there is nothing to go on with.
    func remove() {
        if let path { unlink(path) }
    }
}
