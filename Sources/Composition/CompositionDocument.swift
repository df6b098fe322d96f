import MediaModel
import MediaTime
import URLReferences
import WireFormats

/// A composition with what belongs to it, as it is stored in JSON (`docs/composition.md`). A value.
package struct CompositionDocument: Sendable, Hashable {
    /// The version of the format that is read and written.
    package static let version = 1

    package let composition: Composition
    package let videoComposition: VideoComposition?
    package let audioMix: AudioMix?

    package init(_ composition: Composition, videoComposition: VideoComposition? = nil, audioMix: AudioMix? = nil) {
        self.composition = composition
        self.videoComposition = videoComposition
        self.audioMix = audioMix
    }

    /// Checks everything in it.
    package func validate() -> [CompositionFinding] {
        var findings = CompositionFindings()
        findings.add(composition.validate())
        findings.add(videoComposition?.validate(for: composition) ?? [])
        findings.add(audioMix?.validate(for: composition) ?? [])
        return findings.list
    }

    /// Its JSON: every time exact, every target written. Reading it gives an equal document if it has no errors.
    package var json: JSONText {
        var members: [(String, JSONText)] = [
            ("compositionVersion", .number("\(Self.version)")),
            ("tracks", .array(composition.tracks.map(Self.json))),
        ]
        if let videoComposition { members.append(("videoComposition", Self.json(videoComposition))) }
        if let audioMix { members.append(("audioMix", Self.json(audioMix))) }
        return .object(members)
    }

    private static func json(_ track: CompositionTrack) -> JSONText {
        var members: [(String, JSONText)] = [("id", .number("\(track.id)")), ("type", .string(track.type.rawValue))]
        if let language = track.languageTag { members.append(("language", .string(language))) }
        return .object(members + [("segments", .array(track.segments.map(json)))])
    }

    private static func json(_ segment: CompositionTrackSegment) -> JSONText {
        var members: [(String, JSONText)] = []
        if case .media(let source, let range) = segment.content {
            members.append(("url", .string(source.url)))
            if let track = source.track { members.append(("track", .number("\(track)"))) }
            if let codec = source.codec { members.append(("codec", .string(codec))) }
            members.append(("source", json(range)))
        }
        return .object(members + [("target", json(segment.target))])
    }

    private static func json(_ video: VideoComposition) -> JSONText {
        .object([
            (
                "renderSize",
                .object([
                    ("width", .number("\(video.renderSize.width)")), ("height", .number("\(video.renderSize.height)")),
                ])
            ),
            ("frameDuration", json(video.frameDuration)), ("background", colour(video.background)),
            ("instructions", .array(video.instructions.map(json))),
        ])
    }

    private static func json(_ instruction: VideoCompositionInstruction) -> JSONText {
        var members = [("range", json(instruction.range))]
        if let background = instruction.background { members.append(("background", colour(background))) }
        let layers = instruction.layers.map { layer in
            var members: [(String, JSONText)] = [("track", .number("\(layer.track)"))]
            members += curve("opacity", layer.opacity) { .number("\($0)") }
            members += curve("transform", layer.transform) { value in
                numbers([("x", value.x), ("y", value.y), ("scaleX", value.scaleX), ("scaleY", value.scaleY)])
            }
            members += curve("crop", layer.crop) { value in
                numbers([("x", value.x), ("y", value.y), ("width", value.width), ("height", value.height)])
            }
            return JSONText.object(members)
        }
        return .object(members + [("layers", .array(layers))])
    }

    private static func json(_ mix: AudioMix) -> JSONText {
        .object([
            (
                "tracks",
                .array(
                    mix.inputParameters.map { parameters in
                        .object(
                            [("track", .number("\(parameters.track)"))]
                                + curve("volume", parameters.volume) { .number("\($0)") } + json(parameters.ducking))
                    })
            )
        ])
    }

    private static func json(_ ducking: MixDucking?) -> [(String, JSONText)] {
        guard let ducking else { return [] }
        return [
            ("duckedBy", .array(ducking.announcements.map { .number("\($0)") })), ("duckedTo", .number("\(ducking.volume)")),
        ]
    }

    private static func curve<Value>(
        _ key: String, _ curve: RampCurve<Value>, _ json: (Value) -> JSONText
    ) -> [(String, JSONText)] {
        guard !curve.ramps.isEmpty else { return [] }
        let ramps = curve.ramps.map { ramp in
            var members = [("start", Self.json(ramp.range.start))]
            if !ramp.range.isEmpty {
                members += [("duration", Self.json(ramp.range.duration)), ("from", json(ramp.from))]
            }
            return JSONText.object(members + [("to", json(ramp.to))])
        }
        return [(key, .array(ramps))]
    }

    private static func numbers(_ members: [(String, Double)]) -> JSONText {
        .object(members.map { ($0, .number("\($1)")) })
    }

    private static func json(_ range: TimeRange) -> JSONText {
        .object([("start", json(range.start)), ("duration", json(range.duration))])
    }

    private static func json(_ time: MediaTime) -> JSONText {
        time.timescale == 1 ? .number("\(time.value)") : .string("\(time.value)/\(time.timescale)")
    }

    private static func colour(_ colour: UInt32) -> JSONText {
        let digits = String(colour & 0xFFFFFF, radix: 16)
        return .string("#" + String(repeating: "0", count: 6 - digits.count) + digits)
    }

    /// What prevents playing a valid document. Playback, exports that render and `marquee compose check` refuse it with these findings. The pointers are those of
    /// the JSON form.
    package func validateForPlaying() -> [CompositionFinding] {
        var findings = CompositionFindings()
        let place = JSONPointer(["tracks"])
        if composition.duration == .zero {
            findings.error(.empty, place, "the composition is empty", "Add segments.")
            return findings.list
        }
        let isComposed = videoComposition != nil && composition.tracks.contains { $0.type == .video && !$0.segments.isEmpty }
        if !isComposed, composition.tracks.allSatisfy({ $0.segments.allSatisfy(\.isEmpty) }) {
            findings.error(.empty, place, "all segments are empty", "Add a segment with a source.")
            return findings.list
        }
        guard videoComposition == nil else { return findings.list }
        var hasVideo = false
        for (index, track) in composition.tracks.enumerated() where track.type == .video {
            if hasVideo {
                findings.error(
                    .track, place.appending(index), "there are several video tracks, and nothing says how they are shown",
                    "Add a \"videoComposition\", or remove this track.")
            }
            hasVideo = true
            for (number, segment) in track.segments.enumerated() where segment.isEmpty {
                findings.error(
                    .empty, place.appending(index).appending("segments").appending(number), "there is no picture in this segment",
                    "Add a \"videoComposition\", whose background is shown there.")
            }
        }
        return findings.list
    }

    /// The first error of `validate` and `validateForPlaying`; nil if it can be played.
    package var obstacleToPlaying: CompositionFinding? {
        validate().first { $0.severity == .error } ?? validateForPlaying().first { $0.severity == .error }
    }
}
