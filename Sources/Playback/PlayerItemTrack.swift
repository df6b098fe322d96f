import MediaModel
import MediaTime

/// A track of an item as it is played; AVFoundation's `AVPlayerItemTrack`.
@MainActor
package struct PlayerItemTrack {
    /// What the source tells of it.
    package let assetTrack: TrackDescription
    private let item: PlayerItem

    init(_ track: TrackDescription, of item: PlayerItem) {
        assetTrack = track
        self.item = item
    }

    /// Whether it is played. Pictures that are not are not even decoded, while the sound goes on without a sample missing.
    package var isEnabled: Bool {
        get { !item.disabledTracks.contains(assetTrack.id) }
        nonmutating set {
            guard newValue != isEnabled else { return }
            if newValue { item.disabledTracks.remove(assetTrack.id) } else { item.disabledTracks.insert(assetTrack.id) }
            item.onTracksChange?(assetTrack.type, newValue)
        }
    }
}

extension PlayerItem {
    /// The tracks of pictures and sound; empty while the item is not ready.
    package var tracks: [PlayerItemTrack] {
        (description?.tracks ?? []).filter { $0.type == .video || $0.type == .audio }.map { PlayerItemTrack($0, of: self) }
    }
}

/// Sound alone: no picture is wanted of any item, as with the screen off or a player that was taken off its layer.
extension Player {
    /// Applies what is wanted to an item whose tracks have become known.
    func prepareTracks(of item: PlayerItem) {
        for track in item.tracks where track.assetTrack.type == .video && !presentsVideo { track.isEnabled = false }
        item.onTracksChange = { [weak self, weak item] type, isEnabled in
            guard let self, let item, self.activeItem === item else { return }
            self.trackChanged(type, isEnabled: isEnabled, of: item)
        }
    }

    func presentsVideoChanged() {
        for track in activeItem?.tracks ?? [] where track.assetTrack.type == .video { track.isEnabled = presentsVideo }
        if succession?.isArranged == true { endArrangement() } else { succession?.stopReading() }
        for track in succession?.item.tracks ?? [] where track.assetTrack.type == .video { track.isEnabled = presentsVideo }
    }

    private func trackChanged(_ type: MediaType, isEnabled: Bool, of item: PlayerItem) {
        guard run != nil else { return }
        if type == .video, !isEnabled, let current = run, current.manner == .play, current.landing != nil, current.waiting == nil,
            current.audio != nil, succession?.isArranged != true
        {
            return stopPictures()
        }
        seek(to: currentTime, toleranceBefore: .zero, toleranceAfter: .zero)
    }

    /// The decoder stops; what is heard does not.
    private func stopPictures() {
        if let track = activeItem?.description?.tracks.first(where: { $0.type == .video }) { run?.buffer?.leave(track.id) }
        run?.video?.cancel()
        run?.video = nil
        run?.isVideoDone = true
        scheduler.clearVideo()
        run?.generation = scheduler.begin(nil)
        scheduler.setClock(media)
        applyBoundary()
        pictures.cache.removeAll()
        succession?.stopReading()
    }
}
