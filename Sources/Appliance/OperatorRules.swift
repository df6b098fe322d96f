import CivilTime
import Viewing

/// What the operator's settings may change while the box runs. Main loop only.
@MainActor
package struct OperatorRules {
    private let driver: InterfaceDriver
    private let sound: SoundKeeping
    private let hours: HoursKeeping

    init(driver: InterfaceDriver, sound: SoundKeeping, hours: HoursKeeping) {
        (self.driver, self.sound, self.hours) = (driver, sound, hours)
    }

    /// When the screen is on; nil: as the feed says.
    package func setHours(_ new: OpeningHours?) {
        hours.configured = new
        hours.follow()
    }

    /// The volumes that are allowed.
    package func setVolume(_ limits: VolumeLimits) { sound.take(limits) }

    /// The overscan of the interface, unless the viewer has set one, in percent.
    package func setOverscan(_ percent: Int) { driver.changePolicy { $0.overscanPercent = percent } }
}
