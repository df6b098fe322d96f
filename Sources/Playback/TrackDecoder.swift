import LinuxSupport
import MediaModel
import MediaSources
import MediaTime

/// Decodes one track of a player on a separate thread. The decoder outlives seeks and discontinuities while the parameters allow it.
///
/// A call into a decoder that hangs is abandoned together with its thread (`abandon`), and another thread takes over.
@MainActor
final class TrackDecoder<Media: Sendable> {
    private let kind: TrackKind<Media>
    private let clock: any HostClock
    private let buffering: BufferingPolicy
    private let times: any ProcessorTimes
    private(set) var thread: WorkerThread
    private(set) var worker: DecodeWorker<Media>

    /// A call that takes longer than this is treated as hanging, if the decoder neither computes nor waits for a processor.
    static var patience: Duration { .seconds(2) }
    /// A call that takes longer than this is treated as hanging in any case.
    static var longestPatience: Duration { .seconds(15) }
    /// It must have been seen this often before.
    private static var looksNeeded: Int { 4 }
    /// The call seen at the last check.
    private var seen: SeenCall?

    /// A call into the decoder that has not returned.
    private struct SeenCall {
        let since: HostTime
        var looks = 1
        /// The decoder's computing and the starving of all threads when the call was seen for the second time: most calls return before that.
        var before: Duration?
    }

    init(kind: TrackKind<Media>, clock: any HostClock, buffering: BufferingPolicy, times: any ProcessorTimes) {
        self.kind = kind
        self.buffering = buffering
        self.clock = clock
        self.times = times
        thread = WorkerThread(name: kind.name, clock: clock)
        worker = DecodeWorker(kind: kind, clock: clock)
    }

    /// Starts to decode a run of reading into a new queue. The previous run must have been cancelled.
    ///
    /// - Parameters:
    ///   - wish: how it is decoded.
    ///   - capacity: the length of the queue; nil for the default of the media type.
    ///   - bell: rung whenever something was added to the empty queue.
    func start(
        reading buffer: SampleBuffer, track: TrackID, _ wish: DecodingWish, capacity: Int? = nil, bell: Doorbell
    ) -> BoundedQueue<Decoded<Media>> {
        let capacity = capacity ?? kind.capacity
        let queue = BoundedQueue<Decoded<Media>>(
            capacity: capacity, resumeCount: buffering.resumeCount(of: capacity), ledger: clock.ledger)
        let worker = worker
        thread.perform {
            worker.run(buffer, track, wish) { item in
                let isWanted = queue.push(item)
                // A consumer that has not looked yet needs no second ring.
                if queue.count <= 1 { bell.ring() }
                return isWanted
            }
        }
        return queue
    }

    /// Runs a job on the decoder's thread and passes its result to the main loop.
    func compute<Result: Sendable>(
        _ work: @escaping @Sendable () -> Result, then: @escaping @MainActor @Sendable (Result) -> Void
    ) {
        clock.computeWaiting(on: thread, rank: .media, work, then: then)
    }

    /// Whether the current call into the decoder hangs.
    var hangs: Bool { worker.busySince.map { clock.now - $0 > Self.patience } ?? false }

    /// Checks whether a call hangs; called every half second. Time also passes while the machine is suspended, so a call counts as hanging only if it
    /// was seen repeatedly. On a machine that is too slow for everything it does, calls take long, and another decoder would not be faster: time in which the
    /// decoder computes, or in which threads of this process, among which are those of libavcodec, wait for a processor, does not count.
    func looksHung() -> Bool {
        guard let since = worker.busySince else {
            seen = nil
            return false
        }
        guard var call = seen, call.since == since else {
            seen = SeenCall(since: since)
            return false
        }
        call.looks += 1
        let used = times.computing(thread) + times.starving()
        let before = call.before ?? used
        call.before = before
        seen = call
        let length = clock.now - since
        return call.looks >= Self.looksNeeded
            && (length - max(used - before, .zero) > Self.patience || length > Self.longestPatience)
    }

    /// Abandons the hanging thread and everything it holds; a new thread with a new decoder replaces it.
    func abandon() {
        kind.onAbandoned?()
        thread.retire()
        thread = WorkerThread(name: kind.name, clock: clock)
        worker = DecodeWorker(kind: kind, clock: clock)
    }

    /// Ends the thread. A hanging one is not waited for.
    func stop() { if worker.busySince != nil, hangs { thread.retire() } else { thread.stop() } }
}

extension TrackDecoder where Media == VideoFrame {
    /// Decodes key pictures while there are any, waiting for room in the queue.
    func scan(
        _ buffer: SampleBuffer, track: TrackID, after: MediaTime?, into queue: BoundedQueue<Decoded<VideoFrame>>, bell: Doorbell
    ) {
        let worker = worker
        thread.perform {
            let report = worker.runKeyFrames(buffer, track, after: after, most: nil) { queue.push($0) }
            guard !report.isCancelled else { return }
            _ = queue.push(report.failure ?? .end)
            bell.ring()
        }
    }

    /// Decodes one key picture: the first after an asset time, or with nil the first.
    func decodeKeyFrame(
        of buffer: SampleBuffer, track: TrackID, after: MediaTime?, into queue: BoundedQueue<Decoded<VideoFrame>>,
        bell: Doorbell, then: @escaping @MainActor @Sendable (PassReport) -> Void
    ) {
        pass(
            over: buffer, into: queue, bell: bell,
            { worker, push in worker.runKeyFrames(buffer, track, after: after, most: 1, push) }, then: then)
    }

    /// Runs a pass on the decoder's thread, ends the reading of its samples, and passes its result to the main loop.
    func pass(
        over buffer: SampleBuffer, into queue: BoundedQueue<Decoded<VideoFrame>>, bell: Doorbell,
        _ work: @escaping @Sendable (DecodeWorker<VideoFrame>, _ push: (Decoded<VideoFrame>) -> Bool) -> PassReport,
        then: @escaping @MainActor @Sendable (PassReport) -> Void
    ) {
        let worker = worker
        compute(
            {
                work(worker) { item in
                    let isWanted = queue.push(item)
                    if queue.count <= 1 { bell.ring() }
                    return isWanted
                }
            },
            then: { report in
                buffer.cancel()
                then(report)
            })
    }
}
