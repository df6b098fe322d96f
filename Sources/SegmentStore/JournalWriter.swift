import LinuxSupport

/// Writes the records of the main loop to the journal on the store's thread: one write and one fsync for all records that came while
/// the thread was busy. When the disk refuses them they are kept and tried again. Main loop only.
@MainActor
final class JournalWriter {
    typealias Completion = @MainActor @Sendable (StoreError?) -> Void
    private let journal: Journal
    private let contents: String
    private let bodies: StoredBodies
    private let thread: WorkerThread
    private let clock: any HostClock
    private var pending: [JournalRecord] = []
    private var waiting: [Completion] = []
    private var isBusy = false
    private var isToRewrite: Bool
    /// How many records the file has.
    private var count: Int
    private var retry: ScheduledEvent?
    private var pause = JournalWriter.firstPause
    private var isClosed = false
    /// Called for the first failure after a success.
    var onFailure: (@MainActor (StoreError) -> Void)?

    private static let firstPause = Duration.seconds(10)
    private static let longestPause = Duration.seconds(300)
    /// When more records wait than this, the whole index is written instead.
    private static let mostPending = 10_000
    /// Rewriting is worthwhile from so many superfluous records.
    private static let fewestSuperfluous = 2000

    /// - Parameters:
    ///   - contents: what the store holds, for sentences.
    ///   - count: how many records the journal has.
    init(
        _ journal: Journal, of contents: String, count: Int, isToRewrite: Bool, bodies: StoredBodies, thread: WorkerThread,
        clock: any HostClock
    ) {
        self.journal = journal
        self.contents = contents
        self.count = count
        self.isToRewrite = isToRewrite
        self.bodies = bodies
        self.thread = thread
        self.clock = clock
        write()
    }

    /// Adds records that the index has already applied.
    ///
    /// - Parameter completion: called when they are durable, or when a first attempt has failed. They are then tried again.
    func add(_ records: [JournalRecord], _ completion: @escaping Completion) {
        pending += records
        waiting.append(completion)
        write()
    }

    /// Adds a record that may be lost: it is written with the next one.
    func addLazily(_ record: JournalRecord) {
        pending.append(record)
        if pending.count > Self.mostPending { write() }
    }

    /// Hands everything to the thread for a last time. No completion is called any more.
    func close() {
        isClosed = true
        retry?.cancel()
        waiting = []
        guard !pending.isEmpty else { return }
        let (journal, records) = (journal, pending)
        thread.perform { try? journal.append(records) }
    }

    private func write() {
        guard !isBusy, !isClosed, isToRewrite || !pending.isEmpty else { return }
        retry?.cancel()
        retry = nil
        isBusy = true
        let (records, completions) = (pending, waiting)
        pending = []
        waiting = []
        if isToRewrite || records.count > Self.mostPending { rewrite(records, completions) } else { append(records, completions) }
    }

    private func append(_ records: [JournalRecord], _ completions: [Completion]) {
        let journal = journal
        perform(records, completions) { () throws(SystemError) -> Int? in
            try journal.append(records)
            return nil
        }
    }

    /// Everything that waits is in the index already.
    private func rewrite(_ records: [JournalRecord], _ completions: [Completion]) {
        isToRewrite = true
        let (journal, index) = (journal, bodies.index)
        perform(records, completions) { () throws(SystemError) -> Int? in
            let all = index.records
            try journal.rewrite(all)
            return all.count
        }
    }

    private func perform(
        _ records: [JournalRecord], _ completions: [Completion], _ job: @escaping @Sendable () throws(SystemError) -> Int?
    ) {
        clock.compute(on: thread, rank: .transfer) { () -> Result<Int?, SystemError> in
            do throws(SystemError) { return .success(try job()) } catch { return .failure(error) }
        } then: { [weak self] result in
            self?.finish(records, completions, result)
        }
    }

    private func finish(_ records: [JournalRecord], _ completions: [Completion], _ result: Result<Int?, SystemError>) {
        guard !isClosed else { return }
        isBusy = false
        switch result {
        case .success(let rewritten):
            if rewritten != nil { isToRewrite = false }
            count = rewritten ?? count + records.count
            pause = Self.firstPause
            isToRewrite = isToRewrite || count > 2 * bodies.recordEstimate + Self.fewestSuperfluous
            completions.forEach { $0(nil) }
            write()
        case .failure(let failure):
            let error = StoreError(failure, while: "Recording a change of the \(contents)")
            pending = records + pending
            if pause == Self.firstPause { onFailure?(error) }
            retry = clock.schedule(after: pause, rank: .timer) { [weak self] in self?.write() }
            pause = min(pause * 2, Self.longestPause)
            completions.forEach { $0(error) }
        }
    }
}
