import CFFmpeg
import MediaModel
import MediaTime
import WireFormats

/// A container whose header has been parsed: everything that a `Demuxer` takes over.
struct OpenedContainer {
    let context: UnsafeMutablePointer<AVFormatContext>
    let reader: StreamReader
    let hint: ContainerHint?
    let parameters: [TrackID: StreamParameters]
    /// Of tracks whose edit list begins in the middle of a picture.
    let edits: [TrackID: EditStart]
    let description: ContainerDescription
    let offset: MediaTime
    /// The first sample if it had to be read, otherwise blank. The owner of the container frees it.
    let packet: UnsafeMutablePointer<AVPacket>

    /// Reads as much of a stream as is needed to describe it.
    ///
    /// - Parameter isLater: whether it is a later stretch of a transport stream, which begins with its tables.
    /// - Throws: `sourceFormat` when it is not media, `protected` when nothing in it may be played, or the stream's own error.
    init(_ stream: any ByteStream, hint: ContainerHint?, isLater: Bool = false) throws(MediaError) {
        var reader = try hint == nil ? LeadingTags.reader(stream) : StreamReader(stream)
        if hint == nil, let whole = try WholeMovie(stream, after: reader.head) { reader = try StreamReader(whole) }
        let context = try Self.open(reader, hint: hint, isLater: isLater)
        var isTaken = false
        defer {
            if !isTaken {
                var context: UnsafeMutablePointer<AVFormatContext>? = context
                avformat_close_input(&context)
            }
        }
        try Self.findStreamInfo(context, reader, hint: hint)
        let headers = reader.takeHeaders()
        let parameters = Self.parameters(context, name: stream.name, headers)
        try Self.checkPlayable(context, parameters, reader)
        let packet = allocated(av_packet_alloc(), "a packet")
        defer {
            if !isTaken {
                var packet: UnsafeMutablePointer<AVPacket>? = packet
                av_packet_free(&packet)
            }
        }
        try Self.readFirst(context, packet, reader, hint: hint)
        let offset = hint.flatMap { Self.packedAudioOffset(context, $0) } ?? .zero
        var description = ContainerInspector(context).description(parameters)
        description.startTime += offset
        if headers.isFragmented, stream.length == nil, !Self.hasSegmentIndex(reader.head) {
            description.duration = Self.statedDuration(reader.head)
        }
        self.context = context
        self.reader = reader
        self.hint = hint
        self.parameters = parameters
        edits = headers.isFragmented ? [:] : Self.edits(context, headers)
        self.description = description
        self.offset = offset
        self.packet = packet
        isTaken = true
    }

    // MARK: - The header

    private static func open(
        _ reader: StreamReader, hint: ContainerHint?, isLater: Bool
    ) throws(MediaError) -> UnsafeMutablePointer<AVFormatContext> {
        if reader.head.isEmpty {
            throw MediaError(
                .sourceFormat, "Opening \(reader.stream.name) as media failed: it is empty; check the file or its server.")
        }
        if let found = ContentSniffer.unplayed(reader.head) {
            throw MediaError(
                .sourceFormat,
                "Opening \(reader.stream.name) as media failed: it holds \(found.words), and the box does not play \(found.delivery); "
                    + "use an HLS stream or a file.")
        }
        if let found = ContentSniffer.nonMedia(reader.head) { throw notMedia(reader, found: found) }
        let known = isLater ? .transportStream : hint
        let format = if let known { inputFormat(known) } else { try probe(reader) as UnsafePointer<AVInputFormat>? }
        var context: UnsafeMutablePointer<AVFormatContext>? = allocated(avformat_alloc_context(), "a demuxer")
        context!.pointee.pb = reader.context
        context!.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        if hint != nil {
            context!.pointee.probesize = 64 << 10
            context!.pointee.max_analyze_duration = 2_000_000
            context!.pointee.fps_probe_size = 0
            context!.pointee.correct_ts_overflow = 0
        } else {
            context!.pointee.probesize = 2 << 20
            context!.pointee.max_analyze_duration = 2_000_000
            // These have no presentation times: those that FFmpeg would make are not in order.
            let isWithoutThem = format?.pointee.name.map { ["avi", "h264", "hevc"].contains(String(cString: $0)) } ?? false
            if !isWithoutThem { context!.pointee.flags |= AVFMT_FLAG_GENPTS }
        }
        reader.forgetLack()
        let code = avformat_open_input(&context, nil, format, nil)
        if code < 0 {
            if let failure = reader.takeFailure() { throw failure }
            throw try damaged(reader, format: format, code)
        }
        if known == .transportStream, context!.pointee.nb_streams > 0 {
            // The tables have been read: FFmpeg would wait for 100 KB in case there are more. It stops as soon as these streams
            // are known.
            context!.pointee.ctx_flags &= ~AVFMTCTX_NOHEADER
            context!.pointee.probesize = 8 << 20
        }
        return context!
    }

