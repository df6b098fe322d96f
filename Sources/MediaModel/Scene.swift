import LinuxSupport
import MediaTime

/// A resolution and a rate of a display.
package struct DisplayMode: Sendable, Hashable, CustomStringConvertible {
    /// Pixels in a row.
    package var width: Int
    /// Rows.
    package var height: Int
    /// Exact vertical blanks a second, e.g. 60000/1001.
    package var refresh: Ratio

    package init(width: Int, height: Int, refresh: Ratio) {
        self.width = width
        self.height = height
        self.refresh = refresh
    }

    package var description: String { "\(width)x\(height)@\(refresh)" }
}

/// An opaque colour, eight bits a channel.
package struct OpaqueColour: Sendable, Hashable {
    /// Red, green and blue: 0…255.
    package var red, green, blue: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Black.
    package static let black = OpaqueColour(red: 0, green: 0, blue: 0)
}

/// The one video layer of a scene.
package struct VideoLayer: Sendable {
    /// The picture.
    package var frame: VideoFrame
    /// The part of the picture that is shown, in its pixels.
    package var source: PixelRect
    /// Where it is shown, in pixels of the mode. May be larger than the screen (fill).
    package var destination: PixelRect
    /// 0 transparent … 255 opaque.
    package var alpha: UInt8

    package init(frame: VideoFrame, source: PixelRect, destination: PixelRect, alpha: UInt8 = 255) {
        self.frame = frame
        self.source = source
        self.destination = destination
        self.alpha = alpha
    }
}

/// One layer of the interface: a tight rectangle of premultiplied ARGB. Moving or fading it never redraws it.
package struct InterfaceLayer: Sendable {
    /// The same for one layer for as long as it exists; its pixels may change.
    package var id: String
    /// What is shown, at its own size; a display may scale it to the destination.
    package var pixels: PixelBuffer
    /// Where it is shown, in pixels of the mode.
    package var destination: PixelRect
    /// 0 transparent … 255 opaque.
    package var alpha: UInt8
    /// Layers with higher numbers lie above; the video lies below all.
    package var z: Int

    package init(id: String, pixels: PixelBuffer, destination: PixelRect, alpha: UInt8 = 255, z: Int) {
        self.id = id
        self.pixels = pixels
        self.destination = destination
        self.alpha = alpha
        self.z = z
    }
}

/// All that is on the screen at one time: a value. What is not in it is not on the screen, and no plane is spent on it.
package struct Scene: Sendable {
    /// What is behind everything.
    package var background: OpaqueColour
    /// The video, where there is any.
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

/// A chance to change the picture: a scene answered now is seen from `targetTime` on.
package struct PresentationOpportunity: Sendable {
    /// When the picture would be seen: the next vertical blank that can still be met.
    package var targetTime: HostTime
    /// The time from one vertical blank to the next.
    package var interval: Duration
    /// Counts vertical blanks; a gap means that some passed unused.
    package var sequence: UInt64

    package init(targetTime: HostTime, interval: Duration, sequence: UInt64) {
        self.targetTime = targetTime
        self.interval = interval
        self.sequence = sequence
    }
}

/// What a presentation source answers to an opportunity.
package struct PresentationAnswer: Sendable {
    /// The new scene; nil leaves what is on the screen.
    package var scene: Scene?
    /// Whether the next opportunity is wanted too. When not, the display sleeps until it is asked to wake.
    package var wantsNext: Bool
    /// Until an opportunity whose `targetTime` is at or after this nothing new is to be had, unless the display is woken: one that likes to sleep need not ask
    /// before. Nil where that is not known.
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
    /// Asset time of its video frame, where it had one.
    package var frameTime: MediaTime?

    package init(time: HostTime, sequence: UInt64, wantedTime: HostTime, frameTime: MediaTime?) {
        self.time = time
        self.sequence = sequence
        self.wantedTime = wantedTime
        self.frameTime = frameTime
    }
}

/// Who decides what is on the screen: the player's scheduler. Its methods are called on the display's thread and wait for nobody.
package protocol PresentationSource: AnyObject, Sendable {
    /// What shall be seen at the next vertical blank?
    func answer(to opportunity: PresentationOpportunity) -> PresentationAnswer
    /// A scene has reached the screen.
    func didPresent(_ flip: Flip)
    /// The screen was lost (nil) or came back with a mode.
    func displayDidChange(_ mode: DisplayMode?)
}

/// A picture of the whole screen as it was composed, and what it was made from.
package struct ScreenPicture: Sendable {
    /// The picture in `xrgb8888`.
    package var pixels: PixelBuffer
    /// Asset time of the video frame in it, where there was one.
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
    /// Scenes handed to the screen.
    package var commits = 0
    /// Flips that the kernel reported.
    package var flips = 0
    /// Flips that missed their time and were escaped from.
    package var timeouts = 0

    /// Zeroes.
    package init() {}
}

/// A screen: KMS, or memory. All implementations pass one suite.
package protocol DisplayOutput: AnyObject, Sendable {
    /// A word for logs, e.g. `kms:card0 HDMI-A-1`, `headless`.
    var name: String { get }
    /// The mode in force, or that was last in force while the screen is lost. Any thread.
    var mode: DisplayMode { get }
    /// Memory for video that this display can show without copying.
    var videoAllocator: any FrameAllocator { get }
    /// Memory for interface layers.
    var interfaceAllocator: any FrameAllocator { get }
    /// Begins to ask `source` for scenes (held weakly). Called once.
    @MainActor func start(_ source: any PresentationSource) throws(MediaError)
    /// Asks for at least one opportunity to come: something has changed. Any thread; cheap; may be called often.
    func wake()
    /// Composes what is on the screen now and hands it to the main loop; nil where it cannot be read. Nothing is composed when nobody asks.
    @MainActor func readScreen(_ then: @escaping @MainActor @Sendable (ScreenPicture?) -> Void)
    /// Switches the screen off (its signal goes, so that it can sleep) or on again, black. What is asked of it while it is off waits.
    @MainActor func setPower(_ isOn: Bool)
    /// The refresh rates at which the screen can be used in the size of the mode in force. Any thread.
    var refreshRates: [Ratio] { get }
    /// Sets a mode of the same size at another of `refreshRates`; nil: at the rate that it was opened with. The screen may be black for seconds; the source is told by
    /// `displayDidChange`, unless that rate is in force or cannot be had.
    @MainActor func setRefresh(_ rate: Ratio?)
    /// Any thread.
    var counters: DisplayCounters { get }
    /// Leaves the screen as it was found and ends the display's thread.
    @MainActor func stop()
}
