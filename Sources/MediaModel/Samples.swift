import MediaTime

/// The number of a track within its asset: stable while the asset is open.
package struct TrackID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number itself.
    package let number: Int

    package init(_ number: Int) { self.number = number }

    package static func < (left: TrackID, right: TrackID) -> Bool { left.number < right.number }

    package var description: String { "\(number)" }
}

/// What a track carries; AVFoundation's `AVMediaType`.
package enum MediaType: String, Sendable, Hashable, CaseIterable {
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
package protocol CodecParameters: AnyObject, Sendable {
    /// The codec's name in FFmpeg's words, e.g. `h264`.
    var codecName: String { get }
    /// Whether a decoder opened for these can go on with those: same codec, profile, size and side data.
    func canContinue(as other: any CodecParameters) -> Bool
    /// What the container keeps for the codec (Matroska's CodecPrivate, MP4's sample entry), e.g. the head of a script of captions.
    var privateData: [UInt8] { get }
}

extension CodecParameters {
    package var privateData: [UInt8] { [] }
}

/// A track as a source describes it; what AVFoundation tells of an `AVAssetTrack` and its format descriptions.
package struct TrackDescription: Sendable {
    /// Its number.
    package var id: TrackID
    /// What it carries.
    package var type: MediaType
    /// BCP 47, when known.
    package var languageTag: String?
    /// The name that a person gave it.
    package var name: String?
    /// The codec in FFmpeg's words, e.g. `h264`, `aac`.
    package var codec: String
    /// Coded size in pixels (video).
    package var width: Int?
    /// Coded size in pixels (video).
    package var height: Int?
    /// Nominal pictures a second (video).
    package var frameRate: Ratio?
    /// Samples a second (audio).
    package var sampleRate: Int?
    /// Channels (audio).
    package var channels: Int?
    /// Bits a second, when stated.
    package var bitRate: Int?
    /// Whether the container marks it as the one to play without a choice.
    package var isDefault: Bool
    /// Whether it is to be shown even when captions are off.
    package var isForced: Bool
    /// Media characteristics in HLS's words, e.g. `public.accessibility.describes-video`.
    package var characteristics: [String]
    /// What a decoder must know; nil until the first bytes have been read (HLS) or where there is nothing to decode.
    package var parameters: (any CodecParameters)?
    /// Whether it may be chosen for a viewer who has not asked for it (AUTOSELECT).
    package var isAutoselect = true
    /// Whether it is to be heard together with another sound and not in its place: a description of which there is nothing but the describing voice
    /// (EN 300 468, supplementary audio, mix_type 0).
    package var isDependent = false
    /// A second language that it serves (ASSOC-LANGUAGE), BCP 47.
    package var associatedLanguageTag: String?

    /// What the codec of a track of closed captions inside the pictures begins with; its channel (`CC1`, `SERVICE1`) follows.
    package static let closedCaptionPrefix = "cc:"
    /// The codec by which closed captions inside the pictures are described.
    package static func closedCaptionCodec(_ channel: String) -> String { closedCaptionPrefix + channel }

    /// Describes a track.
    package init(
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
package protocol SamplePayload: AnyObject, Sendable {
    /// How many bytes there are.
    var byteCount: Int { get }
    /// Lends the bytes.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result
    /// What travels beside a WebVTT cue of Matroska: its id and its settings.
    var cueIdentifier: (id: String, settings: String) { get }
}

extension SamplePayload {
    package var cueIdentifier: (id: String, settings: String) { ("", "") }
}

/// One encoded sample (a picture, a stretch of sound, a cue) on the asset's timeline.
package struct EncodedSample: Sendable {
    /// The track it belongs to.
    package var track: TrackID
    /// When it is presented: asset time, or the stream's own time where the source has not mapped it yet.
    package var presentationTime: MediaTime
    /// When it is decoded.
    package var decodeTime: MediaTime
    /// How long it lasts, when the container says.
    package var duration: MediaTime?
    /// Whether decoding can start here.
    package var isSync: Bool
    /// Its bytes.
    package var payload: any SamplePayload
    /// The parameters in force from this sample on; the same object as long as nothing changes.
    package var parameters: any CodecParameters
    /// Samples of one run share a mapping from stream time to asset time; the number grows by one at each discontinuity.
    package var run: Int
    /// Whether it is decoded for the sake of those behind it only, and its picture not given out: kCMSampleAttachmentKey_DoNotDisplay.
    package var doesNotDisplay = false

    package init(
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
package struct ColourDescription: Sendable, Hashable {
    /// The matrix from luma and chroma to RGB.
    package enum Matrix: String, Sendable, Hashable { case bt601, bt709, bt2020 }
    /// Which matrix.
    package var matrix: Matrix
    /// Whether all code values are used; otherwise 16…235.
    package var isFullRange: Bool

    /// Describes colours.
    package init(matrix: Matrix, isFullRange: Bool) {
        self.matrix = matrix
        self.isFullRange = isFullRange
    }
}

/// One decoded picture on the asset's timeline.
package struct VideoFrame: Sendable {
    /// The picture.
    package var pixels: PixelBuffer
    /// Asset time at which it is first shown.
    package var time: MediaTime
    /// How long it is shown.
    package var duration: MediaTime
    /// Its colours.
    package var colour: ColourDescription
    /// Width of a sample over its height.
    package var sampleAspect: Ratio
    /// Clockwise quarter turns to show it upright: 0…3.
    package var quarterTurns: Int
    /// Whether it consists of two fields taken at different moments.
    package var isInterlaced: Bool
    /// Closed captions that travelled with it: `cc_data_pkt`s of ATSC A/53 (three bytes each); empty for most.
    package var closedCaptions: [UInt8] = []

    package init(
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
    package var end: MediaTime { time + duration }
}

/// How sound is laid out: always interleaved 32-bit floating point samples, full scale ±1.
package struct AudioFormat: Sendable, Hashable {
    /// Frames a second.
    package var sampleRate: Int
    /// Samples a frame, in the order of WAVE (FL FR FC LFE BL BR SL SR).
    package var channels: Int

    /// Describes sound.
    package init(sampleRate: Int, channels: Int) {
        self.sampleRate = sampleRate
        self.channels = channels
    }
}

/// A stretch of decoded sound on the asset's timeline.
package struct AudioBuffer: Sendable {
    /// How it is laid out.
    package var format: AudioFormat
    /// `frameCount * format.channels` interleaved samples.
    package var samples: [Float]
    /// Asset time of the first frame.
    package var time: MediaTime

    package init(format: AudioFormat, samples: [Float], time: MediaTime) {
        self.format = format
        self.samples = samples
        self.time = time
    }

    /// Frames in the buffer.
    package var frameCount: Int { samples.count / max(format.channels, 1) }
    /// How long it lasts.
    package var duration: MediaTime { MediaTime(Int64(frameCount), Int32(format.sampleRate)) }
    /// First asset time after it.
    package var end: MediaTime { time + duration }
}
