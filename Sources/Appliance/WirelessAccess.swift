import BoxModel
import LinuxSupport
import Shell

/// Joins the interface and the wireless networks. Main loop only.
@MainActor
package final class WirelessAccess {
    private let door: (any WirelessDoor)?
    private let driver: InterfaceDriver
    private var listening: Subscription?

    init(_ parts: ApplianceParts, driver: InterfaceDriver) {
        door = parts.viewer.wireless
        self.driver = driver
        guard let door else { return }
        listening = door.changes.listen { [weak self] in self?.tell() }
        tell()
    }

    private func tell() { if let door { driver.send(.wirelessChanged(door.status)) } }

    func perform(_ request: WirelessRequest) { door?.perform(request) }

    /// Whether a screen of the box can lead to the Wi-Fi page.
    package var leadsToPage: Bool { driver.machine.leadsToWireless }

    /// Whether there is an adapter that stays off until a country is set.
    package var isWithoutCountry: Bool { driver.machine.isRadioWithoutCountry }

    /// Opens the Wi-Fi page over the screen of the box that leads to it; in a kiosk after the PIN.
    package func open() { driver.send(.wirelessAsked) }
}
