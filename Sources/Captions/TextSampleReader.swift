import MediaTime
import TextDecoding

/// Converts the samples of one caption track of a container to cues, whatever encoding its text has. A value.
package struct TextSampleReader: Sendable {
    private let codec: String
    private let header: SubStationHeader?
    private var pieces: TextPieces

    /// The longest time for which a caption without an end is shown: it lasts until the next sample of its track.
    package static let longest = MediaTime.seconds(30)
    private static let codecs: Set<String> = ["subrip", "srt", "text", "webvtt", "ass", "ssa", "mov_text", "ttml"]

    /// - Parameters:
    ///   - codec: FFmpeg's name.
    ///   - privateData: of the track's codec parameters.
    ///   - language: the BCP 47 tag of the track's language, which helps to find the encoding; nil where it is not known.
    /// - Returns: nil for a codec that is not text, or is not known here.
    package init?(codec: String, privateData: [UInt8], language: String?) {
        guard Self.reads(codec) else { return nil }
        self.codec = codec
        pieces = TextPieces(language: language)
        header =
            codec == "ass" || codec == "ssa" ? SubStationHeader(DecodedText(privateData, language: language).text) : nil
    }

    /// Whether a codec is text that is known here.
    package static func reads(_ codec: String) -> Bool { codecs.contains(codec) }

    /// Whether a sample with this duration does not say when its captions end, as those of fragments of `tx3g` by ffmpeg.
    package static func isOpen(_ duration: MediaTime?) -> Bool { (duration ?? .zero) <= .zero }

    /// The cues of a sample.
    ///
    /// - Parameters:
    ///   - duration: nil or zero for a caption without an end, which gets the longest time.
    ///   - beside: the identifier and the settings of a WebVTT cue, which Matroska stores beside its text.
    package mutating func cues(
        _ bytes: [UInt8], start: MediaTime, duration: MediaTime?, beside: (id: String, settings: String)
    ) -> [CaptionCue] {
        let end = start + (duration.flatMap { Self.isOpen($0) ? nil : $0 } ?? Self.longest)
        switch codec {
        case "webvtt":
            if FragmentedText.isCueBox(bytes) { return WebVTTSample.cues(bytes, start: start, end: end) }
            return [
                WebVTTSample.cue(
                    text: pieces.text(bytes), settings: beside.settings, id: beside.id, start: start, end: end
                )
            ]
        case "ass", "ssa":
            guard let header else { return [] }
            return [
                AdvancedSubStation.cue(sample: pieces.text(bytes), header: header, start: start, end: end)
            ].compactMap { $0 }
        case "mov_text": return [TimedTextSample.cue(bytes, start: start, end: end, &pieces)].compactMap { $0 }
        case "ttml": return TTMLReader.cues(ofSample: bytes, start: start, end: end)
        default:
            return [SubRipParser.cue(text: pieces.text(bytes), start: start, end: end)].compactMap { $0 }
        }
    }
}
