import Configuration
import Glibc
import LinuxSupport
import StatusModel
import Updates

/// Updates the system from a bundle on a USB stick, when the viewer wants it. Needs no network and no settings. Main loop only.
@MainActor
package final class StickUpdateKeeper {
    private let folder: InstallerFolder
    private let media: String
    private let compatible: String
    private let clock: any HostClock
    private let log: LogBook
    private let thread: WorkerThread
    private var update = StickUpdate() {
        didSet { if update.state != oldValue.state { onChange?() } }
    }
    private var lastState: InstallerState?
    /// The requests so far: what was read before the last one does not count.
    private var requests = 0
    private var timer: ScheduledEvent?
    private var isClosed = false
    /// Called when `state` has changed.
    package var onChange: (@MainActor () -> Void)?
    /// Whether the installer works for somebody else.
    package var isInstallerTaken: @MainActor () -> Bool = { false }

    private static let interval = (idle: Duration.seconds(5), busy: Duration.seconds(2))
    /// Not more files of a stick are looked at.
    private nonisolated static let mostFiles = 32

    /// - Parameters:
    ///   - folder: of the files that are shared with the installer.
    ///   - board: the board of this system.
    ///   - media: the folder below which every removable disk is mounted in a separate folder.
    package init(
        folder: String, board: String, clock: any HostClock, log: LogBook, media: String = FoundSource.Places.standardMedia
    ) {
        self.folder = InstallerFolder(path: folder)
        self.media = media
        compatible = "marquee-" + board
        self.clock = clock
        self.log = log
        thread = WorkerThread(name: "stick-update", clock: clock)
    }

    package func start() { look() }

    package func close() {
        guard !isClosed else { return }
        isClosed = true
        timer?.cancel()
        thread.stop()
    }

    package var state: StickUpdate.State { update.state }

    /// Whether the installer works for this keeper.
    package var isBusy: Bool { update.isBusy }

    /// The viewer wants the bundle that was found.
    ///
    /// - Returns: false if there is none, or the installer is busy.
    @discardableResult
    package func accept() -> Bool {
        guard !isClosed else { return false }
        guard !isInstallerTaken() else {
            log.note("updates: the USB stick has to wait, because the installer is busy")
            return false
        }
        let effects = update.accept(at: clock.now)
        carryOut(effects)
        return !effects.isEmpty
    }

    private func look() {
        clock.compute(on: thread, rank: .timer) { [folder, media, compatible, isBusy = update.isBusy] in
            (isBusy ? nil : Self.find(below: media, for: compatible, running: folder.slots), folder.state)
        } then: { [weak self, requests] bundle, state in
            self?.take(bundle, requests == self?.requests ? state : nil)
        }
    }

    private func take(_ bundle: StickBundle?, _ state: InstallerState?) {
        guard !isClosed else { return }
        carryOut(update.take(bundle))
        if let state, state != lastState {
            lastState = state
            carryOut(update.take(state.report, of: state.version, at: clock.now))
        }
        carryOut(update.look(at: clock.now))
        timer = clock.schedule(after: update.isBusy ? Self.interval.busy : Self.interval.idle) { [weak self] in self?.look() }
    }

    private func carryOut(_ effects: [StickUpdate.Effect]) {
        for effect in effects {
            switch effect {
            case .note(let text): log.note(text)
            case .install(let bundle):
                lastState = nil
                requests += 1
                ask(for: bundle) { $0.request(version: bundle.version.description, bundle: bundle.path) }
            case .cancel: ask { $0.cancel() }
            case .restart: ask { $0.restart() }
            }
        }
    }

    /// - Parameter bundle: fails when the file could not be written.
    private func ask(for bundle: StickBundle? = nil, _ write: @escaping @Sendable (InstallerFolder) -> Int32?) {
        clock.compute(on: thread, rank: .timer) { [folder] in
            write(folder)
        } then: { [weak self] code in
            guard let self, !isClosed, let code else { return }
            let words = "the file for the installer could not be written: \(String(cString: strerror(code)))"
            log.note("updates: \(words)")
            if let bundle { carryOut(update.take(.failed(words), of: bundle.version.description, at: clock.now)) }
        }
    }

    /// The best bundle in the top folders of all sticks. Before the system has said what runs there is none.
    private nonisolated static func find(below media: String, for compatible: String, running: SlotFacts?) -> StickBundle? {
        guard let running else { return nil }
        let paths = Folder.names(media).flatMap { disk in
            Folder.names("\(media)/\(disk)").filter { $0.hasSuffix(".raucb") }.prefix(mostFiles).map { "\(media)/\(disk)/\($0)" }
        }
        let bundles = paths.compactMap { path in facts(of: path).map { (path: path, facts: $0) } }
        return StickBundle.best(bundles, for: compatible, running: running)
    }

    /// Nil if it is not readable as a bundle. The installer takes only paths of printable characters without spaces.
    private nonisolated static func facts(of path: String) -> BundleFacts? {
        guard path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard number >= 0 else { return nil }
        defer { Glibc.close(number) }
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let length = Int64(status.st_size)
        guard let end = read(number, from: length - Int64(BundleFacts.sizeBytes), BundleFacts.sizeBytes),
            let size = BundleFacts.signatureSize(end),
            let signature = read(number, from: length - Int64(BundleFacts.sizeBytes + size), size)
        else { return nil }
        return BundleFacts(signature: signature)
    }

    private nonisolated static func read(_ number: Int32, from place: Int64, _ count: Int) -> [UInt8]? {
        guard place >= 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        let done = bytes.withUnsafeMutableBytes { pread(number, $0.baseAddress, count, off_t(place)) }
        return done == count ? bytes : nil
    }
}
