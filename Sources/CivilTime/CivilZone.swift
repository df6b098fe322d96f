import MediaTime

/// The clocks of a place: how far they are from UTC at which instant, by the data of the time zone database (RFC 9636). A value.
///
/// Instants are seconds since 1970-01-01T00:00:00Z, without leap seconds. Local times are days since 1970-01-01 and seconds since the beginning of the
/// day as a clock on the wall shows them.
package struct CivilZone: Sendable, Hashable {
    /// Clocks are this far east of UTC from an instant on.
    struct Change: Sendable, Hashable {
        let at: Int64
        /// In seconds.
        let offset: Int64
    }

    /// `Europe/Paris`.
    package let name: String
    /// Before the first change.
    private let before: Int64
    /// In the order of their instants.
    private let changes: [Change]
    /// Behind the last change; nil: the last one holds for ever.
    private let rule: ZoneRule?

    package static let utc = CivilZone(name: "UTC", before: 0, changes: [], rule: nil)

    private init(name: String, before: Int64, changes: [Change], rule: ZoneRule?) {
        (self.name, self.before, self.changes, self.rule) = (name, before, changes, rule)
    }

    /// Parses a file of the database; nil if it is not one.
    package init?(name: String, file bytes: [UInt8]) {
        guard let file = ZoneFile(bytes) else { return nil }
        self.init(name: name, before: file.before, changes: file.changes, rule: file.rule)
    }

    /// How far clocks are east of UTC at an instant, in seconds.
    package func offset(at instant: Int64) -> Int64 {
        if let rule, changes.last.map({ instant >= $0.at }) ?? true { return rule.offset(at: instant) }
        let past = count(until: instant)
        return past == 0 ? before : changes[past - 1].offset
    }

    /// How many changes there are until an instant.
    private func count(until instant: Int64) -> Int {
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].at <= instant { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// What a clock on the wall shows: the day, in days since 1970-01-01, and the seconds since its beginning.
    package func local(at instant: Int64) -> (day: Int64, second: Int64) {
        let local = instant + offset(at: instant)
        let day = local.floored(by: 86_400)
        return (day, local - day * 86_400)
    }

    /// The first instant at which a clock shows a time or a later one.
    ///
    /// A time that the clocks leave out is the instant at which they are changed, and one that they show twice is the first of both. So times that follow
    /// each other never change places, and where one span of time ends and another begins there is neither a gap nor an overlap.
    ///
    /// - Parameter second: since the beginning of the day; 86,400 is the beginning of the next one.
    package func instant(day: Int64, second: Int64) -> Int64 {
        let wanted = day * 86_400 + second
        // No clock is further from UTC than this.
        var begin = wanted - 2 * 86_400
        var offset = offset(at: begin)
        for change in self.changes(after: begin, until: wanted + 2 * 86_400) {
            let found = max(begin, wanted - offset)
            if found < change.at { return found }
            (begin, offset) = (change.at, change.offset)
        }
        return max(begin, wanted - offset)
    }

    /// The changes in a range of instants, without its first one.
    private func changes(after first: Int64, until last: Int64) -> [Change] {
        let known = Array(changes[count(until: first)..<count(until: last)])
        let end = changes.last?.at ?? .min
        guard let rule, last > end else { return known }
        return known + rule.changes(after: max(first, end), until: last)
    }
}

extension Int64 {
    /// The quotient, rounded down.
    func floored(by divisor: Int64) -> Int64 { (self >= 0 ? self : self - (divisor - 1)) / divisor }
}
