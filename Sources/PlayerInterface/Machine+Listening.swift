import LinuxSupport
import MediaModel

/// "Listen with Screen Off": video is not decoded, the sound continues, and a moving card, which prevents burn-in, shows what plays. It lasts across
/// items until a key turns the picture on. The display stays on, because HDMI carries no sound without a picture.
extension InterfaceMachine {
    mutating func beginListening() -> CommandResult {
        guard snapshot.offersListening, !session.isListening else { return .failed(.notSupported) }
        session.isListening = true
        overlays.remove(.panel)
        bar.hide()
        viewing.transport.forgetUndo()
        effects.append(.presentVideo(false))
        showToast(strings.text(.anyKeyForPicture))
        return .success
    }

    mutating func endListening() {
        guard session.isListening else { return }
        session.isListening = false
        effects.append(.presentVideo(true))
    }

    /// A key while only the card is shown turns the picture on, and does nothing else. Play and Pause control the sound. Nil for the usual effect of
    /// the key.
    mutating func actWhileListening(_ key: RemoteKey) -> CommandResult? {
        guard awaitsKeyForPicture else { return nil }
        switch key {
        case .playpause, .play, .pause: return nil
        default:
            endListening()
            return .success
        }
    }

    /// Whether the next key enables video again: nothing that takes keys covers the card.
    var awaitsKeyForPicture: Bool {
        session.isListening && context.isPlayer
    }

    /// Home, standby and the end turn the picture on.
    mutating func settleListening() {
        if session.isListening, screen != .player || item == nil && opening == nil { endListening() }
    }
}
