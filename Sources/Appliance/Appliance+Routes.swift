import MediaModel

/// Screens and sound devices that come and go. The place is never lost: play waits, and goes on by itself only where it was the box that stopped it.
extension Appliance {
    /// The screen was lost (nil) or came back with a mode. Sound alone goes on without a screen.
    func displayChanged(_ mode: DisplayMode?) {
        guard let mode else {
            parts.log.note("screen lost")
            if parts.player.currentItem?.videoTrack != nil { hold(.display) }
            return
        }
        parts.log.note("screen: \(mode)")
        parts.drawing.displayChanged(mode)
        show()
        release(.display)
    }

    /// The sound device was lost or is there again. What plays is paused, as on every player whose headphones are pulled; it is for the viewer to go on.
    func soundDeviceChanged(isPresent: Bool) {
        parts.log.note(isPresent ? "sound is back" : "AUDIO-LOST: the sound device was disconnected")
        guard !isPresent else { return }
        hold(.sound)
        send(.notify(.soundLost))
    }

    /// What the box itself paused for.
    enum HoldCause: String { case display, sound }

    private func hold(_ cause: HoldCause) {
        guard parts.player.state.rate != .zero, perform(.pause, from: cause.rawValue) == .success else { return }
        holdCause = cause
        send(.held(cause == .display ? .display : .sound))
    }

    private func release(_ cause: HoldCause) {
        guard holdCause == cause else { return }
        holdCause = nil
        send(.held(nil))
        _ = perform(.play, from: cause.rawValue)
    }
}
