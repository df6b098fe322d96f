import LinuxSupport
import MediaModel

/// Composes the scene on the screen when someone reads it, on the thread `compose`. Main loop; simulated time waits for that work.
@MainActor
final class SceneCapture {
    /// A scene and when it was first shown.
    struct Shown {
        var scene: Scene
        var time: HostTime
        /// Counts the scenes that were shown.
        var serial: UInt64
    }
    typealias Receiver = @MainActor @Sendable (ScreenPicture?) -> Void

    private let clock: any HostClock
    private let compositor = Compositor()
    private let thread: WorkerThread
    private var last: ScreenPicture?

    init(clock: any HostClock) {
        self.clock = clock
        thread = WorkerThread(name: "compose", clock: clock)
    }

    /// Makes a picture of a scene, unless there is one. It is delivered later, never within this call.
    func read(_ shown: Shown, _ mode: DisplayMode, _ then: @escaping Receiver) {
        if let last, last.serial == shown.serial { return deliver(last, to: then) }
        clock.compute(on: thread, rank: .display) { [compositor] in
            Result { () throws(MediaError) in try compositor.compose(shown.scene, width: mode.width, height: mode.height) }
        } then: { [weak self] result in
            // The compositor fails only when memory is exhausted: then there is no picture to read.
            guard case .success(let pixels) = result else { return then(nil) }
            let picture = ScreenPicture(
                pixels: pixels, frameTime: shown.scene.video?.frame.time, time: shown.time, serial: shown.serial)
            self?.last = picture
            then(picture)
        }
    }

    func deliver(_ picture: ScreenPicture?, to then: @escaping Receiver) {
        clock.schedule(at: clock.now, rank: .display) { then(picture) }
    }

    /// The picture that was kept is no longer that of the screen.
    func forget() { last = nil }

    func stop() { thread.stop() }
}
