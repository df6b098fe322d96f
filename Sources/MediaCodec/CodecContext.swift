import CFFmpeg
import MediaModel
import MediaTime

/// One open decoder of libavcodec with its packet and frame; all are released with it.
///
/// Timestamps pass through it in nanoseconds, and a table restores the exact times.
final class CodecContext {
    /// The facts about a sample while it is in the decoder.
    struct Stamp {
        var time: MediaTime
        var duration: MediaTime?
        var run: Int
        var isOfDecodingOrder = false
    }
    let context: UnsafeMutablePointer<AVCodecContext>
    let frame: UnsafeMutablePointer<AVFrame>
    let parameters: StreamParameters
    private let packet: UnsafeMutablePointer<AVPacket>
    private let isHardware: Bool
    private var stamps: [Int64: Stamp] = [:]
    private var order: [Int64] = []
    private var presentation = PresentationOrder()

    /// Far more than any decoder holds back; older samples that never became a frame are dropped.
    private static let mostStamps = 512
    private static let timeBase = AVRational(num: 1, den: 1_000_000_000)

    /// - Parameters:
    ///   - hardware: the decoder to open instead of libavcodec's own for the codec. All of its errors count, also those of damaged samples.
    ///   - prepare: configures the context before it is opened.
    /// - Throws: `protected` or `decoderUnsupported`.
    init(
        _ parameters: StreamParameters, hardware: UnsafePointer<AVCodec>? = nil,
        prepare: (UnsafeMutablePointer<AVCodecContext>) -> Void
    ) throws(MediaError) {
        let name = parameters.codecName
        isHardware = hardware != nil
        if parameters.isProtected {
            throw MediaError(
                .protected,
                "Decoding \(name) of \(parameters.streamName) failed: it is encrypted and this box has no keys; "
                    + "use a stream without protection.")
        }
        guard let codec = hardware ?? parameters.withParameters({ avcodec_find_decoder($0.pointee.codec_id) }) else {
            throw MediaError(
                .decoderUnsupported,
                "Decoding \(name) of \(parameters.streamName) failed: there is no decoder for it; use another codec, e.g. H.264 or AAC."
            )
        }
        var context: UnsafeMutablePointer<AVCodecContext>? = allocated(avcodec_alloc_context3(codec), "a decoder")
        let code = parameters.withParameters { avcodec_parameters_to_context(context, $0) }
        if code >= 0 {
            context!.pointee.pkt_timebase = Self.timeBase
            // Damaged headers must not cause unbounded allocations.
            context!.pointee.max_pixels = 8192 * 8192
            prepare(context!)
        }
        let opened = code < 0 ? code : avcodec_open2(context, codec, nil)
        guard opened >= 0 else {
            avcodec_free_context(&context)
            throw MediaError(
                .decoderUnsupported,
                "Opening a decoder for \(name) of \(parameters.streamName) failed: "
                    + "\(FFmpegError(call: "avcodec_open2", code: opened).reason); this profile of the codec may not be supported."
            )
        }
        self.context = context!
        self.parameters = parameters
        frame = allocated(av_frame_alloc(), "a frame")
        packet = allocated(av_packet_alloc(), "a packet")
    }

    deinit {
        var (context, frame, packet):
            (
                UnsafeMutablePointer<AVCodecContext>?, UnsafeMutablePointer<AVFrame>?, UnsafeMutablePointer<AVPacket>?
            ) = (context, frame, packet)
        avcodec_free_context(&context)
        av_frame_free(&frame)
        av_packet_free(&packet)
    }

    /// Sends a sample, or with nil the end of the stream, and passes every resulting frame to `body`.
    ///
    /// - Throws: `internal` when memory is exhausted, or hardware fails. Damage in a sample is not an error of other decoders.
    func decode(_ sample: EncodedSample?, _ body: (UnsafeMutablePointer<AVFrame>) throws(MediaError) -> Void) throws(MediaError) {
        if let sample { try reference(sample) }
        defer { av_packet_unref(packet) }
        while true {
            let sent = avcodec_send_packet(context, sample == nil ? nil : packet)
            try check(sent)
            let count = try receive(body)
            // "Again" means that frames had to be received first; now they have been.
            if sent != marquee_averror_again { return }
            if isHardware, count == 0 { throw hardwareFailure("it takes no sample and gives no picture") }
        }
    }

