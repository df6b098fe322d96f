import ChannelFeed
import MediaSources
import MediaTime
import WireFormats

/// Something to find out about one address.
package enum ProbeJob: Sendable, Hashable {
    /// What a stream or file holds.
    case stream(StreamLocation)
    /// Whether there is anything at an address.
    case resource(String)
    /// Whether a file is a BIF file with a valid index.
    case thumbnails(String)
    /// The SHA-256 of a file.
    case digest(String)

    /// The address, or the name of a composition in the feed.
    package var url: String {
        switch self {
        case .stream(let location): location.name
        case .resource(let url), .thumbnails(let url), .digest(let url): url
        }
    }
}

/// What a stream holds.
package struct StreamFacts: Sendable, Equatable {
    /// A sound track that can be chosen.
    package struct Sound: Sendable, Hashable {
        package let language: String?
        package let isDescription: Bool
    }

    /// Nil for a live stream and a picture, or when the file does not say.
    package var duration: MediaTime?
    package var isLive = false
    /// Whether it is a file with one picture.
    package var isPicture = false
    /// The discontinuities in asset time; nil for a file, whose splices nothing marks.
    package var splices: [MediaTime]?
    /// Nil when the stream does not say.
    package var sounds: [Sound]?
    /// As in RFC 6381, or FFmpeg's names; empty when unknown.
    package var codecs: [String] = []
    /// The height of the largest picture.
    package var height: Int?

    package init() {}

    /// The facts of an opened file.
    package init(_ source: SourceDescription) {
        isPicture = source.kind == SourceDescription.pictureKind
        duration = isPicture ? nil : source.duration.time
        isLive = source.duration == .live
        let tracks = source.tracks.filter { $0.type == .audio }
        sounds =
            tracks.contains { $0.languageTag == nil }
            ? nil
            : tracks.map { track in
                Sound(
                    language: track.languageTag,
                    isDescription: track.characteristics.contains("public.accessibility.describes-video"))
            }
        codecs = source.tracks.map(\.codec)
        height = source.tracks.compactMap { $0.type == .video ? $0.height : nil }.max()
    }
}

/// Why a stream that can be loaded is not played.
package enum UnplayableStream: Sendable, Equatable {
    /// Segments are protected; with what.
    case protected(String)
    /// The key of the first segment cannot be loaded, or is none; why.
    case keyMissing(String)
    /// No variant is in codecs that are decoded, on a connection to the screen that the box has; the codecs.
    case noVariant([String])
}

/// The answer to a job.
package enum ProbeAnswer: Sendable, Equatable {
    case stream(StreamFacts)
    case present
    case thumbnails(pictures: Int)
    /// In lower-case hexadecimal digits.
    case digest(String)
    /// There is nothing at the address.
    case missing
    /// There is something, but not what the job needs; why, as a sentence.
    case unusable(String)
    /// The stream is there, and this model cannot play it; why, and what to offer instead, as sentences.
    case unplayable(UnplayableStream)
    /// It could not be found out; why, as a sentence.
    case failed(String)
}

/// A job, and what the feed says about its answer.
package struct ProbeQuestion: Sendable {
    /// What the feed says.
    package enum Expectation: Sendable {
        case present
        case thumbnails
        case digest(String)
        /// A stream of an item with its hints, and the pointers to the item's interstitials in the order of `item.interstitials`.
        case item(Item, Stream, at: JSONPointer, interstitials: [JSONPointer])
        case channel(Stream)
    }

    package let job: ProbeJob
    /// Where the feed has the address.
    package let pointer: JSONPointer
    package let expectation: Expectation

    package init(_ job: ProbeJob, at pointer: JSONPointer, _ expectation: Expectation) {
        self.job = job
        self.pointer = pointer
        self.expectation = expectation
    }
}
