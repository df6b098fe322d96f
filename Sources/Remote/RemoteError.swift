/// Why remotes cannot be read. The description is one sentence: what was tried, on what, why it failed, what to do.
package struct RemoteError: Error, Equatable, CustomStringConvertible {
    /// What failed.
    package enum Kind: String, Sendable {
        /// Devices that come and go cannot be watched.
        case hotPlug
        /// One device cannot be opened or read.
        case device
        /// A map of keys names a key that does not exist.
        case keyMap
        /// Real keys have no place in simulated time.
        case clock
    }
    /// What failed.
    package let kind: Kind
    /// The whole sentence.
    package let description: String

    package init(_ kind: Kind, _ sentence: String) {
        self.kind = kind
        description = sentence
    }
}
