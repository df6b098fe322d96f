/// When the screen is on: texts such as `mon-fri 08:00-18:00` and `2026-12-25 closed`. A value.
///
/// What is written for dates replaces on these the hours of the days of each year and of the week, and what is written for days of each year those of the
/// days of the week. A day of which nothing is written is closed.
package struct OpeningHours: Sendable, Hashable {
    private let table: Timetable<Bool>

    /// The most texts.
    package static let mostTexts = 100

    /// Nil if there is no text: then it is always open.
    package init?(_ texts: [String]) throws(CivilFault) {
        guard !texts.isEmpty else { return nil }
        guard texts.count <= Self.mostTexts else {
            throw CivilFault("\(texts.count) texts", "Write \(Self.mostTexts) or fewer.")
        }
        var read: [Recurrence] = []
        for text in texts { read.append(try Recurrence(text, mayBeClosed: true)) }
        let rules = read.flatMap { times in
            // Each with the days that outrank it: on these it does not begin.
            times.days.map { days in
                let above = read.flatMap(\.days).filter { $0.exactness > days.exactness }
                return Timetable<Bool>.Rule(true, [Recurrence(days: [days], spans: times.spans)], except: above)
            }
        }
        guard rules.contains(where: { $0.times.contains { !$0.spans.isEmpty } }) else {
            throw CivilFault(
                "hours that are never open", "Write when the screen is on, or leave the hours out: then it always is.")
        }
        table = Timetable(rules)
    }

    /// Whether it is open at an instant.
    package func isOpen(at instant: Int64, in zone: CivilZone) -> Bool { table.what(at: instant, in: zone) != nil }

    /// The next instant at which it opens or closes; nil if there is none within some days.
    package func nextChange(after instant: Int64, days: Int64 = 8, in zone: CivilZone) -> Int64? {
        table.nextSwitch(after: instant, days: days, in: zone)?.at
    }

    /// When it opens (true) or closes between two instants, and first what it is at the first one.
    package func changes(from first: Int64, until last: Int64, in zone: CivilZone) -> [(at: Int64, isOpen: Bool)] {
        table.switches(from: first, until: last, in: zone).map { ($0.at, $0.what != nil) }
    }
}
