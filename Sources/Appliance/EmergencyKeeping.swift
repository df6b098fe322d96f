import BoxModel
import LinuxSupport
import Screens

/// The operator's emergency message: instead of everything else, also in standby and after a restart, until the operator ends it. Main loop only.
@MainActor
final class EmergencyKeeping {
    /// The choice in which it is stored.
    static let name = "emergency"

    private let parts: ApplianceParts
    private let driver: InterfaceDriver
    private let screen: Screen
    private let standby: StandbyKeeping
    private let holds: HoldKeeping
    /// What is on the screen.
    private(set) var text: String?

    init(_ parts: ApplianceParts, driver: InterfaceDriver, screen: Screen, standby: StandbyKeeping, holds: HoldKeeping) {
        (self.parts, self.driver, self.screen, self.standby, self.holds) = (parts, driver, screen, standby, holds)
    }

    var isOn: Bool { text != nil }

    /// Shows the message that was there before the restart.
    func restore() { if let kept = parts.viewer.choices.choice(Self.name) { show(kept) } }

    /// Carries out a command about the message, and refuses those that it stands in the way of.
    ///
    /// - Returns: nil for a command that others carry out.
    func carryOut(_ command: RemoteCommand) -> CommandResult? {
        switch command {
        case .showEmergency(let text):
            guard text != self.text else { return .failed(.noChange) }
            parts.viewer.choices.setChoice(text, Self.name)
            show(text)
            return .success
        case .endEmergency: return end()
        default: return isOn && command.rule.traits.contains(.yieldsToEmergency) ? .failed(.emergency) : nil
        }
    }

    /// The player has changed: nothing goes on under the message.
    func playerChanged() {
        guard isOn else { return }
        // Not while the interface carries something out, whose answer the pause would not get.
        parts.clock.schedule(after: .zero, rank: .timer) { [weak self] in
            if let self, isOn { holds.silence(for: .emergency) }
        }
    }

    private func show(_ text: String) {
        parts.log.note("an emergency message is shown", .warning)
        self.text = text
        screen.setEmergency(SetUpView(kind: .emergency, title: driver.strings.text(.emergencyTitle), paragraphs: [text]))
        standby.light()
        holds.silence(for: .emergency)
        screen.show()
        parts.viewer.voice?.speak(text, language: driver.machine.state.appearance.language)
    }

    private func end() -> CommandResult {
        guard isOn else { return .failed(.noChange) }
        parts.log.note("the emergency message is ended")
        parts.viewer.choices.setChoice(nil, Self.name)
        text = nil
        screen.setEmergency(nil)
        if standby.isOn { standby.darken() }
        holds.endSilence(for: .emergency)
        if screen.isLost, parts.player.currentItem?.videoTrack != nil { holds.lost(.display) }
        screen.show()
        return .success
    }
}
