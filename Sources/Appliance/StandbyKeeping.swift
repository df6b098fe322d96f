import LinuxSupport
import MediaModel
import Screens

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
    ///
    /// - Parameter staysLit: whether the screen is still needed.
    func begin(staysLit: Bool) {
        parts.log.note("standby")
        programmes.lockAll()
        parts.viewer.voice?.stop()
        programmes.leave()
        programmes.letGoOfSound(after: .zero)
        if !staysLit { darken() }
    }

    /// Nothing is to be seen any more.
    func darken() {
        parts.services.display.setPower(false)
        events.send(.standby(true))
    }

    /// Something is to be seen, whether the box sleeps or not.
    func light() {
        parts.services.display.setPower(true)
        events.send(.standby(false))
    }

    /// The interface has left standby.
    func end() {
        parts.log.note("awake")
        light()
        catalogue.tellHome()
    }
}
