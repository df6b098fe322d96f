import FlyingFox
import FoundationEssentials
import MediaModel

extension HTTPResponse {
    /// The headers of every answer: it is not cached, its type is not guessed, and no other site may embed it.
    private static let common: [HTTPHeader: String] = [
        .cacheControl: "no-store",
        HTTPHeader("X-Content-Type-Options"): "nosniff",
        HTTPHeader("Cross-Origin-Resource-Policy"): "same-origin",
    ]

    /// Bytes with a media type.
    static func file(
        _ bytes: Data, status: HTTPStatusCode = .ok, type: String? = nil, headers: [HTTPHeader: String] = [:]
    ) -> HTTPResponse {
        var all = HTTPHeaders(common.merging(headers) { $1 })
        if let type { all[.contentType] = type }
        return HTTPResponse(statusCode: status, headers: all, body: bytes)
    }

    /// A value as JSON, with names in alphabetical order.
    static func json(
        _ value: some Encodable, status: HTTPStatusCode = .ok, headers: [HTTPHeader: String] = [:]
    ) -> HTTPResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? encoder.encode(value) else {
            // Encoding fails only for a number that is not finite; the values here have none.
            return HTTPResponse(statusCode: .internalServerError)
        }
        return file(bytes, status: status, type: "application/json", headers: headers)
    }

    /// Plain text.
    static func text(_ text: String) -> HTTPResponse { file(Data(text.utf8), type: "text/plain; charset=utf-8") }

    /// A refusal with one sentence.
    static func refusal(
        _ status: HTTPStatusCode, _ sentence: String, headers: [HTTPHeader: String] = [:]
    ) -> HTTPResponse {
        json(RefusalAnswer(error: sentence), status: status, headers: headers)
    }

    /// What the box said to an order: status 409 if it refused.
    ///
    /// - Parameter asksForState: whether a box that has the state already has done what was asked.
    static func outcome(_ result: CommandResult, asksForState: Bool = false) -> HTTPResponse {
        switch result {
        case .success: json(CommandAnswer(.success))
        case .failed(.noChange) where asksForState: json(CommandAnswer(.success))
        case .failed: json(CommandAnswer(result), status: .conflict)
        }
    }

    /// Other machines must use TLS. A browser that opens the page is led there.
    static func secureOnly(_ request: HTTPRequest) -> HTTPResponse {
        let sentence = "From another machine, use https."
        guard request.method == .GET, request.path == "/", let host = request.headers[.host] else {
            return refusal(.forbidden, sentence)
        }
        // Not a permanent one: browsers would keep it after the operator has allowed plain http.
        return refusal(.temporaryRedirect, sentence, headers: [HTTPHeader("Location"): "https://\(host)/"])
    }

    /// The path exists but does not support the method.
    static func wrongMethod(allowed: String) -> HTTPResponse {
        json(
            RefusalAnswer(error: "Use \(allowed) here."), status: .methodNotAllowed, headers: [HTTPHeader("Allow"): allowed])
    }
}

extension HTTPResponse {
    /// The bytes on the wire (RFC 9112).
    ///
    /// - Parameters:
    ///   - isLast: whether the connection ends after it.
    ///   - hasBody: false for the answer to HEAD.
    func encoded(isLast: Bool, hasBody: Bool) async throws -> Data {
        let body = try await bodyData
        var lines = ["HTTP/1.1 \(statusCode.code) \(statusCode.phrase)"]
        lines += headers.map { "\($0.key.rawValue): \($0.value)" }.sorted()
        if statusCode != .noContent { lines.append("Content-Length: \(body.count)") }
        if isLast { lines.append("Connection: close") }
        let head = Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        return hasBody ? head + body : head
    }
}

extension HTTPResponse {
    /// The head of an answer of events, whose body ends with the connection.
    static var eventStreamHead: Data {
        let lines =
            ["HTTP/1.1 200 OK", "Content-Type: text/event-stream", "Connection: close"]
            + common.map { "\($0.key.rawValue): \($0.value)" }.sorted()
        return Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }
}
