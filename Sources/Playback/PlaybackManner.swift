import MediaSources
import MediaTime

/// The manner of playing a rate.
enum PlaybackManner: Equatable {
    /// Video and audio, forward.
    case forward
    /// Key pictures only.
    case scan(KeyFrameReading.Direction)
    /// All pictures, backward, without sound.
    case reverse

    /// The lowest and the highest rate with audio.
    static let slowest = Ratio(1, 2)
    static let fastest = Ratio(2)

    init(rate: Ratio) {
        if rate > Self.fastest {
            self = .scan(.forward)
        } else if rate >= .zero {
            self = .forward
        } else {
            self = rate >= Ratio(-1) ? .reverse : .scan(.backward)
        }
    }
}
