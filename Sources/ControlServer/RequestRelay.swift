import FlyingFox
import FoundationEssentials

/// An answer as over HTTP.
package struct RelayedAnswer: Sendable {
    package var status: Int
    /// The media type of the body.
    package var type: String?
    package var body: [UInt8]
}

/// Answers requests that do not come over HTTP, by the same routes. Any thread.
struct RequestRelay: Sendable {
    private let routes: [String: [HTTPMethod: Route]]
    private let right: AccessRight

    init(routes: [String: [HTTPMethod: Route]], right: AccessRight) {
        self.routes = routes
        self.right = right
    }

    /// - Parameter target: a path, with its query.
    func answer(method: String, target: String, body: [UInt8]) async -> RelayedAnswer {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let (path, query) = (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
        let request = HTTPRequest(
            method: HTTPMethod(method), version: .http11, target: HTTPRequest.Target(path: path, query: query),
            headers: HTTPHeaders([:]),
            body: HTTPBodySequence(data: Data(body)))
        switch await routes.answer(request, right) {
        case .response(let response): return await read(response)
        case .events: return await read(.refusal(.badRequest, "Events are published by topic; there is nothing to wait for."))
        case nil: return await read(.refusal(.notFound, "There is nothing at this address."))
        }
    }

    private func read(_ response: HTTPResponse) async -> RelayedAnswer {
        // Bodies of routes are in memory: reading them cannot fail.
        let body = (try? await response.bodyData).map { Array($0) } ?? []
        return RelayedAnswer(status: response.statusCode.code, type: response.headers[.contentType], body: body)
    }
}
