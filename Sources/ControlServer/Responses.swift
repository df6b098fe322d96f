import BoxModel
import FoundationEssentials
import NIOHTTP1

extension HTTPResponse {
    /// The headers of every answer: it is not cached, its type is not guessed, and no other site may embed it.
    static let common: HTTPHeaders = [
        "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin",
    ]

    /// Bytes with a media type.
    static func file(
        _ bytes: [UInt8], status: HTTPResponseStatus = .ok, type: String? = nil, headers: HTTPHeaders = [:]
    ) -> HTTPResponse {
        var all = common
        if let type { all.add(name: "Content-Type", value: type) }
        for (name, value) in headers { all.replaceOrAdd(name: name, value: value) }
        return HTTPResponse(status: status, headers: all, body: bytes)
    }

    /// A value as JSON, with names in alphabetical order.
    static func json(
        _ value: some Encodable, status: HTTPResponseStatus = .ok, headers: HTTPHeaders = [:]
    ) -> HTTPResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? encoder.encode(value) else {
            // Encoding fails only for a number that is not finite; the values here have none.
            return HTTPResponse(status: .internalServerError)
        }
        return file(Array(bytes), status: status, type: "application/json", headers: headers)
    }

    /// Plain text.
    static func text(_ text: String) -> HTTPResponse { file(Array(text.utf8), type: "text/plain; charset=utf-8") }

    /// A refusal with one sentence.
    static func refusal(
        _ status: HTTPResponseStatus, _ sentence: String, headers: HTTPHeaders = [:]
    ) -> HTTPResponse {
        json(RefusalAnswer(error: sentence), status: status, headers: headers)
    }

    /// There is neither a route nor a file.
    static var nothing: HTTPResponse { refusal(.notFound, "There is nothing at this address.") }

    /// What the box said to an order: status 409 if it refused.
    static func outcome(_ result: CommandResult) -> HTTPResponse {
        switch result {
        case .success: json(CommandAnswer(.success))
        case .failed: json(CommandAnswer(result), status: .conflict)
        }
    }

    /// A token of the operator is needed, and the one that was sent, if any, is none or none any more.
    ///
    /// - Parameter isProgram: whether one was sent as programs send it. A browser is made to ask for a password instead.
    static func needsToken(isProgram: Bool) -> HTTPResponse {
        let scheme = isProgram ? "Bearer realm=\"Marquee\"" : "Basic realm=\"Marquee\", charset=\"UTF-8\""
        return refusal(
            .unauthorized, "From another machine, this needs the operator's token.", headers: ["WWW-Authenticate": scheme])
    }

    /// Other machines must use TLS. A browser that opens the page is led there.
    static func secureOnly(_ request: HTTPRequest) -> HTTPResponse {
        let sentence = "From another machine, use https."
        guard request.method == .GET, request.path == "/", let host = request.header("Host") else {
            return refusal(.forbidden, sentence)
        }
        // Not a permanent one: browsers would keep it after the operator has allowed plain http.
        return refusal(.temporaryRedirect, sentence, headers: ["Location": "https://\(host)/"])
    }

    /// The path exists but does not support the method.
    static func wrongMethod(allowed: String) -> HTTPResponse {
        json(
            RefusalAnswer(error: "Use \(allowed) here."), status: .methodNotAllowed, headers: ["Allow": allowed])
    }
}
