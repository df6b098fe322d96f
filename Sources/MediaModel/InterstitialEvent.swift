import MediaTime

/// Content that is played between two positions of a presentation, from its own address (an HLS date range of class
/// `com.apple.hls.interstitial`). It has its own timeline and takes no asset time. The counterpart of
/// `AVPlayerInterstitialEvent`.
package struct InterstitialEvent: Sendable, Hashable {
    /// Triggers other than its time.
    package struct Cue: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Before the presentation, wherever playback starts.
        package static let joinCue = Cue(rawValue: 1)
        /// After the presentation has ended.
        package static let leaveCue = Cue(rawValue: 2)
    }

    /// What a viewer may not do.
    package struct Restrictions: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Seek forward inside it, or play it faster (X-RESTRICT=SKIP).
        package static let requiresPlaybackAtPreferredRateForAdvancement = Restrictions(rawValue: 1)
        /// Jump over it (X-RESTRICT=JUMP).
        package static let constrainsSeekingForwardInPrimaryContent = Restrictions(rawValue: 2)
    }

    /// How much of the displayed timeline it takes.
    package enum TimelineOccupancy: Sendable, Hashable {
        /// A point.
        case singlePoint
        /// Its length.
        case fill
    }

    /// A control for skipping the rest.
    package struct SkipControl: Sendable, Hashable {
        /// When it appears, from the start of the event.
        package var offset: MediaTime
        /// How long it is shown; nil: to the end.
        package var duration: MediaTime?
        /// The id of its label, e.g. `SKIP_INTRO`.
        package var labelID: String?

        package init(offset: MediaTime, duration: MediaTime?, labelID: String?) {
            self.offset = offset
            self.duration = duration
            self.labelID = labelID
        }
    }

    /// The location of its assets.
    package enum Assets: Sendable, Hashable {
        /// One asset at this address.
        case asset(url: String)
        /// The assets in the list at this address (a JSON text).
        case list(url: String)
    }

    /// ID of the date range: events with the same ID are one.
    package var identifier: String
    /// Asset time at which the presentation is left; already at a segment boundary if the event requests it (X-SNAP=OUT).
    package var time: MediaTime
    /// CUE.
    package var cue: Cue
    /// Whether it is played only once (CUE=ONCE).
    package var willPlayOnce: Bool
    package var assets: Assets
    /// The distance from `time` at which the presentation resumes; nil: the duration of the event (live resumes at the pace of
    /// the live edge).
    package var resumptionOffset: MediaTime?
    /// The longest time it may play.
    package var playoutLimit: MediaTime?
    /// Whether the presentation resumes at a segment boundary (X-SNAP=IN).
    package var alignsResumptionWithSegmentBoundary: Bool
    /// What a viewer may not do.
    package var restrictions: Restrictions
    /// How much of the displayed timeline it takes.
    package var timelineOccupancy: TimelineOccupancy
    /// Whether the timeline shows it as distinct from the presentation.
    package var isHighlighted: Bool
    /// Whether other viewers may see different assets: then a position inside has no meaning for them.
    package var contentMayVary: Bool
    /// A control for skipping it.
    package var skipControl: SkipControl?
    /// Its duration according to its date range, until its assets are known.
    package var plannedDuration: MediaTime?

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
    package var url: String
    /// Its duration, if the list states it.
    package var duration: MediaTime?

    package init(url: String, duration: MediaTime?) {
        self.url = url
        self.duration = duration
    }
}

/// A source with interstitials.
@MainActor
package protocol InterstitialSource: MediaSource {
    /// The known events, ordered by time.
    var interstitialEvents: [InterstitialEvent] { get }
    /// Resolves the assets of an event; the completion may be called synchronously. A list may be empty; nil means that it could
    /// not be loaded.
    func resolveAssets(
        of event: InterstitialEvent,
        _ completion: @escaping @MainActor (_ assets: [InterstitialAsset]?, _ skipControl: InterstitialEvent.SkipControl?) -> Void
    )
    /// The segment boundary nearest to an asset time.
    func segmentBoundary(nearest time: MediaTime) -> MediaTime
}

/// Timed metadata of a stream (ID3 tags, event messages) in its original form.
package struct TimedMetadata: Sendable, Hashable {
    /// In asset time.
    package var time: MediaTime
    /// How long it applies; nil if unknown.
    package var duration: MediaTime?
    /// The type of the data: `org.id3` for ID3v2 tags, otherwise the scheme of the event message.
    package var scheme: String
    /// The value of the event message's scheme; empty for ID3.
    package var value: String
    /// The bytes: a whole ID3v2 tag, or the data of the message.
    package var data: [UInt8]

    package init(time: MediaTime, duration: MediaTime?, scheme: String, value: String, data: [UInt8]) {
        self.time = time
        self.duration = duration
        self.scheme = scheme
        self.value = value
        self.data = data
    }
}

extension InterstitialSource {
    package var interstitialSource: (any InterstitialSource)? { self }
}
