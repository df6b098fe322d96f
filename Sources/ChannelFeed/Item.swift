import MediaTime

/// One thing to watch or hear. All its times are asset time of the stream as served: spliced interstitials count, trim is not applied.
package struct Item: Sendable, Hashable {
    /// Its id; never changed by the operator.
    package internal(set) var id = ""
    /// What sort of thing it is.
    package internal(set) var type = Kind.movie
    /// The title; nil leaves it to the stream, empty hides the stream's own. So with the other four identifiers of the information panel.
    package internal(set) var title: LocalizedText?
    /// One line more.
    package internal(set) var subtitle: LocalizedText?
    /// The description.
    package internal(set) var description: LocalizedText?
    /// Pictures.
    package internal(set) var artwork: Artwork?
    /// The genre.
    package internal(set) var genre: LocalizedText?
    /// Words for rows and search.
    package internal(set) var tags: [String] = []
    /// The content rating.
    package internal(set) var rating: Rating?
    /// How long the stream is said to be; nil: only the stream knows.
    package internal(set) var duration: MediaTime?
    /// Where it plays from: fail-over in order, not qualities.
    package internal(set) var streams: [Stream] = []
    /// Captions beside the stream.
    package internal(set) var subtitles: [SubtitleTrack] = []
    /// Pictures for scrubbing: the URL of a BIF file.
    package internal(set) var thumbnails: String?
    /// What is played of it; nil: all.
    package internal(set) var trim: Trim?
    /// The markers in the order of their start, each with its end where that is known.
    package internal(set) var markers: [Marker] = []
    /// The interstitials in the order of their start; none overlap.
    package internal(set) var interstitials: [Interstitial] = []
    /// What is offered after it, as the feed gives it; see `Feed.proposal(of:)` for what it comes to.
    package internal(set) var proposal = ProposalRule.automatic
    /// When it is offered.
    package internal(set) var window: Window?
    /// Whether it is hidden when nobody can tell that the window holds.
    package internal(set) var strictWindow = false
    /// Whether it is kept on the box.
    package internal(set) var offline = Offline.none
    /// Whether a viewer who comes back comes back to the place they left.
    package internal(set) var resume = true
    /// What Next and Previous lead to; nil: as the policy says.
    package internal(set) var skipMode: SkipMode?
    /// Whether no viewer command but pause and play changes its position, for its whole length.
    package internal(set) var requiresLinearPlayback = false
    /// Whether something follows its credits, so that nothing is proposed before its end.
    package internal(set) var postCredits = false
    /// Whether it is taken off at once, even from the screen.
    package internal(set) var withdrawn = false

    /// What sort of thing an item is.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A film.
        case movie
        /// One of a series.
        case episode
        /// A short piece.
        case clip
        /// An advertisement for another item.
        case trailer
        /// A piece of music.
        case music
        /// Something else.
        case other
    }

    /// Whether an item is kept on the box.
    package enum Offline: String, Sendable, Hashable, CaseIterable {
        /// It is not.
        case none
        /// Where there is room.
        case opportunistic
        /// Always.
        case required
    }
}

/// Captions beside a stream.
package struct SubtitleTrack: Sendable, Hashable {
    /// Their language.
    package internal(set) var language: String
    /// The file; its form is told by its content.
    package internal(set) var url: String
    /// What they are for.
    package internal(set) var kind = Kind.subtitles

    /// What captions are for.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Speech, for who does not know the language.
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
    /// Where play begins.
    package internal(set) var start: MediaTime
    /// Where play ends; nil: at the end of the stream.
    package internal(set) var end: MediaTime?
}

/// A place or stretch of an item that has a meaning.
package struct Marker: Sendable, Hashable {
    /// Its meaning.
    package internal(set) var kind: Kind
    /// Where it begins.
    package internal(set) var start: MediaTime
    /// Where it ends: as given, else at the next marker (for a chapter: the next chapter), else at the end of the item; nil where that is unknown.
    package internal(set) var end: MediaTime?
    /// Its name.
    package internal(set) var title: LocalizedText?
    /// A picture of it.
    package internal(set) var image: String?

    /// The meaning of a marker.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A chapter: a navigation marker.
        case chapter
        /// The titles, which may be skipped.
        case intro
        /// What happened before, which may be skipped.
        case recap
        /// The closing titles.
        case credits
        /// A scene after the closing titles.
        case postCredits
    }
}

/// A stretch of the stream that is not the content.
package struct Interstitial: Sendable, Hashable {
    /// Its id in the item, where it has one.
    package internal(set) var id: String?
    /// Where it lies, in asset time.
    package internal(set) var range: TimeRange
    /// What it is.
    package internal(set) var kind: Kind
    /// Whether position and rate are locked while it plays (`requiresLinearPlayback`): by default for advertisements and legal notices.
    package internal(set) var isLinear: Bool
    /// Whether it is played again when it was watched.
    package internal(set) var repeats = Repeat.once
    /// When a viewer may skip it; nil: never.
    package internal(set) var skip: Skip?
    /// Whether it plays before an item is resumed after it (a pre-roll).
    package internal(set) var onResume = false
    /// Its name.
    package internal(set) var title: LocalizedText?

    /// What an interstitial is.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// An advertisement.
        case ad
        /// A notice the law asks for.
        case legal
        /// The operator's own announcement.
        case promo
        /// A short jingle between programmes.
        case bumper
        /// Something else.
        case other

        /// Whether it locks position and rate where the feed does not say.
        package var isLinearByDefault: Bool { self == .ad || self == .legal }
    }

    /// Whether it is played again.
    package enum Repeat: String, Sendable, Hashable, CaseIterable {
        /// Not when it was watched.
        case once
        /// Every time.
        case always
    }

    /// When Skip is offered.
    package struct Skip: Sendable, Hashable {
        /// How long after the start of the interstitial.
        package internal(set) var offset: MediaTime
        /// For how long; nil: until its end.
        package internal(set) var duration: MediaTime?
    }
}
