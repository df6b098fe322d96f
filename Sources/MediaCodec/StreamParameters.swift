import CFFmpeg
import Languages
import MediaModel
import MediaTime

/// The parameters of a track: FFmpeg's codec parameters, and the container's display properties.
// Unchecked: the parameters are copied in `init`, never changed after that, and freed when the last owner releases them.
final class StreamParameters: CodecParameters, @unchecked Sendable {
    private let parameters: UnsafeMutablePointer<AVCodecParameters>
    let codecName: String
    /// Nominal frames per second, if known.
    let frameRate: Ratio?
    /// Clockwise quarter turns that make the picture upright: 0…3.
    let quarterTurns: Int
    /// The sample aspect ratio from the container, otherwise from the codec.
    let sampleAspect: Ratio?
    /// The sample aspect ratio that the container states. Without it each picture has that of its codec, which may change.
    let statedAspect: Ratio?
    /// The container's number of the stream: the PID in a transport stream. Nil for what was not read from one.
    let streamNumber: Int?
    /// The unit of the container's times.
    let timeBase: AVRational
    /// The language as the container has it, e.g. `eng`.
    let language: String?
    /// The language as BCP 47 has it, if the container states that; otherwise from `language`.
    let languageTag: String?
    /// The nine numbers of the display matrix, if there is one.
    let displayMatrix: [Int32]?
    /// What the container states of the light of pictures.
    let light: LightMetadata?
    let isProtected: Bool
    /// The stream's name, for error sentences.
    let streamName: String

    convenience init(
        _ stream: UnsafeMutablePointer<AVStream>, streamName: String, isProtected: Bool, languageTag: String?
    ) {
        let copy = allocated(avcodec_parameters_alloc(), "codec parameters")
        precondition(avcodec_parameters_copy(copy, stream.pointee.codecpar) >= 0, "no memory left for codec parameters")
        self.init(copy, of: stream, streamName: streamName, isProtected: isProtected, languageTag: languageTag)
    }

    /// The parameters of a stream of which FFmpeg knows the codec only, or knows what an earlier codec had: what its first sample says.
    ///
    /// - Parameter languageTag: as in `init(_:streamName:isProtected:languageTag:)`.
    convenience init(
        sample: UnsafePointer<AVPacket>, of stream: UnsafeMutablePointer<AVStream>, streamName: String, languageTag: String? = nil
    ) {
        let made = allocated(avcodec_parameters_alloc(), "codec parameters")
        let stated = stream.pointee.codecpar.pointee
        (made.pointee.codec_type, made.pointee.codec_id) = (stated.codec_type, stated.codec_id)
        made.pointee.codec_tag = stated.codec_tag
        Self.parse(sample, into: made)
        self.init(
            made, of: stream, streamName: streamName,
            isProtected: OpenedContainer.isProtected(tag: stated.codec_tag, isTransportStream: true), languageTag: languageTag)
    }

    /// - Parameter parameters: owned from now on.
    private init(
        _ parameters: UnsafeMutablePointer<AVCodecParameters>, of stream: UnsafeMutablePointer<AVStream>, streamName: String,
        isProtected: Bool, languageTag: String?
    ) {
        self.parameters = parameters
        codecName = Self.name(of: parameters.pointee)
        frameRate =
            Ratio(frameRate: stream.pointee.avg_frame_rate) ?? Ratio(frameRate: marquee_stated_frame_rate(parameters))
            ?? Ratio(frameRate: stream.pointee.r_frame_rate)
        statedAspect = Ratio(positive: stream.pointee.sample_aspect_ratio)
        sampleAspect = statedAspect ?? Ratio(positive: parameters.pointee.sample_aspect_ratio)
        quarterTurns = Self.quarterTurns(stream)
        streamNumber = Int(stream.pointee.id)
        timeBase = stream.pointee.time_base
        language = av_dict_get(stream.pointee.metadata, "language", nil, 0).map { String(cString: $0.pointee.value) }
        self.languageTag = languageTag ?? language.flatMap(LanguageCode.tag)
        displayMatrix = marquee_stream_display_matrix(stream).map { Array(UnsafeBufferPointer(start: $0, count: 9)) }
        light = LightMetadata(stream)
        self.isProtected = isProtected
        self.streamName = streamName
    }

