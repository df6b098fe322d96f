import LinuxSupport
import MediaModel
import MediaTime

/// Which frame is on the screen: the one that the media clock asks for, of the run of reading that is shown. A value: it takes frames from its queue, and tells
/// by events what happens. Any thread, in the scheduler's critical section.
struct FramePicker {
    /// A frame that was picked.
    struct Picked {
        var frame: VideoFrame
        /// The run that it belongs to.
        var generation: Int
    }

    /// A run of frames.
    private struct Run {
        var queue: BoundedQueue<Decoded<VideoFrame>>?
        /// Counts runs of reading: a flip of an earlier run is not told as one of this.
        var generation = 0
        /// Shown before anything of the queue: a frame that needs no decoding any more.
        var first: VideoFrame?
        /// Whether the next frame is shown whatever the clock says.
        var wantsFirst = false
        /// Whether the frames lie far apart, as those of a scan do: that none is due is no starvation.
        var isSparse = false
        var isStarved = false
        var isEnded = false
        var boundary: MediaTime?
    }

    /// What is to take over: one item behind the other without a blank between.
    private struct Following {
        var queue: BoundedQueue<Decoded<VideoFrame>>
        var generation: Int
        /// The place of the present item at which it takes over; nil: where its last frame ends.
        var end: MediaTime?
        /// The asset time of what takes over at that place.
        var start: MediaTime
        /// Where it is held itself.
        var boundary: MediaTime?
    }

    /// What has taken over. The player, which sets the clock, does not know it yet.
    private struct Followed {
        /// The run before, and its clock.
        var generation: Int
        var clock: MediaClock
        var end: MediaTime
        /// From the times of the one before to its own.
        var shift: MediaTime
        var limit: MediaTime?
        /// Whether it was told: first come the flips of the frames before.
        var isTold = false
    }

    private var clock = MediaClock(anchorHost: .zero, anchorTime: .zero, rate: .zero)
    private var run = Run()
    /// The number of the run.
    var generation: Int { run.generation }
    /// What is on the screen, or on its way there.
    private(set) var current: Picked?
    /// How many frames were passed over because their time had gone by.
    private(set) var passedOver = 0
    private var following: Following?
    private var followed: Followed?
    private var events: [PresentationScheduler.Event] = []

    // MARK: From the main loop

    /// Begins a run of frames.
    ///
    /// - Parameters:
    ///   - first: shown at once, before anything of the queue.
    ///   - showsFirst: whether the first frame of the queue is shown whatever the clock says.
    /// - Returns: the number of the run.
    mutating func begin(
        _ queue: BoundedQueue<Decoded<VideoFrame>>?, first: VideoFrame?, showsFirst: Bool, isSparse: Bool
    ) -> Int {
        run = Run(
            queue: queue, generation: run.generation + 1, first: first,
            wantsFirst: first != nil || (queue != nil && showsFirst), isSparse: isSparse)
        following = nil
        followed = nil
        return run.generation
    }

    /// The frames that follow what is shown come from this queue: the run goes on.
    mutating func attach(_ queue: BoundedQueue<Decoded<VideoFrame>>) { run.queue = queue }

    /// Nothing is on the screen from now on, and nothing follows.
    mutating func clear() {
        current = nil
        run.queue = nil
        run.first = nil
        run.wantsFirst = false
        run.generation += 1
        following = nil
        followed = nil
    }

    /// Takes a picture of an item before off the screen.
    mutating func dropEarlierPicture() { if current?.generation != run.generation { current = nil } }

    mutating func setClock(_ clock: MediaClock) {
        // The player has not heard yet that another item has taken over.
        self.clock = followed.map { clock.shifted(by: $0.shift, limit: $0.limit) } ?? clock
    }

    mutating func setBoundary(_ time: MediaTime?) { if followed == nil { run.boundary = time } }

    /// What has happened since the last call.
    mutating func takeEvents() -> [PresentationScheduler.Event] {
        defer { events = [] }
        return events
    }

    /// How many events wait to be taken.
    var eventCount: Int { events.count }

    mutating func tell(_ event: PresentationScheduler.Event) { events.append(event) }

    // MARK: One item behind the other

    /// Says what takes over.
    ///
    /// - Returns: the number of its run.
    mutating func follow(
        with queue: BoundedQueue<Decoded<VideoFrame>>, from start: MediaTime, behind end: MediaTime?, boundary: MediaTime?
    ) -> Int {
        let generation = run.generation + 1
        following = Following(queue: queue, generation: generation, end: end, start: start, boundary: boundary)
        // The end may have been noticed a moment ago: it is none.
        run.isEnded = false
        events.removeAll { if case .exhausted = $0 { true } else { false } }
        return generation
    }

    /// The player knows now, and sets the clock of the new item from here on.
    mutating func becomeFollower(_ clock: MediaClock) {
        followed = nil
        self.clock = clock
    }

    /// Takes over, when it is time.
    ///
    /// - Parameter hasPending: whether frames of the run are on their way to the screen.
    /// - Returns: the new frames, and the new item's time for this blank.
    private mutating func takeOver(
        _ wanted: MediaTime, hasPending: Bool
    ) -> (BoundedQueue<Decoded<VideoFrame>>, MediaTime)? {
        guard let next = following, clock.rate > .zero, !run.wantsFirst, let end = next.end ?? current?.frame.end, wanted >= end
        else { return nil }
        let shift = next.start - end
        followed = Followed(generation: run.generation, clock: clock, end: end, shift: shift, limit: next.boundary)
        following = nil
        clock = clock.shifted(by: shift, limit: next.boundary)
        if !hasPending { tellFollowed() }
        run.queue = next.queue
        run.generation = next.generation
        run.boundary = next.boundary
        run.isStarved = false
        run.isEnded = false
        return (next.queue, wanted + shift)
    }

