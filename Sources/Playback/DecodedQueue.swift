import LinuxSupport
import MediaModel
import MediaTime

/// What a decoder's thread hands over, in order of presentation.
enum Decoded<Media: Sendable>: Sendable {
    /// A frame or a stretch of sound.
    case media(Media)
    /// The track is over: nothing follows.
    case end
    /// Reading cannot go on, or there is no decoder for what was read: nothing follows.
    case failed(MediaError)
    /// The decoder has failed at what another like it may well decode: nothing follows.
    case broken(MediaError)
}

/// One open decoder of either kind, confined to its thread.
struct OpenDecoder<Media> {
    /// Decodes a sample, or with nil gives out what is left.
    let decode: (EncodedSample?) throws(MediaError) -> [Media]
    /// Forgets everything.
    let flush: () -> Void
    /// Says whether what nothing else is predicted from may be left out.
    let setHaste: (Bool) -> Void
}

/// How the two kinds of media differ.
struct TrackKind<Media: Sendable>: Sendable {
    /// The name of the thread.
    var name: String
    /// How many decoded pieces wait for the player.
    var capacity: Int
    /// First asset time after a piece.
    var end: @Sendable (Media) -> MediaTime
    /// Whether a seek to the very end delivers the last piece there is: a picture is shown there, no sound is heard.
    var keepsLast: Bool
    /// Whether the decoder gives out what is left before it hears of the next run: what a discontinuity separates is not one stretch of sound.
    var drainsBetweenRuns: Bool
    /// A decoder that was given so many samples in a row, which last at least three seconds, and gave nothing back, has failed.
    var longestSilence: Int
    /// Opens a decoder.
    var open: @Sendable (any CodecParameters) throws(MediaError) -> OpenDecoder<Media>
    /// Takes every piece as it is decoded, wanted or not; on the decoder's thread.
    var onPiece: (@Sendable (Media) -> Void)?
    /// The first of two pieces that follow one another, as long as it takes until the second begins; nil where what lies between them is a hole.
    var bridged: (@Sendable (_ first: Media, _ second: Media) -> Media?)?
}

extension TrackKind where Media == VideoFrame {
    /// Pictures, which go into a cache as well.
    static func video(codecs: any CodecFactory, allocator: any FrameAllocator, cache: FrameCache) -> TrackKind {
        TrackKind(
            name: "decode-video", capacity: 6, end: { $0.end }, keepsLast: true, drainsBetweenRuns: false, longestSilence: 150,
            open: { parameters throws(MediaError) in
                let decoder = try codecs.openVideoDecoder(parameters, allocator: allocator)
                return OpenDecoder(
                    decode: { sample throws(MediaError) in try decoder.decode(sample) }, flush: { decoder.flush() },
                    setHaste: { if decoder.skipsNonReference != $0 { decoder.skipsNonReference = $0 } })
            }, onPiece: { cache.insert($0) },
            bridged: { first, second in
                guard first.end < second.time, second.time - first.end <= longestGap else { return nil }
                var frame = first
                frame.duration = second.time - first.time
                return frame
            })
    }

    /// More between two frames is a hole, and nothing is known of what was there.
    private static var longestGap: MediaTime { .milliseconds(100) }

    /// So many frames a decoder refers to itself: those that others are predicted from, those that it holds back for their turn, those that its threads work at.
    static let heldByDecoder = 10

    /// How many bytes one pass backward may keep of a limit for all: two batches are held at a time, beside what the decoder refers to
    /// and three frames more: on the screen, for the next blank, and just being added.
    static func batchBytes(of limit: Int, width: Int?, height: Int?) -> Int {
        guard let width, let height, width > 0, height > 0 else { return limit * 5 / 12 }
        let frame = width * height * 3 / 2
        // Of frames so large that the decoder alone takes it all, a batch is at least a few.
        return (limit - min((heldByDecoder + 3) * frame, limit / 2)) / 2
    }

    /// How many frames of a size are decoded ahead: enough for work in long stretches, in no more memory than is needed for that.
    static func framesAhead(width: Int?, height: Int?) -> Int {
        guard let width, let height, width > 0, height > 0 else { return 6 }
        return min(max((8 << 20) / (width * height * 3 / 2), 3), 6)
    }
}

extension TrackKind where Media == AudioBuffer {
    /// Sound in the sink's format; nil for `processing`: it is neither shaped nor measured.
    static func audio(
        _ name: String = "decode-audio", codecs: any CodecFactory, output: AudioFormat, processing: SoundProcessing?
    ) -> TrackKind {
        TrackKind(
            name: name, capacity: 32, end: { $0.end }, keepsLast: false, drainsBetweenRuns: true, longestSilence: 200,
            open: { parameters throws(MediaError) in
                let decoder = try codecs.openAudioDecoder(parameters, output: output, processing: processing)
                return OpenDecoder(
                    decode: { sample throws(MediaError) in try decoder.decode(sample) }, flush: { decoder.flush() },
                    setHaste: { _ in })
            })
    }
}
