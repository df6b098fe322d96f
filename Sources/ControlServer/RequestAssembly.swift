import NIOCore
import NIOHTTP1

/// Makes requests of the parts that the parser gives, one after the other. It holds no more than one body of the allowed size.
struct RequestAssembly {
    /// What the parts so far are.
    enum Step: Sendable {
        /// Not yet a whole request.
        case incomplete
        /// - Parameter isLast: whether the client wants the connection to end after the answer.
        case request(HTTPRequest, isLast: Bool)
        /// The answer; the connection ends with it.
        case refused(HTTPResponse)
    }

    /// What decides who asks for what is there once: another server before this one might read another of them.
    private static let single = ["Host", "Authorization", "Origin", "Sec-Fetch-Site", "X-Marquee-Token"]

    private let limits: ControlLimits
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(limits: ControlLimits) { self.limits = limits }

    /// The limits of the parser.
    static func parserLimits(_ limits: ControlLimits) -> NIOHTTPDecoderLimitConfiguration {
        var configuration = NIOHTTPDecoderLimitConfiguration()
        configuration.maxHeaderFieldSize = limits.headBytes
        configuration.maxHeaderListSize = limits.headBytes
        configuration.maxHeaderFieldCount = limits.headFields
        return configuration
    }

    /// Takes the next part. After a refusal none is taken.
    mutating func take(_ part: HTTPServerRequestPart) -> Step {
        switch part {
        case .head(let head):
            self.head = head
            body = []
            return refusal(of: head).map(Step.refused) ?? .incomplete
        case .body(let bytes):
            guard body.count + bytes.readableBytes <= limits.bodyBytes else { return .refused(bodyIsTooLong) }
            body += Array(bytes.readableBytesView)
            return .incomplete
        case .end:
            guard let head else { return .incomplete }
            self.head = nil
            let request = HTTPRequest(method: head.method, target: head.uri, headers: head.headers, body: body)
            return .request(request, isLast: Self.isLast(head))
        }
    }

    /// The answer to bytes that are no request.
    func refusal(of error: any Error) -> HTTPResponse {
        switch error as? HTTPParserError {
        case .headerOverflow:
            .refusal(
                .requestHeaderFieldsTooLarge,
                "The head of a request has at most \(limits.headBytes) bytes and \(limits.headFields) lines.")
        case .invalidVersion: .refusal(.httpVersionNotSupported, "Use HTTP/1.1, whose lines end with CR and LF.")
        case .invalidMethod: .refusal(.badRequest, "There is no such method.")
        case .invalidContentLength, .unexpectedContentLength:
            .refusal(.badRequest, "Content-Length must be there once, as a number.")
        case .invalidHeaderToken: .refusal(.badRequest, "A header line is like \"Host: 127.0.0.1\".")
        default: .refusal(.badRequest, "The first line of a request is like \"GET /v1/now HTTP/1.1\".")
        }
    }

    private func refusal(of head: HTTPRequestHead) -> HTTPResponse? {
        guard head.uri.hasPrefix("/") else {
            return .refusal(.badRequest, "The first line of a request is like \"GET /v1/now HTTP/1.1\".")
        }
        for name in Self.single where head.headers[name].count > 1 {
            return .refusal(.badRequest, "\(name) is there twice.")
        }
        if head.headers.contains(name: "Transfer-Encoding") { return bodyIsTooLong }
        // The parser has seen that it is a number, and there once.
        let length = head.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0
        return length > limits.bodyBytes ? bodyIsTooLong : nil
    }

    private var bodyIsTooLong: HTTPResponse {
        .refusal(.payloadTooLarge, "A body needs a Content-Length of at most \(limits.bodyBytes) bytes.")
    }

    /// The parser takes nothing after a request for another protocol, which this server does not speak: it is answered as if it had not been asked for that.
    private static func isLast(_ head: HTTPRequestHead) -> Bool {
        head.version == .http1_0 || head.method == .CONNECT || head.headers.contains(name: "Upgrade")
            || head.headers[canonicalForm: "Connection"].contains { $0.lowercased() == "close" }
    }
}
