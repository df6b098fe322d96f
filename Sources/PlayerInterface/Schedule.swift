import LinuxSupport
import MediaTime

/// The programme guide and its wall clock.
struct Schedule: Sendable, Equatable {
    private struct WallClock: Sendable, Equatable {
        var secondsSinceMidnight: Int
        var instant: HostTime
    }
    private var guide = GuideContent()
    private var wallClock: WallClock?

    var channels: [GuideContent.Channel] { guide.channels }

    /// Whether no channel has programmes.
    var isEmpty: Bool { guide.isEmpty }

    /// Whether the guide can be opened: there are programmes, and the time is known.
    var isReadable: Bool { !guide.isEmpty && wallClock != nil }

    mutating func take(_ guide: GuideContent) { self.guide = guide }

    /// Sets the wall clock at an instant.
    mutating func setClock(secondsSinceMidnight: Int, at instant: HostTime) {
        wallClock = WallClock(secondsSinceMidnight: secondsSinceMidnight, instant: instant)
    }

    /// Seconds since the start of the day on which the clock was set; nil if it was not set.
    func timeOfDay(at now: HostTime) -> Int? {
        wallClock.map { $0.secondsSinceMidnight + Int((now - $0.instant).mediaTime.wholeSeconds) }
    }

    /// When the displayed time changes; nil if the clock was not set.
    func nextMinute(after now: HostTime) -> HostTime? {
        timeOfDay(at: now).map { now + .seconds(Int64(60 - (($0 % 60) + 60) % 60)) }
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
    /// "20:00–20:30".
    func times(of programme: GuideContent.Programme) -> String {
        timeRange(Int64(programme.start), Int64(programme.end))
    }
}
