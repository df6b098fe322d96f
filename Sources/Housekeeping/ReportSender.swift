import LinuxSupport
import MediaModel
import MediaSources
import Playback
import StatusModel

/// Reports the state of the box to the operator at intervals: a small JSON object by POST. A failed report is not stored, because the next one
/// contains its values too. Plays that the receiver has not acknowledged come again.
@MainActor
final class ReportSender {
    /// The receiver of reports, from the settings.
    struct Destination {
        var address: String
        /// The time between two reports.
        var interval: Duration
        /// Sent with each request.
        var headers: [String] = []
        /// Differs between boxes.
        var seed: UInt64
    }

    private let destination: Destination
    private let loader: any ByteLoading
    private let clock: any HostClock
    private let log: LogBook
    private let stateFolder: String?
    private let thread: WorkerThread
    private var schedule: ReportSchedule
    private var task: (any ByteTask)?
    private var timer: ScheduledEvent?
    private var isClosed = false
    /// Failures since the last success.
    private var failures = 0
    private var postponements = 0

    private let describe: @MainActor () -> BoxReport?
    private let isBusy: @MainActor () -> Bool
    /// What was played; nil if the operator is not told.
    private let plays: PlayKeeper?
    /// Whether the log has that the receiver takes no plays.
    private var isUnacknowledged = false

    /// Between two reports while more plays wait.
    private static let pause = Duration.seconds(5)
    private static let patience = Duration.seconds(5)
    /// A programme whose start takes longer does not delay the report.
    private static let mostPostponements = 12

    /// - Parameters:
    ///   - stateFolder: a folder on the file system to report.
    ///   - isBusy: whether a programme is starting, which must not be slowed down.
    ///   - plays: what was played, which the receiver is told once; nil if it is not told.
    ///   - describe: the box's part of a report, to which the machine's state is added; nil stops the reports.
    init(
        to destination: Destination, loader: any ByteLoading, clock: any HostClock, log: LogBook, stateFolder: String?,
        plays: PlayKeeper?,
        isBusy: @escaping @MainActor () -> Bool, describe: @escaping @MainActor () -> BoxReport?
    ) {
        self.isBusy = isBusy
        self.describe = describe
        self.plays = plays
        self.destination = destination
        self.loader = loader
        self.clock = clock
        self.log = log
        self.stateFolder = stateFolder
        schedule = ReportSchedule(interval: destination.interval, seed: destination.seed)
        thread = WorkerThread(name: "report", clock: clock)
    }

    /// The first report comes some time after the start, when there is something to report.
    func start() { wait(schedule.first()) }

    /// Stops.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        timer?.cancel()
        task?.cancel()
        thread.stop()
    }

    private func wait(_ length: Duration) {
        timer = clock.schedule(after: length) { [weak self] in self?.begin() }
    }

    private func begin() {
        if isBusy(), postponements < Self.mostPostponements {
            postponements += 1
            return wait(Self.patience)
        }
        postponements = 0
        let plays = plays?.next(for: .report)
        clock.compute(on: thread, rank: .timer) { [stateFolder] in
            (MachineState.read(stateFolder: stateFolder), plays?())
        } then: { [weak self] read in
            self?.send(read.0, read.1)
        }
    }

    private func send(_ machine: MachineState, _ plays: PlayPage?) {
        guard !isClosed, var report = describe() else { return }
        report.machine = machine
        report.plays = plays
        let request = ByteRequest(
            url: destination.address, kind: .document, headers: destination.headers + ["Content-Type: application/json"],
            totalTimeout: .seconds(30), body: Array(report.text.utf8))
        task = loader.load(request) { [weak self] in self?.take($0, plays) }
    }

    private func take(_ result: Result<ByteResponse, MediaError>, _ plays: PlayPage?) {
        task = nil
        guard !isClosed else { return }
        switch result {
        case .success(let response):
            if failures > 0 { log.note("report: sent, after \(failures) failures") }
            failures = 0
            if let plays, acknowledge(plays, response.bytes), plays.hasMore { return wait(Self.pause) }
        case .failure(let error):
            failures += 1
            // Logged once: a server that is unreachable for a week is one line.
            if failures == 1 { log.note("report: \(error.description); it is retried at growing intervals", .warning) }
        }
        wait(schedule.wait(failures: failures))
    }

    /// The receiver says up to which number it has stored plays: `{"plays": 17}`. What it does not say it has comes again.
    ///
    /// - Returns: whether it has taken all of these.
    private func acknowledge(_ page: PlayPage, _ answer: [UInt8]) -> Bool {
        let most = page.last ?? 0
        guard let number = JSONMembers(String(decoding: answer.prefix(4096), as: UTF8.self))?.whole("plays"), number >= 0 else {
            if !isUnacknowledged {
                log.note("report: its receiver does not acknowledge plays, which it gets again with each report", .warning)
            }
            isUnacknowledged = true
            return false
        }
        isUnacknowledged = false
        plays?.acknowledge(min(UInt64(number), most), by: .report)
        return number >= most
    }
}
