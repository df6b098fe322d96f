import BoxModel

/// The keys that save a report to a USB stick while a screen of the box is shown: arrows, which have no other effect there. A value.
package struct ReportKeys {
    package static let sequence: [RemoteKey] = [.up, .up, .down, .down, .left, .right, .left, .right]
    private var last: [RemoteKey] = []

    package init() {}

    /// - Returns: whether this press completes the sequence.
    package mutating func press(_ key: RemoteKey) -> Bool {
        last = (last + [key]).suffix(Self.sequence.count)
        guard last == Self.sequence else { return false }
        last = []
        return true
    }
}
