import ChannelFeed
import CivilTime
import LinuxSupport
import MediaTime
import Viewing

/// The opening hours: tells the interface when the screen is on, and starts what plays then. Main loop only.
@MainActor
final class HoursKeeping {
    private let parts: ApplianceParts
    private let driver: InterfaceDriver
    /// Those of the feed.
    private let offered: @MainActor () -> OpeningHours?
    private var timer: ScheduledEvent?
    private var wasOpen: Bool?
    /// Those of the box's settings.
    var configured: OpeningHours?
    /// The box was in standby and is not any more, because it opens.
    var onOpening: @MainActor () -> Void = {}

    init(_ parts: ApplianceParts, driver: InterfaceDriver, offered: @escaping @MainActor () -> OpeningHours?) {
        (self.parts, self.driver, self.offered) = (parts, driver, offered)
        configured = parts.viewer.hours
    }

    /// Whether nothing begins by itself now: the box is closed, and no key has woken it.
    var keepsDark: Bool { wasOpen == false && driver.machine.state.screen == .standby }

    /// The time, the feed or the settings have changed.
    func follow() {
        timer?.cancel()
        timer = nil
        guard let hours = configured ?? offered(), let now = parts.wallClock() else {
            if wasOpen != nil { tell(nil, nil) }
            return
        }
        let isOpen = hours.isOpen(at: now.second, in: parts.zone)
        let change = hours.nextChange(after: now.second, in: parts.zone).map { $0 * 1000 - now.milliseconds }
        if let change {
            timer = parts.clock.schedule(after: .milliseconds(max(change, 1))) { [weak self] in self?.follow() }
        }
        tell(isOpen, change.map { parts.clock.now + .milliseconds($0) })
    }

    private func tell(_ isOpen: Bool?, _ change: HostTime?) {
        if isOpen != wasOpen {
            parts.log.note(
                isOpen.map { $0 ? "opening hours: open" : "opening hours: closed" }
                    ?? "opening hours: none, or the date is not known")
        }
        wasOpen = isOpen
        let wasDark = driver.machine.state.screen == .standby
        driver.send(.openingHours(isOpen: isOpen, change: change))
        if wasDark, driver.machine.state.screen != .standby { onOpening() }
    }
}
