import LinuxSupport
import MediaModel
import MediaSources
import MediaTime

/// The extent of a fragmented file that is being recorded. The main loop checks it at intervals; readers wait here for more.
final class GrowingFile: Sendable {
    private struct State {
        var index: FragmentIndex
        /// Nothing more will be added.
        var isOver = false
    }
    private let monitor: Monitor<State>

    init(_ index: FragmentIndex, ledger: WorkLedger?) { monitor = Monitor(State(index: index), ledger: ledger) }

    var index: FragmentIndex { monitor.read(\.index) }

    func update(_ index: FragmentIndex, isOver: Bool) {
        monitor.update { state in
            state.index = index
            state.isOver = isOver
        }
    }

    /// Makes waiting readers check whether they were cancelled.
    func knock() { monitor.update { _ in } }

    /// Waits until the file is complete beyond a byte. Returns nil if it never will be, or if the reader was cancelled. Worker threads only.
    func more(than offset: Int64, unless isCancelled: () -> Bool) -> Int64? {
        monitor.wait { state -> Int64?? in
            if isCancelled() { return .some(nil) }
            if state.index.completeEnd > offset { return .some(state.index.completeEnd) }
            return state.isOver ? .some(nil) : nil
        }
    }
}

/// A part of the bytes of another stream, presented as a whole: ranges that follow one another for the reader.
///
/// The underlying stream is read by one thread at a time: the thread that reads this one.
// Unchecked: `position` is used only by the reading thread; `cancel` goes to the underlying stream, which allows it from any thread.
final class SplicedByteStream: ByteStream, @unchecked Sendable {
    private let base: any ByteStream
    private let parts: [Range<Int64>]
    private var position: Int64 = 0
    private let isSeekable: Bool

    /// - Parameter isSeekable: whether the reader may seek in it.
    init(_ base: any ByteStream, _ parts: [Range<Int64>], isSeekable: Bool) {
        self.base = base
        self.parts = parts
        self.isSeekable = isSeekable
    }

    var name: String { base.name }
    var length: Int64? { isSeekable ? parts.reduce(0) { $0 + Int64($1.count) } : nil }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
        var before: Int64 = 0
        for part in parts {
            let place = position - before
            before += Int64(part.count)
            guard place < Int64(part.count) else { continue }
            try base.seek(to: part.lowerBound + place)
            let count = min(buffer.count, Int(Int64(part.count) - place))
            let read = try base.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
            position += Int64(read)
            return read
        }
        return 0
    }

    func seek(to offset: Int64) throws(MediaError) { position = max(offset, 0) }

    func cancel() { base.cancel() }
}

/// Checks a file that is being recorded at intervals and reports its extent. Lives on the main loop; the disk is read on a separate thread.
@MainActor
final class GrowthWatch {
    private let file: GrowingFile
    private let stream: any ByteStream
    private let clock: any HostClock
    private let thread: WorkerThread
    private let start: MediaTime
    private var timer: ScheduledEvent?
    private var lastGrowth: HostTime
    private var isClosed = false
    private(set) var status: LiveStatus
    var onChange: ((LiveStatus) -> Void)?

    /// The interval between checks.
    private static let interval = Duration.milliseconds(500)
    /// A file to which nothing was added for this long plus three fragments is treated as complete.
    private static let patience = MediaTime.seconds(10)

    /// - Parameters:
    ///   - stream: used only by this object.
    ///   - start: the container's time of asset time zero.
    init(_ file: GrowingFile, stream: any ByteStream, start: MediaTime, clock: any HostClock) {
        self.file = file
        self.stream = stream
        self.start = start
        self.clock = clock
        thread = WorkerThread(name: "growth", clock: clock)
        lastGrowth = clock.now
        status = Self.status(file.index, start: start, isOver: false, at: clock.now)
        wait()
    }

    private static func status(_ index: FragmentIndex, start: MediaTime, isOver: Bool, at instant: HostTime) -> LiveStatus {
        let end = max((index.end ?? start) - start, .zero)
        var status = LiveStatus(
            isLive: !isOver, seekableTimeRange: TimeRange(start: .zero, end: end), edge: end, edgeInstant: instant.nanoseconds,
            recommendedTimeOffsetFromLive: index.longestFragment * 3, targetDuration: max(index.longestFragment, .seconds(1)))
        if isOver { status.duration = .finite(end) }
        return status
    }

    private func wait() { timer = clock.schedule(after: Self.interval, rank: .timer) { [weak self] in self?.look() } }

    private func look() {
        guard !isClosed else { return }
        let (stream, before) = (stream, file.index)
        clock.compute(on: thread, rank: .media) { () -> FragmentIndex in
            var index = before
            // Read errors are found by the playing reader.
            try? index.scan(stream)
            return index
        } then: { [weak self] index in
            self?.take(index)
        }
    }

    private func take(_ index: FragmentIndex) {
        guard !isClosed else { return }
        let hasGrown = index.completeEnd > file.index.completeEnd
        if hasGrown { lastGrowth = clock.now }
        let silence = MediaTime.nanoseconds((clock.now - lastGrowth).wholeNanoseconds)
        let isOver = index.isFinal || index.isOdd || silence > Self.patience + index.longestFragment * 3
        file.update(index, isOver: isOver)
        if hasGrown || isOver {
            status = Self.status(index, start: start, isOver: isOver, at: lastGrowth)
            onChange?(status)
        }
        if !isOver { wait() }
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        timer?.cancel()
        stream.cancel()
        thread.retire()
    }
}