    private static func inputFormat(_ hint: ContainerHint) -> UnsafePointer<AVInputFormat>? {
        switch hint {
        case .transportStream: av_find_input_format("mpegts")
        case .fragmentedMP4: av_find_input_format("mov")
        case .packedAAC: av_find_input_format("aac")
        case .packedMP3: av_find_input_format("mp3")
        case .packedAC3: av_find_input_format("ac3")
        case .packedEAC3: av_find_input_format("eac3")
        }
    }

    /// The allowed containers, recognised by content. Only FFmpeg's demuxers for films, programmes and music are allowed: not
    /// those that open other addresses, that accept any text as subtitles, or that read devices.
    private static let containers: Set<String> = [
        "mov", "matroska", "webm", "mpegts", "mpeg", "avi", "flv", "asf", "ogg", "wav", "w64", "aiff", "flac", "mp3", "aac",
        "loas", "ac3",
        "eac3", "dts", "caf", "ape", "wv", "tta", "au", "h264", "hevc", "mpegvideo", "m4v", "ivf", "av1", "obu", "mxf", "rm",
        "dv", "nut", "amr", "wtv", "truehd", "mlp", "mpc", "mpc8", "tak", "dsf",
    ]

    private static func probe(_ reader: StreamReader) throws(MediaError) -> UnsafePointer<AVInputFormat> {
        var format = try LeadingTags.formatBehind(reader)
        let code = format == nil ? av_probe_input_buffer2(reader.context, &format, nil, nil, 0, 1 << 20) : 0
        if let failure = reader.takeFailure() { throw failure }
        guard code >= 0, let format else { throw notMedia(reader, found: ContentSniffer.words(reader.head)) }
        let names = String(cString: format.pointee.name).split(separator: ",")
        guard names.contains(where: { containers.contains(String($0)) }) else {
            throw notMedia(reader, found: "what FFmpeg calls \(String(cString: format.pointee.long_name))")
        }
        return format
    }

    // MARK: - The length of fragments

    /// Whether a file begins with an index of its fragments. Without it libavformat takes for their length what it has read of them, if it cannot look at the rest.
    private static func hasSegmentIndex(_ head: [UInt8]) -> Bool {
        var rest = head[...]
        while let header = MP4Box.Header(rest) {
            if header.type == "sidx" { return true }
            guard let size = header.size, size <= rest.count else { return false }
            rest = rest.dropFirst(Int(size))
        }
        return false
    }

    /// The length that the header of a fragmented file states (`mehd`, ISO/IEC 14496-12, 8.8.2); nil if it states none.
    private static func statedDuration(_ head: [UInt8]) -> MediaTime? {
        guard let length = MP4Box.first(["moov", "mvex", "mehd"], in: head[...]),
            let movie = MP4Box.first(["moov", "mvhd"], in: head[...]),
            let units = length.first == 1 ? length.big(8, at: 4) : length.big(4, at: 4),
            let scale = movie.big(4, at: movie.first == 1 ? 20 : 12), let scale = Int32(exactly: scale), scale > 0,
            let units = Int64(exactly: units), units > 0
        else { return nil }
        return MediaTime(stamp: units, timeBase: AVRational(num: 1, den: scale))
    }

