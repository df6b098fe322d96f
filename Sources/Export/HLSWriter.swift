import Captions
import MediaModel
import MediaTime
import WireFormats

/// Writes samples as an HLS presentation of one variant (RFC 8216bis): segments of fragmented MP4 with pictures and sound, a media playlist, a playlist of
/// I-frames, and a multivariant playlist.
///
/// Confined to one thread, which waits for the disk.
final class HLSWriter {
    private let folder: any OutputFolderDraft
    private let memory: MemoryOutput
    private let muxer: any Muxing
    private let formats: [WrittenFormat]
    /// The track at whose key samples segments begin, and whether it has pictures.
    private let pacing: (track: Int, isVideo: Bool)
    /// Added to the times of the export, so that none is negative.
    private let origin: MediaTime
    private var segments: [Segment] = []
    /// Where the current segment begins: the decode time and the presentation time of its first sample.
    private var start: (decode: MediaTime, presentation: MediaTime)?
    private var end = MediaTime.zero

    private struct Segment {
        var name: String
        /// In the time of the export.
        var start: MediaTime
        var duration: MediaTime
        var size: Int
        /// The bytes up to the end of the first picture.
        var keyPicture: Int?
    }

    /// Segments are at least this long, except the last.
    private static let segmentDuration = MediaTime.seconds(6)
    static let index = "index.m3u8"
    private static let (media, keys, header) = ("media.m3u8", "iframes.m3u8", "init.mp4")

    init(
        _ folder: any OutputFolderDraft, tracks: [WrittenTrack], types: [MediaType], origin: MediaTime, factory: any WriterFactory
    ) throws(MediaError) {
        self.folder = folder
        self.origin = origin
        let video = types.firstIndex(of: .video)
        pacing = (video ?? 0, video != nil)
        formats = tracks.map { factory.format(of: $0.parameters) }
        memory = MemoryOutput(folder.name)
        muxer = try factory.openMuxer(.fragmentedMP4, tracks: tracks, facts: WrittenFacts(), output: memory)
        try folder.put(memory.take(), as: Self.header)
    }

    func append(_ written: WrittenSample, to track: Int) throws(MediaError) {
        var sample = written.sample
        let duration = sample.duration ?? .zero
        // Of what precedes the start only the sample that a decoder of sound begins with.
        if written.order + duration * 2 <= .zero, track != pacing.track || !pacing.isVideo { return }
        let delay = sample.presentationTime - sample.decodeTime
        sample.decodeTime = written.order + origin
        sample.presentationTime = sample.decodeTime + delay
        if track == pacing.track {
            let isStart = sample.isSync || !pacing.isVideo
            if let start, isStart, sample.decodeTime - start.decode >= Self.segmentDuration {
                try muxer.endFragment()
                try close(at: sample.presentationTime)
                self.start = nil
            }
            if start == nil { start = (sample.decodeTime, sample.presentationTime) }
            end = max(end, sample.presentationTime + duration)
        }
        try muxer.append(sample, to: track)
    }

    /// Writes the last segment and the playlists, and gives the folder its name.
    ///
    /// - Parameter captions: in the time of the export; those of each track become a rendition of WebVTT.
    func finish(captions: [(track: TrackDescription, cues: [CaptionCue])] = []) throws(MediaError) {
        try muxer.finish()
        try close(at: end)
        try folder.put(Array(mediaPlaylist(ofKeys: false).utf8), as: Self.media)
        if pacing.isVideo { try folder.put(Array(mediaPlaylist(ofKeys: true).utf8), as: Self.keys) }
        let renditions = HLSCaptions(segments: segments.map { TimeRange(start: $0.start, duration: $0.duration) }, origin: origin)
        let lines = try renditions.write(captions, to: folder)
        try folder.put(Array(multivariant(lines).utf8), as: Self.index)
        try folder.commit()
    }

    private func close(at end: MediaTime) throws(MediaError) {
        let bytes = memory.take()
        guard !bytes.isEmpty, let start else { return }
        var number = String(segments.count + 1)
        number = String(repeating: "0", count: max(5 - number.count, 0)) + number
        let name = "segment-\(number).m4s"
        try folder.put(bytes, as: name)
        segments.append(
            Segment(
                name: name, start: start.presentation - origin, duration: max(end - start.presentation, .milliseconds(1)),
                size: bytes.count,
                keyPicture: pacing.isVideo ? Self.endOfFirstSample(pacing.track, in: bytes) : nil))
    }

