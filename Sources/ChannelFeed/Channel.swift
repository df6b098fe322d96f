import MediaTime

/// One channel: a live stream, a list of items, or items at set times.
package struct Channel: Sendable, Hashable {
    /// Its id; never changed by the operator.
    package internal(set) var id = ""
    /// The number a viewer types; its place in the list from 1 where the feed gives none.
    package internal(set) var number = 0
    /// Its name.
    package internal(set) var title = LocalizedText(entries: [])
    /// More about it.
    package internal(set) var description: LocalizedText?
    /// Where its programme comes from.
    package internal(set) var kind = Kind.live
    /// Where a live channel plays from: fail-over in order, not qualities.
    package internal(set) var streams: [Stream] = []
    /// The items of a playlist channel in order.
    package internal(set) var items: [String] = []
    /// The items of a schedule channel in the order of their times.
    package internal(set) var entries: [ScheduleEntry] = []
    /// Whether a playlist begins again after its last item.
    package internal(set) var loop = false
    /// Its guide.
    package internal(set) var guide: Guide?
    /// The rating of what it shows where nothing more exact is known.
    package internal(set) var rating: Rating?
    /// Pictures of it.
    package internal(set) var artwork: Artwork?
    /// Its genre.
    package internal(set) var genre: LocalizedText?
    /// Words for rows and search.
    package internal(set) var tags: [String] = []
    /// When it is offered.
    package internal(set) var window: Window?
    /// Whether it is hidden when nobody can tell that the window holds.
    package internal(set) var strictWindow = false
    /// Whether a viewer who comes back comes back to the place they left.
    package internal(set) var resume = false
    /// What Next and Previous lead to; nil: as the policy says.
    package internal(set) var skipMode: SkipMode?
    /// Whether it is taken off at once, even from the screen.
    package internal(set) var withdrawn = false

    /// Where a channel's programme comes from.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A stream.
        case live
        /// Items one after the other.
        case playlist
        /// Items at set times.
        case schedule
    }

    /// What a schedule shows at a moment: the last entry that has begun. Nil before the first.
    package func entry(at date: FeedDate) -> ScheduleEntry? { entries.last { $0.at <= date } }

    /// What a schedule begins next, after a moment.
    package func nextEntry(after date: FeedDate) -> ScheduleEntry? { entries.first { $0.at > date } }

    /// The item after this one in a playlist, from the first again where it loops; nil at its end. An item that stands in it twice is told apart by its index.
    package func index(after index: Int) -> Int? {
        if index + 1 < items.count { return index + 1 }
        return loop && !items.isEmpty ? 0 : nil
    }
}

/// An item at a set time.
package struct ScheduleEntry: Sendable, Hashable {
    /// When it begins.
    package let at: FeedDate
    /// The id of the item.
    package let item: String
}

/// Where a channel's guide is.
package struct Guide: Sendable, Hashable {
    /// The XMLTV file.
    package internal(set) var xmltv: String
    /// The channel's id in that file; nil: the channel's own.
    package internal(set) var id: String?
}

/// A place a stream is served from. What else it says are hints that a probe checks.
package struct Stream: Sendable, Hashable {
    /// Where; what is there is told by its content.
    package internal(set) var url: String
    /// The codecs in it (RFC 6381).
    package internal(set) var codecs: [String] = []
    /// The lines of its largest picture.
    package internal(set) var maxHeight: Int?
    /// The SHA-256 of a file, in small hexadecimal digits.
    package internal(set) var sha256: String?
    /// The languages of its sound.
    package internal(set) var audio: [AudioHint] = []
}

/// One sound track that a stream is said to have.
package struct AudioHint: Sendable, Hashable {
    /// Its language.
    package internal(set) var language: String
    /// What it is for, in the feed's word, e.g. `main`, `description`.
    package internal(set) var kind: String?
}

/// Pictures of one thing; nil where there is none, empty where the stream's own is to be hidden.
package struct Artwork: Sendable, Hashable {
    /// Upright, for rows.
    package internal(set) var poster: String?
    /// A frame of it, wide.
    package internal(set) var still: String?
    /// To lie behind text, wide.
    package internal(set) var background: String?
    /// The name as a picture.
    package internal(set) var logo: String?

    /// The picture for the information panel: poster, else still, else background; empty where the feed hides the stream's own.
    package var preferred: String? {
        let all = [poster, still, background, logo]
        return all.compactMap { $0 }.first { !$0.isEmpty } ?? (all.contains("") ? "" : nil)
    }
}

/// Seasons of episodes.
package struct Series: Sendable, Hashable {
    /// Its id.
    package internal(set) var id = ""
    /// Its name.
    package internal(set) var title = LocalizedText(entries: [])
    /// More about it.
    package internal(set) var description: LocalizedText?
    /// Pictures of it.
    package internal(set) var artwork: Artwork?
    /// Its genre.
    package internal(set) var genre: LocalizedText?
    /// Words for rows and search.
    package internal(set) var tags: [String] = []
    /// Its rating.
    package internal(set) var rating: Rating?
    /// Its seasons in the feed's order, which is the order of watching.
    package internal(set) var seasons: [Season] = []
}

/// Episodes in the order of watching.
package struct Season: Sendable, Hashable {
    /// Its number; 0 for specials.
    package internal(set) var number = 0
    /// Its name, where it has one.
    package internal(set) var title: LocalizedText?
    /// The ids of its items.
    package internal(set) var episodes: [String] = []
}
