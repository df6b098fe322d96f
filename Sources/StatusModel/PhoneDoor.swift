import LinuxSupport

/// The text that the television asks for, as phones are told it.
package struct AskedText: Sendable, Hashable {
    /// Counts the askings since the start of the box: a page that is opened again asks anew.
    package var field: UInt64
    /// Grows with each change of the text, on the television or by a phone.
    package var serial: UInt64
    /// What is asked for, in the viewer's language.
    package var title: String
    /// What is typed so far; nil for a secret, which the box tells no one.
    package var text: String?
    /// The most characters.
    package var longest: Int

    package init(field: UInt64, serial: UInt64, title: String, text: String?, longest: Int) {
        self.field = field
        self.serial = serial
        self.title = title
        self.text = text
        self.longest = longest
    }
}

/// Why the text of a phone does not count.
package enum TypingRefusal: Sendable, Hashable {
    /// The television does not ask for it, or no more.
    case notAsked
    /// Another text with this serial or a greater one was there before.
    case late
    /// Its serial is too far ahead.
    case ahead
    /// It is too long, or has characters that cannot be typed.
    case invalid
    /// It is a secret, and came in clear.
    case inClear
}

/// Phones as keyboards and remotes of the box. Main loop only.
@MainActor
package protocol PhoneDoor: AnyObject {
    /// Nil while the television asks for no text.
    var asked: AskedText? { get }
    /// Sent when `asked` has changed.
    var changes: EventSource<Void> { get }
    /// Sets the whole text.
    ///
    /// - Parameters:
    ///   - field: the one that the phone was told.
    ///   - serial: greater than the last that the phone was told or has sent.
    ///   - isPrivate: whether no other machine could read it on the way.
    /// - Returns: nil if it is on the television.
    func type(_ text: String, field: UInt64, serial: UInt64, isPrivate: Bool) -> TypingRefusal?
    /// Pairs a phone that has the secret of the code on the screen.
    ///
    /// - Returns: the token of the phone; nil if there is no such secret, or no more.
    func pair(_ secret: String) -> String?
}
