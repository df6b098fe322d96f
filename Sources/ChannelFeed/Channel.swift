import MediaModel
import MediaTime

/// One channel: a live stream, a list of items, or items at set times.
package struct Channel: Sendable, Hashable {
    /// Stable: the operator never changes it.
    package internal(set) var id = ""
    /// The number a viewer types; its position in the list, from 1, when the feed gives none.
    package internal(set) var number = 0
    package internal(set) var title = LocalizedText(entries: [])
    package internal(set) var description: LocalizedText?
    /// The source of its programme.
    package internal(set) var kind = Kind.live
    /// The streams of a live channel: alternatives for fail-over in order, not qualities.
    package internal(set) var streams: [Stream] = []
    /// The items of a playlist channel in order.
    package internal(set) var items: [String] = []
    /// What a schedule channel shows when.
    package internal(set) var schedule = ChannelSchedule()
    /// Whether a playlist starts again after its last item.
    package internal(set) var loop = false
    package internal(set) var guide: Guide?
    /// The rating that applies when nothing more specific is known.
    package internal(set) var rating: Rating?
    package internal(set) var artwork: Artwork?
    package internal(set) var genre: LocalizedText?
    /// Keywords for rows and search.
    package internal(set) var tags: [String] = []
    /// The place of the video of whatever it plays, and pictures and words over it. Not of schedules of entries.
    package internal(set) var screen = ProgrammeScreen()
    /// The lines of the words, by the names under which they ask for them.
    package internal(set) var overlayLines: [String: [LocalizedText]] = [:]
    /// When it is available.
    package internal(set) var window: Window?
    /// Whether it is hidden while the clock is not trusted.
    package internal(set) var strictWindow = false
    /// Whether a returning viewer resumes at the position where they left.
    package internal(set) var resume = false
    /// The target of Next and Previous; nil: as in the policy.
    package internal(set) var skipMode: SkipMode?
    /// Whether it is removed at once, even while it plays.
    package internal(set) var withdrawn = false

    /// The source of a channel's programme.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case live
        /// Items one after another.
        case playlist
        /// Items at scheduled times.
        case schedule
    }

    /// The entry of a schedule at a time: the last one that has begun. Nil before the first.
    package func entry(at date: FeedDate) -> ScheduleEntry? { schedule.entries.last { $0.at <= date } }

    /// Whether it is a schedule of rules and a filler, and not of entries.
    package var recurs: Bool { kind == .schedule && schedule.recurs }

    /// The channel as a playlist of these items that begins again after its end.
    package func showing(_ items: [String]) -> Channel {
        var channel = self
        (channel.kind, channel.items, channel.loop, channel.resume) = (.playlist, items, true, false)
        channel.schedule = ChannelSchedule()
        return channel
    }

    /// The index after this one in a playlist, back to the first if it loops; nil at its end. An item that occurs twice is
    /// distinguished by its index.
    package func index(after index: Int) -> Int? {
        if index + 1 < items.count { return index + 1 }
        return loop && !items.isEmpty ? 0 : nil
    }

    /// Whether there is nothing to play in it.
    var isEmpty: Bool {
        switch kind {
        case .live: streams.isEmpty
        case .playlist: items.isEmpty
        case .schedule: schedule.isEmpty
        }
    }
}

/// An item at a scheduled time.
package struct ScheduleEntry: Sendable, Hashable {
    package let at: FeedDate
    package let item: String
}

/// The guide of a channel.
package struct Guide: Sendable, Hashable {
    /// The XMLTV file.
    package internal(set) var xmltv: String
    /// The channel's id in that file; nil: the channel's own.
    package internal(set) var id: String?
}

/// A stream of an item or a channel. All but its location are hints that a probe checks.
package struct Stream: Sendable, Hashable {
    package internal(set) var location: StreamLocation
    /// The codecs in it (RFC 6381).
    package internal(set) var codecs: [String] = []
    /// The height of its largest picture.
    package internal(set) var maxHeight: Int?
    /// The SHA-256 of a file, in lower-case hexadecimal.
    package internal(set) var sha256: String?
    /// The languages of its sound.
    package internal(set) var audio: [AudioHint] = []
}

