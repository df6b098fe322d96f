import BoxModel
import LinuxSupport

/// The Audio tab.
extension Viewing {
    /// Another option of the Audio tab.
    package mutating func selectAudio(_ id: String, _ turn: inout ViewingTurn) -> CommandResult {
        soundOff.forget()
        turn.effects.append(.selectAudio(id: id))
        return .success
    }

    /// "Off" in the Audio tab: the pictures go on in silence. The next item is heard.
    package mutating func turnSoundOff(_ turn: inout ViewingTurn) -> CommandResult {
        guard let heard = played.snapshot.options.selectedAudio else { return .failed(.noChange) }
        guard played.snapshot.hasVideo else { return .failed(.notSupported) }
        soundOff.begin(insteadOf: heard, at: turn.now)
        turn.effects.append(.selectAudio(id: nil))
        turn.toast = "\(turn.strings.text(.soundOff)) · \(turn.strings.text(.backToUndo))"
        return .success
    }

    /// The audio that Back turns on again: it was turned off after the last navigation.
    var soundToUndo: String? {
        guard let heard = soundOff.before, let end = soundOff.undoEnds else { return nil }
        return seeking.undoEnds.map { $0 > end } == true ? nil : heard
    }
}