    /// - Returns: the number of frames.
    private func receive(_ body: (UnsafeMutablePointer<AVFrame>) throws(MediaError) -> Void) throws(MediaError) -> Int {
        var count = 0
        while true {
            let code = avcodec_receive_frame(context, frame)
            try check(code)
            if code == marquee_averror_again || code == marquee_averror_eof { return count }
            guard code >= 0 else { continue }
            defer { av_frame_unref(frame) }
            try body(frame)
            count += 1
        }
    }

    private func check(_ code: Int32) throws(MediaError) {
        if code >= 0 || code == marquee_averror_again || code == marquee_averror_eof { return }
        if isHardware { throw hardwareFailure(FFmpegError(call: "libavcodec", code: code).reason) }
        guard code == marquee_averror_memory else { return }
        throw MediaError(
            .internal,
            "Decoding \(parameters.codecName) of \(parameters.streamName) failed: out of memory; restart the box.")
    }

    private func hardwareFailure(_ reason: String) -> MediaError {
        MediaError(
            .internal,
            "Decoding \(parameters.codecName) of \(parameters.streamName) in hardware failed: \(reason); it is decoded in software."
        )
    }

    private func reference(_ sample: EncodedSample) throws(MediaError) {
        guard let payload = sample.payload as? Packet else { preconditionFailure("a sample of another module") }
        do {
            try payload.reference(into: packet)
        } catch {
            throw MediaError(
                .internal, "Sending a sample of \(parameters.streamName) to its decoder failed: \(error.reason); restart the box."
            )
        }
        let key = sample.presentationTime.nanoseconds
        packet.pointee.pts = key
        packet.pointee.dts = sample.decodeTime.nanoseconds
        packet.pointee.duration = sample.duration?.nanoseconds ?? 0
        packet.pointee.time_base = Self.timeBase
        // libavcodec carries the flag through reordering and its threads, and discards the picture.
        if sample.doesNotDisplay { packet.pointee.flags |= AV_PKT_FLAG_DISCARD }
        let stamp = Stamp(
            time: sample.presentationTime, duration: sample.duration, run: sample.run,
            isOfDecodingOrder: sample.isStampedInDecodingOrder)
        if stamp.isOfDecodingOrder { presentation.take(stamp.time) }
        if stamps.updateValue(stamp, forKey: key) == nil { order.append(key) }
        if order.count > Self.mostStamps {
            for old in order.prefix(Self.mostStamps / 2) { stamps[old] = nil }
            order.removeFirst(Self.mostStamps / 2)
        }
    }

    /// The exact time of a decoded frame; nil when it has none. Called once for each frame.
    func stamp(of frame: UnsafeMutablePointer<AVFrame>) -> Stamp? {
        let best = frame.pointee.best_effort_timestamp
        for key in [frame.pointee.pts, best] where key != marquee_no_pts {
            guard var stamp = stamps[key] else { continue }
            if stamp.isOfDecodingOrder {
                stamp.time = presentation.give(stamp.time, delay: Int(context.pointee.has_b_frames)) ?? stamp.time
            }
            return stamp
        }
        return MediaTime(stamp: best, timeBase: Self.timeBase).map { Stamp(time: $0, duration: nil, run: lastRun) }
    }

    private var lastRun: Int { newest?.run ?? 0 }

    /// The facts about the sample that was sent last.
    var newest: Stamp? { order.last.flatMap { stamps[$0] } }

    /// Drops all pending data; also makes a drained decoder usable again.
    func flush() {
        avcodec_flush_buffers(context)
        stamps.removeAll(keepingCapacity: true)
        order.removeAll(keepingCapacity: true)
        presentation.removeAll()
    }
}
