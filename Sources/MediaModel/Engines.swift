import LinuxSupport
import MediaTime

/// Bytes in order, read by one thread: a file, a ranged download, the consecutive segments of a rendition.
package protocol ByteStream: AnyObject, Sendable {
    /// Its name for error messages: a path or URL without secrets.
    var name: String { get }
    /// The length in bytes, if known and `seek` works; nil for a forward-only stream.
    var length: Int64? { get }
    /// Reads at most `buffer.count` bytes, waiting for them if necessary. Worker threads only.
    ///
    /// - Returns: how many bytes were read; 0 at the end, or once cancelled.
    /// - Throws: `MediaError` when reading fails.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int
    /// Seeks to an absolute offset. Only if `length` is known.
    func seek(to offset: Int64) throws(MediaError)
    /// Makes a waiting and all later reads return 0. Any thread.
    func cancel()
    /// This stream, if its resource may still be written; otherwise nil.
    var recorded: (any RecordedByteStream)? { get }
    /// This stream, if it may name what it plays; otherwise nil.
    var titled: (any TitledByteStream)? { get }
}

extension ByteStream {
    package var recorded: (any RecordedByteStream)? { nil }
    package var titled: (any TitledByteStream)? { nil }

    /// Reads from the current position until there are `count` bytes, or the stream ends. Worker threads only.
    ///
    /// - Returns: fewer bytes at the end, or once cancelled.
    /// - Throws: as `read(into:)`.
    package func read(count: Int) throws(MediaError) -> [UInt8] {
        var failure: MediaError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(MediaError) {
                while filled < count {
                    let part = try read(
                        into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...]))
                    if part == 0 { break }
                    filled += part
                }
            } catch { failure = error }
        }
        if let failure { throw failure }
        return bytes
    }
}

/// A stream of a resource that may still be written while it is read: reads beyond `length` return what was added since.
package protocol RecordedByteStream: ByteStream {
    /// Whether it was written to recently, so that it may grow. Worker threads only.
    var isBeingWritten: Bool { get }
    /// Hints that only a few bytes here and there will be read: disables read-ahead.
    func readLittle()
}

extension RecordedByteStream {
    package var recorded: (any RecordedByteStream)? { self }

    /// Files need no hint: read-ahead from disk is free.
    package func readLittle() {}
}

/// A stream that may be a radio station, which names what it plays.
package protocol TitledByteStream: ByteStream {
    /// The title at the byte that is read next, as the station writes it; nil before the first. Any thread.
    var currentTitle: String? { get }
}

extension TitledByteStream {
    package var titled: (any TitledByteStream)? { self }
}

/// What a container states before its samples are read.
package struct ContainerDescription: Sendable {
    /// FFmpeg's name of the container, e.g. `mov,mp4,m4a,3gp,3g2,mj2`.
    package var format: String
    /// The tracks in the order of the file.
    package var tracks: [TrackDescription]
    /// The duration, if the container states it.
    package var duration: MediaTime?
    /// The smallest presentation time in the file's own timeline.
    package var startTime: MediaTime
    /// Tags by key as in the container (title, artist, genre …), sorted by key.
    package var tags: [(key: String, value: String)]
    /// Chapters in order.
    package var chapters: [ChapterDescription]
    /// Cover pictures as stored (JPEG, PNG).
    package var artwork: [[UInt8]]
    /// Whether it is a file with one picture, which has no duration of its own.
    package var isStill = false

    package init(
        format: String, tracks: [TrackDescription], duration: MediaTime?, startTime: MediaTime,
        tags: [(key: String, value: String)] = [], chapters: [ChapterDescription] = [], artwork: [[UInt8]] = []
    ) {
        self.format = format
        self.tracks = tracks
        self.duration = duration
        self.startTime = startTime
        self.tags = tags
        self.chapters = chapters
        self.artwork = artwork
    }
}

/// A chapter as stored in a container.
package struct ChapterDescription: Sendable, Hashable {
    package var range: TimeRange
    package var title: String?

    package init(range: TimeRange, title: String?) {
        self.range = range
        self.title = title
    }
}

/// Reads samples from a byte stream. Used by one worker thread at a time; reading may wait for the byte stream.
package protocol Demuxing: AnyObject {
    var description: ContainerDescription { get }
    /// Whether `seek` works for more than the start of a fresh demuxer; false over a stream that only goes forward.
    var canSeek: Bool { get }
    /// The next sample of any selected track in the order of the file, in the stream's own time; nil at the end.
    func nextSample() throws(MediaError) -> EncodedSample?
    /// Seeks to the last sync sample at or before `time` (stream time) of the first video track, otherwise of the first track.
    func seek(to time: MediaTime) throws(MediaError)
    /// Skips the samples of all other tracks.
    func select(_ tracks: Set<TrackID>)
    /// Tracks may come in the middle of a stream. One in which no earlier track continues is added to the description and offered before its first sample; without
    /// an offer it is skipped.
    ///
    /// - Parameter isWanted: whether its samples are read. Called on the reading thread.
    func offerNewTracks(to isWanted: @escaping (TrackDescription) -> Bool)
    /// Whether the stream says, at the place that was read last, that it has a track.
    func lists(_ track: TrackID) -> Bool
}

