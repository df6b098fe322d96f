import NIOHTTP1
import WireFormats

/// One method of one path.
struct Route: Sendable {
    let method: HTTPMethod
    let path: String
    /// What a visitor must be allowed to do.
    let right: AccessRight
    /// Whether a paired phone may ask for it, too.
    var servesPhones = false
    /// Answers a visitor with this right. A refusal is thrown or returned.
    let answer: @Sendable (HTTPRequest, AccessRight) async throws(RequestRefusal) -> RouteAnswer
}

extension [String: [Route]] {
    /// Answers a request by these routes, which are by path.
    ///
    /// - Returns: nil if there is nothing at its path.
    func answer(_ request: HTTPRequest, _ right: AccessRight) async -> RouteAnswer? {
        guard let routes = self[request.path] else { return nil }
        // HEAD is GET without a body (RFC 9110, 9.3.2): the sender of the answer leaves the body out.
        guard let route = routes.first(where: { $0.method == (request.method == .HEAD ? .GET : request.method) }) else {
            let allowed = routes.flatMap { $0.method == .GET ? ["GET", "HEAD"] : [$0.method.rawValue] }.sorted()
            return .response(.wrongMethod(allowed: allowed.joined(separator: ", ")))
        }
        do {
            if right != .phone || !route.servesPhones { try right.allow(route.right) }
            return try await route.answer(request, right)
        } catch {
            return .response(.refusal(error.status, error.sentence))
        }
    }
}

/// The answer of a route.
enum RouteAnswer: Sendable {
    case response(HTTPResponse)
    /// Events follow until the client or the server ends the connection.
    case events(EventSubscription)
}

/// A request that is not valid: the answer.
struct RequestRefusal: Error {
    var status = HTTPResponseStatus.badRequest
    /// One sentence.
    var sentence: String
}

/// The parameters of a request's query, each with its first value. Names and values are percent-decoded.
struct QueryParameters: Sendable {
    private let values: [String: String]

    /// - Parameter query: the raw query, which is bounded by the size of a head.
    init(_ query: String) {
        values = query.split(separator: "&").reduce(into: [:]) { values, part in
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                Self.decoded($0)
            }
            guard let name = pair[0], values[name] == nil, let value = pair.count > 1 ? pair[1] : "" else { return }
            values[name] = value
        }
    }

    /// A text without its percent-encoding (RFC 3986, 2.1); nil if it has a percent sign without two digits, or is not UTF-8 then.
    static func decoded(_ text: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next()?.hexadecimalValue, let low = rest.next()?.hexadecimalValue else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// The value of a parameter; nil if it is absent or not valid UTF-8.
    subscript(name: String) -> String? { values[name] }

    /// A whole number that is not negative.
    ///
    /// - Throws: a refusal if it is something else.
    func count(_ name: String, standard: Int, most: Int = .max) throws(RequestRefusal) -> Int {
        guard let text = values[name] else { return standard }
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            throw RequestRefusal(sentence: "\"\(name)\" must be a whole number.")
        }
        // A number without an end is as good as the largest one.
        return min(Int(text) ?? .max, most)
    }
}