    // MARK: - The tracks

    /// Reads samples (kept for later) until the tracks are known; skipped when the header is sufficient, as in MP4.
    private static func findStreamInfo(
        _ context: UnsafeMutablePointer<AVFormatContext>, _ reader: StreamReader, hint: ContainerHint?
    ) throws(MediaError) {
        let isMP4 = String(cString: context.pointee.iformat.pointee.name).hasPrefix("mov")
        let tracks = streams(context).filter { MediaType($0.pointee) != nil }
        if isMP4, tracks.allSatisfy({ isComplete($0.pointee.codecpar.pointee) }) { return }
        let code = avformat_find_stream_info(context, nil)
        if let failure = reader.takeFailure() { throw failure }
        if code < 0 { throw try damaged(reader, format: context.pointee.iformat, code) }
    }

    private static func isComplete(_ parameters: AVCodecParameters) -> Bool {
        switch parameters.codec_type {
        case AVMEDIA_TYPE_VIDEO: parameters.codec_id != AV_CODEC_ID_NONE && parameters.width > 0 && parameters.height > 0
        case AVMEDIA_TYPE_AUDIO:
            parameters.codec_id != AV_CODEC_ID_NONE && parameters.sample_rate > 0 && parameters.ch_layout.nb_channels > 0
        default: true
        }
    }

    static func streams(_ context: UnsafeMutablePointer<AVFormatContext>) -> [UnsafeMutablePointer<AVStream>] {
        (0..<Int(context.pointee.nb_streams)).map { context.pointee.streams[$0]! }
    }

    private static func parameters(
        _ context: UnsafeMutablePointer<AVFormatContext>, name: String, _ headers: TrackHeaders
    ) -> [TrackID: StreamParameters] {
        let isTransportStream = String(cString: context.pointee.iformat.pointee.name) == "mpegts"
        var result: [TrackID: StreamParameters] = [:]
        for stream in streams(context) where MediaType(stream.pointee) != nil {
            let tag = stream.pointee.codecpar.pointee.codec_tag
            result[TrackID(Int(stream.pointee.index))] = StreamParameters(
                stream, streamName: name, isProtected: isProtected(tag: tag, isTransportStream: isTransportStream),
                languageTag: headers.tag(of: stream))
        }
        return result
    }

    private static func edits(
        _ context: UnsafeMutablePointer<AVFormatContext>, _ headers: TrackHeaders
    ) -> [TrackID: EditStart] {
        let known = streams(context).compactMap { stream in
            headers.edit(of: stream).map { (TrackID(Int(stream.pointee.index)), $0) }
        }
        return Dictionary(uniqueKeysWithValues: known)
    }

    /// Apple's sample entries for its stores, and the stream types of SAMPLE-AES in transport streams.
    static func isProtected(tag: UInt32, isTransportStream: Bool) -> Bool {
        if isTransportStream { return [0xdb, 0xcf, 0xc1, 0xc2].contains(tag) }
        let name = String(decoding: (0..<4).map { UInt8(truncatingIfNeeded: tag >> (8 * $0)) }, as: UTF8.self)
        return ["encv", "enca", "drms", "drmi"].contains(name)
    }

    private static func checkPlayable(
        _ context: UnsafeMutablePointer<AVFormatContext>, _ parameters: [TrackID: StreamParameters], _ reader: StreamReader
    ) throws(MediaError) {
        if parameters.isEmpty {
            let fault = try fault(of: context.pointee.iformat, reader)
            if fault == .encrypted { throw encrypted(reader) }
            throw MediaError(
                .sourceFormat,
                "Opening \(reader.stream.name) failed: it is \(containerWords(context.pointee.iformat)) without a track; "
                    + (fault == .cut ? "it is truncated; copy it again." : "it may be truncated; create it again."))
        }
        if parameters.values.allSatisfy(\.isProtected) { throw encrypted(reader) }
    }

