import CFFmpeg
import MediaModel
import MediaTime

/// FFmpeg's encoder of AAC. Sound is cut into its frames; the last one is filled with silence. Confined to one thread.
final class SoundEncoder: SoundEncoding {
    private let encoder: Encoder
    private let format: AudioFormat
    private let frame: UnsafeMutablePointer<AVFrame>
    private var waiting: [Float] = []
    /// The place of the next sample that is encoded.
    private var place: Int64?

    init(_ encoding: AudioEncoding) throws(MediaError) {
        format = encoding.format
        encoder = try Encoder(.aac) { context in
            context.pointee.sample_fmt = AV_SAMPLE_FMT_FLTP
            context.pointee.sample_rate = Int32(clamping: encoding.format.sampleRate)
            context.pointee.bit_rate = Int64(encoding.bitRate)
            context.pointee.time_base = AVRational(num: 1, den: Int32(clamping: encoding.format.sampleRate))
            av_channel_layout_default(&context.pointee.ch_layout, Int32(clamping: encoding.format.channels))
        }
        frame = allocated(av_frame_alloc(), "a frame")
        frame.pointee.format = AV_SAMPLE_FMT_FLTP.rawValue
        frame.pointee.sample_rate = encoder.context.pointee.sample_rate
        frame.pointee.nb_samples = max(encoder.context.pointee.frame_size, 1)
        precondition(
            av_channel_layout_copy(&frame.pointee.ch_layout, &encoder.context.pointee.ch_layout) >= 0
                && av_frame_get_buffer(frame, 0) >= 0, "no memory left for sound")
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
    }

    var parameters: any CodecParameters { encoder.parameters }

    func encode(_ buffer: AudioBuffer?) throws(MediaError) -> [EncodedSample] {
        if let buffer {
            precondition(buffer.format == format, "sound has the format of its encoder")
            if place == nil { place = buffer.time.units(of: Int32(clamping: format.sampleRate)) }
            waiting += buffer.samples
        }
        let size = Int(frame.pointee.nb_samples)
        var samples: [EncodedSample] = []
        var used = 0
        while waiting.count - used * format.channels >= size * format.channels
            || (buffer == nil && used * format.channels < waiting.count)
        {
            let count = min(size, waiting.count / format.channels - used)
            precondition(av_frame_make_writable(frame) >= 0, "no memory left for sound")
            fill(from: used, count, size)
            frame.pointee.pts = place ?? 0
            place = (place ?? 0) + Int64(size)
            samples += try encoder.encode(frame)
            used += count
        }
        waiting.removeFirst(used * format.channels)
        return buffer == nil ? samples + (try encoder.encode(nil)) : samples
    }

    /// Puts interleaved samples into the planes of the frame, and silence after them.
    private func fill(from first: Int, _ count: Int, _ size: Int) {
        for channel in 0..<format.channels {
            guard let plane = frame.pointee.extended_data[channel] else { continue }
            plane.withMemoryRebound(to: Float.self, capacity: size) { target in
                for index in 0..<size {
                    target[index] = index < count ? waiting[(first + index) * format.channels + channel] : 0
                }
            }
        }
    }
}
