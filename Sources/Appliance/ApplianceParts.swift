import Captions
import ChannelFeed
import CivilTime
import LinuxSupport
import MediaModel
import MediaTime
import Playback
import Screens
import StatusModel

/// Draws the interface; implemented with `Drawing`.
@MainActor
package protocol InterfaceDrawing: AnyObject {
    /// Draws a state and delivers its layers on the main loop. A newer state may replace one that waits.
    func update(_ state: PresentationState, _ then: @escaping @MainActor @Sendable ([InterfaceLayer]) -> Void)
    /// Whether the layers delivered last are those of the last state, and no newer ones are being drawn.
    var isUpToDate: Bool { get }
    /// Where the video is while it moves to its place in the last state, in pixels of a 1920x1080 screen; nil: it has that place.
    var videoFrame: PixelRect? { get }
    /// The background of a state.
    func background(for state: PresentationState) -> OpaqueColour
    /// The screen has another mode.
    func displayChanged(_ mode: DisplayMode)
    /// Sets the picture inside the stream; nil for none.
    func setEmbeddedArtwork(_ bytes: [UInt8]?)
    /// Draws these captions from now on, in a separate layer.
    func showCaptions(_ cues: [CaptionCue], language: String?)
    /// Sets the viewer's caption style.
    func setCaptionStyle(_ style: CaptionStyle)
    /// Sets the source of thumbnails, whose references `Appliance.thumbnailTime` parses; nil for none.
    func setThumbnails(_ provider: (any ThumbnailProviding)?)
}

extension InterfaceDrawing {
    package var isUpToDate: Bool { true }
    package var videoFrame: PixelRect? { nil }
    package func showCaptions(_ cues: [CaptionCue], language: String?) {}
    package func setCaptionStyle(_ style: CaptionStyle) {}
    package func setThumbnails(_ provider: (any ThumbnailProviding)?) {}
}

/// The parts of a box.
@MainActor
package struct ApplianceParts {
    package var clock: any HostClock
    package var player: Player
    /// The engines for loading assets.
    package var services: PlaybackServices
    package var drawing: any InterfaceDrawing
    /// The saved positions.
    package var places: any PlaceStore
    package var log: LogBook
    /// The event dump, if one is written.
    package var dump: EventDump?
    /// The viewer's languages, best first (BCP 47).
    package var languages = ["en"]
    /// The wall clock, if it can be trusted.
    package var wallClock: @MainActor () -> FeedDate? = { nil }
    /// The clocks of the box's place.
    package var zone = CivilZone.utc
    /// The stores and facts for viewers.
    package var viewer = ViewerParts()
    /// Stores the logs of playbacks, if set.
    package var sessionLogs: (any SessionLogStore)?
    /// Stores what was played, if set.
    package var plays: (any PlayStore)?
    /// Makes the source of an item's thumbnails: the BIF file in its feed, otherwise its stream.
    package var makeThumbnails:
        (@MainActor (_ bif: String?, _ stream: StreamLocation, _ duration: MediaTime) -> (any ThumbnailProviding)?)?

    package init(
        clock: any HostClock, player: Player, services: PlaybackServices, drawing: any InterfaceDrawing, places: any PlaceStore,
        log: LogBook
    ) {
        self.clock = clock
        self.player = player
        self.services = services
        self.drawing = drawing
        self.places = places
        self.log = log
    }

    /// The day by the clocks of the box's place, in days since the start of 1970; nil while the date is not known.
    var today: Int64? { wallClock().map { zone.local(at: $0.second).day } }
}
