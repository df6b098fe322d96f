import CivilTime

/// What a schedule channel shows when: entries at dates, or rules that recur, with a filler.
package struct ChannelSchedule: Sendable, Hashable {
    /// Items ordered by time.
    package internal(set) var entries: [ScheduleEntry] = []
    /// What recurs, in place of entries.
    package internal(set) var timetable = Timetable<ScheduleRule>([])
    /// The items that are shown, again and again, while no rule holds or the date is not known.
    package internal(set) var filler: [String] = []

    /// Whether it has rules or a filler, and not entries.
    var recurs: Bool { !(timetable.rules.isEmpty && filler.isEmpty) }
    var isEmpty: Bool { entries.isEmpty && !recurs }

    /// What the rules show at a date; the filler if the date is not known; nil: nothing.
    package func due(at date: FeedDate?, in zone: CivilZone) -> ScheduleRule? {
        date.flatMap { timetable.what(at: $0.second, in: zone) } ?? fillerRule
    }

    /// What is shown while no rule holds; nil: nothing.
    package var fillerRule: ScheduleRule? { filler.isEmpty ? nil : ScheduleRule(title: nil, shows: .items(filler)) }

    /// The ids of all items that it names.
    package var items: [String] {
        var ids = entries.map(\.item) + filler
        for rule in timetable.rules { if case .items(let items) = rule.what.shows { ids += items } }
        return ids
    }

    /// Takes out what was dropped. A rule that shows nothing then is none.
    mutating func keep(_ kept: Set<String>) {
        entries.removeAll { !kept.contains($0.item) }
        filler.removeAll { !kept.contains($0) }
        timetable = Timetable(
            timetable.rules.compactMap { rule in
                guard case .items(let items) = rule.what.shows else { return rule }
                let left = items.filter { kept.contains($0) }
                var rule = rule
                rule.what.shows = .items(left)
                return left.isEmpty ? nil : rule
            })
    }
}

/// What a schedule channel shows at times that recur.
package struct ScheduleRule: Sendable, Hashable {
    /// Its name in the guide; nil: that of what it shows.
    package internal(set) var title: LocalizedText?
    package internal(set) var shows: Shows

    package enum Shows: Sendable, Hashable {
        /// Items one after another, again and again.
        case items([String])
        /// A live or playlist channel.
        case channel(String)
    }
}
