import LinuxSupport
import MediaTime
import Screens
import Viewing

/// The programme guide and its wall clock.
struct Schedule: Sendable, Equatable {
    private struct WallClock: Sendable, Equatable {
        var secondsSinceMidnight: Int
        /// Its days since the start of 1970; nil if they are not known.
        var day: Int64?
        var instant: HostTime
    }
    private var guide = GuideContent()
    /// The channels as the viewer wants them, without those that are hidden.
    private(set) var channels: [GuideContent.Channel] = []
    /// As the viewer wants the channels.
    var order = ChannelOrder() { didSet { if order != oldValue { arrange() } } }
    /// The same by the titles of programmes.
    private(set) var titles = ProgrammeTitles(GuideContent())
    private var wallClock: WallClock?
    /// In the order of their programmes' starts, so that a frame costs no search through the guide.
    private var reminders: [Reminder] = []

    func channel(_ id: String) -> GuideContent.Channel? { guide.channel(id) }

    /// Whether no channel has programmes.
    var isEmpty: Bool { guide.isEmpty }

    /// Whether the guide can be opened: there are programmes, and the time is known.
    var isReadable: Bool { !guide.isEmpty && wallClock != nil }

    private mutating func arrange() { channels = order.arranged(guide.channels, id: \.id) }

    mutating func take(_ guide: GuideContent) {
        self.guide = guide
        arrange()
        titles = ProgrammeTitles(guide)
        reminders = guide.channels.flatMap { channel in
            channel.programmes.filter(\.hasReminder).map { Reminder(channel: channel.id, programme: $0) }
        }
        .sorted { ($0.programme.start, $0.channel) < ($1.programme.start, $1.channel) }
    }

    // MARK: Reminders

    /// The viewer is being reminded, or does not need to be.
    mutating func forget(_ reminder: Reminder) { reminders.removeAll { $0 == reminder } }

    /// A programme that is about to begin, or has just begun, of which the viewer wants to be reminded.
    func dueReminder(at now: HostTime) -> Reminder? {
        guard !reminders.isEmpty, let time = timeOfDay(at: now) else { return nil }
        return reminders.first { $0.isDue(at: time) }
    }

    /// When the next reminder becomes due; nil for none, or without a clock.
    func nextReminder(after now: HostTime) -> HostTime? {
        guard !reminders.isEmpty, let time = timeOfDay(at: now), let wallClock,
            let next = reminders.first(where: { $0.dueFrom > time })
        else { return nil }
        return wallClock.instant + .seconds(Int64(next.dueFrom - wallClock.secondsSinceMidnight))
    }

    // MARK: Time

    /// Sets the wall clock at an instant.
    ///
    /// - Parameter day: in days since the start of 1970; nil if it is not known.
    mutating func setClock(secondsSinceMidnight: Int, day: Int64?, at instant: HostTime) {
        wallClock = WallClock(secondsSinceMidnight: secondsSinceMidnight, day: day, instant: instant)
    }

    /// The day; nil if it is not known.
    func date(at now: HostTime, in strings: StringCatalogue) -> CalendarDate? {
        guard let day = wallClock?.day, let time = timeOfDay(at: now) else { return nil }
        return CalendarDate(daysSince1970: day + Int64(strings.daysAhead(time)))
    }

    /// Seconds since the start of the day on which the clock was set; nil if it was not set.
    func timeOfDay(at now: HostTime) -> Int? {
        wallClock.map { $0.secondsSinceMidnight + Int((now - $0.instant).mediaTime.wholeSeconds) }
    }

    /// When the displayed time changes; nil if the clock was not set.
    func nextMinute(after now: HostTime) -> HostTime? {
        timeOfDay(at: now).map { now + .seconds(Int64(60 - (($0 % 60) + 60) % 60)) }
    }

    /// What is on the live channel that plays; nil on demand, and where the guide does not have the channel.
    func broadcast(of played: PlayedItem, hasReminders: Bool, at now: HostTime) -> Broadcast? {
        guard let item = played.item, item.isLive, let channel = guide.channel(item.channel ?? item.id) else { return nil }
        return Broadcast(played, on: channel, timeOfDay: timeOfDay(at: now), hasReminders: hasReminders)
    }

    /// The current programme of a channel.
    func programme(on channel: String, at now: HostTime) -> GuideContent.Programme? {
        timeOfDay(at: now).flatMap { guide.channel(channel)?.programme(at: $0) }
    }

    /// The next programme of a channel.
    func next(on channel: String, at now: HostTime) -> GuideContent.Programme? {
        timeOfDay(at: now).flatMap { guide.channel(channel)?.next(after: $0) }
    }

    /// The progress of a programme, in percent.
    func progress(of programme: GuideContent.Programme, at now: HostTime) -> Int? {
        timeOfDay(at: now).map { min(100, max(0, ($0 - programme.start) * 100 / max(1, programme.end - programme.start))) }
    }
}

extension StringCatalogue {
    /// How many days after today a time is, in seconds since the start of today, as clocks on walls count them.
    fileprivate func daysAhead(_ time: Int) -> Int { Int((Double(changes.clock(at: time)) / 86400).rounded(.down)) }

    /// "Yesterday", "Today", "Tomorrow", "In 2 days", for a time in seconds since the start of today.
    func day(of time: Int) -> String {
        let day = daysAhead(time)
        if day < 0 { return text(.yesterday) }
        return day == 0 ? text(.today) : day == 1 ? text(.tomorrow) : plural(.inDays, day)
    }
}
