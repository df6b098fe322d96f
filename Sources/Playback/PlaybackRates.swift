import MediaModel
import MediaSources
import MediaTime

extension PlayerItem {
    /// Whether there is video in which it is possible to seek back.
    private var canSeekPictures: Bool { videoTrack != nil && !(description?.seekableTimeRanges.isEmpty ?? true) }
    /// A still has no next picture, and none before it.
    private var hasFrames: Bool { canSeekPictures && description?.kind != SourceDescription.pictureKind }
    /// The usual distance of two frames.
    package var framePeriod: MediaTime { videoTrack?.frameRate?.period ?? MediaTime(1, 25) }
    /// Whether key pictures can be scanned.
    private var canScan: Bool { canSeekPictures && offersKeyFrames }
    /// Whether single key pictures can be shown.
    var offersKeyFrames: Bool { description?.offersKeyFrames ?? true }

    /// Whether rates above 1 are supported: up to 2 with sound at its pitch, 4, 12, 30 and 60 with key pictures.
    package var canPlayFastForward: Bool { canScan || stretchesSound || (description != nil && audioTrack == nil) }
    /// Whether rates between 0 and 1 are supported, down to 1/2.
    package var canPlaySlowForward: Bool { description != nil && (stretchesSound || audioTrack == nil) }
    /// Whether rate -1 is supported; `reversePlayback` gives its quality.
    package var canPlayReverse: Bool { hasFrames && reversePlayback != .none }
    /// Whether rates between -1 and 0 are supported, down to -1/2.
    package var canPlaySlowReverse: Bool { canPlayReverse }
    /// Whether -4, -12, -30 and -60 are supported, with key pictures.
    package var canPlayFastReverse: Bool { canScan }
    /// Whether single steps forward are supported.
    package var canStepForward: Bool { hasFrames }
    /// Whether single steps back are supported.
    package var canStepBackward: Bool { hasFrames }
}

extension PlayerItem {
    /// Why the item cannot be played at a rate; nil if it can.
    func refusal(ofRate rate: Ratio) -> PlaybackError? {
        func refuse(_ reason: String) -> PlaybackError { .rateNotSupported(rate, because: reason) }
        guard description != nil else { return refuse("the item is not ready yet, and what it can do is not known") }
        switch PlaybackManner(rate: rate) {
        case .forward:
            if rate < PlaybackManner.slowest { return refuse("the slowest rate is \(PlaybackManner.slowest)") }
            return rate < .one
                ? canPlaySlowForward ? nil : refuse("its sound cannot be stretched")
                : stretchesSound || audioTrack == nil ? nil : refuse("its sound cannot be stretched")
        case .reverse:
            if rate > Ratio(-1, 2) { return refuse("the slowest rate backward is -1/2") }
            return canPlayReverse ? nil : refuse("it has no pictures that can be decoded backward")
        case .scan:
            let magnitude = rate < .zero ? Ratio(-rate.numerator, rate.denominator) : rate
            guard Player.scanRates.contains(magnitude) else { return refuse("the scan rates are 4, 12, 30 and 60") }
            return canPlayFastReverse ? nil : refuse("it has no pictures, cannot be sought, or is made of pieces")
        }
    }
}

extension Player {
    /// The scan rates, in either direction.
    package static let scanRates = [Ratio(4), Ratio(12), Ratio(30), Ratio(60)]
}
