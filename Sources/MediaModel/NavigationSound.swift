/// A short, quiet sound of the interface that goes with a key.
package enum NavigationSound: String, Sendable, Hashable, CaseIterable {
    /// Focus has moved.
    case move
    /// What has focus was chosen.
    case choose
    /// The key has no effect here.
    case edge

    /// A sound that cannot begin within this time after its key is dropped: it would be taken for that of a later key.
    package static let patience = Duration.milliseconds(100)
}
