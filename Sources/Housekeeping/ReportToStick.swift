import Glibc
import LinuxSupport
import Screens
import StatusModel

/// Saves support bundles to a USB stick. The player may not mount anything: it puts the bundle into its runtime folder, from which a service of
/// the system copies it to the first stick that takes it (`rootfs/usr/lib/marquee/save-report`). When the service has removed the bundle, its
/// answer is in a folder that only the service can write.
@MainActor
final class ReportToStick {
    /// How far the last report is, or how it ended.
    enum State: Sendable, Equatable {
        case saving
        /// The name of the file on the stick.
        case saved(String)
        case noStick
        case full
        case readOnly
        case failed

        /// What a viewer is told of it.
        var fact: BoxFacts.Report {
            switch self {
            case .saving: .saving
            case .saved(let name): .saved(name)
            case .noStick: .noStick
            case .full: .full
            case .readOnly: .readOnly
            case .failed: .failed
            }
        }

        /// The answer of the service: one line.
        init(answer: String) {
            let words = answer.split(whereSeparator: \.isWhitespace)
            switch words.first {
            case "saved" where words.count == 2: self = .saved(String(words[1].prefix(100)))
            case "no-stick": self = .noStick
            case "full": self = .full
            case "read-only": self = .readOnly
            default: self = .failed
            }
        }
    }

    /// Makes a bundle; nil if there is none.
    typealias Bundle = @MainActor (@escaping @MainActor ([UInt8]?) -> Void) -> Void

    /// The folders that the player and the service share.
    struct Folders: Sendable {
        /// Where the player puts the bundle.
        var spool: String
        /// Where the service puts its answer.
        var answer: String

        var bundle: String { spool + "/report.tar.zst" }
        var result: String { answer + "/result" }
    }

    /// The longest time that the service may take.
    static let patience = Duration.seconds(180)
    private static let step = Duration.seconds(1)

    private let clock: any HostClock
    private let log: LogBook
    private let folders: Folders?
    private let bundle: Bundle
    private let onChange: @MainActor () -> Void
    private var thread: WorkerThread?
    private var timer: ScheduledEvent?
    private var isClosed = false
    /// What a viewer is told; nil on a machine without the service.
    var fact: BoxFacts.Report? { folders.map { _ in state?.fact ?? .possible } }
    /// Nil before the first report.
    private(set) var state: State? { didSet { if state != oldValue { onChange() } } }

    /// - Parameters:
    ///   - folders: nil on a machine without the service.
    ///   - onChange: called when `state` is another one.
    init(
        clock: any HostClock, log: LogBook, folders: Folders?, bundle: @escaping Bundle, onChange: @escaping @MainActor () -> Void
    ) {
        self.clock = clock
        self.log = log
        self.folders = folders
        self.bundle = bundle
        self.onChange = onChange
    }

    /// Makes a report and saves it, unless one is being saved.
    func save() {
        guard !isClosed, state != .saving else { return }
        log.note("report: asked for")
        state = .saving
        bundle { [weak self] in self?.spool($0) }
    }

    /// Stops; `onChange` is not called any more.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        timer?.cancel()
        thread?.stop()
    }

    private func spool(_ bytes: [UInt8]?) {
        guard !isClosed else { return }
        guard let bytes, let folders else { return end(.failed) }
        let thread = self.thread ?? WorkerThread(name: "report-stick", clock: clock)
        self.thread = thread
        clock.compute(on: thread, rank: .timer) {
            WholeFile.write(bytes, to: folders.bundle)
        } then: { [weak self] isWritten in
            if isWritten { self?.wait(Self.patience, folders) } else { self?.end(.failed) }
        }
    }

    private func wait(_ left: Duration, _ folders: Folders) {
        guard !isClosed else { return }
        guard access(folders.bundle, F_OK) == 0 else {
            return end(State(answer: WholeFile.read(folders.result).map { String(decoding: $0, as: UTF8.self) } ?? ""))
        }
        guard left > .zero else {
            // The service may not copy a report whose failure was shown.
            unlink(folders.bundle)
            return end(.failed)
        }
        timer = clock.schedule(after: Self.step) { [weak self] in self?.wait(left - Self.step, folders) }
    }

    private func end(_ outcome: State) {
        guard !isClosed else { return }
        log.note("report: \(outcome)")
        state = outcome
    }
}
