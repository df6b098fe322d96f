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
    /// Disables the sound for which there is no decoder, if there are pictures.
    ///
    /// - Returns: false if it is not that, or nothing would remain.
    func goesOnSilently(after error: MediaError) -> Bool {
        guard error.code == .decoderUnsupported, videoTrack != nil, let audioTrack else { return false }
        disabledTracks.insert(audioTrack.id)
        return true
    }

    /// The video and audio tracks; empty while the item is not ready.
    package var tracks: [PlayerItemTrack] {
        (description?.tracks ?? []).filter { $0.type == .video || $0.type == .audio }.map { PlayerItemTrack($0, of: self) }
    }
}
