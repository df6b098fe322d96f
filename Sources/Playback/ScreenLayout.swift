import LinuxSupport
import MediaModel
import MediaTime

/// The layout of the screen: where the video is, and what is above and behind it. A value.
struct ScreenLayout {
    private var size: (width: Int, height: Int)
    /// The layers without those that follow the item's time.
    private var layers: [InterfaceLayer] = []
    private var timed = TimedLayers()
    /// The rectangle that the video is fitted into; nil: the screen.
    private var videoFrame: PixelRect?
    private var showsVideo = true
    private var gravity = VideoGravity.resizeAspect
    private var background = OpaqueColour.black
    private var hasChanged = false

    init(width: Int, height: Int) { size = (width, height) }

    mutating func setLayers(_ layers: [InterfaceLayer]) {
        timed.set(layers.filter { $0.presence != nil })
        self.layers = layers.filter { $0.presence == nil }
        hasChanged = true
    }

    /// Sets everything the interface decides, at once.
    ///
    /// - Parameter video: the rectangle that the video is fitted into; nil hides it.
    mutating func setInterface(_ layers: [InterfaceLayer], video: PixelRect?, background: OpaqueColour) {
        setLayers(layers)
        showsVideo = video != nil
        if let video { videoFrame = video }
        self.background = background
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
        // They belong to the picture: they change with it, need no commit of their own, and stand while it stands.
        let overlays = video.map { timed.layers(at: $0.frame.time) } ?? []
        return Scene(background: background, video: video, layers: overlays + layers, wantedTime: instant)
    }
}

/// The layers that follow the item's time. A value.
private struct TimedLayers {
    private var all: [InterfaceLayer] = []

    /// - Parameter layers: each with its presence.
    mutating func set(_ layers: [InterfaceLayer]) { all = layers }

    /// The visible ones at an asset time, as displays take them.
    func layers(at time: MediaTime) -> [InterfaceLayer] {
        all.compactMap { layer in
            var layer = layer
            let opacity = layer.presence.map { $0.opacity(at: time) } ?? 255
            layer.presence = nil
            layer.alpha = UInt8((Int(layer.alpha) * Int(opacity) + 127) / 255)
            return layer.alpha > 0 ? layer : nil
        }
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
