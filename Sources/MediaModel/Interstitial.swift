import MediaTime

/// Content of an item that is not its main content: an advertisement, a notice, a trailer.
///
/// It is spliced into the stream (the counterpart of `AVInterstitialTimeRange`), or it has its own address and plays beside the
/// stream (the counterpart of `AVPlayerInterstitialEvent`). The same rules apply to both.
package struct Interstitial: Sendable, Hashable, Identifiable {
    /// Unique in its item.
    package var id: String
    package var kind: Kind
    /// For the label above the bar; nil: the word for its kind.
    package var title: String?
    package var placement: Placement
    /// What a viewer may not do.
    package var restrictions: Restrictions
    /// Whether it plays again.
    package var repetition: Repetition
    /// When a viewer may skip it; nil: never.
    package var skip: SkipControl?

    /// If it does not begin within this time, it is cancelled and the main content resumes.
    package static let startLimit = Duration.seconds(8)

    /// A range of the stream.
    ///
    /// - Parameters:
    ///   - range: in asset time.
    ///   - isLinear: nil: the default of its kind.
    ///   - playsOnResume: see `Placement.spliced`.
    package init(
        id: String, range: TimeRange, kind: Kind = .ad, isLinear: Bool? = nil, skip: SkipControl? = nil,
        repetition: Repetition = .once, playsOnResume: Bool = false, title: String? = nil
    ) {
        self.id = id
        self.kind = kind
        self.title = title
        placement = .spliced(range, playsOnResume: playsOnResume)
        restrictions = .constrainsSeekingForwardInPrimaryContent
        if isLinear ?? kind.isLinearByDefault { restrictions.insert(.requiresPlaybackAtPreferredRateForAdvancement) }
        self.repetition = repetition
        self.skip = skip
    }

    /// An event beside the stream.
    package init(
        id: String, event: Event, kind: Kind = .ad, restrictions: Restrictions = [], repetition: Repetition = .always,
        skip: SkipControl? = nil
    ) {
        self.id = id
        self.kind = kind
        placement = .beside(event)
        self.restrictions = restrictions
        self.repetition = repetition
        self.skip = skip
    }

    /// Whether it follows another one without main content between them.
    func touches(_ previous: Interstitial) -> Bool {
        switch previous.placement {
        case .spliced(let range, _): time == range.end
        case .beside(let event): time == event.time || time == event.time + (event.replacedDuration ?? .zero)
        }
    }

    /// Whether it lies between two positions: a spliced one with its whole range. One beside the stream at the target itself plays there anyway; one
    /// with a cue does not depend on its time.
    func isCrossed(from origin: MediaTime, to target: MediaTime) -> Bool {
        switch placement {
        case .spliced(let range, _): !range.isEmpty && range.start >= origin && range.end <= target
        case .beside(let event): event.cue.isEmpty && event.time >= origin && event.time < target
        }
    }
}

extension Interstitial {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case ad
        /// A notice required by law.
        case legal
        /// The operator's own announcement.
        case promo
        /// A short jingle between programmes.
        case bumper
        case other

