import MediaTime

/// The number of a track within its asset: stable while the asset is open.
public struct TrackID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number itself.
    public let number: Int

    /// Makes a track number.
    public init(_ number: Int) { self.number = number }

    public static func < (left: TrackID, right: TrackID) -> Bool { left.number < right.number }

    public var description: String { "\(number)" }
}

/// What a track carries; AVFoundation's `AVMediaType`.
public enum MediaType: String, Sendable, Hashable, CaseIterable {
    /// Moving pictures.
    case video
    /// Sound.
    case audio
    /// Captions as text.
    case text
    /// Captions as pictures, closed captions inside video.
    case subtitle
    /// Timed metadata.
    case metadata
}

/// What a decoder must know of a track. The codec library's own description travels inside, opaque to everybody else.
public protocol CodecParameters: AnyObject, Sendable {
    /// The codec's name in FFmpeg's words, e.g. `h264`.
    var codecName: String { get }
    /// Whether a decoder opened for these can go on with those: same codec, profile, size and side data.
    func canContinue(as other: any CodecParameters) -> Bool
    /// What the container keeps for the codec (Matroska's CodecPrivate, MP4's sample entry), e.g. the head of a script of captions.
    var privateData: [UInt8] { get }
}

extension CodecParameters {
    public var privateData: [UInt8] { [] }
}

/// A track as a source describes it; what AVFoundation tells of an `AVAssetTrack` and its format descriptions.
public struct TrackDescription: Sendable {
    /// Its number.
    public var id: TrackID
    /// What it carries.
    public var type: MediaType
    /// BCP 47, when known.
    public var languageTag: String?
    /// The name that a person gave it.
    public var name: String?
    /// The codec in FFmpeg's words, e.g. `h264`, `aac`.
    public var codec: String
    /// Coded size in pixels (video).
    public var width: Int?
    /// Coded size in pixels (video).
    public var height: Int?
    /// Nominal pictures a second (video).
    public var frameRate: Ratio?
    /// Samples a second (audio).
    public var sampleRate: Int?
    /// Channels (audio).
    public var channels: Int?
    /// Bits a second, when stated.
    public var bitRate: Int?
    /// Whether the container marks it as the one to play without a choice.
    public var isDefault: Bool
    /// Whether it is to be shown even when captions are off.
    public var isForced: Bool
    /// Media characteristics in HLS's words, e.g. `public.accessibility.describes-video`.
    public var characteristics: [String]
    /// What a decoder must know; nil until the first bytes have been read (HLS) or where there is nothing to decode.
    public var parameters: (any CodecParameters)?
    /// Whether it may be chosen for a viewer who has not asked for it (AUTOSELECT).
    public var isAutoselect = true
    /// Whether it is to be heard together with another sound and not in its place: a description of which there is nothing but the describing voice
    /// (EN 300 468, supplementary audio, mix_type 0).
    public var isDependent = false
    /// A second language that it serves (ASSOC-LANGUAGE), BCP 47.
    public var associatedLanguageTag: String?

    /// What the codec of a track of closed captions inside the pictures begins with; its channel (`CC1`, `SERVICE1`) follows.
    public static let closedCaptionPrefix = "cc:"
    /// The codec by which closed captions inside the pictures are described.
    public static func closedCaptionCodec(_ channel: String) -> String { closedCaptionPrefix + channel }

    /// Describes a track.
    public init(
        id: TrackID, type: MediaType, languageTag: String? = nil, name: String? = nil, codec: String, width: Int? = nil,
        height: Int? = nil, frameRate: Ratio? = nil, sampleRate: Int? = nil, channels: Int? = nil, bitRate: Int? = nil,
        isDefault: Bool = false, isForced: Bool = false, characteristics: [String] = [], parameters: (any CodecParameters)? = nil
    ) {
        self.id = id
        self.type = type
        self.languageTag = languageTag
        self.name = name
        self.codec = codec
        self.width = width
        self.height = height
        self.frameRate = frameRate
        self.sampleRate = sampleRate
        self.channels = channels
        self.bitRate = bitRate
        self.isDefault = isDefault
        self.isForced = isForced
        self.characteristics = characteristics
        self.parameters = parameters
    }
}

/// The bytes of one encoded sample in the codec library's own packet. Never changed once made.
public protocol SamplePayload: AnyObject, Sendable {
    /// How many bytes there are.
    var byteCount: Int { get }
    /// Lends the bytes.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result
    /// What travels beside a WebVTT cue of Matroska: its id and its settings.
    var cueIdentifier: (id: String, settings: String) { get }
}

