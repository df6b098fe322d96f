import LinuxSupport
import MediaModel

/// The layout of the screen: where the video is, and what is above and behind it. A value.
struct ScreenLayout {
    private var size: (width: Int, height: Int)
    private var layers: [InterfaceLayer] = []
    /// The rectangle that the video is fitted into; nil: the screen.
    private var videoFrame: PixelRect?
    private var showsVideo = true
    private var gravity = VideoGravity.resizeAspect
    private var background = OpaqueColour.black
    private var hasChanged = false

    init(width: Int, height: Int) { size = (width, height) }

    mutating func setLayers(_ layers: [InterfaceLayer]) {
        self.layers = layers
        hasChanged = true
    }

    /// Sets everything the interface decides, at once.
    ///
    /// - Parameter video: the rectangle that the video is fitted into; nil hides it.
    mutating func setInterface(_ layers: [InterfaceLayer], video: PixelRect?, background: OpaqueColour) {
        self.layers = layers
        showsVideo = video != nil
        if let video { videoFrame = video }
        self.background = background
        hasChanged = true
    }

    mutating func setGravity(_ gravity: VideoGravity) {
        self.gravity = gravity
        hasChanged = true
    }

    mutating func setMode(_ mode: DisplayMode?) {
        if let mode { size = (mode.width, mode.height) }
        hasChanged = true
    }

    /// Requests a scene although the layout has not changed.
    mutating func change() { hasChanged = true }

    /// Whether anything has changed since the last scene.
    var needsScene: Bool { hasChanged }

    /// Makes the scene of a vertical blank.
    mutating func makeScene(of frame: VideoFrame?, for instant: HostTime) -> Scene {
        hasChanged = false
        let screen = PixelRect(x: 0, y: 0, width: size.width, height: size.height)
        let video = showsVideo ? frame.map { gravity.place($0, in: videoFrame ?? screen) } : nil
        return Scene(background: background, video: video, layers: layers, wantedTime: instant)
    }
}

/// The frames that have not been flipped yet, and the number of flips. A value.
struct FlipAccount {
    /// The number of flips reported by the display since the start.
    private(set) var count: UInt64 = 0
    /// The time of the first flip; nil if there was none.
    private(set) var first: HostTime?
    private var pending: [(picked: FramePicker.Picked, wanted: HostTime)] = []

    /// A scene with a new frame was made for a blank.
    mutating func expect(_ picked: FramePicker.Picked, at wanted: HostTime) { pending.append((picked, wanted)) }

    /// Whether frames of a run are pending.
    func hasPending(of generation: Int) -> Bool { pending.contains { $0.picked.generation == generation } }

    /// A flip was completed.
    ///
    /// - Returns: the frame that was shown for the first time, and the blank it was scheduled for; nil if the flip showed no new frame.
    mutating func take(_ flip: Flip) -> (picked: FramePicker.Picked, wanted: HostTime)? {
        count += 1
        if first == nil { first = flip.time }
        // Scenes are shown in the order in which they were made; a dropped scene drops its frame.
        guard let shown = pending.last(where: { $0.wanted <= flip.wantedTime }) else { return nil }
        pending.removeAll { $0.wanted <= flip.wantedTime }
        return shown
    }
}
