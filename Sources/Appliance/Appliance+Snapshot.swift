import MediaModel
import MediaTime
import Playback
import PlayerInterface

/// What the interface is told of the player.
extension Appliance {
    var snapshot: PlaybackSnapshot {
        let player = parts.player
        let item = player.currentItem
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
            options: mediaOptions, speeds: speeds, canPlayFast: canPlayFast)
        addInterstitials(to: &snapshot)
        return snapshot
    }
}
