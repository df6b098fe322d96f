import MediaModel
import MediaTime

/// One item to watch or hear. All its times are asset time of the stream as served: spliced interstitials count, trim is not
/// applied.
package struct Item: Sendable, Hashable {
    /// Stable: the operator never changes it.
    package internal(set) var id = ""
    package internal(set) var type = Kind.movie
    /// The title; nil: the stream's own, empty: hides the stream's own. The same holds for the other four identifiers of the
    /// information panel.
    package internal(set) var title: LocalizedText?
    package internal(set) var subtitle: LocalizedText?
    package internal(set) var description: LocalizedText?
    package internal(set) var artwork: Artwork?
    package internal(set) var genre: LocalizedText?
    /// Keywords for rows and search.
    package internal(set) var tags: [String] = []
    package internal(set) var rating: Rating?
    /// The stated duration of the stream; nil: only the stream knows.
    package internal(set) var duration: MediaTime?
    /// The streams: alternatives for fail-over in order, not qualities.
    package internal(set) var streams: [Stream] = []
    /// How old its picture may become before it is fetched again, if it is a picture; nil: it stays as it is.
    package internal(set) var refresh: MediaTime?
    /// How its picture moves and fades while it is shown, if it is a picture; nil: it stands.
    package internal(set) var motion: PictureMotion?
    /// External captions.
    package internal(set) var subtitles: [SubtitleTrack] = []
    /// Thumbnails for scrubbing: the URL of a BIF file.
    package internal(set) var thumbnails: String?
    /// The part that is played; nil: all.
    package internal(set) var trim: Trim?
    /// The markers ordered by start, each with its end if known.
    package internal(set) var markers: [Marker] = []
    /// The spliced interstitials ordered by start; none overlap. Those without an id in the feed are numbered.
    package internal(set) var interstitials: [Interstitial] = []
    /// Their titles, by their ids.
    package internal(set) var interstitialTitles: [String: LocalizedText] = [:]
    /// The place of its video, and pictures and words over it.
    package internal(set) var screen = ProgrammeScreen()
    /// The lines of the words, by the names under which they ask for them.
    package internal(set) var overlayLines: [String: [LocalizedText]] = [:]
    /// The proposal after it as given in the feed; `Feed.proposal(of:)` resolves it.
    package internal(set) var proposal = ProposalRule.automatic
    /// When it is available.
    package internal(set) var window: Window?
    /// Whether it is hidden while the clock is not trusted.
    package internal(set) var strictWindow = false
    /// Whether it is stored on the box.
    package internal(set) var offline = Offline()
    /// Whether a returning viewer resumes at the position where they left.
    package internal(set) var resume = true
    /// The target of Next and Previous; nil: as in the policy.
    package internal(set) var skipMode: SkipMode?
    /// Whether no viewer command except pause and play changes its position, for its whole length.
    package internal(set) var requiresLinearPlayback = false
    /// Whether a scene follows its credits, so that nothing is proposed before its end.
    package internal(set) var postCredits = false
    /// Whether it is removed at once, even while it plays.
    package internal(set) var withdrawn = false

    /// The type of an item.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case movie
        /// An episode of a series.
        case episode
        case clip
        /// An advertisement for another item.
        case trailer
        case music
        case other
    }

    /// Whether and how an item is stored on the box.
    package struct Offline: Sendable, Hashable {
        /// A box stores at most so many items of a feed, the required ones first.
        package static let mostItems = 2_000

        package enum Priority: String, Sendable, Hashable, CaseIterable {
            case none
            /// If there is room.
            case opportunistic
            case required
        }

        package internal(set) var priority = Priority.none
        /// In bits per second: of the variants with at least this BANDWIDTH the lowest is stored; nil stores the one that playback would choose.
        package internal(set) var minimumBitRate: Int64?
    }

    /// The chapters in order: the navigation markers of the first group.
    package var chapters: [Marker] { markers.filter { $0.kind == .chapter } }

    /// The marker of a kind that contains a position, e.g. the intro, to offer skipping it.
    package func marker(_ kind: NavigationMarker.Kind, at assetTime: MediaTime) -> Marker? {
        markers.last { $0.kind == kind && $0.start <= assetTime && $0.end.map { assetTime < $0 } ?? true }
    }

    /// The mapping between asset and content time for these interstitials.
    package var timeline: AssetTimeline { AssetTimeline(interstitials: interstitials.map(\.range)) }

    /// The end of playback: the trim's end, otherwise the duration, otherwise that of a picture; nil when only the stream knows.
    var playEnd: MediaTime? { trim?.end ?? duration ?? StillRule.duration(of: self) }
}

/// External captions of a stream.
package struct SubtitleTrack: Sendable, Hashable {
    package internal(set) var language: String
    /// The file; its content determines the format.
    package internal(set) var url: String
    /// Their purpose.
    package internal(set) var kind = Kind.subtitles
    /// The name of its encoding; nil: it is found out.
    package internal(set) var charset: String?

    /// The purpose of captions.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Speech, for viewers who do not know the language.
        case subtitles
        /// Speech and sounds, in the language of the sound.
        case captions
        /// Speech and sounds, for the deaf and hard of hearing.
        case sdh
        /// Only what needs translating when the sound is in the viewer's language.
        case forced
    }
}

/// The part of a stream that is played.
package struct Trim: Sendable, Hashable {
    /// The start of playback.
    package internal(set) var start: MediaTime
    /// The end of playback; nil: at the end of the stream.
    package internal(set) var end: MediaTime?
}

/// A `NavigationMarker` with its title in all languages of the feed.
package struct Marker: Sendable, Hashable {
    package internal(set) var kind: NavigationMarker.Kind
    package internal(set) var start: MediaTime
    /// The end: as given, otherwise at the next marker (for a chapter: the next chapter), otherwise at the end of the item; nil
    /// when that is unknown.
    package internal(set) var end: MediaTime?
    package internal(set) var title: LocalizedText?
    package internal(set) var image: String?
}
