import CFFmpeg
import MediaModel
import MediaTime

/// What is known of a decoded picture besides its pixels.
struct FrameFacts {
    var time: MediaTime
    var duration: MediaTime
    var colour: ColourDescription
    var sampleAspect: Ratio
    var isInterlaced: Bool
    var closedCaptions: [UInt8]
}

/// Reads the facts of decoded pictures, in the order of the decoder. A value.
struct FrameFactsReader {
    /// The end and time of the last frame, for frames without a timestamp or duration.
    private var last: (end: MediaTime, time: MediaTime)?

    mutating func facts(of frame: UnsafeMutablePointer<AVFrame>, from codec: CodecContext) -> FrameFacts {
        let parameters = codec.parameters
        let stamp = codec.stamp(of: frame)
        let time = stamp?.time ?? last?.end ?? .zero
        let duration = stamp?.duration ?? parameters.frameRate?.period ?? guessedDuration(at: time)
        last = (time + duration, time)
        let captions = av_frame_get_side_data(frame, AV_FRAME_DATA_A53_CC).map {
            Array(UnsafeBufferPointer(start: $0.pointee.data, count: Int($0.pointee.size)))
        }
        return FrameFacts(
            time: time, duration: duration,
            colour: parameters.withParameters { ColourDescription(frame, $0, light: parameters.light) },
            sampleAspect: parameters.statedAspect ?? Ratio(positive: frame.pointee.sample_aspect_ratio)
                ?? parameters.sampleAspect ?? .one,
            isInterlaced: marquee_frame_is_interlaced(frame) != 0, closedCaptions: captions ?? [])
    }

    /// The time since the previous frame, within limits; 1/25 s for the first.
    private func guessedDuration(at time: MediaTime) -> MediaTime {
        guard let last, time > last.time, time - last.time <= .seconds(1) else { return MediaTime(1, 25) }
        return time - last.time
    }
}

extension VideoFrame {
    /// A picture as its stream has it.
    init(pixels: PixelBuffer, _ facts: FrameFacts, quarterTurns: Int) {
        self.init(
            pixels: pixels, time: facts.time, duration: facts.duration, colour: facts.colour, sampleAspect: facts.sampleAspect,
            quarterTurns: quarterTurns, isInterlaced: facts.isInterlaced)
        closedCaptions = facts.closedCaptions
    }
}
