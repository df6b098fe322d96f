import Captions
import MediaModel
import MediaTime

/// Writes captions beside the segments of an HLS presentation: a rendition of WebVTT for each track (RFC 8216bis, 3.1.4), with a segment for each segment of the
/// pictures. A value.
struct HLSCaptions {
    /// Those of pictures and sound, in the time of the export.
    let segments: [TimeRange]
    /// The timestamp of the media at the time zero of the export.
    let origin: MediaTime

    static let group = "captions"

    /// - Returns: the lines of the multivariant playlist.
    func write(
        _ captions: [(track: TrackDescription, cues: [CaptionCue])], to folder: any OutputFolderDraft
    ) throws(MediaError) -> [String] {
        var lines: [String] = []
        var names: Set<String> = []
        // A track without captions in the range is no option.
        for (index, (track, cues)) in captions.filter({ !$0.cues.isEmpty }).enumerated() {
            let file = "captions-\(index + 1)"
            try write(cues, to: folder, file)
            var name = Self.quotable(track.name ?? track.languageTag ?? "Captions")
            if !names.insert(name).inserted {
                name += " \(index + 1)"
                names.insert(name)
            }
            var attributes = ["TYPE=SUBTITLES", "GROUP-ID=\"\(Self.group)\"", "NAME=\"\(name)\""]
            if let language = track.languageTag { attributes.append("LANGUAGE=\"\(Self.quotable(language))\"") }
            attributes += ["DEFAULT=NO", "AUTOSELECT=YES"]
            if track.isForced { attributes.append("FORCED=YES") }
            if !track.characteristics.isEmpty {
                attributes.append("CHARACTERISTICS=\"\(Self.quotable(track.characteristics.joined(separator: ",")))\"")
            }
            lines.append("#EXT-X-MEDIA:" + (attributes + ["URI=\"\(file).m3u8\""]).joined(separator: ","))
        }
        return lines
    }

    private func write(_ cues: [CaptionCue], to folder: any OutputFolderDraft, _ name: String) throws(MediaError) {
        let longest = segments.map(\.duration).max() ?? .zero
        var lines = [
            "#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:\(max((longest.milliseconds + 999) / 1000, 1))",
            "#EXT-X-MEDIA-SEQUENCE:0", "#EXT-X-PLAYLIST-TYPE:VOD",
        ]
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            // A caption over an edge is in both segments.
            let shown = cues.filter { $0.end > segment.start && (isLast || $0.start < segment.end) }
            var number = String(index + 1)
            number = String(repeating: "0", count: max(5 - number.count, 0)) + number
            let file = "\(name)-\(number).vtt"
            try folder.put(Array(WebVTTWriter.segment(shown, offset: origin).utf8), as: file)
            lines += ["#EXTINF:\(segment.duration),", file]
        }
        try folder.put(Array(((lines + ["#EXT-X-ENDLIST"]).joined(separator: "\n") + "\n").utf8), as: "\(name).m3u8")
    }

    /// What a quoted string of a playlist may contain.
    private static func quotable(_ text: String) -> String {
        let kept = text.filter { !$0.isNewline && $0 != "\"" && $0 != "\0" }
        return kept.isEmpty ? "Captions" : kept
    }
}
