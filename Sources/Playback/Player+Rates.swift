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

extension Player {
    /// The rates at which key pictures pass, in either direction.
    package static let scanRates = [Ratio(4), Ratio(12), Ratio(30), Ratio(60)]
    static let slowest = Ratio(1, 2)
    static let fastest = Ratio(2)

    /// How a rate is played.
    static func manner(for rate: Ratio) -> Manner {
        if rate > fastest { return .scan(.forward) }
        if rate >= .zero { return .play }
        return rate >= Ratio(-1) ? .reverse : .scan(.backward)
    }

    /// Why a rate cannot be played; nil where it can. Before an item is ready nothing is known against the rates of ordinary play.
    package func refusal(ofRate rate: Ratio) -> PlaybackError? {
        if rate == .zero || rate == .one { return nil }
        if suspended != nil { return .rateNotSupported(rate, because: "an interstitial is being presented") }
        guard let item = activeItem else { return .noItem }
        guard item.description != nil else {
            return .rateNotSupported(rate, because: "the item is not ready yet, and what it can do is not known")
        }
        func refuse(_ reason: String) -> PlaybackError { .rateNotSupported(rate, because: reason) }
        switch Self.manner(for: rate) {
        case .play:
            if rate < Self.slowest { return refuse("the slowest rate is \(Self.slowest)") }
            return rate < .one
                ? item.canPlaySlowForward ? nil : refuse("its sound cannot be stretched")
                : item.stretchesSound || item.audioTrack == nil ? nil : refuse("its sound cannot be stretched")
        case .reverse:
            if rate > Ratio(-1, 2) { return refuse("the slowest rate backward is -1/2") }
            return item.canPlayReverse ? nil : refuse("it has no pictures that can be decoded backward")
        case .scan:
            let magnitude = rate < .zero ? Ratio(-rate.numerator, rate.denominator) : rate
            guard Self.scanRates.contains(magnitude) else { return refuse("the scan rates are 4, 12, 30 and 60") }
            return item.canPlayFastReverse ? nil : refuse("it has no pictures, or cannot be sought")
        case .preview: return nil
        }
    }

    /// Plays at a rate from where it is; zero pauses.
    ///
    /// 1/2…2 have sound at its pitch, and pictures follow the clock. 4, 12, 30 and 60 in either direction pass over the key pictures. -1…-1/2 show every
    /// picture backward as well as `PlayerItem.reversePlayback` says. At the end of the item only rates below zero do anything.
    ///
    /// - Throws: `PlaybackError` when the item cannot be played at that rate; nothing is changed then.
    package func playImmediately(atRate rate: Ratio) throws(PlaybackError) {
        if let refusal = refusal(ofRate: rate) { throw refusal }
        guard rate != machine.rate else { return }
        if machine.phase == .ended, rate > .zero { return }
        if rate < .zero, media.time(at: clock.now) <= lowerBound, activeItem?.description != nil { return }
        let place = currentTime
        let isOtherManner = rate != .zero && run != nil && run?.manner != Self.manner(for: rate)
        // What has been given to the sink beyond the end of the item belongs to this rate.
        let isOtherSound = rate != .zero && succession?.isArranged == true && SoundOutput.rate(at: rate) != audio.rate
        let leavesOtherwise =
            rate != .zero && run?.audio != nil && (activeItem.map { sound.isOtherPassage(for: $0, at: rate) } ?? false)
        // A scan at another rate takes other pictures.
        let isOtherScan = rate != .zero && (run.map { if case .scan = $0.manner { true } else { false } } ?? false)
        if isOtherManner || isOtherScan || isOtherSound || leavesOtherwise {
            if machine.isRunning { stopClock() }
            handle(.runBegan)
            handle(.rateAsked(rate))
            let completion = run?.completion
            run?.completion = nil
            startRun(
                PendingSeek(
                    target: place, earliest: place, isExact: true, completion: completion, boundary: session?.clientBoundary))
            return
        }
        if rate > .zero { attachReading() }
        if rate != .zero, audio.rate != SoundOutput.rate(at: rate), machine.isRunning == false {
            audio.change(rate: SoundOutput.rate(at: rate), at: media.time(at: clock.now))
            // The clock begins to run at once: sound that came later than it would pull it back again.
            if machine.phase == .ready { audio.feed() }
        }
        handle(.rateAsked(rate))
        pictures.keepMost(rate == .zero)
    }
}
