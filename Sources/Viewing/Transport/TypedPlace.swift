import LinuxSupport
import MediaTime
import Screens

/// A place in a film that is typed: one digit is so many tenths of its length, two to four are a minute.
///
/// A viewer who types 5 wants the middle, and one who types 4 and 5 what follows the 45th minute; 0 and 7 are minute 7.
package struct TypedPlace: Sendable, Equatable {
    /// The last four digits.
    package private(set) var digits = ""
    /// When it is complete.
    package private(set) var deadline: HostTime

    init(_ digit: Int, after typed: TypedPlace?, at now: HostTime) {
        digits = String(((typed?.digits ?? "") + "\(digit)").suffix(4))
        deadline = now + Timing.digits
    }

    /// Its content time; nil if it is after the end, or if the end is not known.
    package func target(in played: PlayedItem) -> MediaTime? {
        guard let number = Int(digits) else { return nil }
        let total = played.reach.upper
        if digits.count == 1 { return total.map { $0 * number / 10 } }
        let minute = MediaTime.seconds(Int64(number) * 60)
        return total.map { minute < $0 } ?? true ? minute : nil
    }

    /// What it says while it is typed: "50% · 56:10", "1:30:00", or that there is no such place.
    package func view(in played: PlayedItem, _ strings: StringCatalogue) -> NumberEntryView {
        guard let target = target(in: played) else { return NumberEntryView(digits: digits, title: refusal(in: played, strings)) }
        let time = TimeText.clock(target.wholeSeconds)
        let part = digits.count == 1 ? strings.text(.percent, digits == "0" ? "0" : "\(digits)0") : nil
        return NumberEntryView(
            digits: digits, title: [part, time].compactMap { $0 }.map(strings.isolated).joined(separator: " · "))
    }

    /// Why there is no such place, in words.
    func refusal(in played: PlayedItem, _ strings: StringCatalogue) -> String {
        played.reach.upper.map { strings.text(.noSuchPlace, strings.duration($0)) } ?? strings.text(.availableLater)
    }
}
