/// What holds when, by rules that recur: rules and a zone in, instants out. A value, without a clock.
///
/// Where rules overlap, the one with the higher priority holds; of two with the same, the one whose days are named more exactly (dates, then days of each
/// year, then days of the week), and then the first one.
package struct Timetable<What: Sendable & Hashable>: Sendable, Hashable {
    /// Something and its times.
    package struct Rule: Sendable, Hashable {
        package var what: What
        package var times: [Recurrence]
        /// Days on which it does not begin, whatever its times say.
        package var except: [Days]
        package var priority: Int

        package init(_ what: What, _ times: [Recurrence], except: [Days] = [], priority: Int = 0) {
            (self.what, self.times, self.except, self.priority) = (what, times, except, priority)
        }
    }

    /// Something begins to hold at an instant; nil: nothing does.
    package struct Switch: Sendable, Hashable {
        package let at: Int64
        package let what: What?
    }

    package let rules: [Rule]

    package init(_ rules: [Rule]) { self.rules = rules }

    /// The stretch of time in which a rule would hold, if no other one stood above it.
    private struct Stretch {
        let start: Int64
        let end: Int64
        /// Compared from the left; the highest one holds.
        let rank: (priority: Int, exactness: Int, place: Int)
        let what: What
    }

    /// What holds at an instant.
    package func what(at instant: Int64, in zone: CivilZone) -> What? {
        switches(from: instant, until: instant, in: zone)[0].what
    }

    /// The next instant at which something else holds, or nothing; nil if there is none within some days.
    ///
    /// - Parameter days: how far it looks.
    package func nextSwitch(after instant: Int64, days: Int64 = 8, in zone: CivilZone) -> Switch? {
        switches(from: instant, until: instant + days * 86_400, in: zone).dropFirst().first
    }

    /// What holds at an instant, and then each change until another instant, in their order. One that changes nothing is not among them.
    package func switches(from first: Int64, until last: Int64, in zone: CivilZone) -> [Switch] {
        let stretches = stretches(from: first, until: last, in: zone)
        let edges = Set(stretches.flatMap { [$0.start, $0.end] }.filter { $0 > first && $0 <= last }).sorted()
        var found: [Switch] = []
        // Stretches in the order of their beginning are taken up at their edge and let go at their end.
        let waiting = stretches.sorted { $0.start < $1.start }
        var (next, holding) = (0, [Stretch]())
        for edge in [first] + edges {
            while next < waiting.count, waiting[next].start <= edge {
                holding.append(waiting[next])
                next += 1
            }
            holding.removeAll { $0.end <= edge }
            let what = holding.max { $0.rank < $1.rank }?.what
            if found.isEmpty || found.last?.what != what { found.append(Switch(at: edge, what: what)) }
        }
        return found
    }

    private func stretches(from first: Int64, until last: Int64, in zone: CivilZone) -> [Stretch] {
        // A stretch that began two days ago may still last, by a clock that was set back.
        let days = zone.local(at: first).day - 2...zone.local(at: last).day + 1
        var found: [Stretch] = []
        for day in days {
            for (place, rule) in rules.enumerated() where !rule.except.contains(where: { $0.contains(day) }) {
                for times in rule.times {
                    guard let exactness = times.exactness(on: day) else { continue }
                    for span in times.spans {
                        let start = zone.instant(day: day, second: span.start * 60)
                        let end = zone.instant(day: day, second: span.end * 60)
                        // A span that the clocks leave out as a whole has no time.
                        guard start < end, end > first, start <= last else { continue }
                        found.append(Stretch(start: start, end: end, rank: (rule.priority, exactness, -place), what: rule.what))
                    }
                }
            }
        }
        return found
    }

    // MARK: What is wrong with it

    /// The rules, by their places, that overlap with an earlier one of the same rank, with that one: there the first counts. Exceptions are not considered.
    package func overlaps() -> [(place: Int, with: Int)] {
        var found: [(Int, Int)] = []
        for (place, rule) in rules.enumerated() {
            let earlier = rules[..<place].firstIndex { other in
                other.priority == rule.priority && other.what != rule.what
                    && other.times.contains { first in rule.times.contains { first.overlaps($0) } }
            }
            if let earlier { found.append((place, earlier)) }
        }
        return found
    }

    /// The rules, by their places, whose last date is before a day.
    ///
    /// - Parameter day: in days since 1970-01-01.
    package func rulesOver(before day: Int64) -> [Int] {
        rules.indices.filter { place in
            rules[place].times.allSatisfy { times in
                times.days.allSatisfy { if case .dates(let range) = $0 { range.upperBound < day } else { false } }
            }
        }
    }
}
