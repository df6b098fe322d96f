import BoxModel
import MediaModel
import MediaTime

/// The current item as the interface knows it: texts in the viewer's language, times in asset time.
package struct ItemPresentation: Sendable, Equatable {
    /// Its id in the feed, or another unique name.
    package var id: String
    /// `commonIdentifierTitle`.
    package var title: String?
    /// A second line.
    package var subtitle: String?
    /// `commonIdentifierDescription`.
    package var summary: String?
    /// From the feed, or a tag of the file with this name.
    package var genre: String?
    /// `iTunesMetadataContentRating`.
    package var rating: String?
    /// Badges on the facts line after the content rating, such as `HD`, `CC`.
    package var badges: [String] = []
    /// `commonIdentifierArtwork`: a reference that `Drawing` resolves to a picture.
    package var artwork: String?
    /// A picture with the screen's aspect, shown until the first frame; nil for `artwork`.
    package var poster: String?
    /// Its stated duration; the player's duration takes precedence once it is known.
    package var duration: MediaTime?
    /// Whether it is live: "From Beginning" is not offered, and times are shown differently.
    package var isLive = false
    /// Its spliced interstitials in the order of their start; none overlap.
    package var interstitials: [Interstitial] = [] {
        didSet { timeline = AssetTimeline(interstitials: interstitials.map(\.range)) }
    }
    /// Its asset time and content time, computed from the interstitials.
    package private(set) var timeline = AssetTimeline(interstitials: [])
    /// Ids of its interstitials, spliced or beside the stream, that were watched before it was opened.
    package var watchedInterstitials: Set<String> = []
    /// Its markers, ordered by start.
    package var markers: [NavigationMarker] = []
    /// The place of its video, and the operator's pictures and words over it.
    package var screen = ProgrammeScreen()
    /// The content proposal after it.
    package var proposal: ProposalPresentation?
    /// The next episode of its series; nil in a queue, which says what follows.
    package var nextEpisode: HomeContent.Entry?
    /// The start of its trim, in asset time. Displayed times ignore the trimmed parts.
    package var trimStart = MediaTime.zero
    /// The end of its trim; nil for the end.
    package var trimEnd: MediaTime?
    /// Whether position and rate are locked for its whole duration.
    package var requiresLinearPlayback = false
    /// The saved position; nil for the beginning.
    package var resume: SavedPlace?
    /// Whether Next and Previous change items and not chapters.
    package var skipsItems = false
    /// Whether it belongs to a queue or playlist channel, which advances when an item cannot be played.
    package var isInQueue = false
    /// The channel in which it plays, unless it is itself a channel.
    package var channel: String?
    /// Its thumbnails for scrubbing; nil if there are none.
    package var thumbnails: ThumbnailTrack?
    /// If clock times are known: the seconds from the start of today (local) to asset time zero.
    package var clockOrigin: MediaTime?
    /// Its series, to which choices apply.
    package var series: String?
    /// The stored speed for it or its series; nil for none.
    package var speed: Ratio?

    /// - Parameter build: sets what is known besides the id.
    package init(id: String, _ build: (inout ItemPresentation) -> Void = { _ in }) {
        self.id = id
        build(&self)
    }
}

extension ItemPresentation {
    /// Where it resumes, in content time; nil if there is no saved position.
    package var resumeTime: MediaTime? { resume.map { ContentClock(self, duration: nil).content(at: $0.time) } }

    /// The Info tab without its focus and its actions.
    ///
    /// - Parameter length: the duration as text; nil if it is not shown.
    package func information(length: String? = nil) -> InfoView {
        InfoView(
            artwork: artwork, title: title?.nonEmpty, subtitle: subtitle?.nonEmpty,
            facts: [genre, length].compactMap { $0?.nonEmpty }, badges: [rating].compactMap { $0?.nonEmpty } + badges,
            summary: summary?.nonEmpty)
    }

