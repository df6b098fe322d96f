import MediaTime

/// What the interface knows of the item that plays: texts in the viewer's language already, times in asset time.
public struct ItemPresentation: Sendable, Equatable {
    /// Its id in the feed, or whatever names it.
    public var id: String
    /// `commonIdentifierTitle`.
    public var title: String?
    /// A second line.
    public var subtitle: String?
    /// `commonIdentifierDescription`.
    public var summary: String?
    /// `quickTimeMetadataGenre`.
    public var genre: String?
    /// `iTunesMetadataContentRating`.
    public var rating: String?
    /// Short words on the facts line after the duration, such as `HD`, `CC`.
    public var badges: [String]
    /// `commonIdentifierArtwork`: a reference that `Drawing` resolves to a picture.
    public var artwork: String?
    /// A picture of the screen's shape, shown until the first frame is there; nil: `artwork`.
    public var poster: String?
    /// How long it is said to be; the player's own word wins once it has one.
    public var duration: MediaTime?
    /// Whether it is live: "From Beginning" is not offered, and times are told differently.
    public var isLive: Bool
    /// Asset time and content time of it.
    public var timeline: AssetTimeline
    /// Its interstitials in the order of their start; none overlap.
    public var interstitials: [InterstitialRange]
    /// Its markers in the order of their start.
    public var markers: [NavigationMarker]
    /// What is offered after it.
    public var proposal: ProposalPresentation?
    /// What is played of it, in asset time; the screen tells times as if nothing else were there.
    public var trimStart: MediaTime
    /// See `trimStart`; nil: to the end.
    public var trimEnd: MediaTime?
    /// Whether position and rate are locked for its whole length.
    public var requiresLinearPlayback: Bool
    /// Where a viewer left it before; nil: from the beginning.
    public var resume: SavedPlace?
    /// Whether Next and Previous lead to other items and not to chapters.
    public var skipsItems: Bool
    /// Whether it belongs to a queue or playlist channel, which moves on by itself when something does not play.
    public var isInQueue: Bool
    /// The channel that it plays in, where that is not itself.
    public var channel: String?
    /// Pictures of it for scrubbing; nil: there are none.
    public var thumbnails: ThumbnailTrack?
    /// Where clock times are known: the seconds since the beginning of today (local) at asset time zero.
    public var clockOrigin: MediaTime?
    /// The series that it is an episode of: choices stick for it.
    public var series: String?
    /// The speed that was chosen for it, or for its series, before; nil: none.
    public var speed: Ratio?

    /// Makes a description.
    public init(
        id: String, title: String? = nil, subtitle: String? = nil, summary: String? = nil, genre: String? = nil,
        rating: String? = nil,
        badges: [String] = [], artwork: String? = nil, poster: String? = nil, duration: MediaTime? = nil, isLive: Bool = false,
        timeline: AssetTimeline? = nil, interstitials: [InterstitialRange] = [], markers: [NavigationMarker] = [],
        proposal: ProposalPresentation? = nil, trimStart: MediaTime = .zero, trimEnd: MediaTime? = nil,
        requiresLinearPlayback: Bool = false, resume: SavedPlace? = nil, skipsItems: Bool = false, isInQueue: Bool = false,
        channel: String? = nil, thumbnails: ThumbnailTrack? = nil, clockOrigin: MediaTime? = nil
    ) {
        self.id = id
        self.title = title
        self.subtitle = subtitle
        self.summary = summary
        self.genre = genre
        self.rating = rating
        self.badges = badges
        self.artwork = artwork
        self.poster = poster
        self.duration = duration
        self.isLive = isLive
        self.timeline = timeline ?? AssetTimeline(interstitials: interstitials.map(\.range))
        self.interstitials = interstitials
        self.markers = markers
        self.proposal = proposal
        self.trimStart = trimStart
        self.trimEnd = trimEnd
        self.requiresLinearPlayback = requiresLinearPlayback
        self.resume = resume
        self.skipsItems = skipsItems
        self.isInQueue = isInQueue
        self.channel = channel
        self.thumbnails = thumbnails
        self.clockOrigin = clockOrigin
    }
}