        /// Whether it locks position and rate by default.
        package var isLinearByDefault: Bool { self == .ad || self == .legal }
    }

    /// Where an interstitial plays.
    package enum Placement: Sendable, Hashable {
        /// In this range of asset time. `playsOnResume`: at the start of the item, it plays before an item is resumed after it.
        case spliced(TimeRange, playsOnResume: Bool = false)
        /// From its own address, on its own clock: it takes no asset time.
        case beside(Event)
    }

    /// What a viewer may not do.
    package struct Restrictions: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Change position or rate while it plays (X-RESTRICT=SKIP): playback is linear.
        package static let requiresPlaybackAtPreferredRateForAdvancement = Restrictions(rawValue: 1)
        /// Jump over it (X-RESTRICT=JUMP).
        package static let constrainsSeekingForwardInPrimaryContent = Restrictions(rawValue: 2)
    }

    /// Whether an interstitial plays again.
    package enum Repetition: String, Sendable, Hashable, CaseIterable {
        /// Not after it was watched.
        case once
        /// Every time.
        case always
    }

    /// The offer to skip the rest.
    package struct SkipControl: Sendable, Hashable {
        /// When it is offered, from the start of the interstitial.
        package var offset: MediaTime
        /// How long it is offered; nil: to the end.
        package var duration: MediaTime?
        /// The id of its label, e.g. `SKIP_INTRO` (X-SKIP-CONTROL-LABEL-ID); nil: the word for its kind.
        package var labelID: String?

        package init(offset: MediaTime, duration: MediaTime? = nil, labelID: String? = nil) {
            self.offset = offset
            self.duration = duration
            self.labelID = labelID
        }

        /// Whether skipping is offered after the interstitial has played for some time.
        package func isOffered(at elapsed: MediaTime) -> Bool {
            elapsed >= offset && duration.map { elapsed < offset + $0 } ?? true
        }

        /// The time until skipping is offered; nil: it is offered, or was.
        package func timeUntilOffer(at elapsed: MediaTime) -> MediaTime? { elapsed < offset ? offset - elapsed : nil }
    }

    /// What only an interstitial beside the stream has (an HLS date range of class `com.apple.hls.interstitial`).
    package struct Event: Sendable, Hashable {
        /// Asset time at which the main content is left; already at a segment boundary if the event requests it (X-SNAP=OUT).
        package var time: MediaTime
        /// Triggers other than its time (CUE).
        package var cue: Cue
        package var assets: Assets
        /// The distance from `time` at which the main content resumes; nil: the duration of the event (live resumes at the pace
        /// of the live edge).
        package var resumptionOffset: MediaTime?
        /// The longest time it may play.
        package var playoutLimit: MediaTime?
        /// Whether the main content resumes at a segment boundary (X-SNAP=IN).
        package var alignsResumptionWithSegmentBoundary: Bool
        /// How much of the displayed timeline it takes.
        package var timelineOccupancy: TimelineOccupancy
        /// Whether the timeline shows it as distinct from the main content.
        package var isHighlighted: Bool
        /// Whether other viewers may see different assets: then a position inside has no meaning for them.
        package var contentMayVary: Bool
        /// Its duration according to its date range, until its assets are known.
        package var plannedDuration: MediaTime?

        package init(
            time: MediaTime, cue: Cue = [], assets: Assets, resumptionOffset: MediaTime? = nil, playoutLimit: MediaTime? = nil,
            alignsResumptionWithSegmentBoundary: Bool = false, timelineOccupancy: TimelineOccupancy = .singlePoint,
            isHighlighted: Bool = true, contentMayVary: Bool = true, plannedDuration: MediaTime? = nil
        ) {
            self.time = time
            self.cue = cue
            self.assets = assets
            self.resumptionOffset = resumptionOffset
            self.playoutLimit = playoutLimit
            self.alignsResumptionWithSegmentBoundary = alignsResumptionWithSegmentBoundary
            self.timelineOccupancy = timelineOccupancy
            self.isHighlighted = isHighlighted
            self.contentMayVary = contentMayVary
            self.plannedDuration = plannedDuration
        }

        /// How much of a live presentation other viewers see it instead of; nil if it takes the place of nothing, or if that is unknown.
        package var replacedDuration: MediaTime? {
            guard let resumptionOffset else { return [playoutLimit, plannedDuration].compactMap(\.self).min() }
            return resumptionOffset > .zero ? resumptionOffset : nil
        }

        /// Its contribution to the displayed timeline.
        package var occupiedDuration: MediaTime {
            switch timelineOccupancy {
            case .singlePoint: .zero
            case .fill: playoutLimit ?? plannedDuration ?? .zero
            }
        }
    }

    /// Triggers of an event other than its time.
    package struct Cue: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Before the main content, wherever playback starts.
        package static let joinCue = Cue(rawValue: 1)
        /// After the main content has ended.
        package static let leaveCue = Cue(rawValue: 2)
    }

    /// How an event counts on the displayed timeline.
    package enum TimelineOccupancy: Sendable, Hashable {
        /// A point.
        case singlePoint
        /// Its length.
        case fill
    }

    /// The location of the assets of an event.
    package enum Assets: Sendable, Hashable {
        /// One asset at this address.
        case asset(url: String)
        /// The assets in the list at this address (a JSON text).
        case list(url: String)
    }
}

extension Interstitial {
    /// Its range in asset time: empty for one beside the stream.
    package var range: TimeRange {
        switch placement {
        case .spliced(let range, _): range
        case .beside(let event): TimeRange(start: event.time, duration: .zero)
        }
    }

    /// Asset time at which the main content is left for it.
    package var time: MediaTime { range.start }

    /// Its properties beside the stream; nil for a spliced one.
    package var event: Event? {
        switch placement {
        case .spliced: nil
        case .beside(let event): event
        }
    }

    /// Triggers other than its time: a spliced one has none.
    package var cue: Cue { event?.cue ?? [] }

    /// Whether it plays before an item is resumed after it.
    package var playsOnResume: Bool {
        switch placement {
        case .spliced(_, let playsOnResume): playsOnResume
        case .beside: false
        }
    }

    /// Whether position and rate are locked while it plays (`requiresLinearPlayback`).
    package var isLinear: Bool { restrictions.contains(.requiresPlaybackAtPreferredRateForAdvancement) }

    /// Whether it does not play again.
    ///
    /// - Parameter watched: ids of interstitials that were watched.
    package func isSpent(watched: Set<String>) -> Bool { repetition == .once && watched.contains(id) }

    /// Whether a viewer who navigates past it must watch it first.
    ///
    /// - Parameter watched: ids of interstitials that were watched.
    package func isOwed(watched: Set<String>) -> Bool {
        restrictions.contains(.constrainsSeekingForwardInPrimaryContent) && !isSpent(watched: watched)
    }
}
