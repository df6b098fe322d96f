import MediaTime

/// Converts the samples of one caption track of a container to cues. A value.
package struct TextSampleReader: Sendable {
    private let codec: String
    private let header: SubStationHeader?

    /// The longest time for which a caption without an end is shown.
    package static let longest = MediaTime.seconds(30)
    private static let codecs: Set<String> = ["subrip", "srt", "text", "webvtt", "ass", "ssa", "mov_text", "ttml"]

    /// - Parameters:
    ///   - codec: FFmpeg's name.
    ///   - privateData: of the track's codec parameters.
    /// - Returns: nil for a codec that is not text, or is not known here.
    package init?(codec: String, privateData: [UInt8]) {
        guard Self.reads(codec) else { return nil }
        self.codec = codec
        header = codec == "ass" || codec == "ssa" ? SubStationHeader(String(decoding: privateData, as: UTF8.self)) : nil
    }

    /// Whether a codec is text that is known here.
    package static func reads(_ codec: String) -> Bool { codecs.contains(codec) }

    /// The cues of a sample.
    ///
    /// - Parameters:
    ///   - duration: nil or zero for a caption without an end.
    ///   - beside: the identifier and the settings of a WebVTT cue, which Matroska stores beside its text.
    package func cues(
        _ bytes: [UInt8], start: MediaTime, duration: MediaTime?, beside: (id: String, settings: String)
    ) -> [CaptionCue] {
        let end = start + (duration.flatMap { $0 > .zero ? $0 : nil } ?? Self.longest)
        switch codec {
        case "webvtt":
            if FragmentedText.isCueBox(bytes) { return WebVTTSample.cues(bytes, start: start, end: end) }
            return [
                WebVTTSample.cue(
                    text: String(decoding: bytes, as: UTF8.self), settings: beside.settings, id: beside.id, start: start, end: end
                )
            ]
        case "ass", "ssa":
            guard let header else { return [] }
            return [
                AdvancedSubStation.cue(sample: String(decoding: bytes, as: UTF8.self), header: header, start: start, end: end)
            ].compactMap { $0 }
        case "mov_text": return [TimedTextSample.cue(bytes, start: start, end: end)].compactMap { $0 }
        case "ttml": return TTMLReader.cues(ofSample: bytes, start: start, end: end)
        default:
            return [SubRipParser.cue(text: String(decoding: bytes, as: UTF8.self), start: start, end: end)].compactMap { $0 }
        }
    }
}
