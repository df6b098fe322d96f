/// What a viewer can have the box do to itself, with its name in dumps. It is carried from a row of Settings to the part of the box that does it.
package enum BoxTask: String, Sendable, Hashable, CaseIterable {
    /// Erase everything, after a time in which it can be cancelled.
    case factoryReset = "factory-reset"
    /// Install the update that is on a USB stick.
    case installFromStick = "install-from-stick"
    /// Save a report for support to a USB stick. How far it is comes as `BoxFacts`.
    case saveReport = "save-report"
}
