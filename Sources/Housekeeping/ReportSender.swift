import LinuxSupport
import MediaModel
import Playback

/// Tells the operator how the box is, again and again: a small JSON object by POST. A report that is not taken is not kept; the next one says all that it did.
@MainActor
final class ReportSender {
    private let address: String
    private let headers: [String]
    private let loader: any ByteLoading
    private let clock: any HostClock
    private let log: LogBook
    private let stateFolder: String?
    private let thread: WorkerThread
    private var schedule: ReportSchedule
    private var task: (any ByteTask)?
    private var timer: ScheduledEvent?
    private var isClosed = false
    /// How often it was not taken since it was taken last.
    private var failures = 0
    private var postponements = 0

    private let describe: @MainActor () -> BoxReport?
    private let isBusy: @MainActor () -> Bool

    private static let patience = Duration.seconds(5)
    /// A programme that does not begin for so long is worth a report.
    private static let mostPostponements = 12

    /// - Parameters:
    ///   - interval: from one report to the next.
    ///   - headers: lines of each request.
    ///   - stateFolder: on the file system whose room is told.
    ///   - seed: spreads boxes.
    ///   - isBusy: whether a programme is being begun, which nothing must slow down.
    ///   - describe: what the box says of itself, to which what the machine says is added; nil: nothing any more.
    init(
        address: String, interval: Duration, headers: [String], loader: any ByteLoading, clock: any HostClock, log: LogBook,
        stateFolder: String?, seed: UInt64, isBusy: @escaping @MainActor () -> Bool,
        describe: @escaping @MainActor () -> BoxReport?
    ) {
        self.isBusy = isBusy
        self.describe = describe
        self.address = address
        self.headers = headers
        self.loader = loader
        self.clock = clock
        self.log = log
        self.stateFolder = stateFolder
        schedule = ReportSchedule(interval: interval, seed: seed)
        thread = WorkerThread(name: "report", clock: clock)
    }

    /// The first one comes a while after the start, when the box has something to tell.
    func start() { wait(schedule.first()) }

    /// Nothing is told any more.
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
        clock.compute(on: thread, rank: .timer) { [stateFolder] in
            MachineState.read(stateFolder: stateFolder)
        } then: { [weak self] in
            self?.send($0)
        }
    }

    private func send(_ machine: MachineState) {
        guard !isClosed, var report = describe() else { return }
        report.machine = machine
        let request = ByteRequest(
            url: address, headers: headers + ["Content-Type: application/json"], totalTimeout: .seconds(30),
            body: Array(report.text.utf8))
        task = loader.load(request) { [weak self] in self?.take($0) }
    }

    private func take(_ result: Result<ByteResponse, MediaError>) {
        task = nil
        guard !isClosed else { return }
        switch result {
        case .success:
            if failures > 0 { log.note("report: sent, after \(failures) failures") }
            failures = 0
        case .failure(let error):
            failures += 1
            // Once: a server that is away for a week is one line.
            if failures == 1 { log.note("report: \(error.description); it is retried at growing intervals") }
        }
        wait(schedule.wait(failures: failures))
    }
}