/// Where a stream comes from.
package enum StreamLocation: Sendable, Hashable {
    /// A URL; the content determines the format.
    case url(String)
    /// An edited programme whose document is in the feed.
    case composition(InlineComposition)

    /// Its name in logs, dumps and errors: the URL, or the place in the feed.
    package var name: String {
        switch self {
        case .url(let url): url
        case .composition(let composition): composition.name
        }
    }

    /// The URL; nil for a composition in the feed.
    package var url: String? {
        if case .url(let url) = self { url } else { nil }
    }

    /// The addresses of its media: its URL, or those of its pieces.
    package var addresses: [String] {
        switch self {
        case .url(let url): [url]
        case .composition(let composition): composition.addresses
        }
    }
}

/// The document of a composition (`docs/composition.md`) inside a feed.
package struct InlineComposition: Sendable, Hashable {
    /// Its place in the feed, a JSON Pointer.
    package let name: String
    /// Its JSON text.
    package let text: [UInt8]
    /// What relative addresses in the text resolve on.
    package let baseURL: String
    /// The absolute URLs of its pieces, each once, in the order of the text.
    package let addresses: [String]
}

/// A sound track that a stream is stated to have.
package struct AudioHint: Sendable, Hashable {
    package internal(set) var language: String
    /// Its purpose as named in the feed, e.g. `main`, `description`.
    package internal(set) var kind: String?
}

/// Pictures of one entry; nil if there is none, empty to hide the stream's own.
package struct Artwork: Sendable, Hashable {
    /// Portrait, for rows.
    package internal(set) var poster: String?
    /// A frame of it, landscape.
    package internal(set) var still: String?
    /// A background behind text, landscape.
    package internal(set) var background: String?
    /// The title as a picture.
    package internal(set) var logo: String?

    /// The picture for the information panel: poster, otherwise still, otherwise background; empty when the feed hides the
    /// stream's own.
    package var preferred: String? {
        all.first ?? (stated.isEmpty ? nil : "")
    }

    /// All that there is.
    package var all: [String] { stated.filter { !$0.isEmpty } }

    /// With the empty ones, which hide those of the stream.
    private var stated: [String] { [poster, still, background, logo].compactMap { $0 } }

    /// The picture of a scene: background, otherwise still; nil if there is none.
    package var scene: String? { [background, still].compactMap { $0 }.first { !$0.isEmpty } }

    /// The picture for a large area: that of a scene, otherwise the poster; nil if there is none.
    package var wide: String? { scene ?? poster.flatMap { $0.isEmpty ? nil : $0 } }
}

/// A series: seasons of episodes.
package struct Series: Sendable, Hashable {
    package internal(set) var id = ""
    package internal(set) var title = LocalizedText(entries: [])
    package internal(set) var description: LocalizedText?
    package internal(set) var artwork: Artwork?
    package internal(set) var genre: LocalizedText?
    /// Keywords for rows and search.
    package internal(set) var tags: [String] = []
    package internal(set) var rating: Rating?
    /// Its seasons in the feed's order, which is the viewing order.
    package internal(set) var seasons: [Season] = []

    /// The ids of its episodes in viewing order, each once: one that is listed again keeps its first place.
    package var order: [String] {
        var seen: Set<String> = []
        return seasons.flatMap(\.episodes).filter { seen.insert($0).inserted }
    }

    /// The season of an episode and its number in it, from 1: its first place; nil if it is not an episode of this series.
    package func place(of id: String) -> (season: Season, number: Int)? {
        for season in seasons {
            if let index = season.episodes.firstIndex(of: id) { return (season, index + 1) }
        }
        return nil
    }

    /// Removes the episodes that are not among these items.
    mutating func keepEpisodes(in kept: Set<String>) {
        for index in seasons.indices { seasons[index].episodes.removeAll { !kept.contains($0) } }
    }
}

/// A season: episodes in viewing order.
package struct Season: Sendable, Hashable {
    /// Its number; 0 for specials.
    package internal(set) var number = 0
    package internal(set) var title: LocalizedText?
    /// The ids of its items.
    package internal(set) var episodes: [String] = []
}
