import BoxModel
import LinuxSupport
import Viewing

/// Gives each command to the part of the box that carries it out. Main loop only.
@MainActor
final class CommandKeeping {
    private let parts: ApplianceParts
    private let driver: InterfaceDriver
    private let programmes: ProgrammePlayer
    private let sound: SoundKeeping
    private let holds: HoldKeeping
    private let guests: GuestKeeping
    private let emergency: EmergencyKeeping
    /// Called when the box may be silent now, or heard again.
    var soundChanged: (@MainActor () -> Void)?

    init(
        _ parts: ApplianceParts, driver: InterfaceDriver, programmes: ProgrammePlayer, sound: SoundKeeping, holds: HoldKeeping,
        guests: GuestKeeping, emergency: EmergencyKeeping
    ) {
        (self.parts, self.driver, self.programmes) = (parts, driver, programmes)
        (self.sound, self.holds, self.guests, self.emergency) = (sound, holds, guests, emergency)
    }

    func perform(_ command: RemoteCommand, by origin: Origin) -> CommandResult {
        parts.dump?.note(.command(command, origin: origin.name))
        if let result = holds.announce(command) { return result }
        if case .viewer = origin, let result = emergency.carryOut(command) { return answer(result) }
        if case .open(let id) = command { return answer(programmes.open(id: id, by: .command) ? .success : .failed(.unknownID)) }
        if let result = guests.carryOut(command) { return answer(result) }
        if sound.carryOut(command, tell: { driver.send($0) }) {
            soundChanged?()
            return answer(.success)
        }
        holds.asked(command, by: origin)
        let event = InterfaceEvent.command(command, origin: origin.name)
        // Holds try; that there was nothing to do is no news.
        if case .hold = origin { return driver.ask(event) }
        return ask(event)
    }

    func ask(_ event: InterfaceEvent) -> CommandResult { answer(driver.ask(event)) }

    private func answer(_ result: CommandResult) -> CommandResult {
        parts.dump?.note(.answer(result))
        if case .failed(let reason) = result { parts.log.note("refused: \(reason.rawValue)") }
        return result
    }
}
