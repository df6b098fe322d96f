import Glibc
import LinuxSupport
import Playback
import StatusModel

/// The logs of playbacks on the disk: two files each, in a folder of the box's state. The oldest are deleted when there are too many.
@MainActor
package final class SessionFolder: SessionLogStore {
    /// The number of playbacks whose logs are kept.
    nonisolated static let mostSessions = 200
    private let folder: String
    private let thread: WorkerThread
    private let log: LogBook
    private let clock: any HostClock
    private let wallClock: @MainActor () -> Int64?
    private var isClosed = false

    /// - Parameter folder: the state folder of the box.
    package init(in folder: String, clock: any HostClock, log: LogBook, wallClock: @escaping @MainActor () -> Int64?) {
        self.folder = Self.path(in: folder)
        self.log = log
        self.clock = clock
        self.wallClock = wallClock
        thread = WorkerThread(name: "session-log", clock: clock)
    }

    /// The folder of the logs in a state folder.
    package nonisolated static func path(in stateFolder: String) -> String { stateFolder + "/sessions" }

    /// Writes the log of a playback. After `close` it is dropped: a process that is about to restart has closed its files already.
    package func keep(_ log: PlaybackLog) {
        guard !isClosed, !log.accessEvents.isEmpty || !log.errorEvents.isEmpty else { return }
        let date = wallClock()
        // Their order by name is their order by time. Logs without a date sort first and are deleted first.
        let stamp = String((date ?? 0) / 1_000_000_000)
        let name = "\(String(repeating: "0", count: max(0, 12 - stamp.count)))\(stamp)-\(log.sessionID)"
        let folder = folder
        clock.compute(on: thread, rank: .timer) {
            let files = [
                (name + ".access.log", ExtendedLogFormat.text(access: log.accessEvents, date: date)),
                (name + ".error.log", ExtendedLogFormat.text(errors: log.errorEvents, date: date)),
            ]
            return Self.write(files, to: folder)
        } then: { [weak self] failure in
            if let failure { self?.log.note(failure, .error) }
        }
    }

    /// Waits until pending writes are on the disk. A second call does nothing.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        thread.stop()
    }

    /// - Returns: one sentence on failure.
    private nonisolated static func write(_ files: [(String, String)], to folder: String) -> String? {
        mkdir(folder, 0o755)
        for (name, text) in files {
            let path = "\(folder)/\(name)"
            guard WholeFile.write(Array(text.utf8), to: path, isSynced: false) else {
                return "The log of a playback could not be saved: \(path): \(String(cString: strerror(errno)))."
            }
        }
        let old = sessions(in: folder).dropLast(mostSessions)
        for name in old {
            unlink("\(folder)/\(name).access.log")
            unlink("\(folder)/\(name).error.log")
        }
        return nil
    }

    /// The id of the playback whose files have a name of `sessions(in:)`.
    package nonisolated static func sessionID(ofName name: String) -> String { String(name.drop { $0 != "-" }.dropFirst()) }

    /// The playbacks in a folder by name, oldest first.
    package nonisolated static func sessions(in folder: String) -> [String] {
        let ending = ".access.log"
        return Folder.names(folder).filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }.sorted()
    }
}
