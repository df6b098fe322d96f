import NIOHTTP1

/// An answer as over HTTP.
package struct RelayedAnswer: Sendable {
    package var status: Int
    /// The media type of the body.
    package var type: String?
    package var body: [UInt8]
}

/// Answers requests that do not come over HTTP, by the same routes. Any thread.
struct RequestRelay: Sendable {
    private let routes: [String: [Route]]
    private let right: AccessRight

    init(routes: [String: [Route]], right: AccessRight) {
        self.routes = routes
        self.right = right
    }

    /// - Parameter target: a path, with its query.
    func answer(method: String, target: String, body: [UInt8]) async -> RelayedAnswer {
        let request = HTTPRequest(method: HTTPMethod(rawValue: method), target: target, body: body)
        switch await routes.answer(request, right) {
        case .response(let response): return read(response)
        case .events: return read(.refusal(.badRequest, "Events are published by topic; there is nothing to wait for."))
        case nil: return read(.nothing)
        }
    }

    private func read(_ response: HTTPResponse) -> RelayedAnswer {
        RelayedAnswer(
            status: Int(response.status.code), type: response.headers.first(name: "Content-Type"), body: response.body)
    }
}
