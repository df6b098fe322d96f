import Captions
import ChannelFeed
import LinuxSupport
import MediaModel
import MediaTime
import Playback
import PlayerInterface

/// Draws the interface: what `Drawing` gives to the box.
@MainActor
package protocol InterfaceDrawing: AnyObject {
    /// Draws a state and hands its layers over, on the main loop. A newer state may take the place of one that waits.
    func update(_ state: PresentationState, _ then: @escaping @MainActor @Sendable ([InterfaceLayer]) -> Void)
    /// What lies behind everything in a state.
    func background(for state: PresentationState) -> OpaqueColour
    /// The screen has another mode.
    func displayChanged(_ mode: DisplayMode)
    /// The picture that came with the stream itself, or none.
    func setEmbeddedArtwork(_ bytes: [UInt8]?)
    /// Draws these captions from now on, in a layer of their own.
    func showCaptions(_ cues: [CaptionCue], language: String?)
    /// How the viewer wants captions to look.
    func setCaptionStyle(_ style: CaptionStyle)
    /// Brings the small pictures of what plays, whose references `Appliance.thumbnailTime` understands; nil: there are none.
    func setThumbnails(_ provider: (any ThumbnailProviding)?)
}

extension InterfaceDrawing {
    package func showCaptions(_ cues: [CaptionCue], language: String?) {}
    package func setCaptionStyle(_ style: CaptionStyle) {}
    package func setThumbnails(_ provider: (any ThumbnailProviding)?) {}
}

/// The parts that the box is joined from.
@MainActor
package struct ApplianceParts {
    /// Time.
    package var clock: any HostClock
    /// Plays.
    package var player: Player
    /// The engines, for assets.
    package var services: PlaybackServices
    /// Draws the interface.
    package var drawing: any InterfaceDrawing
    /// Where viewers left things.
    package var places: any PlaceStore
    /// The log.
    package var log: LogBook
    /// The account of the run, where one is wanted.
    package var dump: EventDump?
    /// The viewer's languages, best first (BCP 47).
    package var languages: [String]
    /// The wall clock where it can be trusted.
    package var wallClock: @MainActor () -> FeedDate?
    /// What the box is given for its viewers.
    package var viewer = ViewerParts()
    /// Keeps the logs of playbacks, where somebody does.
    package var sessionLogs: (any SessionLogStore)?
    /// Makes who brings small pictures of an item: from the BIF file that its feed names, else from its stream.
    package var makeThumbnails: (@MainActor (_ bif: String?, _ url: String, _ duration: MediaTime) -> (any ThumbnailProviding)?)?

    /// Joins the parts.
    package init(
        clock: any HostClock, player: Player, services: PlaybackServices, drawing: any InterfaceDrawing, places: any PlaceStore,
        log: LogBook, dump: EventDump? = nil, languages: [String] = ["en"],
        wallClock: @escaping @MainActor () -> FeedDate? = { nil }
    ) {
        self.clock = clock
        self.player = player
        self.services = services
        self.drawing = drawing
        self.places = places
        self.log = log
        self.dump = dump
        self.languages = languages
        self.wallClock = wallClock
    }
}
