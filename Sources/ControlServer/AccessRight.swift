/// What a token allows. `look`, `steer` and `configure` each include those before them.
package enum AccessRight: String, Sendable, Comparable, CaseIterable {
    /// To press keys and to type what the television asks for, and nothing else: that of a paired phone (`Route.servesPhones`).
    case phone
    /// To read everything that is published.
    case look
    /// To press keys and to send commands.
    case steer
    /// To change the settings of the box.
    case configure

    package static func < (left: AccessRight, right: AccessRight) -> Bool {
        (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
    }
}

extension AccessRight {
    /// - Throws: a refusal if what needs `wanted` is not allowed.
    func allow(_ wanted: AccessRight) throws(RequestRefusal) {
        guard self < wanted else { return }
        if self == .phone {
            throw RequestRefusal(status: .forbidden, sentence: "A paired phone presses keys and types, and nothing else.")
        }
        throw RequestRefusal(
            status: .forbidden,
            sentence: "This token allows to \(rawValue), and this needs one that allows to \(wanted.rawValue).")
    }
}
