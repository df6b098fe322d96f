import CFFmpeg
import MediaModel
import MediaTime

/// libavcodec's decoders of bitmap captions. Confined to one thread at a time.
final class BitmapCaptionDecoder: BitmapCaptionDecoding {
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let packet: UnsafeMutablePointer<AVPacket>
    private let video: (width: Int, height: Int)

    /// - Throws: `decoderUnsupported`.
    init(_ parameters: StreamParameters, video: (width: Int, height: Int)) throws(MediaError) {
        let name = parameters.codecName
        guard let codec = parameters.withParameters({ avcodec_find_decoder($0.pointee.codec_id) }) else {
            throw MediaError(
                .decoderUnsupported, "The captions of \(parameters.streamName) are in \(name), for which there is no decoder.")
        }
        var context: UnsafeMutablePointer<AVCodecContext>? = allocated(avcodec_alloc_context3(codec), "a decoder of captions")
        var code = parameters.withParameters { avcodec_parameters_to_context(context, $0) }
        if code >= 0 {
            context!.pointee.pkt_timebase = AVRational(num: 1, den: 1000)
            code = avcodec_open2(context, codec, nil)
        }
        guard code >= 0 else {
            avcodec_free_context(&context)
            throw MediaError(
                .decoderUnsupported,
                "Opening a decoder for the captions (\(name)) of \(parameters.streamName) failed: "
                    + "\(FFmpegError(call: "avcodec_open2", code: code).reason).")
        }
        self.context = context!
        self.video = video
        packet = allocated(av_packet_alloc(), "a packet")
    }

    deinit {
        var (context, packet): (UnsafeMutablePointer<AVCodecContext>?, UnsafeMutablePointer<AVPacket>?) = (context, packet)
        avcodec_free_context(&context)
        av_packet_free(&packet)
    }

    func flush() { avcodec_flush_buffers(context) }

    func decode(_ sample: EncodedSample) -> [BitmapCaption] {
        guard let payload = sample.payload as? Packet, (try? payload.reference(into: packet)) != nil else { return [] }
        defer { av_packet_unref(packet) }
        packet.pointee.pts = sample.presentationTime.milliseconds
        packet.pointee.duration = sample.duration?.milliseconds ?? 0
        var result: [BitmapCaption] = []
        // One packet may hold a page and the start of the next.
        for _ in 0..<16 where packet.pointee.size > 0 {
            var subtitle = AVSubtitle()
            var hasSubtitle: Int32 = 0
            let used = avcodec_decode_subtitle2(context, &subtitle, &hasSubtitle, packet)
            guard used >= 0 else { break }
            if hasSubtitle != 0 {
                result.append(caption(subtitle, of: sample))
                avsubtitle_free(&subtitle)
            }
            guard used > 0, used < packet.pointee.size else { break }
            packet.pointee.data += Int(used)
            packet.pointee.size -= used
        }
        return result
    }

    private func caption(_ subtitle: AVSubtitle, of sample: EncodedSample) -> BitmapCaption {
        var parts: [BitmapCaption.Part] = []
        for index in 0..<Int(subtitle.num_rects) {
            guard let rect = subtitle.rects[index]?.pointee, rect.type == SUBTITLE_BITMAP, rect.w > 0, rect.h > 0,
                let indexes = rect.data.0, let palette = rect.data.1
            else { continue }
            let frame = PixelRect(x: Int(rect.x), y: Int(rect.y), width: Int(rect.w), height: Int(rect.h))
            let colours = palette.withMemoryRebound(to: UInt32.self, capacity: 256) {
                UnsafeBufferPointer(start: $0, count: 256).map(Self.premultiplied)
            }
            var pixels = [UInt8](repeating: 0, count: frame.width * frame.height * 4)
            var isEmpty = true
            for row in 0..<frame.height {
                let line = indexes + row * Int(rect.linesize.0)
                for column in 0..<frame.width {
                    let colour = colours[Int(line[column])]
                    if colour == 0 { continue }
                    isEmpty = false
                    let place = (row * frame.width + column) * 4
                    pixels[place] = UInt8(truncatingIfNeeded: colour)
                    pixels[place + 1] = UInt8(truncatingIfNeeded: colour >> 8)
                    pixels[place + 2] = UInt8(truncatingIfNeeded: colour >> 16)
                    pixels[place + 3] = UInt8(truncatingIfNeeded: colour >> 24)
                }
            }
            if !isEmpty { parts.append(BitmapCaption.Part(pixels: pixels, frame: frame)) }
        }
        let start = sample.presentationTime + .milliseconds(Int64(subtitle.start_display_time))
        // All ones: until the next one.
        let isOpen = subtitle.end_display_time == UInt32.max || subtitle.end_display_time <= subtitle.start_display_time
        let end =
            isOpen
            ? sample.duration.flatMap { $0 > .zero ? sample.presentationTime + $0 : nil }
            : sample.presentationTime + .milliseconds(Int64(subtitle.end_display_time))
        return BitmapCaption(parts: parts, canvas: canvas, start: start, end: end)
    }

    /// The canvas of the pictures: the stream's, otherwise the video's, otherwise standard definition's.
    private var canvas: (width: Int, height: Int) {
        let own = (Int(context.pointee.width), Int(context.pointee.height))
        if own.0 > 0, own.1 > 0 { return own }
        return video.width > 0 && video.height > 0 ? video : (720, 576)
    }

    /// Premultiplies the colours of an ARGB word by A.
    private static func premultiplied(_ colour: UInt32) -> UInt32 {
        let alpha = colour >> 24
        guard alpha < 255 else { return colour }
        guard alpha > 0 else { return 0 }
        func channel(_ shift: UInt32) -> UInt32 { ((colour >> shift & 255) * alpha + 127) / 255 << shift }
        return alpha << 24 | channel(16) | channel(8) | channel(0)
    }
}

extension FFmpegCodecs: BitmapCaptionCodecs {
    package func openBitmapCaptionDecoder(
        _ parameters: any CodecParameters, video: (width: Int, height: Int)
    ) throws(MediaError) -> any BitmapCaptionDecoding {
        try BitmapCaptionDecoder(Self.own(parameters), video: video)
    }
}
