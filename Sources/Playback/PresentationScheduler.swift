import LinuxSupport
import MediaModel
import MediaTime
import Synchronization

/// Selects the content of the screen at each vertical blank: the frame for the media clock, and the interface above it.
///
/// The display asks on its own thread (`answer(to:)`); the main loop sets the clock, the queue of decoded frames and the layers. Both meet in one
/// short critical section that never waits. Shown is the frame of the middle of the time until the next blank, or that begins exactly there: of equally
/// spaced frames it is the one nearest to the blank. Frames that are over by then are dropped and counted, and the first frame after a seek is always
/// shown.
package final class PresentationScheduler: PresentationSource, Sendable {
    /// Reports to the main loop.
    enum Event: Sendable {
        /// A frame was shown for the first time.
        case shown(FrameRecord)
        /// No frame was available for the clock, with more to come.
        case starved
        /// The last frame has had its full duration.
        case exhausted
        /// Reading has failed.
        case failed(MediaError)
        /// The decoder has failed.
        case broken(MediaError)
        /// The screen was lost or has returned.
        case display(DisplayMode?)
        /// The following run has taken over, at this asset time of the previous one.
        case followed(end: MediaTime)
    }

    private struct State {
        var picker = FramePicker()
        var layout: ScreenLayout
        var flips = FlipAccount()
        var keys = KeyFlips()
        var lastOpportunity: PresentationOpportunity?
        /// Where the last scene had the frame, if it moves.
        var placement: PicturePlacement?
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

    // MARK: The main loop's side

    func setBell(_ doorbell: Doorbell) { bell.withLock { $0 = doorbell } }

    /// The reports since the last call.
    func takeEvents() -> [Event] { state.withLock { $0.picker.takeEvents() } }

    /// Starts a run of frames: the first is shown at once, the others by the clock. The current picture stays until then.
    ///
    /// - Returns: the number of the run.
    ///
    /// - Parameters:
    ///   - first: a frame that is shown at once, before the queue.
    ///   - showsFirst: whether the first frame of the queue is shown whatever the clock says.
    ///   - latestFirst: the latest asset time of that frame, until `showAnyFirst()`; nil for any.
    ///   - isSparse: whether the frames are far apart, as in a scan.
    ///   - motion: how its only picture moves while it is shown.
    @discardableResult
    func begin(
        _ queue: BoundedQueue<Decoded<VideoFrame>>?, first: VideoFrame? = nil, showsFirst: Bool = true,
        latestFirst: MediaTime? = nil, isSparse: Bool = false, motion: PictureMotion? = nil
    ) -> Int {
        let generation = state.withLock {
            $0.picker.begin(
                queue, first: first, showsFirst: showsFirst, latestFirst: latestFirst, isSparse: isSparse, motion: motion)
        }
        display.wake()
        return generation
    }

    /// The first frame of the run is shown at once, however late in the film it is.
    func showAnyFirst() {
        state.withLock { $0.picker.showAnyFirst() }
        display.wake()
    }

    /// Takes the picture of an earlier run off the screen: at its position the film has none.
    func dropEarlierPicture() {
        state.withLock { state in
            state.picker.dropEarlierPicture()
            state.layout.change()
        }
        display.wake()
    }

    /// Further frames come from this queue; the run continues.
    func attach(_ queue: BoundedQueue<Decoded<VideoFrame>>) {
        state.withLock { $0.picker.attach(queue) }
        display.wake()
    }

    /// Shows another picture in the place of the one on the screen, for its time. The run and its clock go on.
    ///
    /// - Returns: false if the picture on the screen is not of this run.
    func replacePicture(with frame: VideoFrame, in generation: Int) -> Bool {
        let isReplaced = state.withLock { state in
            let isReplaced = state.picker.replace(with: frame, in: generation)
            if isReplaced { state.layout.change() }
            return isReplaced
        }
        if isReplaced { display.wake() }
        return isReplaced
    }

    /// Removes the video from the screen, so that the next item does not start under the last frame of this one.
    package func clearVideo() {
        state.withLock { state in
            state.picker.clear()
            state.layout.change()
        }
        display.wake()
    }

    /// The picture that is on the screen, or about to be; nil for none.
    package var currentFrame: VideoFrame? { state.withLock { $0.picker.current?.frame } }

    /// Whether there is a frame of this run that is not in its queue any more; it may not be on the screen yet.
    var hasFrame: Bool { state.withLock { $0.picker.hasFrame } }

    /// Sets the media clock.
    func setClock(_ clock: MediaClock) {
        state.withLock { $0.picker.setClock(clock) }
        display.wake()
    }

    /// Shows no frame at or after this asset time until the boundary is lifted with nil.
    func setBoundary(_ time: MediaTime?) {
        state.withLock { $0.picker.setBoundary(time) }
        display.wake()
    }

    /// The number of flips reported by the display since the start.
    package var flipCount: UInt64 { state.withLock { $0.flips.count } }

    /// The time of the first flip; nil if there was none.
    package var firstFlip: HostTime? { state.withLock { $0.flips.first } }

    /// Requests a flip without a change: the current scene is shown again.
    package func showAgain() {
        state.withLock { $0.layout.change() }
        display.wake()
    }

    /// Whether shown frames are hashed, for dumps.
    package func hashFrames(_ on: Bool) { state.withLock { $0.hashesFrames = on } }

    /// Sets the interface's layers.
    package func setLayers(_ layers: [InterfaceLayer]) {
        state.withLock { $0.layout.setLayers(layers) }
        display.wake()
    }

    /// Sets everything that the interface decides at once, so that it changes in one scene.
    ///
    /// - Parameters:
    ///   - layers: the layers above the video.
    ///   - video: the rectangle for the video, in pixels of the mode; nil hides it, and releases the picture of a previous item.
    ///   - background: the background colour.
    ///   - key: when the key was pressed to which this is the answer, by the kernel's clock; nil if it is none.
    package func setInterface(
        _ layers: [InterfaceLayer], video: PixelRect?, background: OpaqueColour, answering key: HostTime? = nil
    ) {
        state.withLock { state in
            if let key { state.keys.expect(key) }
            state.layout.setInterface(layers, video: video, background: background)
            if video == nil { state.picker.dropEarlierPicture() }
        }
        display.wake()
    }

    /// How long the keys since the last call took to the screen.
    package func takeKeyTiming() -> KeyTiming { state.withLock { $0.keys.takeTiming() } }

    /// How the video fills its rectangle.
    package func setGravity(_ gravity: VideoGravity) {
        state.withLock { $0.layout.setGravity(gravity) }
        display.wake()
    }

    /// The vertical blank at or after an instant, computed from the last one that was reported. The clock starts best on a blank, so that frames
    /// change on blanks and not between them.
    func verticalBlank(atOrAfter instant: HostTime) -> HostTime {
        guard let last = state.withLock({ $0.lastOpportunity }) else { return instant }
        let interval = last.interval.wholeNanoseconds
        let ahead = instant.nanoseconds - last.targetTime.nanoseconds
        guard ahead > 0, interval > 0 else { return last.targetTime >= instant ? last.targetTime : instant }
        return last.targetTime + .nanoseconds((ahead + interval - 1) / interval * interval)
    }

    /// The time between two blanks, as the display last stated it; nil before the first.
    var blankInterval: Duration? { state.withLock { $0.lastOpportunity?.interval } }

    /// The number of dropped frames.
    package var passedOverFrames: Int { state.withLock { $0.picker.passedOver } }

    // MARK: Gapless transitions

    /// Sets what takes over at the end of the run: the frames of the next item, at the blank at which the clock reaches the end of the last one.
    ///
    /// - Returns: its number.
    func follow(
        with queue: BoundedQueue<Decoded<VideoFrame>>, from start: MediaTime, behind end: MediaTime?, boundary: MediaTime?,
        motion: PictureMotion? = nil
    ) -> Int {
        state.withLock { $0.picker.follow(with: queue, from: start, behind: end, boundary: boundary, motion: motion) }
    }

    /// The player has been told that another item has taken over, and sets the clock of the new item from now on.
    func becomeFollower(_ clock: MediaClock) {
        state.withLock { $0.picker.becomeFollower(clock) }
        display.wake()
    }

    // MARK: The display's side

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
            let placement = state.picker.placement(at: opportunity)
            guard isNewFrame || placement != state.placement || state.layout.needsScene || opportunity.needsScene else {
                return PresentationAnswer(scene: nil, wantsNext: isRunning, notBefore: due)
            }
            state.placement = placement
            var frame = state.picker.current?.frame
            if let placement { frame?.placement = placement }
            let scene = state.layout.makeScene(of: frame, for: opportunity.targetTime)
            state.keys.made(for: opportunity.targetTime)
            if isNewFrame, let current = state.picker.current { state.flips.expect(current, at: opportunity.targetTime) }
            return PresentationAnswer(scene: scene, wantsNext: isRunning, notBefore: due)
        }
        if shouldRing { ring() }
        return answer
    }

    package func didPresent(_ flip: Flip) {
        let shouldRing = state.withLock { state in
            state.keys.take(flip)
            guard let shown = state.flips.take(flip) else { return false }
            return state.picker.present(
                shown.picked, scheduled: shown.wanted, flip: flip.time,
                hash: state.hashesFrames ? shown.picked.frame.contentHash() : nil)
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

/// The entry of a frame in the presentation log.
package struct FrameRecord: Sendable, Hashable {
    /// The reading run.
    package var generation: Int
    /// Its asset time.
    package var time: MediaTime
    /// Its duration.
    package var duration: MediaTime
    /// The vertical blank for which it was scheduled.
    package var scheduled: HostTime
    /// The vertical blank at which it was first shown, as reported by the display.
    package var flip: HostTime
    /// The asset time of the media clock (which follows the sound) at that instant.
    package var mediaTimeAtFlip: MediaTime
    /// Whether the clock was running: a frame shown by a seek while paused has no A/V offset.
    package var isRunning: Bool
    /// A hash of its visible luma, and of its place if it has one, in dumps.
    package var contentHash: UInt64?

    /// How much later than the frame its sound is heard; positive means late sound. Nil while paused.
    package var soundDelay: MediaTime? { isRunning ? time - mediaTimeAtFlip : nil }
}
