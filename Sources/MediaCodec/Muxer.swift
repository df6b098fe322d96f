import CFFmpeg
import MediaModel
import MediaTime

/// FFmpeg's muxer of MP4 over one output. It writes no edit lists: times are those that it is given.
///
/// Confined to one thread.
final class Muxer: Muxing {
    private let context: UnsafeMutablePointer<AVFormatContext>
    private let writer: OutputWriter
    private let packet: UnsafeMutablePointer<AVPacket>

    /// - Throws: `protected`, `sourceFormat` when the container does not take a track, or the error of the output.
    init(
        _ container: WrittenContainer, tracks: [WrittenTrack], facts: WrittenFacts, output: any ByteOutput
    ) throws(MediaError) {
        guard let format = Self.format else { throw Self.missing(output.name) }
        for track in tracks {
            if let refusal = Self.refusal(of: FFmpegCodecs.own(track.parameters)) { throw refusal }
        }
        writer = OutputWriter(output)
        var created: UnsafeMutablePointer<AVFormatContext>?
        precondition(
            avformat_alloc_output_context2(&created, format, nil, nil) >= 0,
            "no memory left for a muxer")
        context = created!
        packet = allocated(av_packet_alloc(), "a packet")
        context.pointee.pb = writer.context
        context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_BITEXACT
        // A packet is smaller than the buffer: writing each at once would cost as much as all other work.
        context.pointee.flags &= ~AVFMT_FLAG_FLUSH_PACKETS
        context.pointee.flush_packets = 0
        context.pointee.avoid_negative_ts = 0
        for track in tracks { try add(track) }
        // The media of a track begin at zero; the writer's edits say when.
        let firstChapter = facts.chapters.first?.range.start ?? .zero
        for chapter in facts.chapters { add(chapter, after: firstChapter) }
        for tag in facts.tags { av_dict_set(&context.pointee.metadata, tag.key, tag.value, 0) }
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        av_dict_set(&options, "use_editlist", "0", 0)
        // Nero's list of chapters has no edits.
        if firstChapter > .zero { av_dict_set(&options, "movflags", "disable_chpl", 0) }
        if container == .fragmentedMP4 {
            // frag_discont: the first fragment keeps its decode time.
            av_dict_set(
                &options, "movflags", "empty_moov+default_base_moof+frag_custom+frag_discont+skip_trailer", 0)
        }
        try writer.check(avformat_write_header(context, &options), "Writing the header of")
        avio_flush(writer.context)
        try writer.check(0, "Writing the header of")
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
        context.pointee.pb = nil
        avformat_free_context(context)
    }

    /// The muxer, if this machine's FFmpeg has it.
    static var format: UnsafePointer<AVOutputFormat>? {
        av_guess_format("mp4", nil, nil)
    }

    static func missing(_ name: String) -> MediaError {
        MediaError(
            .decoderUnsupported,
            "Writing \(name) failed: this machine's FFmpeg has no muxer of MP4; export on a computer with Debian's FFmpeg.")
    }

    /// Why MP4 does not take a track as it is; nil if it does.
    static func refusal(of parameters: StreamParameters) -> MediaError? {
        if parameters.isProtected {
            return MediaError(
                .protected,
                "Copying \(parameters.codecName) of \(parameters.streamName) was refused: it is encrypted; use a source without protection."
            )
        }
        guard let format else { return missing(parameters.streamName) }
        let isTaken = parameters.withParameters { avformat_query_codec(format, $0.pointee.codec_id, FF_COMPLIANCE_NORMAL) == 1 }
        guard !isTaken else { return nil }
        return MediaError(
            .sourceFormat,
            "Copying \(parameters.codecName) of \(parameters.streamName) was refused: MP4 has no place for this codec; use a preset that encodes."
        )
    }

