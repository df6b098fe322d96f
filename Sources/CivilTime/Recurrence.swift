import MediaTime

/// Times of day on days that recur: `mon-fri 08:00-12:00, 13:00-18:00`. A value.
package struct Recurrence: Sendable, Hashable {
    /// From a time of day to another one, by a clock on the wall, in minutes since the beginning of the day on which it begins. The end is not included, and
    /// past 1,440 it is on the next day.
    package struct Span: Sendable, Hashable {
        package let start: Int64
        package let end: Int64
    }

    package let days: [Days]
    /// Empty: at no time of these days (`closed`).
    package let spans: [Span]

    package init(days: [Days], spans: [Span]) { (self.days, self.spans) = (days, spans) }

    /// The longest text, in bytes.
    package static let longestText = 200
    /// The most days, and the most times, of a text.
    package static let mostParts = 10

    /// Parses the days, separated by commas, a space, and the times, separated by commas.
    ///
    /// - Parameter mayBeClosed: whether `closed` may stand in place of the times.
    package init(_ text: String, mayBeClosed: Bool = false) throws(CivilFault) {
        let example = "Write days and times such as \"mon-fri 08:00-18:00\"\(mayBeClosed ? ", or \"2026-12-25 closed\"" : "")."
        guard text.utf8.count <= Self.longestText else {
            throw CivilFault("a text of \(text.utf8.count) bytes", "Write \(Self.longestText) or fewer: use several texts.")
        }
        let words = text.replacing(", ", with: ",").split(separator: " ").map(String.init)
        guard words.count == 2 else { throw CivilFault("\"\(text)\" is not days and times", example) }
        guard words.allSatisfy({ $0.split(separator: ",").count <= Self.mostParts }) else {
            throw CivilFault("more than \(Self.mostParts) days or times in one text", "Use several texts.")
        }
        var days: [Days] = []
        for word in words[0].split(separator: ",", omittingEmptySubsequences: false) { days.append(try Days(String(word))) }
        self.days = days
        guard !mayBeClosed || words[1] != "closed" else {
            spans = []
            return
        }
        var spans: [Span] = []
        for word in words[1].split(separator: ",", omittingEmptySubsequences: false) {
            let ends = word.split(separator: "-", omittingEmptySubsequences: false).map { Self.minutes($0) }
            guard ends.count == 2, let start = ends[0], let end = ends[1], start < Self.day else {
                throw CivilFault("\"\(word)\" is not two times of day", example)
            }
            guard start != end else {
                throw CivilFault("\"\(word)\" ends when it begins", "Write 00:00-24:00 for the whole day.")
            }
            // What ends before it begins goes on past midnight.
            spans.append(Span(start: start, end: end > start ? end : end + Self.day))
        }
        self.spans = spans
    }

    static let day: Int64 = 24 * 60

    /// `08:00`; 24:00 is the end of the day.
    private static func minutes(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 && $0.allSatisfy { $0.isASCII && $0.isNumber } }),
            let hours = Int64(parts[0]), let minutes = Int64(parts[1]), minutes < 60, hours * 60 + minutes <= day
        else { return nil }
        return hours * 60 + minutes
    }

    /// How exactly it names a day; nil if the day is not one of its days.
    func exactness(on day: Int64) -> Int? { days.filter { $0.contains(day) }.map(\.exactness).max() }

    // MARK: Overlaps

    /// Whether some time of both is the same, on days that are named equally exactly.
    func overlaps(_ other: Recurrence) -> Bool {
        // A span may reach into the next day.
        for shift: Int64 in [-1, 0, 1] where spansOverlap(other, shift: shift) {
            if days.contains(where: { mine in other.days.contains { mine.overlaps($0, shift: shift) } }) { return true }
        }
        return false
    }

    /// - Parameter shift: by how many days the other one is later.
    private func spansOverlap(_ other: Recurrence, shift: Int64) -> Bool {
        spans.contains { mine in
            other.spans.contains { mine.start < $0.end + shift * Self.day && $0.start + shift * Self.day < mine.end }
        }
    }
}
