import MediaTime

/// Where the bytes of a container that is written go. Used by one worker thread; writing may wait for the disk.
package protocol ByteOutput: AnyObject {
    /// Its name for error messages.
    var name: String { get }
    /// Appends bytes at the current position.
    ///
    /// - Throws: `storage` when they cannot be stored.
    func write(_ bytes: UnsafeRawBufferPointer) throws(MediaError)
    /// Seeks to an absolute offset, to complete what was written before.
    func seek(to offset: Int64) throws(MediaError)
}

/// A container format that can be written.
package enum WrittenContainer: String, Sendable, Hashable, CaseIterable {
    /// One index at the end of the file.
    case mp4
    /// An initialization part without samples, followed by fragments (ISO/IEC 14496-12, 8.8).
    case fragmentedMP4
}

/// A track of a container that is written.
package struct WrittenTrack: Sendable {
    /// What its samples are: of a demuxer, or of an encoder, of the same codec library.
    package var parameters: any CodecParameters
    /// Whether players choose it without another wish.
    package var isDefault: Bool

    package init(parameters: any CodecParameters, isDefault: Bool) {
        self.parameters = parameters
        self.isDefault = isDefault
    }
}

/// What a container that is written says of itself.
package struct WrittenFacts: Sendable {
    /// By FFmpeg's keys; those without a place in the container are left out.
    package var tags: [(key: String, value: String)]
    /// In order, in the time of what is presented. Only plain MP4 has them: the media of their track begin with the first one.
    package var chapters: [ChapterDescription]

    package init(tags: [(key: String, value: String)] = [], chapters: [ChapterDescription] = []) {
        self.tags = tags
        self.chapters = chapters
    }
}

/// Writes samples into a container. Used by one worker thread.
package protocol Muxing: AnyObject {
    /// Appends a sample of the track with this index. The decode times of a track ascend, its first is not negative, and no sample is presented before it is
    /// decoded.
    ///
    /// - Throws: the error of the output, or `sourceFormat` when the container does not take the sample.
    func append(_ sample: EncodedSample, to track: Int) throws(MediaError)
    /// Ends the current fragment: all samples so far are passed to the output. Only for fragmented containers.
    func endFragment() throws(MediaError)
    /// Completes the container. Called once, after the last sample.
    func finish() throws(MediaError)
}

/// How pictures are encoded.
package struct VideoEncoding: Sendable, Hashable {
    /// Even numbers of pixels.
    package var width: Int
    package var height: Int
    /// The sample aspect ratio.
    package var sampleAspect = Ratio.one
    /// Clockwise quarter turns that make the picture upright: 0…3.
    package var quarterTurns = 0
    /// Of the pictures; it is kept.
    package var colour = ColourDescription(matrix: .bt709, isFullRange: false)
    /// Nominal pictures per second, if known.
    package var frameRate: Ratio?
    /// The unit of the times: units per second.
    package var timescale: Int32
    /// The constant quality of libx264 (`crf`): lower is better.
    package var quality = 23
    /// The encoder's preset, of those of libx264.
    package var speed = "medium"
    /// The longest time between two key pictures.
    package var keyInterval = MediaTime.seconds(2)

    package init(width: Int, height: Int, frameRate: Ratio?, timescale: Int32) {
        self.width = width
        self.height = height
        self.frameRate = frameRate
        self.timescale = timescale
    }
}

/// How sound is encoded.
package struct AudioEncoding: Sendable, Hashable {
    package var format: AudioFormat
    /// Bits per second.
    package var bitRate: Int

    package init(format: AudioFormat, bitRate: Int) {
        self.format = format
        self.bitRate = bitRate
    }
}

/// An encoder of H.264. Used by one worker thread.
package protocol PictureEncoding: AnyObject {
    /// The parameters of its samples.
    var parameters: any CodecParameters { get }
    /// Encodes a picture, scaled to the size of the encoding, or with nil drains the encoder. The times of pictures ascend. Samples come in decoding order.
    func encode(_ frame: VideoFrame?) throws(MediaError) -> [EncodedSample]
}

/// An encoder of AAC. Used by one worker thread.
package protocol SoundEncoding: AnyObject {
    /// The parameters of its samples.
    var parameters: any CodecParameters { get }
    /// Encodes sound that continues the sound before, or with nil drains the encoder. The first sample begins before the first sound, by the delay of the codec.
    func encode(_ buffer: AudioBuffer?) throws(MediaError) -> [EncodedSample]
}

/// What media can be encoded to.
package enum EncodedFormat: String, Sendable, Hashable, CaseIterable {
    case h264
    case aac
}

/// What a playlist states of a track.
package struct WrittenFormat: Sendable, Hashable {
    /// As in RFC 6381; nil for codecs whose string is not known here.
    package var codecString: String?
    /// Pixels, for pictures.
    package var width: Int?
    package var height: Int?
    package var frameRate: Ratio?

    package init(codecString: String?) { self.codecString = codecString }
}

/// Opens muxers and encoders; implemented by `MediaCodec`. What is available depends on the codec library of the machine. Any thread; each opened object is confined to
/// one thread at a time.
package protocol WriterFactory: AnyObject, Sendable {
    /// Whether this machine can write a container.
    func canWrite(_ container: WrittenContainer) -> Bool
    /// Whether this machine has an encoder.
    func canEncode(_ format: EncodedFormat) -> Bool
    /// Why samples cannot be stored in a container as they are; nil if they can.
    func refusal(of parameters: any CodecParameters, in container: WrittenContainer) -> MediaError?
    /// The unit of the times of samples: units per second; nil if unknown.
    func timescale(of parameters: any CodecParameters) -> Int32?
    /// What a playlist states of samples.
    func format(of parameters: any CodecParameters) -> WrittenFormat
    /// The parameters of a track of timed text (`tx3g`).
    ///
    /// - Parameter source: of the captions that become timed text; their language is kept.
    func textParameters(from source: any CodecParameters) -> any CodecParameters
    /// A sample's bytes as muxers take them.
    func payload(of bytes: [UInt8]) -> any SamplePayload
    /// Opens a muxer, which writes the header.
    ///
    /// - Parameter facts: what the container says of itself.
    func openMuxer(
        _ container: WrittenContainer, tracks: [WrittenTrack], facts: WrittenFacts, output: any ByteOutput
    ) throws(MediaError) -> any Muxing
    /// Opens an encoder of H.264.
    ///
    /// - Throws: `decoderUnsupported` when there is none, or it refuses the encoding.
    func openPictureEncoder(_ encoding: VideoEncoding) throws(MediaError) -> any PictureEncoding
    /// Opens an encoder of AAC.
    ///
    /// - Throws: `decoderUnsupported` when there is none, or it refuses the encoding.
    func openSoundEncoder(_ encoding: AudioEncoding) throws(MediaError) -> any SoundEncoding
}
