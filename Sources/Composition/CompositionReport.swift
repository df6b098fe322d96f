import MediaModel
import MediaTime
import URLReferences
import WireFormats

/// What `marquee compose info` prints about a composition. Addresses are without secrets.
package struct CompositionReport: Sendable {
    private let document: CompositionDocument
    /// In the time of the composition.
    private let chapters: [ChapterDescription]

    /// - Parameter sources: what was found at the addresses of its sources, if they were opened: their chapters are reported.
    package init(_ document: CompositionDocument, sources: [String: SourceFacts] = [:]) {
        self.document = document
        chapters = document.composition.chapters(of: sources)
    }

    /// The places where one segment of a track ends and another begins, each once, in order.
    package static func edges(of composition: Composition) -> [MediaTime] {
        Set(composition.tracks.flatMap { $0.segments.dropFirst().map(\.target.start) }).sorted()
    }

    /// One line for each fact.
    package var text: String {
        let composition = document.composition
        var lines = [
            "composition of \(composition.duration) s: \(Self.count(composition.tracks.count, "track")), \(Self.count(composition.segmentCount, "segment")), \(Self.count(Self.edges(of: composition).count, "edge"))"
        ]
        lines += composition.sourceURLs.map { "source \(Redaction.withoutSecrets($0))" }
        for track in composition.tracks {
            let language = track.languageTag.map { " " + $0 } ?? ""
            lines.append("track \(track.id) \(track.type.rawValue)\(language)")
            lines += track.segments.map { "  \($0.target) \(Self.words($0))" }
        }
        if let video = document.videoComposition {
            lines.append(
                "video composition \(video.renderSize.width)x\(video.renderSize.height), a picture every \(video.frameDuration) s, \(Self.count(video.instructions.count, "instruction"))"
            )
        }
        if let mix = document.audioMix { lines.append("audio mix of \(Self.count(mix.inputParameters.count, "track"))") }
        lines += chapters.map { "chapter \($0.range) \($0.title ?? "")" }
        return lines.map { JSONText.escaped($0) }.joined(separator: "\n")
    }

    /// The same as JSON.
    package var json: JSONText {
        let composition = document.composition
        return .object([
            ("duration", .string("\(composition.duration)")),
            ("segments", .number("\(composition.segmentCount)")),
            ("sources", .array(composition.sourceURLs.map { .string(Redaction.withoutSecrets($0)) })),
            ("edges", .array(Self.edges(of: composition).map { .string("\($0)") })),
            (
                "tracks",
                .array(
                    composition.tracks.map { track in
                        .object([
                            ("id", .number("\(track.id)")), ("type", .string(track.type.rawValue)),
                            ("language", .optional(track.languageTag)), ("duration", .string("\(track.duration)")),
                            ("segments", .array(track.segments.map(Self.json))),
                        ])
                    })
            ),
            ("videoComposition", .bool(document.videoComposition != nil)),
            ("audioMix", .bool(document.audioMix != nil)),
            (
                "chapters",
                .array(
                    chapters.map { chapter in
                        .object([
                            ("start", .string("\(chapter.range.start)")), ("end", .string("\(chapter.range.end)")),
                            ("title", .optional(chapter.title)),
                        ])
                    })
            ),
        ])
    }

    private static func words(_ segment: CompositionTrackSegment) -> String {
        guard let source = segment.source, let mapping = segment.timeMapping, let rate = mapping.rate else { return "empty" }
        let track = source.track.map { " track \($0)" } ?? ""
        let speed = rate == .one ? "" : " at \(rate) times its speed"
        return "\(mapping.source) of \(Redaction.withoutSecrets(source.url))\(track)\(speed)"
    }

    private static func json(_ segment: CompositionTrackSegment) -> JSONText {
        var members: [(String, JSONText)] = [
            ("start", .string("\(segment.target.start)")), ("end", .string("\(segment.target.end)")),
        ]
        if let source = segment.source, let mapping = segment.timeMapping {
            members += [
                ("url", .string(Redaction.withoutSecrets(source.url))), ("track", .optional(source.track?.number)),
                ("sourceStart", .string("\(mapping.source.start)")), ("sourceEnd", .string("\(mapping.source.end)")),
                ("rate", .optional(mapping.rate.map { "\($0)" })),
            ]
        }
        return .object(members)
    }

    private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
