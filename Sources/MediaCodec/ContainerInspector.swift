import CFFmpeg
import MediaModel
import MediaTime
import TextDecoding

extension MediaType {
    /// The type of a track; nil for streams that are not tracks: cover pictures, chapter texts, fonts, time codes.
    init?(_ stream: AVStream) {
        if stream.disposition & (AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS) != 0 { return nil }
        switch stream.codecpar.pointee.codec_type {
        case AVMEDIA_TYPE_VIDEO: self = .video
        case AVMEDIA_TYPE_AUDIO: self = .audio
        case AVMEDIA_TYPE_SUBTITLE:
            let properties = avcodec_descriptor_get(stream.codecpar.pointee.codec_id)?.pointee.props ?? 0
            self = properties & AV_CODEC_PROP_TEXT_SUB != 0 ? .text : .subtitle
        case AVMEDIA_TYPE_DATA where [AV_CODEC_ID_TIMED_ID3, AV_CODEC_ID_SCTE_35].contains(stream.codecpar.pointee.codec_id):
            self = .metadata
        default: return nil
        }
    }
}

/// Describes an opened container.
struct ContainerInspector {
    private let context: UnsafeMutablePointer<AVFormatContext>
    private let streams: [UnsafeMutablePointer<AVStream>]
    /// Those with pictures or sound.
    private let playable: [UnsafeMutablePointer<AVStream>]
    private let format: String
    /// A transport stream's clock has no natural zero: if it wraps soon after the start, the stream starts below zero.
    private let isClock: Bool

    init(_ context: UnsafeMutablePointer<AVFormatContext>) {
        self.context = context
        streams = OpenedContainer.streams(context)
        playable = streams.filter {
            [AVMEDIA_TYPE_VIDEO, AVMEDIA_TYPE_AUDIO].contains($0.pointee.codecpar.pointee.codec_type)
                && MediaType($0.pointee) != nil
        }
        format = String(cString: context.pointee.iformat.pointee.name)
        isClock = format == "mpegts" || format == "mpeg"
    }

    /// - Parameter parameters: those of the streams that are tracks.
    func description(_ parameters: [TrackID: StreamParameters]) -> ContainerDescription {
        let startTime = startTime
        var tags = Self.tags(context.pointee.metadata)
        // Ogg stores the file's tags with its only stream.
        if tags.isEmpty, playable.count == 1 { tags = Self.tags(playable[0].pointee.metadata) }
        return ContainerDescription(
            format: format,
            tracks: streams.compactMap { TrackDescription($0.pointee, parameters: parameters[TrackID(Int($0.pointee.index))]) },
            duration: duration(startTime: startTime), startTime: startTime, tags: tags, chapters: chapters,
            artwork: streams.compactMap(Self.artwork))
    }

    /// The start of the track that begins first. The table of a fragment lists the samples of all tracks when FFmpeg has read those of one of them only:
    /// sound that is not read yet counts if it is before the pictures by more than these are reordered.
    private var startTime: MediaTime {
        guard let known = playable.compactMap(start).min() else { return .zero }
        let unread = playable.filter {
            $0.pointee.start_time == marquee_no_pts && $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO
        }
        guard let index = SampleIndex(context), let listed = unread.compactMap({ index.first(Int($0.pointee.index)) }).min(),
            known - listed > Self.longestReordering
        else { return known }
        return max(listed, .zero)
    }

    private static let longestReordering = MediaTime.milliseconds(250)

    /// Samples before zero (a codec's priming) are dropped by the decoder.
    private func start(of stream: UnsafeMutablePointer<AVStream>) -> MediaTime? {
        MediaTime(stamp: stream.pointee.start_time, timeBase: stream.pointee.time_base).map { isClock ? $0 : max($0, .zero) }
    }

    /// The end of the longest track; exact if the container stores the tracks' lengths in their own ticks.
    private func duration(startTime: MediaTime) -> MediaTime? {
        let ends = playable.map { stream -> MediaTime? in
            MediaTime(stamp: stream.pointee.duration, timeBase: stream.pointee.time_base).map {
                $0 + (start(of: stream) ?? startTime)
            }
        }
        if !ends.isEmpty, !ends.contains(nil), let end = ends.compactMap(\.self).max(), end > startTime { return end - startTime }
        let whole = MediaTime(stamp: context.pointee.duration, timeBase: AVRational(num: 1, den: Int32(AV_TIME_BASE)))
        return whole.flatMap { $0 > .zero ? $0 : nil }
    }

