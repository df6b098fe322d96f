import MediaModel
import MediaTime
import Playback
import PlayerInterface

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
    }

    private let player: Player
    private let choices: MediaChoices
    private let places: any PlaceStore
    private var offer: Offer?
    /// Video is enabled again, and no picture is on the screen yet.
    private var awaitsPicture = false

    init(_ parts: ApplianceParts, choices: MediaChoices) {
        player = parts.player
        places = parts.places
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
        let state: PlaybackSnapshot.State
        switch (player.state.itemStatus, player.state.timeControlStatus) {
        case (.failed(let error), _): state = .failed(error)
        case (nil, _), (.unknown, _): state = .loading
        case (.readyToPlay, .playing): state = .playing
        case (.readyToPlay, .waitingToPlayAtSpecifiedRate): state = position == nil ? .loading : .waiting
        case (.readyToPlay, .paused): state = player.state.isAtEnd ? .ended : position == nil ? .ready : .paused
        }
        var snapshot = PlaybackSnapshot(
            state: state, position: position, rate: player.state.timeControlStatus == .playing ? player.state.rate : .zero,
            loadedRanges: player.loadedTimeRanges, seekableRanges: item?.description?.seekableTimeRanges ?? [],
            duration: item?.duration, hasVideo: item?.description == nil || item?.videoTrack != nil && !awaitsPicture,
            options: offer.options, speeds: offer.speeds, canPlayFast: offer.canPlayFast)
        addInterstitials(to: &snapshot, of: playing)
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
            speeds: speeds, canPlayFast: canPlayFast)
        self.offer = offer
        return offer
    }

    /// The speeds at which the item can be played.
    private var speeds: [Ratio] {
        [Ratio(1, 2), Ratio(3, 4), .one, Ratio(5, 4), Ratio(3, 2), Ratio(7, 4), Ratio(2)].filter {
            player.currentItem != nil && player.refusal(ofRate: $0) == nil
        }
    }

    /// Whether the player can scan by itself, in both directions.
    private var canPlayFast: Bool {
        player.currentItem != nil
            && Player.scanRates.allSatisfy {
                player.refusal(ofRate: $0) == nil && player.refusal(ofRate: Ratio(-$0.numerator)) == nil
            }
    }

    /// Adds the interstitials that are fetched separately.
    private func addInterstitials(to snapshot: inout PlaybackSnapshot, of playing: PlayingItem?) {
        let events = player.interstitialEvents
        guard !events.isEmpty else { return }
        // Watched interstitials of earlier playbacks count too.
        let watched = playing.map { places.watchedInterstitials(of: $0.programme.id) } ?? []
        snapshot.beside = events.map { event in
            let length = event.timelineOccupancy == .fill ? event.playoutLimit ?? event.plannedDuration ?? .zero : .zero
            return BesideInterstitial(
                id: event.identifier, place: event.time, occupied: length, isHighlighted: event.isHighlighted,
                isWatched: watched.contains(event.identifier))
        }
        snapshot.presented = player.interstitialStatus.map(PresentedInterstitial.init)
    }
}

extension PresentedInterstitial {
    init(_ status: InterstitialStatus) {
        self.init(
            id: status.event.identifier, place: status.event.time,
            isLinear: status.event.restrictions.contains(.requiresPlaybackAtPreferredRateForAdvancement),
            elapsed: status.elapsed, duration: status.duration, index: status.asset, count: status.assetCount,
            assetRemaining: status.assetDuration.map { max(.zero, $0 - status.assetElapsed) },
            skip: status.skipControl.map { .init(offset: $0.offset, duration: $0.duration) },
            skipLabel: status.skipControl?.labelID, savedTarget: status.target)
    }
}

extension NowPlaying.State {
    init(_ state: PlaybackSnapshot.State) {
        self =
            switch state {
            case .loading: .loading
            case .ready, .paused: .paused
            case .playing: .playing
            case .waiting: .buffering
            case .ended: .ended
            case .failed: .failed
            }
    }
}
