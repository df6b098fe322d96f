import MediaTime

/// Something that is played between two places of a presentation, from an address of its own (an HLS date range of class
/// `com.apple.hls.interstitial`). It runs on its own clock and takes no asset time. The counterpart of `AVPlayerInterstitialEvent`.
public struct InterstitialEvent: Sendable, Hashable {
    /// When it is played other than by its time.
    public struct Cue: OptionSet, Sendable, Hashable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Before the presentation begins, wherever play begins.
        public static let joinCue = Cue(rawValue: 1)
        /// After the presentation has ended.
        public static let leaveCue = Cue(rawValue: 2)
    }

    /// What a viewer may not do.
    public struct Restrictions: OptionSet, Sendable, Hashable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Seek ahead inside it, or play it faster (X-RESTRICT=SKIP).
        public static let requiresPlaybackAtPreferredRateForAdvancement = Restrictions(rawValue: 1)
        /// Jump across it (X-RESTRICT=JUMP).
        public static let constrainsSeekingForwardInPrimaryContent = Restrictions(rawValue: 2)
    }

    /// How much of the shown timeline it takes.
    public enum TimelineOccupancy: Sendable, Hashable {
        /// A point.
        case singlePoint
        /// Its length.
        case fill
    }

    /// A control that lets the viewer skip the rest.
    public struct SkipControl: Sendable, Hashable {
        /// When it appears, from the start of the event.
        public var offset: MediaTime
        /// How long it is there; nil to the end.
        public var duration: MediaTime?
        /// What it says: an id of a text, e.g. `SKIP_INTRO`.
        public var labelID: String?

        /// Describes a control.
        public init(offset: MediaTime, duration: MediaTime?, labelID: String?) {
            self.offset = offset
            self.duration = duration
            self.labelID = labelID
        }
    }

    /// Where its assets are.
    public enum Assets: Sendable, Hashable {
        /// One, at this address.
        case asset(url: String)
        /// Those that the list at this address names (a JSON text).
        case list(url: String)
    }

    /// ID of the date range: events with the same ID are one.
    public var identifier: String
    /// Asset time at which the presentation is left; already at the edge of a segment where the event asks for it (X-SNAP=OUT).
    public var time: MediaTime
    /// CUE.
    public var cue: Cue
    /// Whether it is played once only (CUE=ONCE).
    public var willPlayOnce: Bool
    /// What is played.
    public var assets: Assets
    /// How far behind `time` the presentation goes on; nil as far as the event has lasted (live goes on at the live edge's pace).
    public var resumptionOffset: MediaTime?
    /// It is ended after this long.
    public var playoutLimit: MediaTime?
    /// Whether the presentation goes on at the edge of a segment (X-SNAP=IN).
    public var alignsResumptionWithSegmentBoundary: Bool
    /// What a viewer may not do.
    public var restrictions: Restrictions
    /// What it takes of the shown timeline.
    public var timelineOccupancy: TimelineOccupancy
    /// Whether the timeline sets it off from the presentation.
    public var isHighlighted: Bool
    /// Whether other viewers may see something else: then a place inside means nothing to them.
    public var contentMayVary: Bool
    /// A control to skip it.
    public var skipControl: SkipControl?
    /// How long it is by its date range, while its assets have not told.
    public var plannedDuration: MediaTime?

    /// Describes an event.
    public init(
        identifier: String, time: MediaTime, cue: Cue = [], willPlayOnce: Bool = false, assets: Assets,
        resumptionOffset: MediaTime? = nil, playoutLimit: MediaTime? = nil, alignsResumptionWithSegmentBoundary: Bool = false,
        restrictions: Restrictions = [], timelineOccupancy: TimelineOccupancy = .singlePoint, isHighlighted: Bool = true,
        contentMayVary: Bool = true, skipControl: SkipControl? = nil, plannedDuration: MediaTime? = nil
    ) {
        self.identifier = identifier
        self.time = time
        self.cue = cue
        self.willPlayOnce = willPlayOnce
        self.assets = assets
        self.resumptionOffset = resumptionOffset
        self.playoutLimit = playoutLimit
        self.alignsResumptionWithSegmentBoundary = alignsResumptionWithSegmentBoundary
        self.restrictions = restrictions
        self.timelineOccupancy = timelineOccupancy
        self.isHighlighted = isHighlighted
        self.contentMayVary = contentMayVary
        self.skipControl = skipControl
        self.plannedDuration = plannedDuration
    }
}

/// One asset of an interstitial.
public struct InterstitialAsset: Sendable, Hashable {
    /// Where it is.
    public var url: String
    /// How long it is, where the list says.
    public var duration: MediaTime?

    /// Names an asset.
    public init(url: String, duration: MediaTime?) {
        self.url = url
        self.duration = duration
    }
}

/// A source that knows of interstitials beside it.
@MainActor
public protocol InterstitialSource: MediaSource {
    /// What is known now, in order of time.
    var interstitialEvents: [InterstitialEvent] { get }
    /// Called on the main loop whenever they have changed.
    var onInterstitialEventsChange: (@MainActor ([InterstitialEvent]) -> Void)? { get set }
    /// Finds the assets of an event; the completion may be called at once. A list may be empty; nil is one that cannot be had.
    func resolveAssets(
        of event: InterstitialEvent,
        _ completion: @escaping @MainActor (_ assets: [InterstitialAsset]?, _ skipControl: InterstitialEvent.SkipControl?) -> Void
    )
    /// The edge of a segment nearest to an asset time.
    func segmentBoundary(nearest time: MediaTime) -> MediaTime
}

/// Timed metadata of a stream (ID3 tags, event messages) as it was found.
public struct TimedMetadata: Sendable, Hashable {
    /// Where it belongs, in asset time.
    public var time: MediaTime
    /// How long it holds; nil where unknown.
    public var duration: MediaTime?
    /// What the data is: `org.id3` for ID3v2 tags, else the scheme of the event message.
    public var scheme: String
    /// The value of the event message's scheme; empty for ID3.
    public var value: String
    /// The bytes: a whole ID3v2 tag, or the data of the message.
    public var data: [UInt8]

    /// Describes an item.
    public init(time: MediaTime, duration: MediaTime?, scheme: String, value: String, data: [UInt8]) {
        self.time = time
        self.duration = duration
        self.scheme = scheme
        self.value = value
        self.data = data
    }
}
