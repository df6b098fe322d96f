import Display
import LinuxSupport
import MediaModel
import MediaTime
import Synchronization

/// A screen in memory that remembers which video pictures were shown. `HeadlessDisplay` does the work.
final class WatchedScreen: DisplayOutput {
    /// The newest video picture on the screen.
    struct Picture: Sendable {
        /// The stream that it is from.
        var stream: UInt32
        var time: MediaTime
        /// When it was first on the screen.
        var since: HostTime
    }

    private let display: HeadlessDisplay
    private let witness = Witness()

    @MainActor
    init(mode: DisplayMode, clock: any HostClock) { display = HeadlessDisplay(mode: mode, clock: clock, asksAhead: true) }

    /// Main loop only.
    var picture: Picture? { witness.picture }
    @MainActor var isPowered: Bool { display.isPowered }
    @MainActor private(set) var isConnected = true

    /// Unplugs the screen (nil) or plugs in one with a mode.
    @MainActor func connect(_ mode: DisplayMode?) {
        isConnected = mode != nil
        display.connect(mode)
    }

    var name: String { display.name }
    var mode: DisplayMode { display.mode }
    var videoAllocator: any FrameAllocator { display.videoAllocator }
    var interfaceAllocator: any FrameAllocator { display.interfaceAllocator }
    var refreshRates: [Ratio] { display.refreshRates }
    var counters: DisplayCounters { display.counters }
    func wake() { display.wake() }
    @MainActor func readScreen(_ then: @escaping @MainActor @Sendable (ScreenPicture?) -> Void) { display.readScreen(then) }
    @MainActor func setPower(_ isOn: Bool) { display.setPower(isOn) }
    @MainActor func setSignal(_ request: SignalRequest) { display.setSignal(request) }
    @MainActor func stop() { display.stop() }

    @MainActor func start(_ source: any PresentationSource) throws(MediaError) {
        witness.source = source
        try display.start(witness)
    }
}

/// Stands between the display and the source of its scenes, and looks at each scene.
// Unchecked: used on the display's thread only, which is the main loop for a display in memory.
private final class Witness: PresentationSource, @unchecked Sendable {
    weak var source: (any PresentationSource)?
    private(set) var picture: WatchedScreen.Picture?
    /// The video of the scene that waits for its blank.
    private var pending: VideoFrame?

    func answer(to opportunity: PresentationOpportunity) -> PresentationAnswer {
        guard let source else { return PresentationAnswer(scene: nil, wantsNext: false) }
        let answer = source.answer(to: opportunity)
        if let scene = answer.scene { pending = scene.video?.frame }
        return answer
    }

    func didPresent(_ flip: Flip) {
        if let frame = pending {
            let stream = frame.syntheticStream
            if picture?.stream != stream || picture?.time != frame.time {
                picture = .init(stream: stream, time: frame.time, since: flip.time)
            }
        }
        source?.didPresent(flip)
    }

    func displayDidChange(_ mode: DisplayMode?) { source?.displayDidChange(mode) }
}
