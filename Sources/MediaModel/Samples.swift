import MediaTime

/// The number of a track within its asset: stable while the asset is open.
package struct TrackID: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let number: Int

    package init(_ number: Int) { self.number = number }

    package static func < (left: TrackID, right: TrackID) -> Bool { left.number < right.number }

    package var description: String { "\(number)" }
}

/// The media type of a track; AVFoundation's `AVMediaType`.
package enum MediaType: String, Sendable, Hashable, CaseIterable {
    case video
    case audio
    /// Captions as text.
    case text
    /// Captions as images, closed captions inside video.
    case subtitle
    /// Timed metadata.
    case metadata
}

/// The codec parameters of a track, opaque to other modules: the codec library's own description.
package protocol CodecParameters: AnyObject, Sendable {
    /// FFmpeg's name of the codec, e.g. `h264`.
    var codecName: String { get }
    /// Whether a decoder opened with these can continue with the others: same codec, profile, size and side data.
    func canContinue(as other: any CodecParameters) -> Bool
    /// The container's data for the codec (Matroska's CodecPrivate, MP4's sample entry), e.g. the header of a caption script.
    var privateData: [UInt8] { get }
}

extension CodecParameters {
    package var privateData: [UInt8] { [] }
}

/// A track as described by a source; the counterpart of `AVAssetTrack` and its format descriptions.
package struct TrackDescription: Sendable {
    package var id: TrackID
    package var type: MediaType
    /// BCP 47, if known.
    package var languageTag: String?
    /// The display name.
    package var name: String?
    /// FFmpeg's name of the codec, e.g. `h264`, `aac`.
    package var codec: String
    /// Coded size in pixels (video).
    package var width: Int?
    /// Coded size in pixels (video).
    package var height: Int?
    /// Nominal frames per second (video).
    package var frameRate: Ratio?
    /// The high dynamic range that its container or playlist states (video); nil: a standard one.
    package var highRange: HighDynamicRange?
    /// Samples per second (audio).
    package var sampleRate: Int?
    /// Channels (audio).
    package var channels: Int?
    /// Bits per second, if stated.
    package var bitRate: Int?
    /// Whether the container marks it as the default.
    package var isDefault: Bool
    /// Whether it is shown even when captions are off.
    package var isForced = false
    /// Media characteristics with HLS's names, e.g. `public.accessibility.describes-video`.
    package var characteristics: [String]
    /// Parameters for a decoder; nil until the first bytes have been read (HLS) or when there is nothing to decode.
    package var parameters: (any CodecParameters)?
    /// Whether it may be selected automatically (AUTOSELECT).
    package var isAutoselect = true
    /// Whether it is mixed with another sound instead of replacing it: a description that contains only the describing voice (EN
    /// 300 468, supplementary audio, mix_type 0).
    package var isDependent = false
    /// A second language (ASSOC-LANGUAGE), BCP 47.
    package var associatedLanguageTag: String?

    /// The prefix of the codec of closed captions inside the pictures; the channel (`CC1`, `SERVICE1`) follows.
    package static let closedCaptionPrefix = "cc:"
    /// The codec name of closed captions inside the pictures.
    package static func closedCaptionCodec(_ channel: String) -> String { closedCaptionPrefix + channel }

    package init(
        id: TrackID, type: MediaType, languageTag: String? = nil, name: String? = nil, codec: String, isDefault: Bool = false,
        characteristics: [String] = []
    ) {
        self.id = id
        self.type = type
        self.languageTag = languageTag
        self.name = name
        self.codec = codec
        self.isDefault = isDefault
        self.characteristics = characteristics
    }
}

/// The bytes of one encoded sample in the codec library's own packet. Immutable.
package protocol SamplePayload: AnyObject, Sendable {
    var byteCount: Int { get }
    /// Lends the bytes.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result
    /// The id and settings stored next to a WebVTT cue in Matroska.
    var cueIdentifier: (id: String, settings: String) { get }
}

extension SamplePayload {
    package var cueIdentifier: (id: String, settings: String) { ("", "") }
}

/// A volume that depends on the time of the sound.
package protocol SoundGain: Sendable {
    /// Multiplies each sample by the volume at its time. Worker threads only.
    func apply(to buffer: inout AudioBuffer)
}