    /// Whether the Info tab has something to show besides actions and the duration. Empty artwork is no picture.
    package var hasInformation: Bool {
        var information = information()
        information.artwork = artwork?.nonEmpty
        return information != InfoView()
    }
}

/// A content proposal: the counterpart of `AVContentProposal`.
package struct ProposalPresentation: Sendable, Hashable {
    /// The placement of the video while it is shown.
    package enum VideoPlace: String, Sendable, Hashable, DumpWritable {
        /// `Metrics.Video.proposalFrame`.
        case preferred
        /// Unchanged: the full frame.
        case full
        /// Hidden; its sound continues.
        case hidden
    }

    /// The id of the proposed item or channel.
    package var next: String
    package var title: String?
    /// A second line.
    package var subtitle: String?
    package var summary: String?
    package var genre: String?
    package var rating: String?
    /// How long it is; nil if unknown or live.
    package var duration: MediaTime?
    /// Its preview picture, as a reference.
    package var image: String?
    /// `contentTimeForTransition`, in asset time of the current item; nil for the end.
    package var transitionTime: MediaTime?
    /// Relative to the end of playback: negative before it, zero at it, positive after it; nil for no automatic acceptance.
    package var automaticAcceptanceInterval: MediaTime?
    /// The placement of the video.
    package var videoPlace: VideoPlace
    /// Whether it needs the PIN; then it is not accepted automatically.
    package var isLocked: Bool

    package init(
        next: String, title: String? = nil, subtitle: String? = nil, summary: String? = nil, genre: String? = nil,
        rating: String? = nil, duration: MediaTime? = nil, image: String? = nil, transitionTime: MediaTime? = nil,
        automaticAcceptanceInterval: MediaTime? = nil,
        videoPlace: VideoPlace = .preferred, isLocked: Bool = false
    ) {
        self.next = next
        self.title = title
        self.subtitle = subtitle
        self.summary = summary
        self.genre = genre
        self.rating = rating
        self.duration = duration
        self.image = image
        self.transitionTime = transitionTime
        self.automaticAcceptanceInterval = automaticAcceptanceInterval
        self.videoPlace = videoPlace
        self.isLocked = isLocked
    }
}

/// Thumbnails of an item, for scrubbing.
package struct ThumbnailTrack: Sendable, Hashable {
    /// What the references begin with: `reference#MILLISECONDS` names one picture.
    package var reference: String
    /// The asset times of the pictures, ascending.
    package var times: [MediaTime]

    package init(reference: String, times: [MediaTime]) {
        self.reference = reference
        self.times = times
    }

    /// The track and the time of a reference; nil if it is of something else.
    package static func place(of reference: String) -> (track: Substring, time: MediaTime)? {
        guard let mark = reference.lastIndex(of: "#"), let time = Int64(reference[reference.index(after: mark)...]) else {
            return nil
        }
        return (reference[..<mark], .milliseconds(time))
    }

    /// The reference of the last picture at or before a time; nil before the first. One of an interstitial stands for no place behind it: the next one does, if it
    /// is near.
    package func reference(at time: MediaTime, outside interstitials: [Interstitial]) -> String? {
        let index = count(upTo: time)
        guard index > 0 else { return nil }
        func isShown(_ index: Int) -> Bool { !interstitials.contains { $0.range.contains(times[index]) } }
        if isShown(index - 1) { return reference(times[index - 1]) }
        let next = times[index...].indices.first { isShown($0) }
        return next.flatMap { times[$0] - time <= Timing.thumbnailReach ? reference(times[$0]) : nil }
    }

    /// The reference of the last picture at or before a time; nil before the first.
    package func reference(at time: MediaTime) -> String? { reference(at: time, outside: []) }

    private func reference(_ time: MediaTime) -> String { "\(reference)#\(time.milliseconds)" }

    /// How many pictures are at or before a time.
    private func count(upTo time: MediaTime) -> Int {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] <= time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
