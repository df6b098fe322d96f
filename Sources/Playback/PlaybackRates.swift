import MediaModel
import MediaTime

/// How well an item is played backward: its groups of pictures are decoded whole, and 96 MB hold so much and no more.
package enum ReversePlayback: Sendable, Hashable {
    /// Not at all.
    case none
    /// Each group is decoded once.
    case whole
    /// Longer groups are decoded more than once, a part at a time: every picture is shown, at the price of more work.
    case repeated
    /// Groups are so long that only pictures are shown from which others are predicted.
    case thinned
}

extension PlayerItem {
    /// Whether there are pictures, and a way back to them.
    private var canScan: Bool { videoTrack != nil && !(description?.seekableTimeRanges.isEmpty ?? true) }

    /// Whether rates above 1 are played: up to 2 with sound at its pitch, 4, 12, 30 and 60 by key pictures.
    package var canPlayFastForward: Bool { canScan || stretchesSound || (description != nil && audioTrack == nil) }
    /// Whether rates between 0 and 1 are played, down to 1/2.
    package var canPlaySlowForward: Bool { description != nil && (stretchesSound || audioTrack == nil) }
    /// Whether rate -1 is played; `reversePlayback` says how well.
    package var canPlayReverse: Bool { canScan && reversePlayback != .none }
    /// Whether rates between -1 and 0 are played, down to -1/2.
    package var canPlaySlowReverse: Bool { canPlayReverse }
    /// Whether -4, -12, -30 and -60 are played, by key pictures.
    package var canPlayFastReverse: Bool { canScan }
    /// Whether single frames can be stepped over.
    package var canStepForward: Bool { canScan }
    /// Whether single frames can be stepped back over.
    package var canStepBackward: Bool { canScan }
}

extension PlayerItem {
    /// Why the item cannot be played at a rate; nil where it can.
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
            return canPlayFastReverse ? nil : refuse("it has no pictures, or cannot be sought")
        }
    }
}

extension Player {
    /// The rates at which key pictures pass, in either direction.
    package static let scanRates = [Ratio(4), Ratio(12), Ratio(30), Ratio(60)]
}
