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
    /// The end, time and run of the last frame, for frames without a timestamp or duration.
    private var last: (end: MediaTime, time: MediaTime, run: Int)?
    /// How long the frames last that were placed behind each other, and not by their timestamps.
    private var counted = MediaTime.zero

    /// A timestamp is stated at least so often (ISO/IEC 13818-1, 2.7.4): those in between may be guessed from a wrong one.
    private static let longestCount = MediaTime.milliseconds(700)

    mutating func facts(of frame: UnsafeMutablePointer<AVFrame>, from codec: CodecContext) -> FrameFacts {
        let parameters = codec.parameters
        let stamp = codec.stamp(of: frame)
        let time = place(stamp)
        let duration = stamp?.duration ?? parameters.frameRate?.period ?? guessedDuration(at: time)
        last = (time + duration, time, stamp?.run ?? last?.run ?? 0)
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

    /// When a frame is shown. A decoder gives frames in the order in which they are shown: one whose timestamp is not after that of the frame before it follows
    /// that frame. In program streams a key picture may have the timestamp of the picture that is stored behind it, from which others are guessed.
    private mutating func place(_ stamp: CodecContext.Stamp?) -> MediaTime {
        guard let stamp else { return last?.end ?? .zero }
        guard let last, last.run == stamp.run, stamp.time <= last.time, last.end - stamp.time <= Self.longestCount,
            counted < Self.longestCount
        else {
            counted = .zero
            return stamp.time
        }
        counted += last.end - last.time
        return last.end
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
