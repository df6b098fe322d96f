import LinuxSupport
import MediaTime

/// A resolution and a rate of a display.
package struct DisplayMode: Sendable, Hashable, CustomStringConvertible {
    /// Pixels in a row.
    package var width: Int
    /// Rows.
    package var height: Int
    /// The exact number of vertical blanks per second, e.g. 60000/1001.
    package var refresh: Ratio

    package init(width: Int, height: Int, refresh: Ratio) {
        self.width = width
        self.height = height
        self.refresh = refresh
    }

    package var description: String { "\(width)x\(height)@\(refresh)" }
}

/// An opaque colour with eight bits per channel.
package struct OpaqueColour: Sendable, Hashable {
    /// Red, green and blue: 0…255.
    package var red, green, blue: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    package static let black = OpaqueColour(red: 0, green: 0, blue: 0)
}

/// The only video layer of a scene.
package struct VideoLayer: Sendable {
    package var frame: VideoFrame
    /// The visible part of the picture, in its pixels.
    package var source: PixelRect
    /// The position on the screen, in pixels of the mode. May be larger than the screen (fill).
    package var destination: PixelRect
    /// 0 transparent … 255 opaque.
    package var alpha: UInt8
    /// A black rectangle behind it, in pixels of the mode: the canvas of a picture that has a place on one. Nil: the scene's background is behind it.
    package var ground: PixelRect?

    package init(
        frame: VideoFrame, source: PixelRect, destination: PixelRect, alpha: UInt8 = 255, ground: PixelRect? = nil
    ) {
        self.frame = frame
        self.source = source
        self.destination = destination
        self.alpha = alpha
        self.ground = ground
    }
}

/// One layer of the interface: a tight rectangle of premultiplied ARGB. Moving or fading it never redraws it.
package struct InterfaceLayer: Sendable {
    /// Identifies the layer for its lifetime; its pixels may change.
    package var id: String
    /// The content at its own size; a display may scale it to the destination.
    package var pixels: PixelBuffer
    /// The position on the screen, in pixels of the mode.
    package var destination: PixelRect
    /// 0 transparent … 255 opaque.
    package var alpha: UInt8
    /// Layers with higher numbers are above; the video is below all.
    package var z: Int
    /// When it is visible, for layers that belong to the item and not to the interface. The presentation source multiplies it into `alpha` for the picture
    /// of each scene and leaves out what is transparent, so that displays never see it. Nil: always.
    package var presence: LayerPresence?

    package init(
        id: String, pixels: PixelBuffer, destination: PixelRect, alpha: UInt8 = 255, z: Int, presence: LayerPresence? = nil
    ) {
        self.id = id
        self.pixels = pixels
        self.destination = destination
        self.alpha = alpha
        self.z = z
        self.presence = presence
    }
}

/// The complete content of the screen at one time: a value. Nothing else is shown, and no plane is used for anything else.
package struct Scene: Sendable {
    /// The background colour.
    package var background: OpaqueColour
    /// The video, if any.
    package var video: VideoLayer?
    /// The interface, in any order.
    package var layers: [InterfaceLayer]
    /// The vertical blank that it was made for.
    package var wantedTime: HostTime

    package init(background: OpaqueColour = .black, video: VideoLayer? = nil, layers: [InterfaceLayer] = [], wantedTime: HostTime)
    {
        self.background = background
        self.video = video
        self.layers = layers
        self.wantedTime = wantedTime
    }
}

/// A chance to change the picture: a scene returned now is visible from `targetTime` on.
package struct PresentationOpportunity: Sendable {
    /// When the picture would be visible: the next vertical blank that can still be met.
    package var targetTime: HostTime
    /// The time from one vertical blank to the next.
    package var interval: Duration
    /// Counts vertical blanks; a gap means that some were not used.
    package var sequence: UInt64
    /// Whether the last scene has not reached the screen, so that a scene is needed although nothing has changed.
    package var needsScene: Bool

    package init(targetTime: HostTime, interval: Duration, sequence: UInt64, needsScene: Bool = false) {
        self.targetTime = targetTime
        self.interval = interval
        self.sequence = sequence
        self.needsScene = needsScene
    }
}