    /// Tells it, once.
    private mutating func tellFollowed() {
        guard let over = followed, !over.isTold else { return }
        followed?.isTold = true
        events.append(.followed(end: over.end))
    }

    // MARK: At a vertical blank

    /// Whether another blank will bring something new.
    var isRunning: Bool { run.queue != nil && (run.wantsFirst || (clock.rate != .zero && !run.isEnded && !run.isStarved)) }

    /// Takes frames whose time has come.
    ///
    /// - Parameter hasPending: whether frames of the run are on their way to the screen.
    /// - Returns: whether the picture changes.
    mutating func advance(to opportunity: PresentationOpportunity, hasPending: Bool) -> Bool {
        if let first = run.first {
            run.first = nil
            run.wantsFirst = false
            show(first)
            return true
        }
        guard var queue = run.queue else { return false }
        var wanted = wanted(at: opportunity.targetTime, interval: opportunity.interval)
        var taken = 0
        while true {
            switch queue.peek() {
            case nil:
                let isDue = !run.wantsFirst && !run.isSparse && clock.rate != .zero && isOver(wanted)
                // The decoder is at work again once a frame was taken: whether it is late shows at the next blank.
                if isDue, taken == 0, !run.isStarved, !run.isEnded, !isAtBoundary {
                    run.isStarved = true
                    events.append(.starved)
                }
            case .media(let frame):
                // What it starved of is here, due or not yet: the display is asked for the next blank again.
                run.isStarved = false
                let isHeld = clock.rate >= .zero && (run.boundary.map { frame.time >= $0 } ?? false)
                if isHeld, let next = takeOver(wanted, hasPending: hasPending) {
                    (queue, wanted) = next
                    continue
                }
                guard run.wantsFirst || isDue(frame, wanted), !isHeld, queue.tryPop() != nil else { break }
                run.wantsFirst = false
                show(frame)
                taken += 1
                // Only a clock that runs may pass over frames.
                if clock.rate != .zero { continue }
            case .end:
                if let next = takeOver(wanted, hasPending: hasPending) {
                    (queue, wanted) = next
                    continue
                }
                if following == nil { finish(wanted, clock.rate == .zero ? nil : .exhausted) }
            case .failed(let error): finish(wanted, .failed(error))
            case .broken(let error): finish(wanted, .broken(error))
            }
            break
        }
        if taken > 1, !run.isSparse { passedOver += taken - 1 }
        return taken > 0
    }

    /// When the next frame is due, where that is known: until the blank of that instant the display need not ask.
    func nextDue(interval: Duration) -> HostTime? {
        guard !run.wantsFirst, clock.rate != .zero, case .media(let next)? = run.queue?.peek(),
            let instant = clock.instant(of: clock.rate > .zero ? next.time : next.end)
        else { return nil }
        // The display is woken whenever the clock is changed.
        return instant - .nanoseconds(interval.wholeNanoseconds / 2 + 1000)
    }

    /// A frame was seen for the first time. Frames of the run before are reported before the joint.
    ///
    /// - Parameter hash: of its visible luma, in dumps.
    /// - Returns: whether it is reported.
    mutating func present(_ shown: Picked, scheduled: HostTime, flip: HostTime, hash: @autoclosure () -> UInt64?) -> Bool {
        let isLast = followed.map { !$0.isTold && $0.generation == shown.generation } ?? false
        if !isLast { tellFollowed() }
        guard shown.generation == run.generation || isLast else { return false }
        let clock = isLast ? followed!.clock : self.clock
        events.append(
            .shown(
                FrameRecord(
                    generation: shown.generation, time: shown.frame.time, duration: shown.frame.duration, scheduled: scheduled,
                    flip: flip, mediaTimeAtFlip: clock.time(at: flip), isRunning: clock.rate != .zero, contentHash: hash())))
        tellFollowed()
        return true
    }

    /// The media time that counts for a blank: in the middle of the time for which it is seen.
    private func wanted(at instant: HostTime, interval: Duration) -> MediaTime {
        let half = MediaTime.nanoseconds(interval.wholeNanoseconds / 2)
        return clock.time(at: instant) + (clock.rate == .one ? half : half.scaled(by: clock.rate))
    }

    /// Whether a frame's time has come: forward once it begins, backward once its end is passed.
    private func isDue(_ frame: VideoFrame, _ wanted: MediaTime) -> Bool {
        clock.rate > .zero ? frame.time <= wanted : clock.rate < .zero && frame.end > wanted
    }

    /// Whether the frame on the screen has had its time.
    private func isOver(_ wanted: MediaTime) -> Bool {
        guard let frame = current?.frame else { return true }
        return clock.rate < .zero ? frame.time >= wanted : frame.end <= wanted
    }

    private var isAtBoundary: Bool {
        guard let boundary = run.boundary, let current else { return false }
        return current.frame.end >= boundary
    }

    private mutating func show(_ frame: VideoFrame) { current = Picked(frame: frame, generation: run.generation) }

    /// Tells once what ends the run, when the last frame has had its time.
    private mutating func finish(_ wanted: MediaTime, _ event: PresentationScheduler.Event?) {
        run.isStarved = false
        guard let event, !run.isEnded, isOver(wanted) || current?.generation != run.generation else { return }
        run.isEnded = true
        if case .exhausted = event {} else { run.wantsFirst = false }
        events.append(event)
    }
}

extension MediaClock {
    /// The same line for an asset whose times are later by so much.
    func shifted(by shift: MediaTime, limit: MediaTime?) -> MediaClock {
        MediaClock(anchorHost: anchorHost, anchorTime: anchorTime + shift, rate: rate, limit: limit)
    }
}