/// A stretch of the item that is not the content: the counterpart of `AVInterstitialTimeRange`, with what the feed says of it.
public struct InterstitialRange: Sendable, Hashable {
    /// What it is.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case ad, legal, promo, bumper, other
    }

    /// Whether it is played again once it was watched.
    public enum Repetition: String, Sendable, Hashable {
        /// It is passed over.
        case once
        /// It is played and enforced again.
        case always
    }

    /// When Skip is offered.
    public struct Skip: Sendable, Hashable {
        /// How long after the start.
        public var offset: MediaTime
        /// For how long; nil: until the end.
        public var duration: MediaTime?

        /// Makes an offer.
        public init(offset: MediaTime, duration: MediaTime? = nil) {
            self.offset = offset
            self.duration = duration
        }
    }

    /// Unique in the item.
    public var id: String
    /// Where it lies, in asset time.
    public var range: TimeRange
    /// What it is.
    public var kind: Kind
    /// Whether position and rate are locked while it plays.
    public var isLinear: Bool
    /// When Skip is offered; nil: never.
    public var skip: Skip?
    /// Whether it is played again.
    public var repetition: Repetition
    /// Whether it plays before an item is resumed after it.
    public var onResume: Bool
    /// Its name, for the label above the bar; nil: the word for its kind.
    public var title: String?
    /// Whether it was watched on an earlier day; the machine remembers what is watched while it runs.
    public var isWatched: Bool

    /// Makes a range.
    ///
    /// - Parameter isLinear: nil: as its kind has it, which is true for `ad` and `legal`.
    public init(
        id: String, range: TimeRange, kind: Kind = .ad, isLinear: Bool? = nil, skip: Skip? = nil, repetition: Repetition = .once,
        onResume: Bool = false, title: String? = nil, isWatched: Bool = false
    ) {
        self.id = id
        self.range = range
        self.kind = kind
        self.isLinear = isLinear ?? (kind == .ad || kind == .legal)
        self.skip = skip
        self.repetition = repetition
        self.onResume = onResume
        self.title = title
        self.isWatched = isWatched
    }
}

/// A place of the item that has a meaning.
public struct NavigationMarker: Sendable, Hashable {
    /// Its meaning. Only chapters are listed in the panel.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case chapter, intro, recap, credits, postCredits
    }

    /// Its meaning.
    public var kind: Kind
    /// Where it begins, in asset time.
    public var start: MediaTime
    /// Where it ends; nil: unknown.
    public var end: MediaTime?
    /// Its name; a chapter without one is "Chapter n".
    public var title: String?
    /// A picture, as a reference.
    public var image: String?

    /// Makes a marker.
    public init(kind: Kind, start: MediaTime, end: MediaTime? = nil, title: String? = nil, image: String? = nil) {
        self.kind = kind
        self.start = start
        self.end = end
        self.title = title
        self.image = image
    }
}

/// A content proposal: the counterpart of `AVContentProposal`.
public struct ProposalPresentation: Sendable, Hashable {
    /// Where the video goes while it is shown.
    public enum VideoPlace: String, Sendable, Hashable {
        /// `Metrics.Video.proposalFrame`.
        case preferred
        /// Where it is: the full frame.
        case full
        /// It is hidden; its sound goes on.
        case hidden
    }

    /// The item or channel that it leads to.
    public var next: String
    /// Its title.
    public var title: String?
    /// A second line.
    public var subtitle: String?
    /// Its description.
    public var summary: String?
    /// Its genre.
    public var genre: String?
    /// Its content rating.
    public var rating: String?
    /// Its preview picture, as a reference.
    public var image: String?
    /// `contentTimeForTransition`, in asset time of the item that plays; nil: at the end.
    public var transitionTime: MediaTime?
    /// Relative to the end of playback: negative before it, zero at it, positive after it; nil: it never accepts by itself.
    public var automaticAcceptanceInterval: MediaTime?
    /// Where the video goes.
    public var videoPlace: VideoPlace
    /// Whether a PIN stands before it: then it does not accept by itself.
    public var isLocked: Bool

    /// Makes a proposal.
    public init(
        next: String, title: String? = nil, subtitle: String? = nil, summary: String? = nil, genre: String? = nil,
        rating: String? = nil,
        image: String? = nil, transitionTime: MediaTime? = nil, automaticAcceptanceInterval: MediaTime? = nil,
        videoPlace: VideoPlace = .preferred, isLocked: Bool = false
    ) {
        self.next = next
        self.title = title
        self.subtitle = subtitle
        self.summary = summary
        self.genre = genre
        self.rating = rating
        self.image = image
        self.transitionTime = transitionTime
        self.automaticAcceptanceInterval = automaticAcceptanceInterval
        self.videoPlace = videoPlace
        self.isLocked = isLocked
    }
}

/// Pictures of an item, each of one moment: what scrubbing shows.
public struct ThumbnailTrack: Sendable, Hashable {
    /// What the references begin with: `reference#MILLISECONDS` names one picture to whoever brings pictures.
    public var reference: String
    /// The asset times of the pictures, rising.
    public var times: [MediaTime]

    /// Makes a track.
    public init(reference: String, times: [MediaTime]) {
        self.reference = reference
        self.times = times
    }

    /// The reference of the last picture at or before a time; nil before the first.
    public func reference(at time: MediaTime) -> String? {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] <= time { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? "\(reference)#\(times[low - 1].milliseconds)" : nil
    }
}

/// Where a viewer left an item.
public struct SavedPlace: Sendable, Hashable {
    /// The place, in asset time: the saved target where an enforced interstitial was left.
    public var time: MediaTime
    /// The interstitial that still has to be watched first; nil: none.
    public var debt: String?

    /// Makes a place.
    public init(time: MediaTime, debt: String? = nil) {
        self.time = time
        self.debt = debt
    }
}
