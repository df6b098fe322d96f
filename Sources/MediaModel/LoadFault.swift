/// What went wrong while bytes were being loaded. The sentence of an error is for people; a policy decides by this.
package enum LoadFault: Sendable, Hashable {
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

extension LoadFault {
    /// The code that viewers and operators see for it.
    package var code: ErrorCode {
        switch self {
        case .status(404), .status(410): .sourceMissing
        case .status(408), .status(504), .noFirstByte, .stalled, .overdue: .sourceTimeout
        case .unresolved, .unreachable, .broken: .networkDown
        case .status, .insecure, .wrongLength, .redirects, .rangeIgnored, .tooLong, .refused, .unreadable: .sourceFormat
        }
    }
}

extension MediaError {
    /// What a transfer that failed tells.
    ///
    /// - Parameters:
    ///   - name: the address, without what may be secret in it.
    ///   - fault: what went wrong.
    ///   - detail: why, in the words of whoever found out; nil for the words that the fault has of itself.
    package static func loading(_ name: String, failed fault: LoadFault, detail: String? = nil) -> MediaError {
        MediaError(fault.code, "Loading \(name) failed: \(detail ?? fault.words).", fault: fault)
    }
}

extension LoadFault {
    fileprivate var words: String {
        switch self {
        case .status(404), .status(410): "there is nothing at that address; correct the address"
        case .status(let status): "the server answered HTTP \(status); check what it allows"
        case .unresolved: "the name of the host was not found; check the address and the network"
        case .unreachable: "no connection came about; check the network and the server"
        case .insecure: "the connection could not be made secure; check the server's certificate and the date"
        case .noFirstByte: "no first byte came in time; check the network and the server"
        case .stalled: "it stalled in the middle; check the network and the server"
        case .overdue: "it took too long; check the network"
        case .broken: "the connection broke; check the network and the server"
        case .wrongLength: "it ended before the length that its server had stated; try again or repair the server"
        case .redirects: "it was redirected too often; correct the address or the server"
        case .rangeIgnored: "its server does not serve that range; use a server with range requests"
        case .tooLong: "it is longer than anything of its kind; check that it is what the address says"
        case .refused: "it is no http, https or file address; correct the address"
        case .unreadable: "the file cannot be read; check the file and its permissions"
        }
    }
}
