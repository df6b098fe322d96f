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

extension PlayerItem {
    /// Disables a track for which there is no decoder, if picture or sound remains without it.
    ///
    /// - Returns: false if it is not that, or nothing would remain.
    func goesOn(without track: TrackDescription, after error: MediaError) -> Bool {
        guard error.code == .decoderUnsupported, track.type == .video ? audioTrack != nil : videoTrack != nil else {
            return false
        }
        disabledTracks.insert(track.id)
        return true
    }

    /// The video and audio tracks; empty while the item is not ready.
    package var tracks: [PlayerItemTrack] {
        (description?.tracks ?? []).filter { $0.type == .video || $0.type == .audio }.map { PlayerItemTrack($0, of: self) }
    }
}
