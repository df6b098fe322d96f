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

    private struct State {
        var picker = FramePicker()
        var layout: ScreenLayout
        var flips = FlipAccount()
        var lastOpportunity: PresentationOpportunity?
        /// Whether frames are hashed when they are shown.
        var hashesFrames = false
    }
    private let state: Mutex<State>
    private let display: any DisplayOutput
    private let bell = Mutex<Doorbell?>(nil)

    package init(display: any DisplayOutput) {
        self.display = display
        state = Mutex(State(layout: ScreenLayout(width: display.mode.width, height: display.mode.height)))
    }

    // MARK: Main loop's side

    func setBell(_ doorbell: Doorbell) { bell.withLock { $0 = doorbell } }

    /// What has happened since the last call.
    func takeEvents() -> [Event] { state.withLock { $0.picker.takeEvents() } }

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
        let generation = state.withLock {
            $0.picker.begin(queue, first: first, showsFirst: showsFirst, isSparse: isSparse)
        }
        display.wake()
        return generation
    }

    /// The frames that follow what is shown come from this queue: the run goes on.
    func attach(_ queue: BoundedQueue<Decoded<VideoFrame>>) {
        state.withLock { $0.picker.attach(queue) }
        display.wake()
    }

    /// Takes the video off the screen: the next item must not begin under the last frame of this one.
    package func clearVideo() {
        state.withLock { state in
            state.picker.clear()
            state.layout.change()
        }
        display.wake()
    }

    /// Sets where playback is and goes.
    func setClock(_ clock: MediaClock) {
        state.withLock { $0.picker.setClock(clock) }
        display.wake()
    }

    /// No frame of this asset time or after is shown until the boundary is lifted; nil lifts it.
    func setBoundary(_ time: MediaTime?) {
        state.withLock { $0.picker.setBoundary(time) }
        display.wake()
    }

    /// How many flips the display has told of since the start, whatever was on them.
    package var flipCount: UInt64 { state.withLock { $0.flips.count } }

    /// When the first flip was; nil: there was none yet.
    package var firstFlip: HostTime? { state.withLock { $0.flips.first } }

    /// Asks for a flip though nothing has changed: the scene that is there is shown once more.
    package func showAgain() {
        state.withLock { $0.layout.change() }
        display.wake()
    }

    /// Whether frames are hashed when they are shown: for dumps.
    package func hashFrames(_ on: Bool) { state.withLock { $0.hashesFrames = on } }

    /// The interface's layers from now on.
    package func setLayers(_ layers: [InterfaceLayer]) {
        state.withLock { $0.layout.setLayers(layers) }
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
            state.layout.setInterface(layers, video: video, background: background)
            if video == nil { state.picker.dropEarlierPicture() }
        }
        display.wake()
    }

    /// How the video fills its rectangle.
    package func setGravity(_ gravity: VideoGravity) {
        state.withLock { $0.layout.setGravity(gravity) }
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
    package var passedOverFrames: Int { state.withLock { $0.picker.passedOver } }

    // MARK: One item behind the other

    /// Says what takes over at the end of the run: the frames of the next item, at the very blank at which the clock comes to the end of the last.
    ///
    /// - Returns: the number of its run.
    func follow(
        with queue: BoundedQueue<Decoded<VideoFrame>>, from start: MediaTime, behind end: MediaTime?, boundary: MediaTime?
    ) -> Int {
        state.withLock { $0.picker.follow(with: queue, from: start, behind: end, boundary: boundary) }
    }

    /// The player knows now that another item has taken over, and sets the clock of the new item from here on.
    func becomeFollower(_ clock: MediaClock) {
        state.withLock { $0.picker.becomeFollower(clock) }
        display.wake()
    }

    // MARK: Display's side

    package func answer(to opportunity: PresentationOpportunity) -> PresentationAnswer {
        var shouldRing = false
        let answer = state.withLock { state -> PresentationAnswer in
            state.lastOpportunity = opportunity
            let eventCount = state.picker.eventCount
            let hasPending = state.flips.hasPending(of: state.picker.generation)
            let isNewFrame = state.picker.advance(to: opportunity, hasPending: hasPending)
            shouldRing = state.picker.eventCount > eventCount
            let isRunning = state.picker.isRunning
            let due = isRunning ? state.picker.nextDue(interval: opportunity.interval) : nil
            guard isNewFrame || state.layout.needsScene else {
                return PresentationAnswer(scene: nil, wantsNext: isRunning, notBefore: due)
            }
            let scene = state.layout.makeScene(of: state.picker.current?.frame, for: opportunity.targetTime)
            if isNewFrame, let current = state.picker.current { state.flips.expect(current, at: opportunity.targetTime) }
            return PresentationAnswer(scene: scene, wantsNext: isRunning, notBefore: due)
        }
        if shouldRing { ring() }
        return answer
    }

    package func didPresent(_ flip: Flip) {
        let shouldRing = state.withLock { state in
            guard let shown = state.flips.take(flip) else { return false }
            return state.picker.present(
                shown.picked, scheduled: shown.wanted, flip: flip.time,
                hash: state.hashesFrames ? shown.picked.frame.pixels.contentHash() : nil)
        }
        if shouldRing { ring() }
    }

    package func displayDidChange(_ mode: DisplayMode?) {
        state.withLock { state in
            state.layout.setMode(mode)
            state.picker.tell(.display(mode))
        }
        ring()
    }

    private func ring() { bell.withLock { $0 }?.ring() }
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
