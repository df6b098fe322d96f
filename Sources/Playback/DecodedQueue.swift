import LinuxSupport
import MediaModel
import MediaTime

/// Output of a decoder's thread, in presentation order.
enum Decoded<Media: Sendable>: Sendable {
    /// A frame or a buffer of sound.
    case media(Media)
    /// The track has ended: nothing follows.
    case end
    /// Reading failed, or there is no decoder: nothing follows.
    case failed(MediaError)
    /// The decoder failed, but a new one may succeed: nothing follows.
    case broken(MediaError)

    /// The frame or buffer, if it is one.
    var media: Media? { if case .media(let media) = self { media } else { nil } }
}

/// One open decoder of either kind, confined to its thread.
struct OpenDecoder<Media> {
    /// Decodes a sample, or with nil drains the decoder.
    let decode: (EncodedSample?) throws(MediaError) -> [Media]
    /// Resets the decoder.
    let flush: () -> Void
    /// Sets whether non-reference frames may be skipped.
    let setHaste: (Bool) -> Void
    /// It has failed, and is replaced.
    var failed: (MediaError) -> Void = { _ in }
}

/// The differences between the two media types.
struct TrackKind<Media: Sendable>: Sendable {
    /// The name of the thread.
    var name: String
    /// The number of decoded elements that wait for the player.
    var capacity: Int
    /// First asset time after an element.
    var end: @Sendable (Media) -> MediaTime
    /// Whether a seek to the very end delivers the last element: a picture is shown there, but no sound is heard.
    var keepsLast: Bool
    /// Whether the decoder is drained before the next run, because a discontinuity separates its sound.
    var drainsBetweenRuns: Bool
    /// A decoder has failed when this number of samples in a row, which last at least three seconds, gave no output.
    var longestSilence: Int
    /// Opens a decoder.
    var open: @Sendable (any CodecParameters) throws(MediaError) -> OpenDecoder<Media>
    /// Whether decoding starts with a sync sample: of earlier samples nothing can be made.
    var startsAtSync = false
    /// The part of an element within a range, at a volume; nil if there is none.
    var clip: @Sendable (Media, TimeRange, (any SoundGain)?) -> Media?
    /// An element without content for the end of a gap, which is at most a second long; nil for a type without such elements.
    var silence: (@Sendable (_ start: MediaTime, _ end: MediaTime) -> Media?)?
    /// The same, marked as standing in for what cannot be decoded.
    var standingIn: (@Sendable (Media) -> Media)?
    /// Places an element behind held ones, which it may shorten, and returns those that nothing changes any more; nil if none is held.
    var join: (@Sendable (_ held: inout [Media], _ next: Media) -> [Media])?
    /// Called when there is no decoder for a stretch in the middle of a track, which is replaced by silence; on the decoder's thread. Nil: the track has failed.
    var onUndecodable: (@Sendable (MediaError) -> Void)?
    /// Called with every decoded element, whether it is needed or not; on the decoder's thread.
    var onPiece: (@Sendable (Media) -> Void)?
    /// Called when the thread of a decoder was abandoned in a call that does not return.
    var onAbandoned: (@Sendable () -> Void)?
    /// The first of two consecutive elements, extended until the second begins; nil if there is a gap between them.
    var bridged: (@Sendable (_ first: Media, _ second: Media) -> Media?)?
}

extension TrackKind where Media == VideoFrame {
    /// Frames are also cached.
    ///
    /// - Parameter hardware: opens hardware decoders; nil if all is decoded in software.
    static func video(
        codecs: any CodecFactory, allocator: any FrameAllocator, cache: FrameCache, hardware: HardwareDecoding? = nil
    ) -> TrackKind {
        TrackKind(
            name: "decode-video", capacity: 6, end: { $0.end }, keepsLast: true, drainsBetweenRuns: false, longestSilence: 150,
            open: { parameters throws(MediaError) in
                // What is composed is read by the CPU.
                let hard = parameters is ComposedProgramme ? nil : hardware?.open(parameters, codecs, allocator)
                let decoder: any VideoDecoding
                if let hard { decoder = hard } else { decoder = try openPictures(parameters, codecs, allocator) }
                return OpenDecoder(
                    decode: { sample throws(MediaError) in try decoder.decode(sample) }, flush: { decoder.flush() },
                    setHaste: { if decoder.skipsNonReference != $0 { decoder.skipsNonReference = $0 } },
                    failed: { hard?.failed($0) })
            }, startsAtSync: true, clip: { frame, range, _ in frame.clipped(to: range) }, onPiece: { cache.insert($0) },
            onAbandoned: { hardware?.abandoned() },
            bridged: { first, second in
                guard first.end < second.time, second.time - first.end <= longestGap else { return nil }
                var frame = first
                frame.duration = second.time - first.time
                return frame
            })
    }

    /// A decoder of a codec, or what composes the pictures of several tracks.
    private static func openPictures(
        _ parameters: any CodecParameters, _ codecs: any CodecFactory, _ allocator: any FrameAllocator
    ) throws(MediaError) -> any VideoDecoding {
        guard let programme = parameters as? ComposedProgramme, case .pictures(let video, let compositor) = programme.kind else {
            return try codecs.openVideoDecoder(parameters, allocator: allocator)
        }
        return ComposedPictureDecoder(
            programme, video, compositor, codecs: codecs, allocator: allocator, placesPictures: true)
    }