/// For containers whose tracks stay the same.
extension Demuxing {
    package func offerNewTracks(to isWanted: @escaping (TrackDescription) -> Bool) {}
    package func lists(_ track: TrackID) -> Bool { true }
}

extension Demuxing {
    package var canSeek: Bool { true }
}

/// The container if it is known before reading.
package enum ContainerHint: String, Sendable, Hashable {
    /// MPEG-2 transport stream.
    case transportStream
    /// Fragmented MP4.
    case fragmentedMP4
    /// Elementary streams of HLS's packed audio.
    case packedAAC, packedMP3, packedAC3, packedEAC3
}

/// Opens demuxers and decoders; implemented by `MediaCodec`.
package protocol CodecFactory: AnyObject, Sendable {
    /// Reads enough of a stream to describe it. Worker threads only.
    ///
    /// - Parameter hint: the container if known, which skips probing; nil detects it from the content.
    /// - Throws: `MediaError` with `sourceFormat` when it is not media, with a description of what was found.
    func openDemuxer(_ stream: any ByteStream, hint: ContainerHint?) throws(MediaError) -> any Demuxing
    /// Opens a decoder. The caller uses it on one thread at a time.
    ///
    /// - Throws: `MediaError` with `decoderUnsupported`.
    func openVideoDecoder(_ parameters: any CodecParameters, allocator: any FrameAllocator) throws(MediaError)
        -> any VideoDecoding
    /// Opens a decoder of the machine's hardware, whose frames are in memory that devices share (`PixelBuffer.surface`). The caller uses it on one thread at
    /// a time.
    ///
    /// - Parameter pool: that of its surfaces.
    /// - Returns: nil when this machine or build has none for the codec.
    /// - Throws: `decoderUnsupported` when there is one that does not open.
    func openHardwareDecoder(_ parameters: any CodecParameters, pool: SurfacePool) throws(MediaError) -> (any VideoDecoding)?
    /// Opens a decoder with the output format `output`, resampled and mixed if necessary.
    ///
    /// - Parameter processing: how its sound is shaped, and where it reports the loudness; nil: the sound is neither shaped nor measured.
    func openAudioDecoder(
        _ parameters: any CodecParameters, output: AudioFormat, processing: SoundProcessing?
    ) throws(MediaError) -> any AudioDecoding
    /// Makes a time stretcher, which changes the speed of sound and keeps its pitch.
    ///
    /// - Parameter rate: 1/2…2.
    /// - Throws: `MediaError` with `decoderUnsupported` when it is not available.
    func makeTimeStretcher(_ format: AudioFormat, rate: Ratio) throws(MediaError) -> any TimeStretching
    /// Whether `makeTimeStretcher` is likely to succeed; checked without loading its library.
    func canStretchTime(_ format: AudioFormat) -> Bool
    /// Checks that decoders can shape sound this way: a decoder plays sound unshaped when they cannot.
    ///
    /// - Throws: `MediaError` with `decoderUnsupported`.
    func checkSoundShaping(_ shaping: SoundShaping) throws(MediaError)
    /// Whether there is a decoder for an RFC 6381 codec string such as `avc1.64001f`; nil when the string is unknown.
    func canDecode(codecString: String) -> Bool?
    /// This factory, if it decodes bitmap captions; otherwise nil.
    var bitmapCaptions: (any BitmapCaptionCodecs)? { get }
}

/// A video decoder, confined to its thread.
package protocol VideoDecoding: AnyObject {
    /// Decodes one sample, or with nil drains the decoder; frames are returned in presentation order.
    ///
    /// - Throws: `MediaError` when the decoder cannot continue. A damaged sample is not an error: it gives fewer frames.
    func decode(_ sample: EncodedSample?) throws(MediaError) -> [VideoFrame]
    /// Resets before a sync sample from another position.
    func flush()
    /// Whether non-reference pictures may be skipped to save time (scanning, catching up).
    var skipsNonReference: Bool { get set }
}

/// An audio decoder, confined to its thread.
package protocol AudioDecoding: AnyObject {
    /// Decodes one sample, or with nil drains the decoder. Buffers are contiguous as long as the samples are.
    func decode(_ sample: EncodedSample?) throws(MediaError) -> [AudioBuffer]
    /// Resets before a sample from another position.
    func flush()
}