    private func add(_ track: WrittenTrack) throws(MediaError) {
        let parameters = FFmpegCodecs.own(track.parameters)
        let stream = allocated(avformat_new_stream(context, nil), "a stream")
        let code = parameters.withParameters { avcodec_parameters_copy(stream.pointee.codecpar, $0) }
        try writer.check(code, "Adding \(parameters.codecName) to")
        // A code of another container means something else in this one, except for MP4's own.
        let tag = stream.pointee.codecpar.pointee.codec_tag
        let isOwn = av_codec_get_id(Self.format!.pointee.codec_tag, tag) == stream.pointee.codecpar.pointee.codec_id
        if !isOwn { stream.pointee.codecpar.pointee.codec_tag = 0 }
        stream.pointee.time_base = parameters.timeBase
        if let aspect = parameters.sampleAspect, let width = Int32(exactly: aspect.numerator),
            let height = Int32(exactly: aspect.denominator)
        {
            stream.pointee.sample_aspect_ratio = AVRational(num: width, den: height)
        }
        if let rate = parameters.frameRate, let top = Int32(exactly: rate.numerator),
            let bottom = Int32(exactly: rate.denominator)
        {
            stream.pointee.avg_frame_rate = AVRational(num: top, den: bottom)
        }
        if let language = parameters.language { av_dict_set(&stream.pointee.metadata, "language", language, 0) }
        if let matrix = parameters.displayMatrix {
            try writer.check(marquee_set_display_matrix(stream, matrix), "Adding \(parameters.codecName) to")
        }
        if track.isDefault { stream.pointee.disposition |= AV_DISPOSITION_DEFAULT }
    }

    /// The muxer makes a track of texts of them; they are freed with the context.
    private func add(_ chapter: ChapterDescription, after first: MediaTime) {
        let count = Int(context.pointee.nb_chapters)
        let list = allocated(
            av_realloc_array(context.pointee.chapters, count + 1, MemoryLayout<UnsafeMutablePointer<AVChapter>?>.stride)?
                .assumingMemoryBound(to: UnsafeMutablePointer<AVChapter>?.self), "chapters")
        context.pointee.chapters = list
        let made = allocated(
            av_mallocz(MemoryLayout<AVChapter>.stride)?.assumingMemoryBound(to: AVChapter.self), "a chapter")
        made.pointee.id = Int64(count)
        made.pointee.time_base = AVRational(num: 1, den: 1000)
        made.pointee.start = chapter.range.start.milliseconds - first.milliseconds
        made.pointee.end = chapter.range.end.milliseconds - first.milliseconds
        av_dict_set(&made.pointee.metadata, "title", chapter.title ?? "", 0)
        list[count] = made
        context.pointee.nb_chapters += 1
    }

    func append(_ sample: EncodedSample, to track: Int) throws(MediaError) {
        guard let payload = sample.payload as? Packet else { preconditionFailure("a sample of another module") }
        let stream = context.pointee.streams[track]!
        payload.lend(to: packet)
        defer { Packet.takeBack(packet) }
        let base = stream.pointee.time_base
        packet.pointee.stream_index = Int32(track)
        packet.pointee.pts = sample.presentationTime.stamp(base)
        packet.pointee.dts = sample.decodeTime.stamp(base)
        packet.pointee.duration = sample.duration?.stamp(base) ?? 0
        packet.pointee.time_base = base
        packet.pointee.pos = -1
        if sample.isSync { packet.pointee.flags |= AV_PKT_FLAG_KEY } else { packet.pointee.flags &= ~AV_PKT_FLAG_KEY }
        packet.pointee.flags &= ~AV_PKT_FLAG_DISCARD
        try writer.check(av_write_frame(context, packet), "Writing a sample to")
    }

    func endFragment() throws(MediaError) {
        try writer.check(av_write_frame(context, nil), "Writing a fragment of")
        avio_flush(writer.context)
        try writer.check(0, "Writing a fragment of")
    }

    func finish() throws(MediaError) {
        let code = av_write_trailer(context)
        avio_flush(writer.context)
        try writer.check(code, "Completing")
    }
}

extension MediaTime {
    /// The nearest count of units of a time base.
    fileprivate func stamp(_ base: AVRational) -> Int64 {
        base.num == 1 ? units(of: base.den) : scaled(by: Ratio(Int64(base.den), Int64(base.num))).units(of: 1)
    }
}