    /// A longer distance between two frames is a gap with unknown contents.
    private static var longestGap: MediaTime { .milliseconds(100) }

    /// The frames that a decoder holds: reference frames, frames delayed for reordering, and those that its threads are decoding.
    static let heldByDecoder = 10

    /// The part of a limit that one backward pass may use: two batches are held at a time, in addition to the decoder's frames and three more, which
    /// are on the screen, submitted for the next blank, and being added.
    static func batchBytes(of limit: Int, width: Int?, height: Int?) -> Int {
        guard let width, let height, width > 0, height > 0 else { return limit * 5 / 12 }
        let frame = width * height * 3 / 2
        // If frames are so large that the decoder alone uses the limit, a batch has at least a few.
        return (limit - min((heldByDecoder + 3) * frame, limit / 2)) / 2
    }

    /// How many frames of a size are decoded in advance: enough for long stretches of work, within a bounded amount of memory.
    static func framesAhead(width: Int?, height: Int?) -> Int {
        guard let width, let height, width > 0, height > 0 else { return 6 }
        return min(max((8 << 20) / (width * height * 3 / 2), 3), 6)
    }
}

extension TrackKind where Media == AudioBuffer {
    /// Sound in the sink's format; with nil for `processing` it is neither shaped nor measured.
    static func audio(
        _ name: String = "decode-audio", codecs: any CodecFactory, output: AudioFormat, processing: SoundProcessing?
    ) -> TrackKind {
        TrackKind(
            name: name, capacity: 32, end: { $0.end }, keepsLast: false, drainsBetweenRuns: true, longestSilence: 200,
            open: { parameters throws(MediaError) in
                let decoder = try openSound(parameters, codecs, output, processing)
                return OpenDecoder(
                    decode: { sample throws(MediaError) in try decoder.decode(sample) }, flush: { decoder.flush() },
                    setHaste: { _ in })
            },
            clip: { buffer, range, gain in
                guard var part = buffer.clipped(to: range) else { return nil }
                gain?.apply(to: &part)
                return part
            },
            silence: { start, end in
                let start = max(start, end - .seconds(1))
                let count = Int((end - start).units(of: Int32(output.sampleRate)))
                return AudioBuffer(
                    format: output, samples: [Float](repeating: 0, count: count * output.channels), time: start)
            },
            standingIn: { silence in
                var silence = silence
                silence.isStandIn = true
                return silence
            }, join: { join(&$0, $1) })
    }

    /// Where a piece of a stream begins before the end of the one before it, the new piece is heard: what overhangs is the padding of an encoder.
    private static func join(_ held: inout [AudioBuffer], _ next: AudioBuffer) -> [AudioBuffer] {
        while let last = held.last, last.end - next.time > shortestOverhang, last.end - next.time <= longestOverhang {
            held.removeLast()
            guard last.time < next.time, let part = last.clipped(to: TimeRange(start: last.time, end: next.time)) else {
                continue
            }
            held.append(part)
            break
        }
        held.append(next)
        let ready = held.prefix { next.end - $0.end >= heldBack }
        held.removeFirst(ready.count)
        return Array(ready)
    }

    /// Time stamps are coarser than samples.
    private static var shortestOverhang: MediaTime { .milliseconds(2) }
    /// Sound that goes back by more is no overhang.
    private static var longestOverhang: MediaTime { .milliseconds(250) }
    /// More than encoders pad: three frames of AAC.
    private static var heldBack: MediaTime { .milliseconds(80) }

    /// A decoder of a codec, or what mixes the sound of several tracks.
    private static func openSound(
        _ parameters: any CodecParameters, _ codecs: any CodecFactory, _ output: AudioFormat, _ processing: SoundProcessing?
    ) throws(MediaError) -> any AudioDecoding {
        guard let programme = parameters as? ComposedProgramme, case .sound(let gains, let taps) = programme.kind else {
            return try codecs.openAudioDecoder(parameters, output: output, processing: processing)
        }
        return ComposedSoundDecoder(programme, gains, taps, codecs: codecs, output: output, processing: processing)
    }
}

extension TrackKind where Media == AudioBuffer {
    /// Encoded sound.
    static func passing(_ passage: SoundPassage) -> TrackKind {
        TrackKind(
            name: "decode-audio", capacity: 32, end: { $0.end }, keepsLast: false, drainsBetweenRuns: true, longestSilence: 200,
            open: { _ in
                let packer = passage.open()
                return OpenDecoder(
                    decode: { sample throws(MediaError) in try packer.decode(sample) }, flush: { packer.flush() },
                    setHaste: { _ in })
            }, clip: { burst, _, _ in burst })
    }

    /// A description is passed on unchanged.
    static func description(codecs: any CodecFactory, output: AudioFormat) -> TrackKind {
        .audio("decode-describe", codecs: codecs, output: output, processing: nil)
    }
}
