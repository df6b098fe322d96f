import LinuxSupport
import MediaModel
import PlayerInterface

/// The sleep of the box: screen and sound are off, nothing plays, and what the PIN had unlocked is locked. Main loop only.
@MainActor
struct StandbyKeeping {
    private let parts: ApplianceParts
    private let driver: InterfaceDriver
    private let programmes: ProgrammePlayer
    private let catalogue: Catalogue
    private let events: EventSource<Appliance.Event>

    init(
        _ parts: ApplianceParts, driver: InterfaceDriver, programmes: ProgrammePlayer, catalogue: Catalogue,
        events: EventSource<Appliance.Event>
    ) {
        self.parts = parts
        self.driver = driver
        self.programmes = programmes
        self.catalogue = catalogue
        self.events = events
    }

    /// Whether the box sleeps until a key or a command wakes it.
    var isOn: Bool { driver.machine.state.screen == .standby }

    /// The interface has gone to standby.
    func begin() {
        parts.log.note("standby")
        programmes.lockAll()
        parts.viewer.voice?.stop()
        programmes.leave()
        parts.services.display.setPower(false)
        programmes.letGoOfSound(after: .zero)
        events.send(.standby(true))
    }

    /// The interface has left standby.
    func end() {
        parts.log.note("awake")
        parts.services.display.setPower(true)
        events.send(.standby(false))
        catalogue.tellHome()
    }
}