    fileprivate static func tags(_ dictionary: OpaquePointer?) -> [(key: String, value: String)] {
        var tags: [(key: String, value: String)] = []
        var pieces = TextPieces()
        var entry: UnsafeMutablePointer<AVDictionaryEntry>?
        while let next = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
            tags.append((String(cString: next.pointee.key), pieces.text(bytes(of: next))))
            entry = next
        }
        return tags.sorted { ($0.key, $0.value) < ($1.key, $1.value) }
    }

    /// A value as the file has it: FFmpeg does not look at the encoding of most.
    private static func bytes(of entry: UnsafePointer<AVDictionaryEntry>) -> [UInt8] {
        let value = entry.pointee.value!
        return Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
    }

    private var chapters: [ChapterDescription] {
        var pieces = TextPieces()
        return (0..<Int(context.pointee.nb_chapters)).compactMap { index in
            guard let chapter = context.pointee.chapters[index]?.pointee,
                let start = MediaTime(stamp: chapter.start, timeBase: chapter.time_base),
                let end = MediaTime(stamp: chapter.end, timeBase: chapter.time_base), end >= start
            else { return nil }
            let title = av_dict_get(chapter.metadata, "title", nil, 0).map { pieces.text(Self.bytes(of: $0)) }
            return ChapterDescription(range: TimeRange(start: start, end: end), title: title)
        }
        .sorted { $0.range.start < $1.range.start }
    }

    private static func artwork(_ stream: UnsafeMutablePointer<AVStream>) -> [UInt8]? {
        let picture = stream.pointee.attached_pic
        guard stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0, picture.size > 0 else { return nil }
        return Array(UnsafeBufferPointer(start: picture.data, count: Int(picture.size)))
    }
}

extension TrackDescription {
    init?(_ stream: AVStream, parameters: StreamParameters?) {
        guard let type = MediaType(stream), let parameters else { return nil }
        let codec = stream.codecpar.pointee
        let tags = Dictionary(ContainerInspector.tags(stream.metadata)) { first, _ in first }
        var characteristics: [String] = []
        if stream.disposition & AV_DISPOSITION_VISUAL_IMPAIRED != 0 {
            characteristics.append("public.accessibility.describes-video")
        }
        if stream.disposition & AV_DISPOSITION_HEARING_IMPAIRED != 0 {
            characteristics += [
                "public.accessibility.describes-music-and-sound", "public.accessibility.transcribes-spoken-dialog",
            ]
        }
        self.init(
            id: TrackID(Int(stream.index)), type: type, languageTag: parameters.languageTag,
            name: Self.name(tags), codec: parameters.codecName, isDefault: stream.disposition & AV_DISPOSITION_DEFAULT != 0,
            characteristics: characteristics)
        self.parameters = parameters
        if type == .video { (width, height, frameRate) = (Int(codec.width), Int(codec.height), parameters.frameRate) }
        if type == .video { highRange = HighDynamicRange(stated: codec) }
        if type == .audio {
            sampleRate = codec.sample_rate > 0 ? Int(codec.sample_rate) : nil
            channels = codec.ch_layout.nb_channels > 0 ? Int(codec.ch_layout.nb_channels) : nil
        }
        bitRate = codec.bit_rate > 0 ? Int(codec.bit_rate) : nil
        isForced = stream.disposition & AV_DISPOSITION_FORCED != 0
        let isDescription = stream.disposition & (AV_DISPOSITION_VISUAL_IMPAIRED | AV_DISPOSITION_DESCRIPTIONS) != 0
        isDependent = type == .audio && isDescription && stream.disposition & AV_DISPOSITION_DEPENDENT != 0
    }

    /// The title, or in MP4 the handler's name unless a program wrote it.
    private static func name(_ tags: [String: String]) -> String? {
        if let title = tags["title"] { return title }
        guard let handler = tags["handler_name"], !handler.isEmpty else { return nil }
        let isGeneric = ["handler", "core media", "iso media", "gpac", "l-smash", "mainconcept", "bento4", "lavf", "alias data"]
            .contains { handler.lowercased().contains($0) }
        return isGeneric ? nil : handler
    }
}
