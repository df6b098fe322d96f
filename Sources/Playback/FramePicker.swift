import LinuxSupport
import MediaModel
import MediaTime

/// Chooses the frame on the screen: the frame of the shown run that is due by the media clock. A value: it takes frames from its queue and reports
/// events. Any thread, in the scheduler's critical section.
struct FramePicker {
    /// A chosen frame.
    struct Picked {
        var frame: VideoFrame
        /// The run of the frame.
        var generation: Int
        /// How it moves while it is shown.
        var motion: PictureMotion?
    }

    /// A run of frames.
    private struct Run {
        var queue: BoundedQueue<Decoded<VideoFrame>>?
        /// The number of the reading run, by which flips of earlier runs are recognised.
        var generation = 0
        /// A decoded frame that is shown before the queue.
        var first: VideoFrame?
        /// Whether the next frame is shown regardless of the clock.
        var wantsFirst = false
        /// That applies to a frame that begins at this asset time at the latest; a later one is shown when it is due. Nil: to any.
        var latestFirst: MediaTime?
        /// Whether the frames are far apart, as in a scan: then a missing frame is not starvation.
        var isSparse = false
        var isStarved = false
        var isEnded = false
        var boundary: MediaTime?
        /// How its only picture moves.
        var motion: PictureMotion?
    }

    /// The run that takes over without a blank between the items.
    private struct Following {
        var queue: BoundedQueue<Decoded<VideoFrame>>
        var generation: Int
        /// The position of the current item at which it takes over; nil for the end of its last frame.
        var end: MediaTime?
        /// The asset time of the following item at that position.
        var start: MediaTime
        /// Its own boundary.
        var boundary: MediaTime?
        var motion: PictureMotion?
    }

    /// The run that has taken over; the player, which sets the clock, has not been told yet.
    private struct Followed {
        /// The previous run and its clock.
        var generation: Int
        var clock: MediaClock
        var end: MediaTime
        /// From the previous item's times to its own.
        var shift: MediaTime
        var limit: MediaTime?
        /// Whether it was reported, which happens after the flips of earlier frames.
        var isTold = false
    }

    private var clock = MediaClock(anchorHost: .zero, anchorTime: .zero, rate: .zero)
    private var run = Run()
    /// The number of the run.
    var generation: Int { run.generation }
    /// The frame that is on the screen or pending.
    private(set) var current: Picked?
    /// Whether the run has a frame that is not in its queue any more.
    var hasFrame: Bool { run.first != nil || current?.generation == run.generation }
    /// The number of dropped frames.
    private(set) var passedOver = 0
    private var following: Following?
    private var followed: Followed?
    private var events: [PresentationScheduler.Event] = []

    // MARK: From the main loop

    /// Begins a run.
    ///
    /// - Parameters:
    ///   - first: a frame that is shown at once, before the queue.
    ///   - showsFirst: whether the first frame of the queue is shown whatever the clock says.
    ///   - latestFirst: the latest asset time of that frame, until `showAnyFirst()`; nil for any.
    ///   - motion: how its only picture moves.
    /// - Returns: the number of the run.
    mutating func begin(
        _ queue: BoundedQueue<Decoded<VideoFrame>>?, first: VideoFrame?, showsFirst: Bool, latestFirst: MediaTime?,
        isSparse: Bool, motion: PictureMotion?
    ) -> Int {
        run = Run(
            queue: queue, generation: run.generation + 1, first: first,
            wantsFirst: first != nil || (queue != nil && showsFirst), latestFirst: latestFirst, isSparse: isSparse, motion: motion
        )
        following = nil
        followed = nil
        return run.generation
    }

    /// The first frame is shown whatever the clock says, however late in the film it is.
    mutating func showAnyFirst() { run.latestFirst = nil }

    /// Further frames come from this queue; the run continues.
    mutating func attach(_ queue: BoundedQueue<Decoded<VideoFrame>>) { run.queue = queue }

