import Glibc
import LinuxSupport
import Playback
import StatusModel

/// Keeps what was played on the disk, and hands it to receivers. It owns the plays of the box (`docs/plays.md`). Main loop only.
@MainActor
package final class PlayKeeper: PlayStore {
    /// Sent when a play has ended and is on the disk.
    package let changes = EventSource<Void>()
    private let file: PlayFile
    private let thread: WorkerThread
    private let clock: any HostClock
    private let log: LogBook
    private let date: @MainActor () -> Int64?
    /// The public key with which plays are signed, in Base64; nil if they are not, and while the disk is asked.
    package private(set) var signingKey: String?
    private var hasFailed = false
    private var isClosed = false

    /// The plays in one message. Each has some 300 bytes.
    package nonisolated static let mostPlays = 50

    /// - Parameters:
    ///   - stateFolder: of the box.
    ///   - date: nanoseconds since the start of 1970, UTC; nil while there is no trusted date.
    package init(in stateFolder: String, clock: any HostClock, log: LogBook, date: @escaping @MainActor () -> Int64?) {
        let file = PlayFile(in: stateFolder)
        self.file = file
        self.clock = clock
        self.log = log
        self.date = date
        thread = WorkerThread(name: "plays", clock: clock)
        write { file.begin() }
    }

    package func update(_ playing: [Play]) { write { [file] in file.update(playing) } }

    package func keep(_ ended: Play, playing: [Play]) {
        write { [file] in
            file.keep(ended, playing: playing)
        } then: { [weak self] in
            self?.changes.send(())
        }
    }

    /// From now on the plays that are told are signed, under this name of the box; nil if they are not.
    package func sign(as name: String?) {
        guard !isClosed else { return }
        clock.compute(on: thread, rank: .timer) { [file] () -> (key: String?, failure: String?) in
            let isKept = file.sign(as: name)
            return (file.signer?.publicKey, isKept ? nil : String(cString: strerror(errno)))
        } then: { [weak self] key, failure in
            self?.signingKey = key
            if let failure { self?.log.note("plays: they are not signed, because the key cannot be kept: \(failure)", .error) }
        }
    }

    /// Waits until all is on the disk. A second call does nothing.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        thread.stop()
    }

    /// The plays behind a number. Any thread may call the result; it blocks on the disk.
    package func page(after number: UInt64, most: Int) -> @Sendable () -> PlayPage {
        let (file, now) = (file, now)
        return { file.page(after: number, most: most, now: now) }
    }

    /// The next plays that a receiver does not have. Any thread may call the result; it blocks on the disk.
    ///
    /// - Returns: nil while the date is not known, without which a play proves little. The result: nil if the receiver has all.
    package func next(for receiver: PlayFile.Receiver) -> (@Sendable () -> PlayPage?)? {
        guard let now else { return nil }
        let file = file
        return {
            let page = file.page(after: file.told(receiver), most: Self.mostPlays, now: now)
            return page.plays.isEmpty ? nil : page
        }
    }

    /// A receiver has all plays up to a number. It gets those behind it from now on, also if it had more before.
    package func acknowledge(_ number: UInt64, by receiver: PlayFile.Receiver) {
        write { [file] in file.setTold(number, receiver) }
    }

    private var now: (uptime: Duration, date: Int64)? { date().map { (clock.now - HostTime.zero, $0) } }

    private func write(_ work: @escaping @Sendable () -> Bool, then: @escaping @MainActor @Sendable () -> Void = {}) {
        guard !isClosed else { return }
        clock.compute(on: thread, rank: .timer) { () -> String? in
            work() ? nil : String(cString: strerror(errno))
        } then: { [weak self] failure in
            self?.note(failure)
            then()
        }
    }

    /// A disk that takes nothing is one line.
    private func note(_ failure: String?) {
        if let failure, !hasFailed {
            log.note("plays: what is played cannot be kept: \(failure); it is tried again with the next play", .error)
        }
        hasFailed = failure != nil
    }
}