    /// Reads the size of pictures or the rate and channels of sound from the head of a sample, for codecs that have it there; from decoded sound for AAC,
    /// whose rate and channels are known only then (ISO/IEC 14496-3, 1.6.5).
    private static func parse(_ sample: UnsafePointer<AVPacket>, into parameters: UnsafeMutablePointer<AVCodecParameters>) {
        guard let parser = av_parser_init(Int32(parameters.pointee.codec_id.rawValue)) else { return }
        defer { av_parser_close(parser) }
        parser.pointee.flags |= PARSER_FLAG_COMPLETE_FRAMES
        var context: UnsafeMutablePointer<AVCodecContext>? = allocated(avcodec_alloc_context3(nil), "a parser")
        defer { avcodec_free_context(&context) }
        guard avcodec_parameters_to_context(context, parameters) >= 0 else { return }
        var (bytes, count): (UnsafeMutablePointer<UInt8>?, Int32) = (nil, 0)
        _ = av_parser_parse2(
            parser, context, &bytes, &count, sample.pointee.data, sample.pointee.size, sample.pointee.pts, sample.pointee.dts, 0)
        _ = avcodec_parameters_from_context(parameters, context)
        if parameters.pointee.codec_type == AVMEDIA_TYPE_AUDIO, parameters.pointee.sample_rate == 0 {
            decode(sample, into: parameters)
        }
    }

    private static func decode(_ sample: UnsafePointer<AVPacket>, into parameters: UnsafeMutablePointer<AVCodecParameters>) {
        guard let decoder = avcodec_find_decoder(parameters.pointee.codec_id) else { return }
        var context: UnsafeMutablePointer<AVCodecContext>? = allocated(avcodec_alloc_context3(decoder), "a decoder")
        defer { avcodec_free_context(&context) }
        var frame: UnsafeMutablePointer<AVFrame>? = allocated(av_frame_alloc(), "a frame")
        defer { av_frame_free(&frame) }
        guard avcodec_parameters_to_context(context, parameters) >= 0, avcodec_open2(context, decoder, nil) >= 0,
            avcodec_send_packet(context, sample) >= 0, avcodec_receive_frame(context, frame) >= 0
        else { return }
        _ = avcodec_parameters_from_context(parameters, context)
    }

    /// Whether a stream still has the codec that these are for.
    func isOf(_ stream: UnsafePointer<AVStream>) -> Bool {
        let codec = stream.pointee.codecpar.pointee
        return codec.codec_type == parameters.pointee.codec_type && codec.codec_id == parameters.pointee.codec_id
    }

    /// The parameters of what an encoder gives.
    init(_ encoder: UnsafeMutablePointer<AVCodecContext>, name: String, quarterTurns: Int = 0) {
        let copy = allocated(avcodec_parameters_alloc(), "codec parameters")
        precondition(avcodec_parameters_from_context(copy, encoder) >= 0, "no memory left for codec parameters")
        parameters = copy
        codecName = Self.name(of: copy.pointee)
        frameRate = Ratio(frameRate: encoder.pointee.framerate)
        sampleAspect = Ratio(positive: encoder.pointee.sample_aspect_ratio)
        statedAspect = sampleAspect
        self.quarterTurns = quarterTurns
        streamNumber = nil
        timeBase = encoder.pointee.time_base
        (language, languageTag) = (nil, nil)
        var matrix: [Int32]?
        if quarterTurns != 0 {
            var numbers = [Int32](repeating: 0, count: 9)
            av_display_rotation_set(&numbers, Double(90 * quarterTurns))
            matrix = numbers
        }
        displayMatrix = matrix
        light = nil
        isProtected = false
        streamName = name
    }

    /// The parameters of timed text (`tx3g`).
    ///
    /// - Parameter language: as containers have it, if known.
    init(timedTextIn language: String?) {
        let made = allocated(avcodec_parameters_alloc(), "codec parameters")
        made.pointee.codec_type = AVMEDIA_TYPE_SUBTITLE
        made.pointee.codec_id = AV_CODEC_ID_MOV_TEXT
        let entry = Self.timedTextEntry
        // Freed with the parameters, by FFmpeg.
        let extradata = allocated(
            av_mallocz(entry.count + Int(AV_INPUT_BUFFER_PADDING_SIZE))?.assumingMemoryBound(to: UInt8.self), "codec parameters")
        for (place, byte) in entry.enumerated() { extradata[place] = byte }
        made.pointee.extradata = extradata
        made.pointee.extradata_size = Int32(entry.count)
        parameters = made
        codecName = Self.name(of: made.pointee)
        (frameRate, sampleAspect, statedAspect, quarterTurns, displayMatrix, light) = (nil, nil, nil, 0, nil, nil)
        (streamNumber, timeBase) = (nil, AVRational(num: 1, den: 90_000))
        (self.language, languageTag) = (language, language.flatMap(LanguageCode.tag))
        isProtected = false
        streamName = "captions"
    }

