import ChannelFeed
import CivilTime
import LinuxSupport
import MediaTime

/// What follows the wall clock: the opening hours, and waiting until a schedule shows something else. It works on instants of that clock, which it asks again each
/// time that it is armed, so that a clock that is set is followed at once. Main loop only.
@MainActor
final class TimeKeeping {
    let hours: HoursKeeping
    private let clock: any HostClock
    private let date: @MainActor () -> FeedDate?
    private let zone: CivilZone
    private var timer: ScheduledEvent?

    init(_ parts: ApplianceParts, hours: HoursKeeping) {
        self.hours = hours
        (clock, date, zone) = (parts.clock, parts.wallClock, parts.zone)
    }

    /// - Parameters:
    ///   - channel: the schedule that plays, or that a kiosk waits for; nil if there is none.
    ///   - onChange: called once when something else is due, unless it is armed again before. The clock reports every half minute: what is due later than in a day
    ///     is armed then.
    func arm(_ channel: Channel?, onChange: @escaping @MainActor @Sendable () -> Void) {
        timer?.cancel()
        timer = nil
        guard let channel, channel.recurs, let now = date(),
            let next = channel.schedule.timetable.nextSwitch(after: now.second, days: 1, in: zone)
        else { return }
        let delay = next.at * 1000 - now.milliseconds
        timer = clock.schedule(after: .milliseconds(max(delay, 1))) { [weak self] in
            self?.timer = nil
            onChange()
        }
    }
}
