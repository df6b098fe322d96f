import LinuxSupport
import MediaModel
import MediaTime

/// Decodes one track of a player on a thread of its own. The decoder outlives seeks and discontinuities for as long as the parameters allow.
///
/// A call into a decoder that does not return is given up together with its thread (`abandon`); another thread takes over.
@MainActor
final class TrackDecoder<Media: Sendable> {
    private let kind: TrackKind<Media>
    private let clock: any HostClock
    private let buffering: BufferingPolicy
    private(set) var thread: WorkerThread
    private(set) var worker: DecodeWorker<Media>

    /// A call that takes longer than this is not waited for any more.
    static var patience: Duration { .seconds(2) }
    /// So often it is seen under way before.
    private static var looksNeeded: Int { 4 }
    /// The call that was under way at the last look, by when it began, and how often it was.
    private var seen: (since: HostTime, looks: Int)?

    init(kind: TrackKind<Media>, clock: any HostClock, buffering: BufferingPolicy) {
        self.kind = kind
        self.buffering = buffering
        self.clock = clock
        thread = WorkerThread(name: kind.name, clock: clock)
        worker = DecodeWorker(kind: kind, clock: clock)
    }

    /// Begins to decode a run of reading into a new queue. What was being decoded must have been cancelled.
    ///
    /// - Parameters:
    ///   - earliest: what ends at or before this asset time is decoded and thrown away.
    ///   - capacity: how many pieces wait for the player; nil is what the kind says.
    ///   - isHasty: whether what ends at or before `earliest` need not even be decoded where nothing else hangs on it.
    ///   - keepsLast: whether a place behind all pieces has the last of them, where the kind is one that does so.
    ///   - bell: rung whenever something was put into the empty queue.
    func start(
        reading buffer: SampleBuffer, track: TrackID, earliest: MediaTime, capacity: Int? = nil, isHasty: Bool = false,
        keepsLast: Bool = true,
        bell: Doorbell
    ) -> BoundedQueue<Decoded<Media>> {
        let capacity = capacity ?? kind.capacity
        let queue = BoundedQueue<Decoded<Media>>(
            capacity: capacity, resumeCount: buffering.resumeCount(of: capacity), ledger: clock.ledger)
        let worker = worker
        thread.perform {
            worker.run(buffer, track, earliest, isHasty: isHasty, keepsLast: keepsLast) { item in
                let isWanted = queue.push(item)
                // Whoever has not yet looked at what was there before needs no second ring.
                if queue.count <= 1 { bell.ring() }
                return isWanted
            }
        }
        return queue
    }

    /// Does something on the decoder's thread and hands the result to the main loop.
    func compute<Result: Sendable>(
        _ work: @escaping @Sendable () -> Result, then: @escaping @MainActor @Sendable (Result) -> Void
    ) {
        clock.computeWaiting(on: thread, rank: .media, work, then: then)
    }

    /// Whether a call into the decoder has been under way for too long.
    var hangs: Bool { worker.busySince.map { clock.now - $0 > Self.patience } ?? false }

    /// Looks whether a call hangs; done every half second. A machine that stands makes time pass without anybody working: a call hangs only if it was seen under way
    /// again and again.
    func looksHung() -> Bool {
        guard let since = worker.busySince else {
            seen = nil
            return false
        }
        if seen?.since == since { seen?.looks += 1 } else { seen = (since, 1) }
        return clock.now - since > Self.patience && seen!.looks >= Self.looksNeeded
    }

    /// Gives up the thread that hangs, and what it holds: a new one, with a new decoder, takes its place.
    func abandon() {
        thread.retire()
        thread = WorkerThread(name: kind.name, clock: clock)
        worker = DecodeWorker(kind: kind, clock: clock)
    }

    /// Ends the thread. One that hangs is not waited for.
    func stop() { if worker.busySince != nil, hangs { thread.retire() } else { thread.stop() } }
}
