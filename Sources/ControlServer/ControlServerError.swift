/// Why the local page is not available, as one sentence for the operator.
package enum ControlServerError: Error, Equatable, CustomStringConvertible {
    /// Another program listens on the port.
    case portInUse(UInt16)
    /// Ports below 1024 may need a privilege that this process does not have.
    case portNotPermitted(UInt16)
    /// The kernel refused for another reason, in its words.
    case cannotListen(port: UInt16, reason: String)

    package var description: String {
        switch self {
        case .portInUse(let port):
            "The local page cannot be served on port \(port) because another program listens there; "
                + "give another port with --port, or --port 0 for any free one."
        case .portNotPermitted(let port):
            "The local page cannot be served on port \(port) because this user may not listen there; "
                + "give a port above 1023 with --port, or --port 0 for any free one."
        case .cannotListen(let port, let reason):
            "The local page cannot be served on port \(port) because \(reason); "
                + "check that the loopback interface is up, or give another port with --port."
        }
    }
}
