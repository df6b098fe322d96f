/// What went wrong while bytes were being loaded. The sentence of an error is for people; a policy decides by this.
public enum LoadFault: Sendable, Hashable {
    /// The server answered with this status, 400 or more.
    case status(Int)
    /// The name of the host was not found.
    case unresolved
    /// No connection came about.
    case unreachable
    /// The connection could not be made secure: certificate, handshake.
    case insecure
    /// No first byte within the time for it.
    case noFirstByte
    /// Bytes came, then none for the time that was given.
    case stalled
    /// The last byte had not come within the time for the whole.
    case overdue
    /// The connection broke.
    case broken
    /// The body ended before the length that the server had stated.
    case wrongLength
    /// The address led from one to another without end, or to where nothing is fetched from.
    case redirects
    /// The server does not serve the range that was asked for.
    case rangeIgnored
    /// The body is longer than anything of its kind.
    case tooLong
    /// An address of a kind that is never opened.
    case refused
    /// A file of this machine that cannot be read.
    case unreadable
}
