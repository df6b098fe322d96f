/// An error about remotes. The description is one sentence: what was tried, on what, why it failed, what to do.
package struct RemoteError: Error, Equatable, CustomStringConvertible {
    package enum Kind: String, Sendable {
        /// Hot-plug cannot be monitored.
        case hotPlug
        /// One device cannot be opened or read.
        case device
        /// A key map refers to a key that does not exist.
        case keyMap
        /// Real keys cannot be used in simulated time.
        case clock
    }
    package let kind: Kind
    /// The whole sentence.
    package let description: String

    package init(_ kind: Kind, _ sentence: String) {
        self.kind = kind
        description = sentence
    }
}