/// One encoded sample (a picture, a stretch of sound, a cue) on the asset's timeline.
package struct EncodedSample: Sendable {
    package var track: TrackID
    /// When it is presented: asset time, or the stream's own time before the source has mapped it.
    package var presentationTime: MediaTime
    package var decodeTime: MediaTime
    /// Its duration, if the container states it.
    package var duration: MediaTime?
    /// Whether decoding can start here.
    package var isSync: Bool
    package var payload: any SamplePayload
    /// The parameters from this sample on; the same object as long as nothing changes.
    package var parameters: any CodecParameters
    /// Samples of one run share a mapping from stream time to asset time; the number increases by one at each discontinuity.
    package var run: Int
    /// Whether it is decoded only as a reference, and its picture is not output: kCMSampleAttachmentKey_DoNotDisplay.
    package var doesNotDisplay = false
    /// Whether `presentationTime` is only its place in decoding order, because the container states no other: its picture gets a time when it leaves
    /// the decoder.
    package var isStampedInDecodingOrder = false
    /// The part of the timeline in which what is decoded from it is presented: pictures and sound outside are cut off. The decoder is drained before a
    /// sample with another range. Nil for all of it.
    package var presentedRange: TimeRange?
    /// How loud its sound is within `presentedRange`; nil for full volume.
    package var gain: (any SoundGain)?

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

/// One decoded picture on the asset's timeline.
package struct VideoFrame: Sendable {
    package var pixels: PixelBuffer
    /// Asset time at which it is first shown.
    package var time: MediaTime
    package var duration: MediaTime
    /// That of `pixels`.
    package var colour: ColourDescription
    /// That of the programme: differs from `colour` when the pixels were converted for the screen.
    package var original: ColourDescription
    /// The sample aspect ratio: width over height.
    package var sampleAspect: Ratio
    /// Clockwise quarter turns that make it upright: 0…3.
    package var quarterTurns: Int
    /// Whether it consists of two fields from different times, and no deinterlacer took such a picture.
    package var isInterlaced: Bool
    /// Closed captions carried with it: `cc_data_pkt`s of ATSC A/53 (three bytes each); usually empty.
    package var closedCaptions: [UInt8] = []
    /// Its place on a black canvas; nil: it is shown whole.
    package var placement: PicturePlacement?

    package init(
        pixels: PixelBuffer, time: MediaTime, duration: MediaTime, colour: ColourDescription, sampleAspect: Ratio = .one,
        quarterTurns: Int = 0, isInterlaced: Bool = false
    ) {
        self.pixels = pixels
        self.time = time
        self.duration = duration
        self.colour = colour
        original = colour
        self.sampleAspect = sampleAspect
        self.quarterTurns = quarterTurns
        self.isInterlaced = isInterlaced
    }

    /// How far its pixels have to be turned to be upright.
    package var rotation: DisplayRotation { DisplayRotation(quarterTurns: quarterTurns) }
    /// First asset time after the frame.
    package var end: MediaTime { time + duration }

    /// What time stamps may be off by: containers round them to milliseconds.
    private static let coarseness = MediaTime.milliseconds(2)

    /// The part of the frame within a range; nil if there is none, or if there is so little that it comes from coarse time stamps.
    package func clipped(to range: TimeRange) -> VideoFrame? {
        guard time < range.start || end > range.end else { return self }
        let (start, end) = (max(time, range.start), min(end, range.end))
        guard end - start > min(Self.coarseness, duration / 4) else { return nil }
        var frame = self
        frame.time = start
        frame.duration = end - start
        return frame
    }

    /// The size of what is shown, in pixels: that of the canvas, if the picture has a place on one.
    package var shownSize: (width: Int, height: Int) {
        placement.map { ($0.width, $0.height) } ?? (pixels.width, pixels.height)
    }
}

/// The format of decoded sound: always interleaved 32-bit floating point samples, full scale ±1.
package struct AudioFormat: Sendable, Hashable {
    /// Frames per second.
    package var sampleRate: Int
    /// Samples per frame, in the order of WAVE (FL FR FC LFE BL BR SL SR).
    package var channels: Int

    package init(sampleRate: Int, channels: Int) {
        self.sampleRate = sampleRate
        self.channels = channels
    }
}

/// Decoded sound on the asset's timeline.
package struct AudioBuffer: Sendable {
    package var format: AudioFormat
    /// `frameCount * format.channels` interleaved samples.
    package var samples: [Float]
    /// Asset time of the first frame.
    package var time: MediaTime
    /// Whether it is silence in place of sound that cannot be decoded.
    package var isStandIn = false

    package init(format: AudioFormat, samples: [Float], time: MediaTime) {
        self.format = format
        self.samples = samples
        self.time = time
    }

    /// Frames in the buffer.
    package var frameCount: Int { samples.count / max(format.channels, 1) }
    package var duration: MediaTime { MediaTime(Int64(frameCount), Int32(format.sampleRate)) }
    /// First asset time after it.
    package var end: MediaTime { time + duration }

    /// The samples within a range. Their places are counted in whole samples from time zero, so that the sound of one range and of the next, whatever its
    /// source, meet without a missing and without an extra sample. Nil if there are none.
    package func clipped(to range: TimeRange) -> AudioBuffer? {
        guard let rate = Int32(exactly: format.sampleRate), rate > 0, rate < .max / 2 else { return self }
        let halfSample = MediaTime(1, 2 * rate)
        func place(_ time: MediaTime) -> Int64 { (time + halfSample).unitsRoundedDown(of: rate) }
        let first = place(time)
        let wanted =
            max(first, place(range.start))..<max(first, place(range.start), min(first + Int64(frameCount), place(range.end)))
        guard !wanted.isEmpty else { return nil }
        let part = Int(wanted.lowerBound - first) * format.channels..<Int(wanted.upperBound - first) * format.channels
        return AudioBuffer(format: format, samples: Array(samples[part]), time: MediaTime(wanted.lowerBound, rate))
    }
}
