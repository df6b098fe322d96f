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
    /// The sound that cannot be decoded, if the item can be played without it: with other sound, or with pictures alone.
    ///
    /// - Parameter error: why its sound could not be read.
    func dispensableSound(after error: MediaError) -> TrackDescription? {
        guard error.code == .decoderUnsupported, let audioTrack else { return nil }
        let others = description?.tracks.contains {
            $0.type == .audio && $0.id != audioTrack.id && !selection.hasWithdrawn($0.id) && !disabledTracks.contains($0.id)
        }
        return videoTrack != nil || others == true ? audioTrack : nil
    }

    /// Whether there is other sound in the language of the audible one, and of the same kind.
    var hasOtherSoundInLanguage: Bool {
        guard let own = audioTrack else { return false }
        return description?.tracks.contains {
            $0.type == .audio && $0.id != own.id && !selection.hasWithdrawn($0.id) && !disabledTracks.contains($0.id)
                && LanguageScore.normalized($0.languageTag) == LanguageScore.normalized(own.languageTag)
                && $0.characteristics == own.characteristics
        } ?? false
    }

    /// The video and audio tracks; empty while the item is not ready.
    package var tracks: [PlayerItemTrack] {
        (description?.tracks ?? []).filter { $0.type == .video || $0.type == .audio }.map { PlayerItemTrack($0, of: self) }
    }
}
