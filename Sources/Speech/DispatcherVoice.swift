import BoxModel
import Glibc
import LinuxSupport

/// The voice of speech-dispatcher, if it is installed: text goes to its command, found at startup, so that it is needed neither
/// to build nor to run.
///
/// Commands run one at a time on a separate thread. Of waiting texts only the newest is spoken, because focus has moved on.
@MainActor
package final class DispatcherVoice: SpeechDoor {
    private let clock: any HostClock
    private let command: String
    private let thread: WorkerThread
    private var waiting: [String]?
    private var isBusy = false
    private var isClosed = false
    /// Called once for a command that failed.
    package var onFailure: (@MainActor (String) -> Void)?

    /// Looks for `spd-say` in the folders of `PATH`; nil when there is none.
    package convenience init?(clock: any HostClock) {
        guard let command = Self.find("spd-say") else { return nil }
        self.init(clock: clock, command: command)
    }

    /// - Parameter command: the path of a program with the options of `spd-say`.
    package init(clock: any HostClock, command: String) {
        self.clock = clock
        self.command = command
        thread = WorkerThread(name: "speech", clock: clock)
    }

    package func speak(_ words: String, language: String) {
        let base = language.prefix { $0 != "-" }
        run(["--cancel", "--language", String(base), "--", words])
    }

    package func stop() { run(["--cancel"]) }

    /// Ends the thread after the current text.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        thread.stop()
    }

    private func run(_ arguments: [String]) {
        guard !isClosed else { return }
        guard !isBusy else {
            waiting = arguments
            return
        }
        isBusy = true
        let command = command
        clock.compute(on: thread, rank: .timer) {
            Self.spawn(command, arguments)
        } then: { [weak self] failure in
            guard let self else { return }
            self.isBusy = false
            if let failure, let tell = self.onFailure {
                self.onFailure = nil
                tell("speech: \(command) \(failure)")
            }
            if let next = self.waiting {
                self.waiting = nil
                self.run(next)
            }
        }
    }

    /// Runs a program to its end; nil on success.
    private nonisolated static func spawn(_ command: String, _ arguments: [String]) -> String? {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var pointers: [UnsafeMutablePointer<CChar>?] = ([command] + arguments).map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var child = pid_t()
        let code = posix_spawn(&child, command, nil, &attributes, &pointers, environ)
        guard code == 0 else { return "could not be started: \(String(cString: strerror(code)))" }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 {
            guard errno == EINTR else { return "was lost: \(String(cString: strerror(errno)))" }
        }
        return status == 0 ? nil : "ended with status \(status >> 8 & 0xFF)"
    }

    private static func find(_ name: String) -> String? {
        guard let path = getenv("PATH").map({ String(cString: $0) }) else { return nil }
        return path.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
}
