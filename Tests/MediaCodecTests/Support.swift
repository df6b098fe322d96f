import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import MediaCodec

/// How this module's tests read media.
enum Media {
    static let codecs = FFmpegCodecs(videoThreads: 2)

    /// The concatenated bytes of files, as HLS passes segments to a demuxer.
    static func joined(_ paths: [String]) throws -> [UInt8] {
        try paths.flatMap { path in try #require(fileBytes(path), "\(path) can be read") }
    }

    static func demuxer(_ bytes: [UInt8], name: String = "test", hint: ContainerHint? = nil, isSeekable: Bool = true) throws
        -> any Demuxing
    {
        try codecs.openDemuxer(MemoryByteStream(bytes, name: name, isSeekable: isSeekable), hint: hint)
    }

    static func samples(_ demuxer: any Demuxing) throws -> [EncodedSample] {
        var samples: [EncodedSample] = []
        while let sample = try demuxer.nextSample() { samples.append(sample) }
        return samples
    }

    /// All frames from the samples of one track.
    static func frames(
        _ samples: [EncodedSample], allocator: any FrameAllocator = MemoryAllocator(), codecs: FFmpegCodecs = codecs
    ) throws -> [VideoFrame] {
        let decoder = try codecs.openVideoDecoder(try #require(samples.first).parameters, allocator: allocator)
        return try samples.flatMap { try decoder.decode($0) } + decoder.decode(nil)
    }

    /// All sound from the samples of one track.
    static func sound(
        _ samples: [EncodedSample], output: AudioFormat = AudioFormat(sampleRate: 48000, channels: 2)
    ) throws -> [AudioBuffer] {
        let decoder = try codecs.openAudioDecoder(try #require(samples.first).parameters, output: output, processing: nil)
        return try samples.flatMap { try decoder.decode($0) } + decoder.decode(nil)
    }

    static func track(_ type: MediaType, of demuxer: any Demuxing) throws -> TrackDescription {
        try #require(demuxer.description.tracks.first { $0.type == type })
    }
}
