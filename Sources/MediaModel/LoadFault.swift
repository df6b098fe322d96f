/// The kind of a loading failure. The sentence of an error is for people; policies use this.
package enum LoadFault: Sendable, Hashable {
    /// The server answered with this status, 400 or more.
    case status(Int)
    /// The host's name was not found.
    case unresolved
    /// No connection could be made.
    case unreachable
    /// The TLS connection failed: certificate, handshake.
    case insecure
    /// No first byte within its timeout.
    case noFirstByte
    /// Bytes arrived, then none for the stall timeout.
    case stalled
    /// The last byte did not arrive within the total timeout.
    case overdue
    /// The connection broke.
    case broken
    /// The body ended before its stated length.
    case wrongLength
    /// A redirect loop, or a redirect to an address that is not loaded.
    case redirects
    /// The server does not support the requested range.
    case rangeIgnored
    /// The body is longer than its limit.
    case tooLong
    /// An address with a scheme that is never opened.
    case refused
    /// A local file that cannot be read.
    case unreadable
    /// A web page instead of the resource, such as that of a network which wants a sign-in.
    case webPage
}

extension LoadFault {
    /// The error code shown to viewers and operators.
    package var code: ErrorCode {
        switch self {
        case .status(408), .status(504), .noFirstByte, .stalled, .overdue: .sourceTimeout
        case .status(404), .status(410): .sourceMissing
        case .status: isRefusal ? .sourceRefused : .sourceFailed
        case .insecure: .sourceFailed
        case .unresolved, .unreachable, .broken: .networkDown
        case .wrongLength, .redirects, .rangeIgnored, .tooLong, .refused, .unreadable, .webPage: .sourceFormat
        }
    }

    /// Whether the server does not let this box load it: it wants other credentials, or forbids the access.
    package var isRefusal: Bool {
        switch self {
        case .status(401), .status(402), .status(403), .status(407), .status(451): true
        default: false
        }
    }

    /// Whether the server or the connection to it is at fault, and not what it delivers. The same request may succeed later.
    package var isOfServer: Bool {
        switch self {
        case .status(404), .status(410): false
        case .status: !isRefusal
        case .insecure, .wrongLength, .redirects, .rangeIgnored, .webPage: true
        case .unresolved, .unreachable, .noFirstByte, .stalled, .overdue, .broken, .tooLong, .refused, .unreadable: false
        }
    }
}

extension LoadFault {
    var words: String {
        switch self {
        case .status(404), .status(410): "there is nothing at that address; correct the address"
        case .status(let status) where isRefusal:
            "the server does not allow it (HTTP \(status)); check the credentials and what the server allows"
        case .status(let status): "the server answered HTTP \(status); repair the server, or try again later"
        case .unresolved: "the name of the host was not found; check the address and the network"
        case .unreachable: "no connection could be made; check the network and the server"
        case .insecure: "the connection could not be made secure; check the server's certificate and the date"
        case .noFirstByte: "no first byte came in time; check the network and the server"
        case .stalled: "it stalled in the middle; check the network and the server"
        case .overdue: "it took too long; check the network"
        case .broken: "the connection broke; check the network and the server"
        case .wrongLength: "it ended before the length that its server stated; try again or repair the server"
        case .redirects: "it was redirected too often; correct the address or the server"
        case .rangeIgnored: "its server does not serve that range; use a server with range requests"
        case .tooLong: "it is too long; check that it is what the address says"
        case .refused: "it is not an http, https or file address; correct the address"
        case .unreadable: "the file cannot be read; check the file and its permissions"
        case .webPage: "it is a web page; check the reply of the server"
        }
    }
}