    /// Where the first sample of a track ends in a segment; nil if the fragment does not say it.
    private static func endOfFirstSample(_ track: Int, in bytes: [UInt8]) -> Int? {
        guard let moof = MP4Box.boxes(in: bytes[...]).first(where: { $0.type == "moof" }) else { return nil }
        // Track IDs count from 1 in the order of the tracks.
        let fragment = MP4Box.boxes(in: moof.body).filter { $0.type == "traf" }.compactMap { MP4TrackFragment($0.body) }
            .first { Int($0.track) == track + 1 }
        guard let fragment, let run = fragment.runs.first, let offset = run.dataOffset,
            let size = run.sample(0)?.size ?? fragment.defaultSize
        else { return nil }
        let end = moof.start + Int(offset) + Int(size)
        return end <= bytes.count ? end : nil
    }

    // MARK: Playlists

    private func mediaPlaylist(ofKeys: Bool) -> String {
        let listed = ofKeys ? segments.filter { $0.keyPicture != nil } : segments
        let longest = listed.map(\.duration).max() ?? .zero
        var lines = [
            "#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:\(max((longest.milliseconds + 999) / 1000, 1))",
            "#EXT-X-MEDIA-SEQUENCE:0",
            "#EXT-X-PLAYLIST-TYPE:VOD",
        ]
        lines.append(ofKeys ? "#EXT-X-I-FRAMES-ONLY" : "#EXT-X-INDEPENDENT-SEGMENTS")
        lines.append("#EXT-X-MAP:URI=\"\(Self.header)\"")
        for segment in listed {
            lines.append("#EXTINF:\(segment.duration),")
            if ofKeys, let size = segment.keyPicture { lines.append("#EXT-X-BYTERANGE:\(size)@0") }
            lines.append(segment.name)
        }
        return (lines + ["#EXT-X-ENDLIST"]).joined(separator: "\n") + "\n"
    }

    /// - Parameter captions: the lines of renditions.
    private func multivariant(_ captions: [String]) -> String {
        let video = pacing.isVideo ? formats[pacing.track] : nil
        let codecs = formats.map(\.codecString)
        var shared: [String] = []
        if let video, let width = video.width, let height = video.height { shared.append("RESOLUTION=\(width)x\(height)") }
        func rates(_ size: (Segment) -> Int) -> [String] {
            let rates = segments.map { Int64(size($0)) * 8000 / max($0.duration.milliseconds, 1) }
            let total = segments.reduce(Int64(0)) { $0 + max($1.duration.milliseconds, 1) }
            let average = segments.reduce(Int64(0)) { $0 + Int64(size($1)) } * 8000 / max(total, 1)
            return ["BANDWIDTH=\(max(rates.max() ?? 0, 1))", "AVERAGE-BANDWIDTH=\(max(average, 1))"]
        }
        var stream = rates(\.size)
        // The list is complete or it is left out.
        if codecs.allSatisfy({ $0 != nil }) { stream.append("CODECS=\"\(codecs.compactMap(\.self).joined(separator: ","))\"") }
        stream += shared
        if let rate = video?.frameRate { stream.append("FRAME-RATE=\(Self.decimal(rate))") }
        if !captions.isEmpty { stream.append("SUBTITLES=\"\(HLSCaptions.group)\"") }
        var lines = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-INDEPENDENT-SEGMENTS"] + captions
        lines += ["#EXT-X-STREAM-INF:" + stream.joined(separator: ","), Self.media]
        if let video, segments.contains(where: { $0.keyPicture != nil }) {
            var list = rates { $0.keyPicture ?? 0 }
            if let codec = video.codecString { list.append("CODECS=\"\(codec)\"") }
            lines.append("#EXT-X-I-FRAME-STREAM-INF:" + (list + shared + ["URI=\"\(Self.keys)\""]).joined(separator: ","))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// With three decimals, as RFC 8216 wants it.
    private static func decimal(_ rate: Ratio) -> String {
        let thousandths = MediaTime(numerator: Int128(rate.numerator), denominator: Int128(rate.denominator)).milliseconds
        let rest = String(thousandths % 1000)
        return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }
}

/// Keeps bytes until they are taken.
private final class MemoryOutput: ByteOutput {
    let name: String
    private var bytes: [UInt8] = []
    /// FFmpeg's position of the first byte.
    private var base: Int64 = 0
    private var place = 0

    init(_ name: String) { self.name = name }

    func write(_ new: UnsafeRawBufferPointer) throws(MediaError) {
        let overlap = min(bytes.count - place, new.count)
        if overlap > 0 { bytes.replaceSubrange(place..<place + overlap, with: new.prefix(overlap)) }
        bytes += new.dropFirst(max(overlap, 0))
        place += new.count
    }

    func seek(to offset: Int64) throws(MediaError) {
        guard let target = Int(exactly: offset - base), (0...bytes.count).contains(target) else {
            throw MediaError(.internal, "Writing \(name) failed: the muxer sought outside the segment; report this.")
        }
        place = target
    }

    /// What was written since the last call.
    func take() -> [UInt8] {
        defer {
            base += Int64(bytes.count)
            bytes = []
            place = 0
        }
        return bytes
    }
}
