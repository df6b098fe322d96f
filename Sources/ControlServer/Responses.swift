import FlyingFox
import FlyingSocks
import FoundationEssentials

extension HTTPResponse {
    /// The headers of every answer: it is not cached, its type is not guessed, and no other site may embed it.
    private static let common: [HTTPHeader: String] = [
        .cacheControl: "no-store",
        HTTPHeader("X-Content-Type-Options"): "nosniff",
        HTTPHeader("Cross-Origin-Resource-Policy"): "same-origin",
    ]

    /// Bytes with a media type.
    static func file(
        _ bytes: Data, status: HTTPStatusCode = .ok, type: String? = nil, headers: [HTTPHeader: String] = [:],
        closing: Bool = false
    ) -> HTTPResponse {
        var all = HTTPHeaders(common.merging(headers) { $1 })
        if let type { all[.contentType] = type }
        guard closing else { return HTTPResponse(statusCode: status, headers: all, body: bytes) }
        all[.connection] = "close"
        return HTTPResponse(
            statusCode: status, headers: all, body: HTTPBodySequence(from: ClosingBody(bytes: bytes), count: bytes.count))
    }

    /// A value as JSON, with names in alphabetical order.
    static func json(
        _ value: some Encodable, status: HTTPStatusCode = .ok, headers: [HTTPHeader: String] = [:], closing: Bool = false
    ) -> HTTPResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? encoder.encode(value) else {
            // Encoding fails only for a number that is not finite; the values here have none.
            return HTTPResponse(statusCode: .internalServerError)
        }
        return file(bytes, status: status, type: "application/json", headers: headers, closing: closing)
    }

    /// Plain text.
    static func text(_ text: String) -> HTTPResponse { file(Data(text.utf8), type: "text/plain; charset=utf-8") }

    /// A refusal with one sentence.
    ///
    /// - Parameter closing: end the connection with this answer.
    static func refusal(
        _ status: HTTPStatusCode, _ sentence: String, headers: [HTTPHeader: String] = [:], closing: Bool = false
    ) -> HTTPResponse {
        json(RefusalAnswer(error: sentence), status: status, headers: headers, closing: closing)
    }

    /// The path exists but does not support the method.
    static func wrongMethod(allowed: String, closing: Bool) -> HTTPResponse {
        json(
            RefusalAnswer(error: "Use \(allowed) here."), status: .methodNotAllowed, headers: [HTTPHeader("Allow"): allowed],
            closing: closing)
    }
}

/// A body that ends the connection. FlyingFox keeps a connection open as the *request* asks, and would parse an unread body as
/// the next request; an error after the last byte is its only way to end it.
private struct ClosingBody: AsyncBufferedSequence {
    typealias Element = UInt8
    let bytes: Data

    struct Iterator: AsyncBufferedIteratorProtocol {
        var rest: Data

        mutating func next() async throws -> UInt8? {
            guard let byte = rest.popFirst() else { throw SocketError.disconnected }
            return byte
        }

        mutating func nextBuffer(suggested count: Int) async throws -> Data? {
            guard !rest.isEmpty else { throw SocketError.disconnected }
            defer { rest = rest.dropFirst(count) }
            return Data(rest.prefix(count))
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(rest: bytes) }
}
