import Appliance
import BoxModel
import Housekeeping

/// The door of the local page: what concerns the machine and its player is for the housekeeping, everything else for the appliance.
@MainActor
final class BoxDoor: CommandDoor {
    private let appliance: Appliance
    /// Nil for a player without housekeeping.
    private var life: BoxLife?

    init(_ appliance: Appliance) { self.appliance = appliance }

    func add(_ life: BoxLife) { self.life = life }

    func handle(_ event: RemoteEvent) -> CommandResult { appliance.handle(event) }

    func perform(_ command: RemoteCommand, from origin: String) -> CommandResult {
        life?.perform(command) ?? appliance.perform(command, from: origin)
    }
}
