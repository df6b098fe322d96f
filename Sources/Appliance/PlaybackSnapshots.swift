import MediaModel
import MediaTime
import Playback
import Screens

/// Makes snapshots of the player's state for the interface. Main loop only.
@MainActor
final class PlaybackSnapshots {
    /// The options of the current item. They are expensive to build and rarely change between frames.
    private struct Offer {
        weak var item: PlayerItem?
        let revision: Int
        let presentsInterstitial: Bool
        let options: MediaOptions
        let speeds: [Ratio]
        let canPlayFast: Bool
        let frames: PlaybackSnapshot.Frames?
    }

    private let player: Player
    private let choices: MediaChoices
    private var offer: Offer?
    /// Video is enabled again, and no picture is on the screen yet.
    private var awaitsPicture = false

    init(_ parts: ApplianceParts, choices: MediaChoices) {
        player = parts.player
        self.choices = choices
    }

    /// Disables video, or waits for the first picture.
    func presentVideo(_ isWanted: Bool) {
        player.presentsVideo = isWanted
        awaitsPicture = isWanted && player.currentItem?.videoTrack != nil
    }

    /// The player's state, with everything read anew.
    func make(of item: PlayingItem?) -> PlaybackSnapshot {
        offer = nil
        return snapshot(of: item)
    }

    /// The state at a frame: the options are read only if they have changed.
    func makeOfFrame(_ item: PlayingItem?) -> PlaybackSnapshot {
        awaitsPicture = false
        return snapshot(of: item)
    }

    private func snapshot(of playing: PlayingItem?) -> PlaybackSnapshot {
        let item = player.currentItem
        let offer = offer(of: item)
        let position = playing?.position
        var state: PlaybackSnapshot.State
        switch (player.state.itemStatus, player.state.timeControlStatus) {
        case (.failed(let error), _): state = .failed(error)
        case (nil, _), (.unknown, _): state = .loading
        case (.readyToPlay, .playing): state = .playing
        case (.readyToPlay, .waitingToPlayAtSpecifiedRate): state = position == nil ? .loading : .waiting
        case (.readyToPlay, .paused): state = player.state.isAtEnd ? .ended : position == nil ? .ready : .paused
        }
        if player.state.itemStatus == .readyToPlay,
            let end = playing?.end(isLive: item?.isLive == true, isAtEnd: player.state.isAtEnd)
        {
            state = .failed(end)
        }
        var snapshot = PlaybackSnapshot(
            state: state, position: position, rate: player.state.timeControlStatus == .playing ? player.state.rate : .zero,
            loadedRanges: player.loadedTimeRanges, seekableRanges: item?.description?.seekableTimeRanges ?? [],
            duration: item?.duration, hasVideo: item?.description == nil || item?.videoTrack != nil && !awaitsPicture,
            options: offer.options, speeds: offer.speeds, canPlayFast: offer.canPlayFast)
        snapshot.interstitials = player.interstitials
        snapshot.presented = player.interstitialStatus
        snapshot.frames = offer.frames
        return snapshot
    }

    private func offer(of item: PlayerItem?) -> Offer {
        let presentsInterstitial = player.presentsInterstitial
        if let offer, let item, offer.item === item, offer.revision == item.revision,
            offer.presentsInterstitial == presentsInterstitial
        {
            return offer
        }
        let offer = Offer(
            item: item, revision: item?.revision ?? 0, presentsInterstitial: presentsInterstitial, options: choices.offered,
            speeds: speeds, canPlayFast: canPlayFast, frames: frames)
        self.offer = offer
        return offer
    }

    /// The speeds at which the item can be played.
    private var speeds: [Ratio] {
        [Ratio(1, 2), Ratio(3, 4), .one, Ratio(5, 4), Ratio(3, 2), Ratio(7, 4), Ratio(2)].filter {
            player.currentItem != nil && player.refusal(ofRate: $0) == nil
        }
    }

    private var frames: PlaybackSnapshot.Frames? {
        guard let item = player.currentItem, item.canStepForward else { return nil }
        let slowlyBackward = Ratio(-Timing.slowSpeed.numerator, Timing.slowSpeed.denominator)
        return PlaybackSnapshot.Frames(
            period: item.framePeriod, canPlayBackward: player.refusal(ofRate: slowlyBackward) == nil)
    }

    /// Whether the player can scan by itself, in both directions.
    private var canPlayFast: Bool {
        player.currentItem != nil
            && PlayerItem.scanRates.allSatisfy {
                player.refusal(ofRate: $0) == nil && player.refusal(ofRate: Ratio(-$0.numerator)) == nil
            }
    }
}