extension SamplePayload {
    public var cueIdentifier: (id: String, settings: String) { ("", "") }
}

/// One encoded sample (a picture, a stretch of sound, a cue) on the asset's timeline.
public struct EncodedSample: Sendable {
    /// The track it belongs to.
    public var track: TrackID
    /// When it is presented: asset time, or the stream's own time where the source has not mapped it yet.
    public var presentationTime: MediaTime
    /// When it is decoded.
    public var decodeTime: MediaTime
    /// How long it lasts, when the container says.
    public var duration: MediaTime?
    /// Whether decoding can start here.
    public var isSync: Bool
    /// Its bytes.
    public var payload: any SamplePayload
    /// The parameters in force from this sample on; the same object as long as nothing changes.
    public var parameters: any CodecParameters
    /// Samples of one run share a mapping from stream time to asset time; the number grows by one at each discontinuity.
    public var run: Int
    /// Whether it is decoded for the sake of those behind it only, and its picture not given out: kCMSampleAttachmentKey_DoNotDisplay.
    public var doesNotDisplay = false

    /// Makes a sample.
    public init(
        track: TrackID, presentationTime: MediaTime, decodeTime: MediaTime, duration: MediaTime?, isSync: Bool,
        payload: any SamplePayload, parameters: any CodecParameters, run: Int = 0
    ) {
        self.track = track
        self.presentationTime = presentationTime
        self.decodeTime = decodeTime
        self.duration = duration
        self.isSync = isSync
        self.payload = payload
        self.parameters = parameters
        self.run = run
    }
}

/// The colours of a picture as its stream states them.
public struct ColourDescription: Sendable, Hashable {
    /// The matrix from luma and chroma to RGB.
    public enum Matrix: String, Sendable, Hashable { case bt601, bt709, bt2020 }
    /// Which matrix.
    public var matrix: Matrix
    /// Whether all code values are used; otherwise 16…235.
    public var isFullRange: Bool

    /// Describes colours.
    public init(matrix: Matrix, isFullRange: Bool) {
        self.matrix = matrix
        self.isFullRange = isFullRange
    }
}

/// One decoded picture on the asset's timeline.
public struct VideoFrame: Sendable {
    /// The picture.
    public var pixels: PixelBuffer
    /// Asset time at which it is first shown.
    public var time: MediaTime
    /// How long it is shown.
    public var duration: MediaTime
    /// Its colours.
    public var colour: ColourDescription
    /// Width of a sample over its height.
    public var sampleAspect: Ratio
    /// Clockwise quarter turns to show it upright: 0…3.
    public var quarterTurns: Int
    /// Whether it consists of two fields taken at different moments.
    public var isInterlaced: Bool
    /// Closed captions that travelled with it: `cc_data_pkt`s of ATSC A/53 (three bytes each); empty for most.
    public var closedCaptions: [UInt8] = []

    /// Makes a frame.
    public init(
        pixels: PixelBuffer, time: MediaTime, duration: MediaTime, colour: ColourDescription, sampleAspect: Ratio = .one,
        quarterTurns: Int = 0, isInterlaced: Bool = false
    ) {
        self.pixels = pixels
        self.time = time
        self.duration = duration
        self.colour = colour
        self.sampleAspect = sampleAspect
        self.quarterTurns = quarterTurns
        self.isInterlaced = isInterlaced
    }

    /// First asset time after the frame.
    public var end: MediaTime { time + duration }
}

/// How sound is laid out: always interleaved 32-bit floating point samples, full scale ±1.
public struct AudioFormat: Sendable, Hashable {
    /// Frames a second.
    public var sampleRate: Int
    /// Samples a frame, in the order of WAVE (FL FR FC LFE BL BR SL SR).
    public var channels: Int

    /// Describes sound.
    public init(sampleRate: Int, channels: Int) {
        self.sampleRate = sampleRate
        self.channels = channels
    }
}

/// A stretch of decoded sound on the asset's timeline.
public struct AudioBuffer: Sendable {
    /// How it is laid out.
    public var format: AudioFormat
    /// `frameCount * format.channels` interleaved samples.
    public var samples: [Float]
    /// Asset time of the first frame.
    public var time: MediaTime

    /// Makes a buffer.
    public init(format: AudioFormat, samples: [Float], time: MediaTime) {
        self.format = format
        self.samples = samples
        self.time = time
    }

    /// Frames in the buffer.
    public var frameCount: Int { samples.count / max(format.channels, 1) }
    /// How long it lasts.
    public var duration: MediaTime { MediaTime(Int64(frameCount), Int32(format.sampleRate)) }
    /// First asset time after it.
    public var end: MediaTime { time + duration }
}