/// The position of playback: frame `frame` of the enqueued sound is heard at `hostTime`.
package struct AudioTiming: Sendable, Hashable {
    /// Counted from the last `flush` (or the start), without silence inserted by the sink.
    package var frame: Int64
    /// When that frame is heard.
    package var hostTime: HostTime
    /// Whether frames are playing now; if not, `frame` does not advance.
    package var isRunning: Bool
    /// How often the sink had nothing to play while it was running, since it was opened.
    package var underruns: Int

    package init(frame: Int64, hostTime: HostTime, isRunning: Bool, underruns: Int) {
        self.frame = frame
        self.hostTime = hostTime
        self.isRunning = isRunning
        self.underruns = underruns
    }
}

/// What happened to the device of an audio output.
package enum AudioDeviceChange: Sendable, Hashable {
    /// It was lost. What was not heard is kept.
    case lost
    /// It has returned, and what was kept is heard.
    case returned
    /// No device could be opened. Playback time continues, and nothing is heard.
    case absent
    /// After `absent` a device was opened. It takes what is enqueued after the next flush.
    case found
}

/// An output for sound: ALSA, a WAV file, or none at exact speed. Called on the main loop; a sink may have its own thread
/// internally.
@MainActor
package protocol AudioSink: AnyObject {
    /// Its name for logs, e.g. `alsa:default`, `wav:out.wav`, `null`.
    var name: String { get }
    /// Its format; fixed while it is open, so that nothing is reopened at an ad or an item.
    var format: AudioFormat { get }
    /// How many frames `enqueue` accepts now.
    var room: Int { get }
    /// Appends interleaved samples to the queue.
    ///
    /// - Returns: how many frames were accepted: at most `room`.
    func enqueue(_ samples: ArraySlice<Float>) -> Int
    /// Plays the queue, starting at `time` if the sink can (otherwise as soon as it can).
    func play(at time: HostTime)
    /// Stops at once, except for a fade-out of 10 ms if sound was heard, and keeps the queue. Sound that resumes fades in as with
    /// `rise`.
    func pause()
    /// Discards what has not been heard, except for such a fade-out, and restarts counting frames at zero.
    func flush()
    /// The next enqueued sound, right after a flush, comes from the middle of a sound: it fades in within 10 ms, so that it does
    /// not click.
    func rise()
    /// The position now; nil while nothing has been heard since the last flush.
    func timing() -> AudioTiming?
    /// The volume from now on: 0…1, ramped so that nothing clicks.
    var volume: Float { get set }
    /// Called on the main loop.
    var deviceChanges: EventSource<AudioDeviceChange> { get }
    /// Mixes a sound of the interface into what is heard, also while nothing plays, at the volume of the sink. It is dropped if it would begin later than
    /// `NavigationSound.patience` after its key, while another one is heard, and in encoded sound.
    ///
    /// - Parameter asked: the instant of the key.
    func mix(_ sound: NavigationSound, asked: HostTime)
    /// Whether it has a card open that no other program may be able to open meanwhile.
    var occupiesCard: Bool { get }
    /// Closes the device until there is sound again: nothing is playing, and nothing will for a while.
    func release()
    /// Stops and closes the device or file.
    func close()
    /// This sink, if it supports encoded sound; otherwise nil.
    var passing: (any PassingSink)? { get }
}

extension AudioSink {
    /// A sink without a device has nothing to close.
    package func release() {}
    /// A sink without output needs no fade.
    package func rise() {}
    /// A sink without output has nothing to mix into.
    package func mix(_ sound: NavigationSound, asked: HostTime) {}
    /// A sink without a device occupies none.
    package var occupiesCard: Bool { false }
    package var passing: (any PassingSink)? { nil }
}

/// Changes the speed of sound and keeps its pitch. Used by one thread at a time.
package protocol TimeStretching: AnyObject {
    /// Takes interleaved samples and returns what is ready; the rest follows with later calls. The output is as long as the input
    /// divided by the rate.
    func stretch(_ samples: ArraySlice<Float>) -> [Float]
    /// Returns the rest. No input may follow.
    func drain() -> [Float]
}

extension CodecFactory {
    package var bitmapCaptions: (any BitmapCaptionCodecs)? { nil }

    /// The default: there is none.
    package func openHardwareDecoder(
        _ parameters: any CodecParameters, pool: SurfacePool
    ) throws(MediaError) -> (any VideoDecoding)? { nil }

    /// The default: not available.
    package func makeTimeStretcher(_ format: AudioFormat, rate: Ratio) throws(MediaError) -> any TimeStretching {
        throw MediaError(
            .decoderUnsupported, "Playing sound at rate \(rate) failed: this build has no filter for it; play at rate 1.")
    }

    /// The default: tries to make one.
    package func canStretchTime(_ format: AudioFormat) -> Bool { (try? makeTimeStretcher(format, rate: Ratio(2))) != nil }

    /// The default: only unchanged sound.
    package func checkSoundShaping(_ shaping: SoundShaping) throws(MediaError) {
        guard !shaping.isNone else { return }
        throw MediaError(
            .decoderUnsupported, "Filtering the sound failed: this build has no filter for it; play the sound unfiltered.")
    }
}
