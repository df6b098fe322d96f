import MediaModel
import MediaTime

/// A track of an item during playback; AVFoundation's `AVPlayerItemTrack`.
@MainActor
package struct PlayerItemTrack {
    /// The source's description of it.
    package let assetTrack: TrackDescription
    private let item: PlayerItem

    init(_ track: TrackDescription, of item: PlayerItem) {
        assetTrack = track
        self.item = item
    }

    /// Whether it is played. A disabled video track is not decoded, and the sound continues without a missing sample.
    package var isEnabled: Bool {
        get { !item.disabledTracks.contains(assetTrack.id) }
        nonmutating set {
            guard newValue != isEnabled else { return }
            if newValue { item.disabledTracks.remove(assetTrack.id) } else { item.disabledTracks.insert(assetTrack.id) }
            item.trackChanges.send(self)
        }
    }
}
