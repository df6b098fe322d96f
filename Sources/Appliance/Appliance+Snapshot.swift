import MediaModel
import MediaTime
import Playback
import PlayerInterface

/// What can be chosen of what plays: dear to make, and from one frame to the next the same.
struct OfferedChoices {
    weak var item: PlayerItem?
    let revision: Int
    let presentsInterstitial: Bool
    let options: MediaOptions
    let speeds: [Ratio]
    let canPlayFast: Bool
}

/// What the interface is told of the player.
extension Appliance {
    /// How the player stands, all of it looked at anew.
    var snapshot: PlaybackSnapshot {
        offered = nil
        return snapshotOfFrame
    }

    /// The same at a frame: what can be chosen is looked at only where it has changed.
    var snapshotOfFrame: PlaybackSnapshot {
        let player = parts.player
        let item = player.currentItem
        let choices = offeredChoices(of: item)
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
            options: choices.options, speeds: choices.speeds, canPlayFast: choices.canPlayFast)
        addInterstitials(to: &snapshot)
        return snapshot
    }

    private func offeredChoices(of item: PlayerItem?) -> OfferedChoices {
        let presentsInterstitial = parts.player.presentsInterstitial
        if let offered, let item, offered.item === item, offered.revision == item.revision,
            offered.presentsInterstitial == presentsInterstitial
        {
            return offered
        }
        let choices = OfferedChoices(
            item: item, revision: item?.revision ?? 0, presentsInterstitial: presentsInterstitial, options: mediaOptions,
            speeds: speeds, canPlayFast: canPlayFast)
        offered = choices
        return choices
    }
}
