import LinuxSupport
import MediaModel

/// "Listen with Screen Off": no picture is decoded, the sound goes on, and what plays is told by a card that moves so that it burns nothing in.
/// It lasts over items until a key asks for the picture. The display stays lit: without a picture on HDMI there would be no sound on it either.
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

    /// What a key does while nothing but the card is there: it brings the picture back, and nothing else. Play and Pause are for the sound; nil: they do
    /// what they always do.
    mutating func actWhileListening(_ key: RemoteKey) -> CommandResult? {
        guard awaitsKeyForPicture else { return nil }
        switch key {
        case .playpause, .play, .pause: return nil
        default:
            endListening()
            return .success
        }
    }

    /// Whether the next key is for the picture: nothing that takes keys lies over the card.
    var awaitsKeyForPicture: Bool {
        session.isListening && context.isPlayer
    }

    /// Home, standby and the end of everything are looked at.
    mutating func settleListening() {
        if session.isListening, screen != .player || item == nil && opening == nil { endListening() }
    }
}
