import MediaModel
import MediaTime

/// How a run of playback is decoded.
struct DecodingWish {
    /// Output that ends at or before this asset time is discarded.
    var earliest: MediaTime
    /// Whether non-reference frames that end at or before `earliest` may be skipped.
    var isHasty = false
    /// Whether a position after the end gives the last element, if the media type does that.
    var keepsLast = true
    /// Whether samples without output are passed over, however many: two decoders have failed on them.
    var passesOver = false
    /// Whether silence then stands in for sound that cannot be decoded even before the first sound: pictures wait for it.
    var standsIn = false
}

/// Finds the sample with which decoding can start: the first sync sample. A recording that begins inside a group of pictures has others before it. A value.
///
/// If none comes for long, the stream does not mark them, and decoding starts with what was held.
struct DecodingStart {
    private var held: [EncodedSample] = []
    private var hasStarted = false
    /// Whether the stream marks sync samples, as far as is known.
    private var isMarked = true

    /// More than groups of pictures last.
    private static let longestWait = MediaTime.seconds(30)
    /// At most so many samples are held; they are in memory anyway.
    private static let most = 2048

    /// For how long nothing could be decoded.
    var waited: MediaTime { held.last.map { $0.decodeTime - held[0].decodeTime } ?? .zero }

    /// The same stream is read from another position.
    mutating func restart() {
        held = []
        hasStarted = !isMarked
    }

    /// Takes the next sample.
    ///
    /// - Returns: the samples to decode now.
    mutating func take(_ sample: EncodedSample) -> [EncodedSample] {
        if hasStarted { return [sample] }
        if sample.isSync {
            held = []
            hasStarted = true
            return [sample]
        }
        held.append(sample)
        guard held.count >= Self.most || sample.decodeTime - held[0].decodeTime >= Self.longestWait else { return [] }
        isMarked = false
        return takeHeld()
    }

    /// What was held, for a stream that ends without a sync sample.
    mutating func takeHeld() -> [EncodedSample] {
        guard !hasStarted else { return [] }
        hasStarted = true
        defer { held = [] }
        return held
    }
}