    /// The sample description (3GPP TS 26.245, 5.16) after its first fields: centred at the bottom, white, one font.
    private static let timedTextEntry: [UInt8] = {
        let box: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
        let style: [UInt8] = [0, 0, 0, 0, 0, 1, 0, 18, 255, 255, 255, 255]
        let fonts: [UInt8] = [0, 0, 0, 18] + Array("ftab".utf8) + [0, 1, 0, 1, 5] + Array("Serif".utf8)
        return [0, 0, 0, 0, 1, 0xFF, 0, 0, 0, 0] + box + style + fonts
    }()

    deinit {
        var parameters: UnsafeMutablePointer<AVCodecParameters>? = parameters
        avcodec_parameters_free(&parameters)
    }

    /// Lends FFmpeg's parameters for reading.
    func withParameters<Result, Failure: Error>(
        _ body: (UnsafePointer<AVCodecParameters>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafePointer(parameters))
    }

    func canContinue(as other: any CodecParameters) -> Bool {
        guard let other = other as? StreamParameters else { return false }
        if other === self { return true }
        let (mine, theirs) = (parameters.pointee, other.parameters.pointee)
        if saysNothing || other.saysNothing { return mine.codec_id == theirs.codec_id && isProtected == other.isProtected }
        guard mine.codec_type == theirs.codec_type, mine.codec_id == theirs.codec_id, mine.profile == theirs.profile,
            mine.width == theirs.width, mine.height == theirs.height, mine.sample_rate == theirs.sample_rate,
            mine.ch_layout.nb_channels == theirs.ch_layout.nb_channels, quarterTurns == other.quarterTurns,
            sampleAspect == other.sampleAspect, isProtected == other.isProtected
        else { return false }
        return extradata.elementsEqual(other.extradata)
    }

    /// Whether the size of pictures, or the rate and channels of sound, are known.
    var isComplete: Bool {
        switch parameters.pointee.codec_type {
        case AVMEDIA_TYPE_VIDEO: parameters.pointee.width > 0 && parameters.pointee.height > 0
        case AVMEDIA_TYPE_AUDIO: parameters.pointee.sample_rate > 0 && parameters.pointee.ch_layout.nb_channels > 0
        default: true
        }
    }

    /// Whether the samples alone say how they are decoded, and those looked at did not: the piece of a stream began inside a group of pictures, and goes on
    /// with what the decoder has.
    private var saysNothing: Bool { isVideo && !isComplete && extradata.isEmpty }

    var isVideo: Bool { parameters.pointee.codec_type == AVMEDIA_TYPE_VIDEO }

    /// Whether its samples are ID3 tags.
    var isTimedTag: Bool { parameters.pointee.codec_id == AV_CODEC_ID_TIMED_ID3 }

    /// How many samples before a picture in decoding order can be shown after it.
    var reorderDelay: Int { Int(max(parameters.pointee.video_delay, 0)) }

    var privateData: [UInt8] { Array(extradata) }

    private var extradata: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: parameters.pointee.extradata, count: Int(parameters.pointee.extradata_size))
    }

    /// FFmpeg's name of the codec; for an unknown codec, the container's four-character code.
    static func name(of parameters: AVCodecParameters) -> String {
        if parameters.codec_id != AV_CODEC_ID_NONE { return String(cString: avcodec_get_name(parameters.codec_id)) }
        let letters = (0..<4).map { UInt8(truncatingIfNeeded: parameters.codec_tag >> (8 * $0)) }
        guard parameters.codec_tag != 0, letters.allSatisfy({ (0x20...0x7e).contains($0) }) else { return "unknown" }
        return String(decoding: letters, as: UTF8.self)
    }

    /// From the display matrix, whose angle is counterclockwise.
    private static func quarterTurns(_ stream: UnsafeMutablePointer<AVStream>) -> Int {
        guard let matrix = marquee_stream_display_matrix(stream) else { return 0 }
        let angle = av_display_rotation_get(matrix)
        guard angle.isFinite else { return 0 }
        return ((Int((-angle / 90).rounded()) % 4) + 4) % 4
    }
}
