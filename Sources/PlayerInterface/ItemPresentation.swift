import MediaModel
import MediaTime

/// What the interface knows of the item that plays: texts in the viewer's language already, times in asset time.
package struct ItemPresentation: Sendable, Equatable {
    /// Its id in the feed, or whatever names it.
    package var id: String
    /// `commonIdentifierTitle`.
    package var title: String?
    /// A second line.
    package var subtitle: String?
    /// `commonIdentifierDescription`.
    package var summary: String?
    /// `quickTimeMetadataGenre`.
    package var genre: String?
    /// `iTunesMetadataContentRating`.
    package var rating: String?
    /// Short words on the facts line after the duration, such as `HD`, `CC`.
    package var badges: [String] = []
    /// `commonIdentifierArtwork`: a reference that `Drawing` resolves to a picture.
    package var artwork: String?
    /// A picture of the screen's shape, shown until the first frame is there; nil: `artwork`.
    package var poster: String?
    /// How long it is said to be; the player's own word wins once it has one.
    package var duration: MediaTime?
    /// Whether it is live: "From Beginning" is not offered, and times are told differently.
    package var isLive = false
    /// Its spliced interstitials in the order of their start; none overlap.
    package var interstitials: [Interstitial] = [] {
        didSet { timeline = AssetTimeline(interstitials: interstitials.map(\.range)) }
    }
    /// Asset time and content time of it; it follows from the interstitials.
    package private(set) var timeline = AssetTimeline(interstitials: [])
    /// Ids of its interstitials, spliced or beside the stream, that were watched before it was opened.
    package var watchedInterstitials: Set<String> = []
    /// Its markers in the order of their start.
    package var markers: [NavigationMarker] = []
    /// What is offered after it.
    package var proposal: ProposalPresentation?
    /// What is played of it, in asset time; the screen tells times as if nothing else were there.
    package var trimStart = MediaTime.zero
    /// See `trimStart`; nil: to the end.
    package var trimEnd: MediaTime?
    /// Whether position and rate are locked for its whole length.
    package var requiresLinearPlayback = false
    /// Where a viewer left it before; nil: from the beginning.
    package var resume: SavedPlace?
    /// Whether Next and Previous lead to other items and not to chapters.
    package var skipsItems = false
    /// Whether it belongs to a queue or playlist channel, which moves on by itself when something does not play.
    package var isInQueue = false
    /// The channel that it plays in, where that is not itself.
    package var channel: String?
    /// Pictures of it for scrubbing; nil: there are none.
    package var thumbnails: ThumbnailTrack?
    /// Where clock times are known: the seconds since the beginning of today (local) at asset time zero.
    package var clockOrigin: MediaTime?
    /// The series that it is an episode of: choices stick for it.
    package var series: String?
    /// The speed that was chosen for it, or for its series, before; nil: none.
    package var speed: Ratio?

    /// - Parameter build: sets what is known besides the id.
    package init(id: String, _ build: (inout ItemPresentation) -> Void = { _ in }) {
        self.id = id
        build(&self)
    }
}

/// A content proposal: the counterpart of `AVContentProposal`.
package struct ProposalPresentation: Sendable, Hashable {
    /// Where the video goes while it is shown.
    package enum VideoPlace: String, Sendable, Hashable {
        /// `Metrics.Video.proposalFrame`.
        case preferred
        /// Where it is: the full frame.
        case full
        /// It is hidden; its sound goes on.
        case hidden
    }

    /// The item or channel that it leads to.
    package var next: String
    /// Its title.
    package var title: String?
    /// A second line.
    package var subtitle: String?
    /// Its description.
    package var summary: String?
    /// Its genre.
    package var genre: String?
    /// Its content rating.
    package var rating: String?
    /// Its preview picture, as a reference.
    package var image: String?
    /// `contentTimeForTransition`, in asset time of the item that plays; nil: at the end.
    package var transitionTime: MediaTime?
    /// Relative to the end of playback: negative before it, zero at it, positive after it; nil: it never accepts by itself.
    package var automaticAcceptanceInterval: MediaTime?
    /// Where the video goes.
    package var videoPlace: VideoPlace
    /// Whether a PIN stands before it: then it does not accept by itself.
    package var isLocked: Bool

    package init(
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
package struct ThumbnailTrack: Sendable, Hashable {
    /// What the references begin with: `reference#MILLISECONDS` names one picture.
    package var reference: String
    /// The asset times of the pictures, rising.
    package var times: [MediaTime]

    package init(reference: String, times: [MediaTime]) {
        self.reference = reference
        self.times = times
    }

    /// The reference of the last picture at or before a time; nil before the first.
    package func reference(at time: MediaTime) -> String? {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] <= time { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? "\(reference)#\(times[low - 1].milliseconds)" : nil
    }
}
