import MediaTime

/// Something that is played between two places of a presentation, from an address of its own (an HLS date range of class
/// `com.apple.hls.interstitial`). It runs on its own clock and takes no asset time. The counterpart of `AVPlayerInterstitialEvent`.
package struct InterstitialEvent: Sendable, Hashable {
    /// When it is played other than by its time.
    package struct Cue: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Before the presentation begins, wherever play begins.
        package static let joinCue = Cue(rawValue: 1)
        /// After the presentation has ended.
        package static let leaveCue = Cue(rawValue: 2)
    }

    /// What a viewer may not do.
    package struct Restrictions: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Seek ahead inside it, or play it faster (X-RESTRICT=SKIP).
        package static let requiresPlaybackAtPreferredRateForAdvancement = Restrictions(rawValue: 1)
        /// Jump across it (X-RESTRICT=JUMP).
        package static let constrainsSeekingForwardInPrimaryContent = Restrictions(rawValue: 2)
    }

    /// How much of the shown timeline it takes.
    package enum TimelineOccupancy: Sendable, Hashable {
        /// A point.
        case singlePoint
        /// Its length.
        case fill
    }

    /// A control that lets the viewer skip the rest.
    package struct SkipControl: Sendable, Hashable {
        /// When it appears, from the start of the event.
        package var offset: MediaTime
        /// How long it is there; nil to the end.
        package var duration: MediaTime?
        /// What it says: an id of a text, e.g. `SKIP_INTRO`.
        package var labelID: String?

        /// Describes a control.
        package init(offset: MediaTime, duration: MediaTime?, labelID: String?) {
            self.offset = offset
            self.duration = duration
            self.labelID = labelID
        }
    }

    /// Where its assets are.
    package enum Assets: Sendable, Hashable {
        /// One, at this address.
        case asset(url: String)
        /// Those that the list at this address names (a JSON text).
        case list(url: String)
    }

    /// ID of the date range: events with the same ID are one.
    package var identifier: String
    /// Asset time at which the presentation is left; already at the edge of a segment where the event asks for it (X-SNAP=OUT).
    package var time: MediaTime
    /// CUE.
    package var cue: Cue
    /// Whether it is played once only (CUE=ONCE).
    package var willPlayOnce: Bool
    /// What is played.
    package var assets: Assets
    /// How far behind `time` the presentation goes on; nil as far as the event has lasted (live goes on at the live edge's pace).
    package var resumptionOffset: MediaTime?
    /// It is ended after this long.
    package var playoutLimit: MediaTime?
    /// Whether the presentation goes on at the edge of a segment (X-SNAP=IN).
    package var alignsResumptionWithSegmentBoundary: Bool
    /// What a viewer may not do.
    package var restrictions: Restrictions
    /// What it takes of the shown timeline.
    package var timelineOccupancy: TimelineOccupancy
    /// Whether the timeline sets it off from the presentation.
    package var isHighlighted: Bool
    /// Whether other viewers may see something else: then a place inside means nothing to them.
    package var contentMayVary: Bool
    /// A control to skip it.
    package var skipControl: SkipControl?
    /// How long it is by its date range, while its assets have not told.
    package var plannedDuration: MediaTime?

    /// Describes an event.
    package init(
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
package struct InterstitialAsset: Sendable, Hashable {
    /// Where it is.
    package var url: String
    /// How long it is, where the list says.
    package var duration: MediaTime?

    /// Names an asset.
    package init(url: String, duration: MediaTime?) {
        self.url = url
        self.duration = duration
    }
}

/// A source that knows of interstitials beside it.
@MainActor
package protocol InterstitialSource: MediaSource {
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
package struct TimedMetadata: Sendable, Hashable {
    /// Where it belongs, in asset time.
    package var time: MediaTime
    /// How long it holds; nil where unknown.
    package var duration: MediaTime?
    /// What the data is: `org.id3` for ID3v2 tags, else the scheme of the event message.
    package var scheme: String
    /// The value of the event message's scheme; empty for ID3.
    package var value: String
    /// The bytes: a whole ID3v2 tag, or the data of the message.
    package var data: [UInt8]

    /// Describes an item.
    package init(time: MediaTime, duration: MediaTime?, scheme: String, value: String, data: [UInt8]) {
        self.time = time
        self.duration = duration
        self.scheme = scheme
        self.value = value
        self.data = data
    }
}
