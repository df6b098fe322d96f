import MediaModel

/// Changes of the sound of what is being read. Main loop.
extension ItemReader {
    /// Another audio track, or another description for the same one, was selected.
    func soundSelectionChanged() {
        guard let forward, item.audioTrack != nil || forward.hasSound else { return }
        if forward.hears(item.audioTrack?.id), !pipeline.sound.isOtherPassage(for: item, at: transport.rate) {
            if !forward.changeDescription() { readAnew() }
        } else {
            changeSound()
        }
    }

    /// Rereads audio from the current position, with the current selection and processing.
    func changeSound() {
        guard hasSound || item.audioTrack != nil else { return }
        if forward?.changeSound() == false { readAnew() }
    }

    /// A stretch of the sound has no decoder: other sound in its language is heard instead, if there is any, and otherwise silence while it lasts.
    func soundIsUndecodable(_ error: MediaError) {
        if item.hasOtherSoundInLanguage { soundFailed(error) } else { note(error) }
    }

    /// The sink has another device: what was not heard is enqueued again.
    func hearAgain() { forward?.hearAgain() }

    /// The audio output path may have changed.
    func passageMayHaveChanged() {
        guard hasSound, pipeline.sound.isOtherPassage(for: item, at: transport.rate) else { return }
        changeSound()
    }

    /// Another audio track could not be read: the previous one is selected again. Its source may have been closed, so it is reopened; if that fails
    /// too, playback restarts at its position or reports the reason.
    func soundChangeFailed(_ error: MediaError, from old: TrackID, to new: TrackID) {
        note(error)
        // Settles on other sound in the language that was wanted.
        if old != new, error.code == .decoderUnsupported, item.hasOtherSoundInLanguage { return item.selection.withdraw(new) }
        guard old != new, let group = item.selection.group(.audible),
            let option = group.options.first(where: { $0.source == .track(old) })
        else { return readAnew() }
        tell(.soundChangeFailed(error))
        item.selection.select(option, in: group)
        changeSound()
    }
}
