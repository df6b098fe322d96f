import Shell
import StatusModel

/// What phones are told of the text that the page asks for, and which of their texts counts. A value.
struct PhoneText: Sendable {
    /// How many texts a phone may have sent before it is told of the first.
    private static let mostAhead: UInt64 = 1000

    private(set) var asked: AskedText?
    private var question: TextQuestion?
    private var fields: UInt64 = 0

    /// The page asks for another text than before, or something was typed.
    ///
    /// - Returns: whether phones are to be told.
    mutating func follow(_ new: TextQuestion?) -> Bool {
        guard new != question else { return false }
        defer { question = new }
        guard let new else {
            asked = nil
            return true
        }
        if var same = asked, let old = question, same.title == new.title, (old.text == nil) == (new.text == nil) {
            same.serial += 1
            same.text = new.text
            asked = same
        } else {
            fields += 1
            asked = AskedText(field: fields, serial: 1, title: new.title, text: new.text, longest: new.longest)
        }
        return true
    }

    /// Why a text with these numbers does not count; nil if it does.
    func refusal(field: UInt64, serial: UInt64) -> TypingRefusal? {
        guard let asked, asked.field == field else { return .notAsked }
        guard serial > asked.serial else { return .late }
        return serial - asked.serial > Self.mostAhead ? .ahead : nil
    }

    /// The text with this serial is what the page has now.
    ///
    /// - Returns: whether phones are to be told.
    mutating func took(serial: UInt64) -> Bool {
        guard asked?.serial != serial else { return false }
        asked?.serial = serial
        return true
    }
}
