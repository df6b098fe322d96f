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
