import MediaModel
import MediaTime
import URLReferences
import WireFormats

/// What was found at the address of a source.
package struct SourceFacts: Sendable, Hashable {
    /// One track of it.
    package struct Track: Sendable, Hashable {
        package let id: TrackID
        package let type: MediaType
        /// FFmpeg's name of the codec, e.g. `h264`.
        package let codec: String

        package init(id: TrackID, type: MediaType, codec: String) {
            self.id = id
            self.type = type
            self.codec = codec
        }

        package init(_ description: TrackDescription) {
            self.init(id: description.id, type: description.type, codec: description.codec)
        }
    }
    /// In the order of the source.
    package let tracks: [Track]
    /// Nil if it is unknown.
    package let duration: MediaTime?
    /// In the time of the source, which begins at zero.
    package let chapters: [ChapterDescription]

    package init(tracks: [Track], duration: MediaTime?, chapters: [ChapterDescription] = []) {
        self.tracks = tracks
        self.duration = duration
        self.chapters = chapters
    }

    package init(_ description: ContainerDescription) {
        let chapters = description.chapters.map { chapter in
            ChapterDescription(
                range: TimeRange(start: chapter.range.start - description.startTime, duration: chapter.range.duration),
                title: chapter.title)
        }
        self.init(tracks: description.tracks.map { Track($0) }, duration: description.duration, chapters: chapters)
    }

    /// A track by its number, or without one the first of a media type.
    package func track(_ id: TrackID?, of type: MediaType) throws(SourceFault) -> Track {
        if let id {
            guard let found = tracks.first(where: { $0.id == id }) else {
                throw SourceFault("it has no track \(id)", "use a number that `marquee probe` prints")
            }
            guard found.type == type else {
                throw SourceFault("its track \(id) is \(found.type.rawValue)", "use one of \(type.rawValue)")
            }
            return found
        }
        guard let found = tracks.first(where: { $0.type == type }) else {
            throw SourceFault("it has no \(type.rawValue)", "use another source")
        }
        return found
    }
}

/// Why a source cannot be that of a segment, in the words of checks, playback and exports.
package struct SourceFault: Error, Sendable, Hashable {
    /// Parts of a sentence.
    package let problem: String
    package let remedy: String

    package init(_ problem: String, _ remedy: String) {
        self.problem = problem
        self.remedy = remedy
    }

    package static let unseekable = SourceFault("it cannot be sought", "use a file, or a server that supports ranges")
    package static let playlist = SourceFault("it is an HLS playlist", "use a file")
    package static let document = SourceFault(
        "it is a JSON document", "use a file of media; compositions are not played as pieces")

    /// The problem and the remedy at the end of a sentence.
    package var words: String { "\(problem); \(remedy)." }
}

/// The result of opening a source.
package enum SourceResult: Sendable, Hashable {
    case found(SourceFacts)
    /// It is something else than a file of media.
    case unusable(SourceFault)
    /// It cannot be opened, with the reason in one sentence.
    case failed(String)
}

/// The rules of sources.
struct SourceRules {
    private let sources: [String: SourceResult]
    private(set) var findings = CompositionFindings()
    /// Containers round durations, and the last frame of one track may end before that of another.
    private static let tolerance = MediaTime.milliseconds(50)

    init(_ sources: [String: SourceResult]) { self.sources = sources }

    mutating func check(_ track: CompositionTrack, at place: JSONPointer) {
        var first: String?
        // One sentence for a source that cannot be used, not one for each of its segments.
        var reported: Set<String> = []
        for (index, segment) in track.segments.enumerated() {
            guard case .media(let source, let range) = segment.content, let result = sources[source.url] else { continue }
            let pointer = place.appending(index)
            switch result {
            case .failed(let sentence):
                guard reported.insert(source.url).inserted else { continue }
                findings.error(.source, pointer.appending("url"), Self.part(sentence), "Repair it, or correct the address.")
            case .unusable(let fault):
                guard reported.insert(source.url).inserted else { continue }
                report(fault, .source, pointer.appending("url"))
            case .found(let facts):
                check(range, facts, at: pointer.appending("source"))
                guard let found = find(source, track.type, facts, at: pointer) else { continue }
                checkCodec(found.codec, stated: source.codec, first: first, at: pointer)
                first = first ?? found.codec
            }
        }
    }

    /// A sentence as the part of another.
    private static func part(_ sentence: String) -> String { sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence }

    private mutating func check(_ range: TimeRange, _ facts: SourceFacts, at pointer: JSONPointer) {
        guard let duration = facts.duration else { return }
        if range.start >= duration {
            findings.error(.source, pointer, "begins at \(range.start), and the source ends at \(duration)", "Begin earlier.")
        } else if range.end > duration + Self.tolerance {
            findings.warn(
                .source, pointer, "ends at \(range.end), and the source at \(duration)",
                "The last picture stays, in silence; end at \(duration).")
        }
    }

    private mutating func find(
        _ source: SourceReference, _ type: MediaType, _ facts: SourceFacts, at pointer: JSONPointer
    ) -> SourceFacts.Track? {
        do throws(SourceFault) {
            return try facts.track(source.track, of: type)
        } catch {
            report(error, .track, pointer.appending(source.track == nil ? "url" : "track"))
            return nil
        }
    }

    private mutating func report(_ fault: SourceFault, _ reason: CompositionFinding.Reason, _ pointer: JSONPointer) {
        findings.error(reason, pointer, fault.problem, "\(fault.remedy.prefix(1).uppercased())\(fault.remedy.dropFirst()).")
    }

    private mutating func checkCodec(_ codec: String, stated: String?, first: String?, at pointer: JSONPointer) {
        if let stated, stated != codec {
            findings.warn(
                .codec, pointer.appending("codec"), "is \(stated), and the source has \(codec)",
                "Write \(codec), or leave it out.")
        } else if stated == nil, let first, first != codec {
            findings.warn(
                .codec, pointer.appending("url"), "is \(codec), and the track began with \(first)",
                "A new decoder is opened at this edge.")
        }
    }
}
