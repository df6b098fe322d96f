/// What a token allows. Each right includes those before it.
package enum AccessRight: String, Sendable, Comparable, CaseIterable {
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
        throw RequestRefusal(
            status: .forbidden,
            sentence: "This token allows to \(rawValue), and this needs one that allows to \(wanted.rawValue).")
    }
}