    /// Another picture takes the place of the frame on the screen, for its time; the run goes on.
    ///
    /// - Returns: false if the frame on the screen is not of this run.
    mutating func replace(with frame: VideoFrame, in generation: Int) -> Bool {
        guard let old = current, old.generation == generation else { return false }
        var frame = frame
        (frame.time, frame.duration) = (old.frame.time, old.frame.duration)
        current?.frame = frame
        return true
    }

    /// Removes the frame and ends the run.
    mutating func clear() {
        current = nil
        run.queue = nil
        run.first = nil
        run.wantsFirst = false
        run.generation += 1
        following = nil
        followed = nil
    }

    /// Removes the frame of a previous item from the screen.
    mutating func dropEarlierPicture() { if current?.generation != run.generation { current = nil } }

    mutating func setClock(_ clock: MediaClock) {
        // The player has not been told yet that another item has taken over.
        self.clock = followed.map { clock.shifted(by: $0.shift, limit: $0.limit) } ?? clock
    }

    mutating func setBoundary(_ time: MediaTime?) { if followed == nil { run.boundary = time } }

    /// The reports since the last call.
    mutating func takeEvents() -> [PresentationScheduler.Event] {
        defer { events = [] }
        return events
    }

    /// The number of pending events.
    var eventCount: Int { events.count }

    mutating func tell(_ event: PresentationScheduler.Event) { events.append(event) }

    // MARK: Gapless transitions

    /// Sets the following run.
    ///
    /// - Returns: its number.
    mutating func follow(
        with queue: BoundedQueue<Decoded<VideoFrame>>, from start: MediaTime, behind end: MediaTime?, boundary: MediaTime?,
        motion: PictureMotion?
    ) -> Int {
        let generation = run.generation + 1
        following = Following(
            queue: queue, generation: generation, end: end, start: start, boundary: boundary, motion: motion)
        // The end may have been detected just before; it no longer applies.
        run.isEnded = false
        events.removeAll { if case .exhausted = $0 { true } else { false } }
        return generation
    }

    /// The player has been told, and sets the clock of the new item from now on.
    mutating func becomeFollower(_ clock: MediaClock) {
        followed = nil
        self.clock = clock
    }

