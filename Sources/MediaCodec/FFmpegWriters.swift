import CFFmpeg
import MediaModel
import MediaTime

/// FFmpeg behind `WriterFactory`. The FFmpeg of the machine decides what there is: the box's has a muxer and no encoders. It has no state. Any thread.
package final class FFmpegWriters: WriterFactory {
    /// Makes a factory.
    package init() { av_log_set_level(AV_LOG_QUIET) }

    package func canWrite(_ container: WrittenContainer) -> Bool { Muxer.format != nil }

    package func canEncode(_ format: EncodedFormat) -> Bool { Encoder.codec(format) != nil }

    package func refusal(of parameters: any CodecParameters, in container: WrittenContainer) -> MediaError? {
        Muxer.refusal(of: FFmpegCodecs.own(parameters))
    }

    package func timescale(of parameters: any CodecParameters) -> Int32? {
        let base = FFmpegCodecs.own(parameters).timeBase
        // A unit of several ticks is not a whole number of units per second.
        return base.num == 1 && base.den > 0 ? base.den : nil
    }

    package func format(of parameters: any CodecParameters) -> WrittenFormat {
        let own = FFmpegCodecs.own(parameters)
        var format = WrittenFormat(codecString: CodecString.string(of: own))
        guard own.isVideo else { return format }
        own.withParameters { (format.width, format.height) = (Int($0.pointee.width), Int($0.pointee.height)) }
        format.frameRate = own.frameRate
        return format
    }

    package func textParameters(from source: any CodecParameters) -> any CodecParameters {
        StreamParameters(timedTextIn: FFmpegCodecs.own(source).language)
    }

    package func payload(of bytes: [UInt8]) -> any SamplePayload { Packet(bytes) }

    package func openMuxer(
        _ container: WrittenContainer, tracks: [WrittenTrack], facts: WrittenFacts, output: any ByteOutput
    ) throws(MediaError) -> any Muxing { try Muxer(container, tracks: tracks, facts: facts, output: output) }

    package func openPictureEncoder(_ encoding: VideoEncoding) throws(MediaError) -> any PictureEncoding {
        try PictureEncoder(encoding)
    }

    package func openSoundEncoder(_ encoding: AudioEncoding) throws(MediaError) -> any SoundEncoding {
        try SoundEncoder(encoding)
    }
}
