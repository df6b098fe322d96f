import LinuxSupport
import MediaModel
import MediaTime
import Synchronization

/// Picks what is on the screen at each vertical blank: the frame that the media clock asks for, and the interface above it.
///
/// The display asks on its own thread (`answer(to:)`); the main loop sets the clock, the queue of decoded frames and the layers. Both
/// sides meet in one short critical section that never waits. The frame whose time is nearest to the vertical blank's is shown; frames
/// that were passed over are counted, the first frame after a seek is always shown.
package final class PresentationScheduler: PresentationSource, Sendable {
    /// What happened on the screen, for the main loop.
    enum Event: Sendable {
        /// A frame was seen for the first time.
        case shown(FrameRecord)
        /// The clock asked for a frame and there was none, with more to come.
        case starved
        /// The last frame has had its time.
        case exhausted
        /// Reading cannot go on.
        case failed(MediaError)
        /// The decoder cannot go on.
        case broken(MediaError)
        /// The screen was lost or came back.
        case display(DisplayMode?)
        /// What was to follow has taken over, behind this asset time of what was.
        case followed(end: MediaTime)
    }

    struct State {
        var clock = MediaClock(anchorHost: .zero, anchorTime: .zero, rate: .zero)
        var queue: BoundedQueue<Decoded<VideoFrame>>?
        /// Counts runs of reading: a flip of an earlier run is not told as one of this.
        var generation = 0
        var current: (frame: VideoFrame, generation: Int, number: UInt64)?
        var frameCount: UInt64 = 0
        /// Show the next frame whatever the clock says.
        var wantsFirst = false
        /// Shown before anything of the queue: a frame that needs no decoding any more.
        var first: VideoFrame?
        /// The frames of the queue lie far apart, as those of a scan do: that none is due is no starvation.
        var isSparse = false
        var isStarved = false
        var isEnded = false
        var boundary: MediaTime?
        var layers: [InterfaceLayer] = []
        var videoFrame: PixelRect?
        var gravity = VideoGravity.resizeAspect
        var showsVideo = true
        var background = OpaqueColour.black
        var hasChanged = false
        var lastOpportunity: PresentationOpportunity?
        var modeSize: (width: Int, height: Int)
        var pendingFrames: [(number: UInt64, generation: Int, frame: VideoFrame, wanted: HostTime)] = []
        var passedOver = 0
        var events: [Event] = []
        var hashesFrames = false
        var flips: UInt64 = 0
        var firstFlip: HostTime?
        var following: Following?
        var followed: Followed?
    }
    let state: Mutex<State>
    let display: any DisplayOutput
    private let bell = Mutex<Doorbell?>(nil)

    package init(display: any DisplayOutput) {
        self.display = display
        state = Mutex(State(modeSize: (display.mode.width, display.mode.height)))
    }

    // MARK: Main loop's side

    func setBell(_ doorbell: Doorbell) { bell.withLock { $0 = doorbell } }

    /// What has happened since the last call.
    func takeEvents() -> [Event] {
        state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
    }

    /// Begins a run of frames: the first is shown at once, the others when the clock says. What is on the screen stays until then.
    ///
    /// - Returns: the number of the run.
    ///
    /// - Parameters:
    ///   - first: shown at once, before anything of the queue.
    ///   - showsFirst: whether the first frame of the queue is shown whatever the clock says.
    ///   - isSparse: whether the frames lie far apart, as those of a scan do.
    @discardableResult
    func begin(
        _ queue: BoundedQueue<Decoded<VideoFrame>>?, first: VideoFrame? = nil, showsFirst: Bool = true, isSparse: Bool = false
    ) -> Int {
        let generation = state.withLock { state in
            state.queue = queue
            state.generation += 1
            state.first = first
            state.wantsFirst = first != nil || (queue != nil && showsFirst)
            state.isSparse = isSparse
            state.isStarved = false
            state.isEnded = false
            state.boundary = nil
            state.following = nil
            state.followed = nil
            return state.generation
        }
        display.wake()
        return generation
    }

    /// The frames that follow what is shown come from this queue: the run goes on.
    func attach(_ queue: BoundedQueue<Decoded<VideoFrame>>) {
        state.withLock { $0.queue = queue }
        display.wake()
    }

    /// Takes the video off the screen: the next item must not begin under the last frame of this one.
    package func clearVideo() {
        state.withLock { state in
            state.current = nil
            state.queue = nil
            state.first = nil
            state.wantsFirst = false
            state.generation += 1
            state.following = nil
            state.followed = nil
            state.hasChanged = true
        }
        display.wake()
    }

    /// Sets where playback is and goes.
    func setClock(_ clock: MediaClock) {
        state.withLock { state in
            // Who sets it has not heard yet that another item has taken over.
            state.clock = state.followed.map { clock.shifted(by: $0.shift, limit: $0.limit) } ?? clock
        }
        display.wake()
    }

    /// No frame of this asset time or after is shown until the boundary is lifted; nil lifts it.
    func setBoundary(_ time: MediaTime?) {
        state.withLock { if $0.followed == nil { $0.boundary = time } }
        display.wake()
    }

    /// How many flips the display has told of since the start, whatever was on them.
    package var flipCount: UInt64 { state.withLock { $0.flips } }

    /// When the first flip was; nil: there was none yet.
    package var firstFlip: HostTime? { state.withLock { $0.firstFlip } }

    /// Asks for a flip though nothing has changed: the scene that is there is shown once more.
    package func showAgain() {
        state.withLock { $0.hasChanged = true }
        display.wake()
    }

    /// Whether frames are hashed when they are shown: for dumps.
    package func hashFrames(_ on: Bool) { state.withLock { $0.hashesFrames = on } }

    /// The interface's layers from now on.
    package func setLayers(_ layers: [InterfaceLayer]) {
        state.withLock { state in
            state.layers = layers
            state.hasChanged = true
        }
        display.wake()
    }

    /// Everything that the interface decides, at once: on the screen it changes in one scene, so that no video is taken away before what takes its place is there.
    ///
    /// - Parameters:
    ///   - layers: what is drawn above the video.
    ///   - video: the rectangle that the video is fitted into, in pixels of the mode; nil hides it, and lets go of a picture of an item before.
    ///   - background: what is behind everything.
    package func setInterface(_ layers: [InterfaceLayer], video: PixelRect?, background: OpaqueColour) {
        state.withLock { state in
            state.layers = layers
            state.showsVideo = video != nil
            if let video { state.videoFrame = video }
            if video == nil, let current = state.current, current.generation != state.generation { state.current = nil }
            state.background = background
            state.hasChanged = true
        }
        display.wake()
    }

    /// How the video fills its rectangle.
    package func setGravity(_ gravity: VideoGravity) {
        state.withLock { state in
            state.gravity = gravity
            state.hasChanged = true
        }
        display.wake()
    }

    /// A vertical blank at or after an instant, by the last one that the display told: where a clock is best started, so that frames
    /// change on blanks and not between them.
    func verticalBlank(atOrAfter instant: HostTime) -> HostTime {
        guard let last = state.withLock({ $0.lastOpportunity }) else { return instant }
        let interval = last.interval.wholeNanoseconds
        let ahead = instant.nanoseconds - last.targetTime.nanoseconds
        guard ahead > 0, interval > 0 else { return last.targetTime >= instant ? last.targetTime : instant }
        return last.targetTime + .nanoseconds((ahead + interval - 1) / interval * interval)
    }

    /// How many frames were passed over because their time had gone by.
    package var passedOverFrames: Int { state.withLock { $0.passedOver } }

    // MARK: Display's side

    package func answer(to opportunity: PresentationOpportunity) -> PresentationAnswer {
        var shouldRing = false
        let answer = state.withLock { state -> PresentationAnswer in
            state.lastOpportunity = opportunity
            let eventCount = state.events.count
            let isNewFrame = Self.advance(&state, to: opportunity)
            shouldRing = state.events.count > eventCount
            let isRunning =
                state.queue != nil && (state.wantsFirst || (state.clock.rate != .zero && !state.isEnded && !state.isStarved))
            let due = isRunning ? Self.nextDue(state, interval: opportunity.interval) : nil
            guard isNewFrame || state.hasChanged else {
                return PresentationAnswer(scene: nil, wantsNext: isRunning, notBefore: due)
            }
            state.hasChanged = false
            let scene = Self.makeScene(state, for: opportunity)
            if isNewFrame, let current = state.current {
                state.pendingFrames.append((current.number, current.generation, current.frame, opportunity.targetTime))
            }
            return PresentationAnswer(scene: scene, wantsNext: isRunning, notBefore: due)
        }
        if shouldRing { ring() }
        return answer
    }

    package func didPresent(_ flip: Flip) {
        let shouldRing = state.withLock { state in
            state.flips += 1
            if state.firstFlip == nil { state.firstFlip = flip.time }
            guard let index = state.pendingFrames.firstIndex(where: { $0.wanted <= flip.wantedTime }) else { return false }
            // Scenes are shown in the order in which they were made; a scene that was dropped takes its frame with it.
            let shown = state.pendingFrames.last { $0.wanted <= flip.wantedTime } ?? state.pendingFrames[index]
            state.pendingFrames.removeAll { $0.wanted <= flip.wantedTime }
            let isLast = state.followed.map { !$0.isTold && $0.generation == shown.generation } ?? false
            if !isLast { Self.tellFollowed(&state) }
            guard shown.generation == state.generation || isLast else { return false }
            let clock = isLast ? state.followed!.clock : state.clock
            defer { Self.tellFollowed(&state) }
            state.events.append(
                .shown(
                    FrameRecord(
                        generation: shown.generation, time: shown.frame.time, duration: shown.frame.duration,
                        scheduled: shown.wanted, flip: flip.time,
                        mediaTimeAtFlip: clock.time(at: flip.time), isRunning: clock.rate != .zero,
                        contentHash: state.hashesFrames ? shown.frame.pixels.contentHash() : nil)))
            return true
        }
        if shouldRing { ring() }
    }

    package func displayDidChange(_ mode: DisplayMode?) {
        state.withLock { state in
            if let mode { state.modeSize = (mode.width, mode.height) }
            state.hasChanged = true
            state.events.append(.display(mode))
        }
        ring()
    }

    private func ring() { bell.withLock { $0 }?.ring() }

    /// The media time that counts for a blank: in the middle of the time for which it is seen.
    private static func wanted(_ state: State, at instant: HostTime, interval: Duration) -> MediaTime {
        let half = MediaTime.nanoseconds(interval.wholeNanoseconds / 2)
        return state.clock.time(at: instant) + (state.clock.rate == .one ? half : half.scaled(by: state.clock.rate))
    }

    /// Whether a frame's time has come: forward once it begins, backward once its end is passed.
    private static func isDue(_ frame: VideoFrame, _ wanted: MediaTime, _ clock: MediaClock) -> Bool {
        clock.rate > .zero ? frame.time <= wanted : clock.rate < .zero && frame.end > wanted
    }

    /// Whether the frame on the screen has had its time.
    private static func isOver(_ state: State, _ wanted: MediaTime) -> Bool {
        guard let frame = state.current?.frame else { return true }
        return state.clock.rate < .zero ? frame.time >= wanted : frame.end <= wanted
    }

    /// When the next frame is due, where that is known: until the blank of that instant the display need not ask.
    private static func nextDue(_ state: State, interval: Duration) -> HostTime? {
        guard !state.wantsFirst, state.clock.rate != .zero, case .media(let next)? = state.queue?.peek(),
            let instant = state.clock.instant(of: state.clock.rate > .zero ? next.time : next.end)
        else { return nil }
        // The display is woken whenever the clock is changed.
        return instant - .nanoseconds(interval.wholeNanoseconds / 2 + 1000)
    }

    /// Takes frames whose time has come. Answers whether the picture changes.
    private static func advance(_ state: inout State, to opportunity: PresentationOpportunity) -> Bool {
        if let first = state.first {
            state.first = nil
            state.wantsFirst = false
            show(first, &state)
            return true
        }
        guard var queue = state.queue else { return false }
        var wanted = wanted(state, at: opportunity.targetTime, interval: opportunity.interval)
        var taken = 0
        while true {
            switch queue.peek() {
            case nil:
                let isDue = !state.wantsFirst && !state.isSparse && state.clock.rate != .zero && isOver(state, wanted)
                // The decoder is at work again once a frame was taken: whether it is late shows at the next blank.
                if isDue, taken == 0, !state.isStarved, !state.isEnded, !isAtBoundary(state) {
                    state.isStarved = true
                    state.events.append(.starved)
                }
            case .media(let frame):
                // What it starved of is here, due or not yet: the display is asked for the next blank again.
                state.isStarved = false
                let isHeld = state.clock.rate >= .zero && (state.boundary.map { frame.time >= $0 } ?? false)
                if isHeld, let next = follow(&state, wanted) {
                    (queue, wanted) = next
                    continue
                }
                guard state.wantsFirst || isDue(frame, wanted, state.clock), !isHeld, queue.tryPop() != nil else { break }
                state.wantsFirst = false
                show(frame, &state)
                taken += 1
                // Only a clock that runs may pass over frames.
                if state.clock.rate != .zero { continue }
            case .end:
                if let next = follow(&state, wanted) {
                    (queue, wanted) = next
                    continue
                }
                if state.following == nil { finish(&state, wanted, state.clock.rate == .zero ? nil : .exhausted) }
            case .failed(let error): finish(&state, wanted, .failed(error))
            case .broken(let error): finish(&state, wanted, .broken(error))
            }
            break
        }
        if taken > 1, !state.isSparse { state.passedOver += taken - 1 }
        return taken > 0
    }

    private static func show(_ frame: VideoFrame, _ state: inout State) {
        state.frameCount += 1
        state.current = (frame, state.generation, state.frameCount)
    }

    /// Tells once what ends the run, when the last frame has had its time.
    private static func finish(_ state: inout State, _ wanted: MediaTime, _ event: Event?) {
        state.isStarved = false
        guard let event, !state.isEnded, isOver(state, wanted) || state.current?.generation != state.generation else { return }
        state.isEnded = true
        if case .exhausted = event {} else { state.wantsFirst = false }
        state.events.append(event)
    }

    private static func isAtBoundary(_ state: State) -> Bool {
        guard let boundary = state.boundary, let current = state.current else { return false }
        return current.frame.end >= boundary
    }

    private static func makeScene(_ state: State, for opportunity: PresentationOpportunity) -> Scene {
        let screen = PixelRect(x: 0, y: 0, width: state.modeSize.width, height: state.modeSize.height)
        let video =
            state.showsVideo
            ? state.current.map { current in
                state.gravity.place(current.frame, in: state.videoFrame ?? screen)
            } : nil
        return Scene(background: state.background, video: video, layers: state.layers, wantedTime: opportunity.targetTime)
    }
}

/// One frame's entry in the presentation log.
package struct FrameRecord: Sendable, Hashable {
    /// The run of reading that it belongs to.
    package var generation: Int
    /// Its asset time.
    package var time: MediaTime
    /// How long it is to be shown.
    package var duration: MediaTime
    /// The vertical blank that it was scheduled for.
    package var scheduled: HostTime
    /// The vertical blank at which it was first seen, by the display's account.
    package var flip: HostTime
    /// The asset time that the media clock (led by the sound) gave for that instant.
    package var mediaTimeAtFlip: MediaTime
    /// Whether the clock was running: a frame shown by a seek while paused has no A/V error.
    package var isRunning: Bool
    /// A hash of its visible luma, in dumps.
    package var contentHash: UInt64?

    /// How much later the sound of this frame's time is heard than the frame is seen; positive: sound late. Nil while paused.
    package var soundDelay: MediaTime? { isRunning ? time - mediaTimeAtFlip : nil }
}
