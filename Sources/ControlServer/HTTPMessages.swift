import NIOHTTP1

/// A whole request (RFC 9110).
struct HTTPRequest: Sendable {
    var method: HTTPMethod
    /// Percent-decoded.
    var path: String
    /// As it was sent, without the question mark.
    var query = ""
    var headers = HTTPHeaders()
    var body: [UInt8] = []
    /// Whether no other machine could read it: it was sent with TLS, or by this machine.
    var isPrivate = false

    /// The parameters of its query.
    var parameters: QueryParameters { QueryParameters(query) }

    /// The first value of a header, without spaces around it.
    func header(_ name: String) -> String? {
        guard let value = headers.first(name: name) else { return nil }
        let isSpace = { (byte: Character) in byte == " " || byte == "\t" }
        return String(value.trimmingPrefix(while: isSpace).reversed().trimmingPrefix(while: isSpace).reversed())
    }

    /// - Parameter target: a path with its query. A path that cannot be decoded is taken as it is.
    init(method: HTTPMethod, target: String, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.method = method
        path = parts.first.map { QueryParameters.decoded($0) ?? String($0) } ?? ""
        query = parts.count > 1 ? String(parts[1]) : ""
        self.headers = headers
        self.body = body
    }
}

/// An answer (RFC 9110). The length of its body and the end of the connection are added by who sends it.
struct HTTPResponse: Sendable {
    var status: HTTPResponseStatus
    var headers = HTTPHeaders()
    var body: [UInt8] = []
}
