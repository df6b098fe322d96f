import LinuxSupport
import MediaModel

/// Serves those who read the screen: by the write-back connector where the card has one, else by composing the scene again. Display's thread.
final class ScreenReader {
    /// What the loop does about pending requests.
    enum Step {
        /// There is nothing to do.
        case none
        /// The requests have been answered, or the answer is under way.
        case served
        /// The current scene must be committed again, with a buffer of `makeBuffer`.
        case commit
    }
    /// A read-back in progress.
    private struct ReadBack {
        var buffer: PixelBuffer
        var fence: FileDescriptor?
        var requests: [@Sendable (ScreenPicture?) -> Void]
        var deadline: HostTime
        var hasFlipped = false
        var isWritten = false
    }
    /// How long the card may take.
    private static let patience = Duration.seconds(1)

    private let link: KMSLink
    private let clock: RealClock
    private let composeThread: WorkerThread
    private let compositor: Compositor
    private let allocator: any FrameAllocator
    private let converter: (any RangeConverting)?
    private let poller: Poller
    private let fenceTag: UInt64
    private let rotation: DisplayRotation
    private var requests: [@Sendable (ScreenPicture?) -> Void] = []
    private var readBack: ReadBack?
    /// As the card wrote it, turned.
    private var lastPicture: ScreenPicture?

    /// - Parameters:
    ///   - allocator: makes the memory that the card writes to.
    ///   - converter: makes pictures of a standard range, which those who read the screen get.
    ///   - poller: watches the fences of read-backs under `fenceTag`.
    ///   - rotation: how far what the card writes is turned.
    init(
        link: KMSLink, clock: RealClock, composeThread: WorkerThread, compositor: Compositor, allocator: any FrameAllocator,
        converter: (any RangeConverting)?, poller: Poller, fenceTag: UInt64, rotation: DisplayRotation
    ) {
        self.converter = converter
        self.link = link
        self.clock = clock
        self.composeThread = composeThread
        self.compositor = compositor
        self.allocator = allocator
        self.poller = poller
        self.fenceTag = fenceTag
        self.rotation = rotation
    }

    /// When a read-back in progress is abandoned.
    var deadline: HostTime? { readBack?.deadline }

    /// Whether the card is writing: nothing may be committed meanwhile, since drivers drop a read-back that has not started.
    var isReadingBack: Bool { readBack != nil }

    /// Whether someone waits for a picture.
    var hasRequests: Bool { !requests.isEmpty }

    func add(_ new: [@Sendable (ScreenPicture?) -> Void]) { requests += new }

    /// Starts to serve pending requests.
    func begin(_ shown: OnScreen, on screen: any ScanOutScreen) -> Step {
        guard !requests.isEmpty else { return .none }
        if let lastPicture, lastPicture.serial == shown.serial {
            deliver(lastPicture, to: requests)
            requests = []
            return .served
        }
        guard screen.canReadBack else {
            compose(shown, screen.sceneMode)
            return .served
        }
        return .commit
    }

    /// When the card cannot read back, the CPU composes the current screen again.
    private func compose(_ shown: OnScreen, _ mode: DisplayMode) {
        let requests = requests
        self.requests = []
        let scene = shown.frame?.scene.scene ?? Scene(wantedTime: clock.now)
        let (time, serial) = (shown.time, shown.serial)
        composeThread.perform { [compositor, converter] in
            var scene = scene
            if let converter, let frame = scene.video?.frame, frame.colour.highRange != nil {
                scene.video?.frame = (try? converter.picture(frame, for: nil, from: MemoryAllocator())) ?? frame
            }
            let pixels = try? compositor.compose(scene, width: mode.width, height: mode.height)
            let picture = pixels.map {
                ScreenPicture(pixels: $0, frameTime: scene.video?.frame.time, time: time, serial: serial)
            }
            for request in requests { request(picture) }
        }
    }

    /// Memory for a read-back by the next commit, if a request is pending.
    func makeBuffer(for screen: any ScanOutScreen) -> PixelBuffer? {
        guard !requests.isEmpty, screen.canReadBack else { return nil }
        let mode = screen.displayMode
        return try? allocator.makeBuffer(format: .xrgb8888, width: mode.width, height: mode.height)
    }

    /// The kernel accepted a commit that reads back the screen.
    func start(_ buffer: PixelBuffer, _ fence: FileDescriptor?) {
        readBack = ReadBack(buffer: buffer, fence: fence, requests: requests, deadline: clock.now + Self.patience)
        requests = []
        guard let fence else { return abandon() }
        do {
            try poller.watch(fence.number, tag: fenceTag)
        } catch {
            abandon()
        }
    }

    /// The card has written the picture.
    func fenceSignalled(_ shown: OnScreen) {
        if let fence = readBack?.fence { poller.unwatch(fence.number) }
        readBack?.fence = nil
        readBack?.isWritten = true
        finish(shown)
    }

    /// A commit has been shown; the first one after `start` is the one that is read back.
    func flipped(_ shown: OnScreen) {
        readBack?.hasFlipped = true
        finish(shown)
    }

    /// Delivers the picture once the time of its first flip is known.
    private func finish(_ shown: OnScreen) {
        guard let done = readBack, done.isWritten, done.hasFlipped else { return }
        readBack = nil
        link.note { $0.readBacks += 1 }
        let picture = ScreenPicture(
            pixels: done.buffer, frameTime: shown.frame?.scene.scene.video?.frame.time, time: shown.time, serial: shown.serial)
        lastPicture = picture
        deliver(picture, to: done.requests)
    }

    /// Those who read the screen get it as viewers see it.
    private func deliver(_ picture: ScreenPicture, to requests: [@Sendable (ScreenPicture?) -> Void]) {
        guard rotation != .none else {
            for request in requests { request(picture) }
            return
        }
        composeThread.perform { [compositor, rotation] in
            let pixels = try? compositor.upright(picture.pixels, turned: rotation)
            let upright = pixels.map {
                ScreenPicture(pixels: $0, frameTime: picture.frameTime, time: picture.time, serial: picture.serial)
            }
            for request in requests { request(upright) }
        }
    }

    /// Abandons a read-back whose deadline has passed.
    func expire() {
        if let readBack, clock.now >= readBack.deadline { abandon() }
    }

    /// Abandons the read-back in progress. Its requests are answered with nil.
    func abandon() {
        guard let left = readBack else { return }
        if let fence = left.fence { poller.unwatch(fence.number) }
        readBack = nil
        for request in left.requests { request(nil) }
    }

    /// Answers the requests that have not started.
    func answer(_ picture: ScreenPicture?) {
        let requests = requests
        self.requests = []
        for request in requests { request(picture) }
    }

    /// The picture of the screen that was kept is no longer what is on it.
    func forgetPicture() { lastPicture = nil }

    /// The screen is gone: nothing can be read.
    func fail() {
        abandon()
        answer(nil)
    }
}
