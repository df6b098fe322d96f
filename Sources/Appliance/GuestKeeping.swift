import BoxModel
import LinuxSupport
import Viewing

/// The guests of a room: the box greets one by name, and forgets one who has left. Main loop only.
@MainActor
final class GuestKeeping {
    private static let name = "welcome"
    /// How long the welcome is shown, in seconds.
    private static let length = 15

    private let parts: ApplianceParts
    private let driver: InterfaceDriver
    private let viewer: ViewerKeeping
    private let sound: SoundKeeping
    /// Choices that are not a guest's.
    private let keeps: Set<String>
    /// Called when the stores are empty: applies and stores the settings that stay, and removes the viewer's PIN.
    var onCheckOut: (@MainActor (ViewerSettings) -> Void)?

    init(_ parts: ApplianceParts, driver: InterfaceDriver, viewer: ViewerKeeping, sound: SoundKeeping, keeps: Set<String>) {
        (self.parts, self.driver, self.viewer, self.sound, self.keeps) = (parts, driver, viewer, sound, keeps)
    }

    /// - Returns: nil for a command that is not about a guest.
    func carryOut(_ command: RemoteCommand) -> CommandResult? {
        switch command {
        case .setWelcome(let name):
            guard name != expected else { return .failed(.noChange) }
            parts.viewer.choices.setChoice(name, Self.name)
            greet()
            return .success
        case .checkOut: return checkOut()
        default: return nil
        }
    }

    private var expected: String? { parts.viewer.choices.choice(Self.name) }

    /// Greets the guest, if one is expected and the box is awake.
    func greet() {
        guard let expected, driver.machine.state.screen != .standby else { return }
        let words = driver.strings.text(.welcomeGuest, driver.strings.isolated(expected))
        _ = driver.ask(.command(.showMessage(words, seconds: Self.length), origin: Self.name))
    }

    private func checkOut() -> CommandResult {
        // Leaving what plays stores its place, which is forgotten then.
        let result = driver.ask(.command(.checkOut, origin: "operator"))
        guard result == .success else { return result }
        let room = viewer.settings.ofRoom(keepsParentalAge: viewer.hasOperatorPIN)
        parts.viewer.together {
            parts.places.forgetAll()
            parts.viewer.choices.forgetAll(except: keeps)
            parts.viewer.settings.forgetAll()
            sound.beginAgain()
            driver.send(.settingsRestored(room))
            onCheckOut?(room)
        }
        parts.log.note("check-out: what the guest has left is forgotten")
        return result
    }
}
