import CivilTime
import MediaTime
import WireFormats

/// What the schedules and the opening hours of a feed make of one day. A value.
package struct DayPlan: Sendable, Hashable {
    /// Something begins at a time of day, by the clock on the wall.
    package struct Line: Sendable, Hashable {
        /// `08:00`; with its seconds where they are not zero.
        package let time: String
        package let what: String
    }

    /// A schedule, or the screen.
    package struct Part: Sendable, Hashable {
        package let name: String
        package let lines: [Line]
    }

    package let date: CalendarDate
    package let zone: String
    /// 23 or 25 where clocks are changed.
    package let hours: Double
    package let parts: [Part]

    /// - Parameter date: an instant of the day.
    package init(of feed: Feed, at date: FeedDate, in zone: CivilZone) {
        let day = zone.local(at: date.second).day
        let (begin, end) = (zone.instant(day: day, second: 0), zone.instant(day: day, second: 86_400))
        self.date = CalendarDate(daysSince1970: day)
        self.zone = zone.name
        hours = Double(end - begin) / 3600
        func time(_ instant: Int64) -> String {
            let second = zone.local(at: instant).second
            return String(ISO8601.timeOfDay(second).prefix(second % 60 == 0 ? 5 : 8))
        }
        var parts: [Part] = []
        if let hours = feed.policy.hours {
            let lines = hours.changes(from: begin, until: end - 1, in: zone).map {
                Line(time: time($0.at), what: $0.isOpen ? "on" : "off")
            }
            parts.append(Part(name: "the screen", lines: lines))
        }
        for channel in feed.channels where channel.kind == .schedule {
            let lines =
                channel.recurs
                ? channel.schedule.timetable.switches(from: begin, until: end - 1, in: zone).map {
                    Line(time: time($0.at), what: Self.words(for: $0.what, channel))
                }
                : channel.schedule.entries.filter { begin <= $0.at.second && $0.at.second < end }.map {
                    Line(time: time($0.at.second), what: $0.item)
                }
            parts.append(Part(name: channel.id, lines: lines))
        }
        self.parts = parts
    }

    private static func words(for rule: ScheduleRule?, _ channel: Channel) -> String {
        switch rule?.shows {
        case .items(let items): items.joined(separator: ", ")
        case .channel(let id): "channel \(id)"
        case nil:
            channel.schedule.filler.isEmpty ? "nothing" : "the filler: \(channel.schedule.filler.joined(separator: ", "))"
        }
    }

    /// A line for each change, under the name of its schedule; empty if there is nothing to tell.
    package func text() -> String {
        guard !parts.isEmpty else { return "" }
        var lines = ["\(date) in \(zone), \(hours == hours.rounded() ? "\(Int(hours))" : "\(hours)") hours:"]
        for part in parts {
            lines.append("  \(part.name)\(part.lines.isEmpty ? ": nothing begins" : "")")
            lines += part.lines.map { "    \($0.time) \($0.what)" }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// One line.
    package func json() -> String {
        let parts = parts.map { part in
            let lines = part.lines.map { "{\"time\": \(JSONText.quoted($0.time)), \"what\": \(JSONText.quoted($0.what))}" }
            return "{\"name\": \(JSONText.quoted(part.name)), \"changes\": [\(lines.joined(separator: ", "))]}"
        }
        return
            "{\"date\": \"\(date)\", \"zone\": \(JSONText.quoted(zone)), \"hours\": \(hours), \"parts\": [\(parts.joined(separator: ", "))]}"
    }
}
