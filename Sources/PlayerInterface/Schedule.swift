import LinuxSupport
import MediaTime

/// The programme guide and the wall clock by which it is read.
struct Schedule: Sendable, Equatable {
    private struct WallClock: Sendable, Equatable {
        var secondsSinceMidnight: Int
        var instant: HostTime
    }
    private var guide = GuideContent()
    private var wallClock: WallClock?

    var channels: [GuideContent.Channel] { guide.channels }

    /// Whether nothing is known of any channel.
    var isEmpty: Bool { guide.isEmpty }

    /// Whether the guide can be opened: something is known, and the time is.
    var isReadable: Bool { !guide.isEmpty && wallClock != nil }

    mutating func take(_ guide: GuideContent) { self.guide = guide }

    /// The wall clock shows this at an instant.
    mutating func setClock(secondsSinceMidnight: Int, at instant: HostTime) {
        wallClock = WallClock(secondsSinceMidnight: secondsSinceMidnight, instant: instant)
    }

    /// Seconds since the beginning of the day on which the clock was set; nil: it was not set.
    func timeOfDay(at now: HostTime) -> Int? {
        wallClock.map { $0.secondsSinceMidnight + Int((now - $0.instant).mediaTime.wholeSeconds) }
    }

    /// When the time that is on the screen is another; nil: the clock was not set.
    func nextMinute(after now: HostTime) -> HostTime? {
        timeOfDay(at: now).map { now + .seconds(Int64(60 - (($0 % 60) + 60) % 60)) }
    }

    /// The programme that is on now on a channel.
    func programme(on channel: String, at now: HostTime) -> GuideContent.Programme? {
        timeOfDay(at: now).flatMap { guide.channel(channel)?.programme(at: $0) }
    }

    /// The programme that begins next on a channel.
    func next(on channel: String, at now: HostTime) -> GuideContent.Programme? {
        timeOfDay(at: now).flatMap { guide.channel(channel)?.next(after: $0) }
    }

    /// How much of a programme is over, in percent.
    func progress(of programme: GuideContent.Programme, at now: HostTime) -> Int? {
        timeOfDay(at: now).map { min(100, max(0, ($0 - programme.start) * 100 / max(1, programme.end - programme.start))) }
    }
}

extension StringCatalogue {
    /// "20:00 – 20:30".
    func times(of programme: GuideContent.Programme) -> String {
        text(.timeRange, TimeText.timeOfDay(Int64(programme.start)), TimeText.timeOfDay(Int64(programme.end)))
    }
}
