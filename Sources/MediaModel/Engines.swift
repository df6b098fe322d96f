import LinuxSupport
import MediaTime

/// Bytes in order, read by one thread: a file, a ranged download, the segments of a rendition one behind the other.
package protocol ByteStream: AnyObject, Sendable {
    /// What it reads, for error sentences: a path or URL without secrets.
    var name: String { get }
    /// The length in bytes, when it is known and `seek` works; nil for a stream that only goes forward.
    var length: Int64? { get }
    /// Reads at most `buffer.count` bytes, waiting for them if need be. Worker threads only.
    ///
    /// - Returns: how many bytes were read; 0 at the end, or once cancelled.
    /// - Throws: `MediaError` when no more bytes can be had.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int
    /// Goes to an absolute offset. Only where `length` is known.
    func seek(to offset: Int64) throws(MediaError)
    /// Makes a waiting and all later reads answer 0. Any thread.
    func cancel()
}

extension ByteStream {
    /// Reads from where the stream is until there are so many bytes, or no more. Worker threads only.
    ///
    /// - Returns: fewer bytes than asked for at the end, or once cancelled.
    /// - Throws: what `read(into:)` throws.
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

/// A stream over something that may still be written while it is read: reads beyond `length` bring what was added since.
package protocol RecordedByteStream: ByteStream {
    /// Whether something was written to it a moment ago, so that more may come. Worker threads only.
    var isBeingWritten: Bool { get }
    /// What is read of it are a few bytes here and there: nothing is to be brought ahead.
    func readLittle()
}

extension RecordedByteStream {
    /// A disk brings nothing ahead that costs.
    package func readLittle() {}
}

/// What a container tells before its samples are read.
package struct ContainerDescription: Sendable {
    /// The container in FFmpeg's words, e.g. `mov,mp4,m4a,3gp,3g2,mj2`.
    package var format: String
    /// The tracks in the order of the file.
    package var tracks: [TrackDescription]
    /// The length, when the container knows it.
    package var duration: MediaTime?
    /// The smallest presentation time of the file in its own time.
    package var startTime: MediaTime
    /// Tags by key as the container has them (title, artist, genre …), sorted by key.
    package var tags: [(key: String, value: String)]
    /// Chapters in order.
    package var chapters: [ChapterDescription]
    /// Cover pictures as stored (JPEG, PNG).
    package var artwork: [[UInt8]]

    /// Describes a container.
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

/// A chapter as a container stores it.
package struct ChapterDescription: Sendable, Hashable {
    /// Where it lies.
    package var range: TimeRange
    /// Its title, when it has one.
    package var title: String?

    /// Describes a chapter.
    package init(range: TimeRange, title: String?) {
        self.range = range
        self.title = title
    }
}

/// Takes samples out of a byte stream. Used by one worker thread at a time; reading may wait in its byte stream.
package protocol Demuxing: AnyObject {
    /// What the container told.
    var description: ContainerDescription { get }
    /// The next sample of any wanted track in the order of the file, in the stream's own time; nil at the end.
    func nextSample() throws(MediaError) -> EncodedSample?
    /// Goes to the last sync sample at or before `time` (stream time) of the first video track, else of the first track.
    func seek(to time: MediaTime) throws(MediaError)
    /// Leaves out the samples of all other tracks.
    func select(_ tracks: Set<TrackID>)
}

/// What is known of bytes before they are read.
package enum ContainerHint: String, Sendable, Hashable {
    /// MPEG-2 transport stream.
    case transportStream
    /// Fragmented MP4.
    case fragmentedMP4
    /// Elementary streams of HLS's packed audio.
    case packedAAC, packedMP3, packedAC3, packedEAC3
}

/// Opens demuxers and decoders: what `MediaCodec` gives to the rest of the house.
package protocol CodecFactory: AnyObject, Sendable {
    /// Reads enough of a stream to describe it. Worker threads only.
    ///
    /// - Parameter hint: the container where it is known, in which case nothing is probed; nil sniffs by content.
    /// - Throws: `MediaError` with `sourceFormat` when it is no media, naming what was found.
    func openDemuxer(_ stream: any ByteStream, hint: ContainerHint?) throws(MediaError) -> any Demuxing
    /// Opens a decoder. The caller keeps it on one thread at a time.
    ///
    /// - Throws: `MediaError` with `decoderUnsupported`.
    func openVideoDecoder(_ parameters: any CodecParameters, allocator: any FrameAllocator) throws(MediaError)
        -> any VideoDecoding
    /// Opens a decoder whose sound comes out in `output`, resampled and mixed where need be.
    func openAudioDecoder(_ parameters: any CodecParameters, output: AudioFormat) throws(MediaError) -> any AudioDecoding
    /// Opens a decoder for a sound that is mixed with another one: it is not shaped, and its loudness is not measured.
    func openDescriptionDecoder(_ parameters: any CodecParameters, output: AudioFormat) throws(MediaError) -> any AudioDecoding
    /// Makes what plays sound faster or slower at the pitch that it has.
    ///
    /// - Parameter rate: 1/2…2.
    /// - Throws: `MediaError` with `decoderUnsupported` where it cannot be had.
    func makeTimeStretcher(_ format: AudioFormat, rate: Ratio) throws(MediaError) -> any TimeStretching
    /// Whether `makeTimeStretcher` is likely to make one: found out without loading what it needs.
    func canStretchTime(_ format: AudioFormat) -> Bool
    /// How the sound is shaped that decoders give out from their next run on. Main loop or decoder threads.
    ///
    /// - Throws: `MediaError` with `decoderUnsupported` where sound cannot be shaped; it is left as it was then.
    func setSoundShaping(_ shaping: SoundShaping) throws(MediaError)
    /// How loud what is decoded is, before it is shaped: integrated loudness by EBU R 128 in LUFS; nil while loud sounds are not reduced, and until ten seconds
    /// have been decoded in a row. Any thread.
    var measuredLoudness: Double? { get }
    /// Whether there is a decoder for an RFC 6381 codec string such as `avc1.64001f`; nil when the string is not understood.
    func canDecode(codecString: String) -> Bool?
}

/// A video decoder, confined to its thread.
package protocol VideoDecoding: AnyObject {
    /// Decodes one sample, or with nil gives out what is left; frames come in presentation order.
    ///
    /// - Throws: `MediaError` when the decoder cannot go on. A damaged sample is not an error: it gives fewer frames.
    func decode(_ sample: EncodedSample?) throws(MediaError) -> [VideoFrame]
    /// Forgets everything: the next sample is a sync sample of another place.
    func flush()
    /// Whether non-reference pictures may be left out, for haste (scanning, catching up).
    var skipsNonReference: Bool { get set }
}

/// An audio decoder, confined to its thread.
package protocol AudioDecoding: AnyObject {
    /// Decodes one sample, or with nil gives out what is left. Buffers follow one another without a hole as long as the samples do.
    func decode(_ sample: EncodedSample?) throws(MediaError) -> [AudioBuffer]
    /// Forgets everything.
    func flush()
}

/// Where the sound is: frame `frame` of what was enqueued is heard at `hostTime`.
package struct AudioTiming: Sendable, Hashable {
    /// Counted from the last `flush` (or the start), silence inserted by the sink left out.
    package var frame: Int64
    /// When that frame is heard.
    package var hostTime: HostTime
    /// Whether frames are being played at this moment; when not, `frame` stands still.
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

/// A place where sound goes: ALSA, a WAV file, or nowhere at exact speed. Called on the main loop; its own thread, if any, is its own affair.
@MainActor
package protocol AudioSink: AnyObject {
    /// A word for logs, e.g. `alsa:default`, `wav:out.wav`, `null`.
    var name: String { get }
    /// The format that it takes; fixed once it is open, so that nothing is reopened at an ad or an item.
    var format: AudioFormat { get }
    /// How many frames `enqueue` takes now.
    var room: Int { get }
    /// Adds interleaved samples to the end of the queue.
    ///
    /// - Returns: how many frames were taken: at most `room`.
    func enqueue(_ samples: ArraySlice<Float>) -> Int
    /// Plays what is queued, from `time` on where the sink can (else as soon as it can).
    func play(at time: HostTime)
    /// Stops at once, but for a fade of 10 ms where sound was heard, and keeps what is queued. What goes on after it rises as `rise` says.
    func pause()
    /// Throws away what has not been heard, but for such a fade, and begins to count frames at zero.
    func flush()
    /// What is enqueued next, right after a flush, comes from the middle of a sound: it rises from silence within 10 ms, so that it does not begin with a click.
    func rise()
    /// Where the sound is now; nil while nothing has been heard since the last flush.
    func timing() -> AudioTiming?
    /// Loudness of everything that is heard from now on: 0…1, ramped so that nothing clicks.
    var volume: Float { get set }
    /// Called on the main loop when the device is lost for good or comes back.
    var onDeviceChange: (@MainActor (_ isPresent: Bool) -> Void)? { get set }
    /// Lets go of the device until there is sound again: nothing is played, and nothing will be for a while.
    func release()
    /// Ends playing and closes the device or file.
    func close()
}

extension AudioSink {
    /// A sink without a device has nothing to let go of.
    package func release() {}
    /// A sink that nobody hears begins as it likes.
    package func rise() {}
}

/// Plays sound faster or slower at the pitch that it has. Used by one thread at a time.
package protocol TimeStretching: AnyObject {
    /// Takes interleaved samples and gives out what is ready; some of it comes with later calls. What comes out is as long as what went in, over the rate.
    func stretch(_ samples: ArraySlice<Float>) -> [Float]
    /// What is left of what went in. Nothing goes in after it.
    func drain() -> [Float]
}

extension CodecFactory {
    /// The answer of a factory that has none.
    package func makeTimeStretcher(_ format: AudioFormat, rate: Ratio) throws(MediaError) -> any TimeStretching {
        throw MediaError(
            .decoderUnsupported, "Playing sound at rate \(rate) failed: this build has no filter for it; play at rate 1.")
    }

    /// The answer of a factory that shapes nothing.
    package func openDescriptionDecoder(
        _ parameters: any CodecParameters, output: AudioFormat
    ) throws(MediaError) -> any AudioDecoding { try openAudioDecoder(parameters, output: output) }

    /// The answer of a factory that finds out by making one.
    package func canStretchTime(_ format: AudioFormat) -> Bool { (try? makeTimeStretcher(format, rate: Ratio(2))) != nil }
    /// The answer of a factory that does not measure.
    package var measuredLoudness: Double? { nil }

    /// The answer of a factory that leaves sound as it is.
    package func setSoundShaping(_ shaping: SoundShaping) throws(MediaError) {
        guard !shaping.isNone else { return }
        throw MediaError(.decoderUnsupported, "Shaping the sound failed: this build has no filter for it; leave it as it is.")
    }
}