    /// Takes over when it is due.
    ///
    /// - Parameter hasPending: whether frames of the run have not been flipped yet.
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
        run.motion = next.motion
        run.isStarved = false
        run.isEnded = false
        // Where its pictures come later than its sound, the last one of the previous item does not stand for them.
        if case .media(let first)? = next.queue.peek(), first.time - next.start > Self.latestStart { current = nil }
        return (next.queue, wanted + shift)
    }

    /// A first picture is not later than this: less is the reordering of an encoder.
    private static let latestStart = MediaTime.milliseconds(250)

    /// Reports the takeover, once.
    private mutating func tellFollowed() {
        guard let over = followed, !over.isTold else { return }
        followed?.isTold = true
        events.append(.followed(end: over.end))
    }

    // MARK: At a vertical blank

    /// Whether the next blank can change the picture.
    var isRunning: Bool { run.queue != nil && (run.wantsFirst || (clock.rate != .zero && !run.isEnded && !run.isStarved)) }

    /// Takes the frames that are due.
    ///
    /// - Parameter hasPending: whether frames of the run have not been flipped yet.
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
        let hadPicture = current != nil
        while true {
            switch queue.peek() {
            case nil:
                let isDue = !run.wantsFirst && !run.isSparse && clock.rate != .zero && isOver(wanted)
                // Taking a frame resumes the decoder; whether it is late shows at the next blank.
                if isDue, taken == 0, !run.isStarved, !run.isEnded, !isAtBoundary {
                    run.isStarved = true
                    events.append(.starved)
                }
            case .media(let frame):
                // The missing frame has arrived, whether due or not: the display asks for the next blank again.
                run.isStarved = false
                let isHeld = isHeld(frame)
                if isHeld, taken == 0, let next = takeOver(wanted, hasPending: hasPending) {
                    (queue, wanted) = next
                    continue
                }
                let isWanted = run.wantsFirst && run.latestFirst.map { frame.time <= $0 } ?? true
                let margin = taken > 0 ? margin(behind: current?.frame, interval: opportunity.interval) : .zero
                guard isWanted || isDue(frame, wanted, past: margin), !isHeld, queue.tryPop() != nil else { break }
                run.wantsFirst = false
                show(frame)
                taken += 1
                // Frames are dropped only while the clock runs.
                if clock.rate != .zero { continue }
            case .end:
                // A frame that was taken is seen before the run ends.
                if taken > 0 { break }
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
        return taken > 0 || (hadPicture && current == nil)
    }

    /// Where the frame is at a blank, if it moves.
    func placement(at opportunity: PresentationOpportunity) -> PicturePlacement? {
        guard let current, let motion = current.motion else { return nil }
        let size = (current.frame.pixels.width, current.frame.pixels.height)
        return motion.placement(
            width: size.0, height: size.1, at: wanted(at: opportunity.targetTime, interval: opportunity.interval))
    }

    /// When the next frame is due, if that is known; the display need not ask before that blank.
    func nextDue(interval: Duration) -> HostTime? {
        guard !run.wantsFirst, clock.rate != .zero, case .media(let next)? = run.queue?.peek(), !isHeld(next),
            let instant = clock.instant(of: clock.rate > .zero ? next.time : next.end)
        else { return nil }
        // The display is woken whenever the clock changes.
        return instant - .nanoseconds(interval.wholeNanoseconds / 2 + 1000)
    }

    /// A frame was shown for the first time. Frames of the previous run are reported before the joint.
    ///
    /// - Parameter hash: hash of its visible luma, for dumps.
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

    /// The media time for a blank: the middle of the interval in which it is visible.
    private func wanted(at instant: HostTime, interval: Duration) -> MediaTime {
        let half = MediaTime.nanoseconds(interval.wholeNanoseconds / 2)
        return clock.time(at: instant) + (clock.rate == .one ? half : half.scaled(by: clock.rate))
    }

    /// Whether a frame is due: forward when it begins, backward when its end has passed.
    ///
    /// - Parameter margin: by how much more it has to be due if it takes the blank of another frame.
    private func isDue(_ frame: VideoFrame, _ wanted: MediaTime, past margin: MediaTime) -> Bool {
        clock.rate > .zero ? frame.time <= wanted - margin : clock.rate < .zero && frame.end > wanted + margin
    }

    /// By how much more another frame has to be due at a blank that a frame has taken. Where film and screen have the same rate, the blanks may lie just where
    /// frames change: without this margin rounded times would show a frame twice and the next one never, up to 20 times a second.
    private func margin(behind frame: VideoFrame?, interval: Duration) -> MediaTime {
        let blank = MediaTime.nanoseconds(interval.wholeNanoseconds).scaled(by: clock.rate).magnitude
        // Of shorter frames several fall on a blank, and the one in its middle is shown.
        return frame.map { $0.duration + Self.rounding >= blank } == true ? Self.rounding : .zero
    }

    /// What times in whole milliseconds (Matroska, FLV) are wrong by between two frames, and a little more.
    private static let rounding = MediaTime(3, 2000)

    /// Whether a frame is behind the boundary, which another item may follow at any time.
    private func isHeld(_ frame: VideoFrame) -> Bool { clock.rate >= .zero && (run.boundary.map { frame.time >= $0 } ?? false) }

    /// Whether the frame on the screen has had its full duration.
    private func isOver(_ wanted: MediaTime) -> Bool {
        guard let frame = current?.frame else { return true }
        return clock.rate < .zero ? frame.time >= wanted : frame.end <= wanted
    }

    private var isAtBoundary: Bool {
        guard let boundary = run.boundary, let current else { return false }
        return current.frame.end >= boundary
    }

    private mutating func show(_ frame: VideoFrame) {
        current = Picked(frame: frame, generation: run.generation, motion: run.motion)
    }

    /// Reports the end of the run once, when the last frame has had its full duration.
    private mutating func finish(_ wanted: MediaTime, _ event: PresentationScheduler.Event?) {
        run.isStarved = false
        guard let event, !run.isEnded, isOver(wanted) || current?.generation != run.generation else { return }
        run.isEnded = true
        if case .exhausted = event {} else { run.wantsFirst = false }
        events.append(event)
    }
}