    /// Reads the first sample of an MP4: only samples show that Common Encryption (ISO/IEC 23001-7) applies, and a truncated
    /// index has none.
    private static func readFirst(
        _ context: UnsafeMutablePointer<AVFormatContext>, _ packet: UnsafeMutablePointer<AVPacket>, _ reader: StreamReader,
        hint: ContainerHint?
    ) throws(MediaError) {
        guard String(cString: context.pointee.iformat.pointee.name).hasPrefix("mov") else { return }
        let code = av_read_frame(context, packet)
        // A file without one has nothing to play; a rendition may be at its end, or was stopped.
        if code < 0, hint == nil {
            if let failure = reader.takeFailure() { throw failure }
            throw try damaged(reader, format: context.pointee.iformat, code)
        }
        guard code >= 0 else { return }
        if av_packet_get_side_data(packet, AV_PKT_DATA_ENCRYPTION_INFO, nil) != nil { throw encrypted(reader) }
    }

    /// FFmpeg makes no track or no sample of some encrypted files, which are not damaged.
    ///
    /// - Throws: the stream's own error.
    private static func fault(of format: UnsafePointer<AVInputFormat>?, _ reader: StreamReader) throws(MediaError) -> MovieFault?
    {
        guard let format, String(cString: format.pointee.name).hasPrefix("mov") else { return nil }
        return try MovieFault(in: reader.stream)
    }

    private static func encrypted(_ reader: StreamReader) -> MediaError {
        MediaError(
            .protected,
            "Opening \(reader.stream.name) failed: it is encrypted and this box has no keys; use a stream without protection."
        )
    }

    /// The start time of a packed audio segment from its ID3 tag (RFC 8216, 3.4): a 33-bit timestamp at 90 kHz.
    private static func packedAudioOffset(_ context: UnsafeMutablePointer<AVFormatContext>, _ hint: ContainerHint) -> MediaTime? {
        guard hint != .transportStream, hint != .fragmentedMP4,
            let entry = av_dict_get(context.pointee.metadata, "id3v2_priv.com.apple.streaming.transportStreamTimestamp", nil, 0)
        else { return nil }
        let bytes = ContentSniffer.unescaped(String(cString: entry.pointee.value))
        guard bytes.count == 8 else { return nil }
        let stamp = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return MediaTime(Int64(stamp & (1 << 33 - 1)), 90000)
    }

    // MARK: - Errors

    private static func notMedia(_ reader: StreamReader, found: String) -> MediaError {
        MediaError(
            .sourceFormat,
            "Opening \(reader.stream.name) as media failed: it holds \(found); check the address.")
    }

    private static func containerWords(_ format: UnsafePointer<AVInputFormat>?) -> String {
        format.map { "a \(String(cString: $0.pointee.long_name)) stream" } ?? "a stream"
    }

    private static func damaged(
        _ reader: StreamReader, format: UnsafePointer<AVInputFormat>?, _ code: Int32
    ) throws(MediaError) -> MediaError {
        let fault = try fault(of: format, reader)
        if fault == .encrypted { return encrypted(reader) }
        // Some demuxers call the end an error of reading, which a stream that failed has told itself.
        let isCut = fault == .cut || reader.lacksBytes || [marquee_averror_eof, marquee_averror_io].contains(code)
        let reason =
            isCut
            ? "it ends before its first sample; it is truncated; copy it again"
            : "\(FFmpegError(call: "avformat_open_input", code: code).reason); it is damaged, create it again"
        return MediaError(
            .sourceFormat, "Opening \(reader.stream.name) as \(containerWords(format)) failed: \(reason).")
    }
}
