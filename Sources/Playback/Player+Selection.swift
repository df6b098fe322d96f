import LinuxSupport
import MediaModel
import MediaTime

/// What follows from choices of sound and captions while an item plays.
extension Player {
    /// Listens to the choices of an item that begins.
    func beginSelection(_ item: PlayerItem, _ source: any MediaSource, closedCaptions: ClosedCaptionTap? = nil) {
        captionLoader.begin(source, trackCues: item.asset.trackCues, closedCaptions: closedCaptions)
        captionLoader.onFailure = { [weak self, weak item] error, isFirst in
            guard let self, let item, self.activeItem === item else { return }
            self.note(error, of: item)
            if isFirst { self.tell(.captionsFailed(error)) }
        }
        captionLoader.onClosedCaptions = { [weak self, weak item] channels in
            guard let self, let item, self.activeItem === item else { return }
            for channel in channels { item.selection.addClosedCaptions(channel, languageTag: nil) }
        }
        item.selection.onChange = { [weak self, weak item] characteristic in
            guard let self, let item, self.activeItem === item else { return }
            self.selectionChanged(characteristic, of: item)
        }
        captionLoader.select(item.selection.selectedOption(.legible), at: currentTime)
    }

    /// Lets go of the item.
    func endSelection() {
        activeItem?.selection.onChange = nil
        captionLoader.end()
    }

    func captionsFollow() {
        captionLoader.follow(media)
        captions.follow(media)
    }

    /// The pictures of another angle begin where those of the last one are.
    private func changeAngle(of item: PlayerItem) {
        guard case .track(let track) = item.selection.selectedOption(.visual)?.source,
            source?.angleSource?.selectAngle(track) == true
        else { return }
        pictures.cache.removeAll()
        seek(to: currentTime, toleranceBefore: .zero, toleranceAfter: .zero)
    }

    private func selectionChanged(_ characteristic: MediaCharacteristic, of item: PlayerItem) {
        switch characteristic {
        case .legible: captionLoader.select(item.selection.selectedOption(.legible), at: currentTime)
        case .audible: soundSelectionChanged()
        case .visual: changeAngle(of: item)
        }
    }
}