/// A presentation source's answer to an opportunity.
package struct PresentationAnswer: Sendable {
    /// The new scene; nil keeps the current one.
    package var scene: Scene?
    /// Whether the next opportunity is wanted too. If not, the display sleeps until it is woken.
    package var wantsNext: Bool
    /// Before an opportunity whose `targetTime` is at or after this there is nothing new, unless the display is woken: the
    /// display need not ask earlier. Nil if unknown.
    package var notBefore: HostTime?

    package init(scene: Scene?, wantsNext: Bool, notBefore: HostTime? = nil) {
        self.scene = scene
        self.wantsNext = wantsNext
        self.notBefore = notBefore
    }
}

/// A scene that has reached the screen.
package struct Flip: Sendable {
    /// When its first line was scanned out, by the kernel's clock.
    package var time: HostTime
    /// The vertical blank's number.
    package var sequence: UInt64
    /// The time that the scene was made for.
    package var wantedTime: HostTime
    /// Asset time of its video frame, if it has one.
    package var frameTime: MediaTime?

    package init(time: HostTime, sequence: UInt64, wantedTime: HostTime, frameTime: MediaTime?) {
        self.time = time
        self.sequence = sequence
        self.wantedTime = wantedTime
        self.frameTime = frameTime
    }
}

/// Decides what is on the screen: the player's scheduler. Its methods are called on the display's thread and must not wait.
package protocol PresentationSource: AnyObject, Sendable {
    /// Returns the scene for the next vertical blank.
    func answer(to opportunity: PresentationOpportunity) -> PresentationAnswer
    /// A scene has reached the screen.
    func didPresent(_ flip: Flip)
    /// The screen was lost or switched off (nil), or came back with a mode.
    func displayDidChange(_ mode: DisplayMode?)
}

/// A picture of the whole composed screen, with its origin.
package struct ScreenPicture: Sendable {
    /// The picture in `xrgb8888`.
    package var pixels: PixelBuffer
    /// Asset time of its video frame, if it has one.
    package var frameTime: MediaTime?
    /// When it was first on the screen.
    package var time: HostTime
    /// Counts scenes: the same number is the same picture.
    package var serial: UInt64

    package init(pixels: PixelBuffer, frameTime: MediaTime?, time: HostTime, serial: UInt64) {
        self.pixels = pixels
        self.frameTime = frameTime
        self.time = time
        self.serial = serial
    }
}

/// What a display has done since it was opened.
package struct DisplayCounters: Sendable, Hashable {
    /// Scenes committed to the screen.
    package var commits = 0
    /// Flips that the kernel reported.
    package var flips = 0
    /// Flips that missed their deadline and were recovered.
    package var timeouts = 0

    package init() {}
}

/// A screen: KMS, or memory. All implementations pass the same test suite.
package protocol DisplayOutput: AnyObject, Sendable {
    /// Its name for logs, e.g. `kms:card0 HDMI-A-1`, `headless`.
    var name: String { get }
    /// The current mode, or the last one while the screen is lost. Any thread.
    var mode: DisplayMode { get }
    /// Memory for video that this display can show without copying.
    var videoAllocator: any FrameAllocator { get }
    /// Memory for interface layers.
    var interfaceAllocator: any FrameAllocator { get }
    /// Begins to ask `source` for scenes (held weakly). Called once.
    @MainActor func start(_ source: any PresentationSource) throws(MediaError)
    /// Requests at least one opportunity, because something has changed. Any thread; cheap; may be called often.
    func wake()
    /// Composes the current screen and passes the picture to the main loop; nil when it cannot be read. Without a call nothing is
    /// composed.
    @MainActor func readScreen(_ then: @escaping @MainActor @Sendable (ScreenPicture?) -> Void)
    /// Switches the screen off (disables its signal, so that it can sleep) or on again, black. Requests while it is off wait.
    @MainActor func setPower(_ isOn: Bool)
    /// The refresh rates that the screen supports at the current size. Any thread.
    var refreshRates: [Ratio] { get }
    /// Its dynamic range. Any thread.
    var range: ScreenRange { get }
    /// Sets a mode of the same size at another of `refreshRates`, and the dynamic range: a standard one at once, a high one together with the rate when
    /// the first picture of that range comes, whose light is signalled. The screen may be black for seconds; the source is notified by
    /// `displayDidChange`, unless nothing changes. What is not offered, or refused, leaves a standard range, for which the display converts pictures.
    @MainActor func setSignal(_ request: SignalRequest)
    /// Any thread.
    var counters: DisplayCounters { get }
    /// Restores the screen as it was found and ends the display's thread.
    @MainActor func stop()
}

extension DisplayOutput {
    package var range: ScreenRange { .standard }
}
