/// A time of day in which work is done: downloads, updates. A value.
package struct DailyWindow: Sendable, Hashable {
    /// In seconds since local midnight, 0 to 86,399.
    package let start: Int
    /// Not included. Before the start, the window ends on the next day; equal to it, the window is the whole day.
    package let end: Int

    private static let day = 86_400
    /// The boxes of an operator begin within this time after the start of the window, or within half of a shorter one.
    private static let longestSpread = 3600

    /// Parses `HH:MM-HH:MM`; nil if it is not that.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Self.seconds(String($0)) }
        guard parts.count == 2, let start = parts[0], let end = parts[1] else { return nil }
        (self.start, self.end) = (start, end)
    }

    /// The length in seconds: 1 minute to 1 day.
    package var length: Int { start == end ? Self.day : (end - start + Self.day) % Self.day }

    /// Whether it is that time.
    ///
    /// - Parameters:
    ///   - seconds: since local midnight.
    ///   - spread: which part of the boxes this one is, from 0 to 1: it begins that much later, so that the boxes do not all begin at once.
    package func contains(_ seconds: Int, spread: Double = 0) -> Bool {
        let since = ((seconds - start) % Self.day + Self.day) % Self.day
        return since < length && (length == Self.day || since >= delay(spread))
    }

    /// How long after the start of the window this box begins, in seconds.
    package func delay(_ spread: Double) -> Int { Self.part(spread, of: min(Self.longestSpread, length / 2)) }

    /// A part of a length in seconds.
    ///
    /// - Parameter spread: from 0 to 1; other values count as the nearer of these, and what is not a number as 0.
    package static func part(_ spread: Double, of length: Int) -> Int { spread > 0 ? Int(Double(length) * min(spread, 1)) : 0 }

    private static func seconds(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.count == 2 && $0.allSatisfy { $0.isASCII && $0.isNumber } }),
            let hours = Int(parts[0]), let minutes = Int(parts[1]), hours < 24, minutes < 60
        else { return nil }
        return hours * 3600 + minutes * 60
    }
}
