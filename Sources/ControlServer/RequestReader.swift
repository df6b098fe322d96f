import FlyingFox
import FoundationEssentials

/// Takes the bytes of one connection and gives its requests. It holds no more than one head and one body of the allowed sizes: what
/// is longer is refused, and the connection must end with that refusal.
struct RequestReader {
    /// What the bytes so far are.
    enum Reading {
        /// Not yet a whole request.
        case incomplete
        /// - Parameter isLast: whether the client wants the connection to end after the answer.
        case request(HTTPRequest, isLast: Bool)
        /// The answer; nothing after these bytes can be understood.
        case refused(HTTPResponse)
    }

    private let limits: ControlLimits
    private let address: HTTPRequest.Address?
    private var bytes: [UInt8] = []
    /// How many bytes cannot be the end of the head.
    private var searched = 0

    init(limits: ControlLimits, address: HTTPRequest.Address?) {
        self.limits = limits
        self.address = address
    }

    /// Whether a request has begun and is not complete.
    var hasBegun: Bool { !bytes.isEmpty }

    /// The most bytes that are useful in one part.
    var capacity: Int { max(1, limits.headBytes + limits.bodyBytes - bytes.count) }

    mutating func take(_ part: [UInt8]) { bytes += part }

    /// The next request.
    mutating func next() -> Reading {
        // A robust server ignores empty lines before a request (RFC 9112, 2.2).
        let start = bytes.firstIndex { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") } ?? bytes.count
        if start > 0 {
            bytes.removeFirst(start)
            searched = 0
        }
        guard let end = endOfHead() else {
            return bytes.count >= limits.headBytes ? .refused(headIsTooLong) : .incomplete
        }
        guard end <= limits.headBytes else { return .refused(headIsTooLong) }
        let head: RequestHead
        do {
            head = try RequestHead(bytes[..<end])
        } catch {
            return .refused(.refusal(error.status, error.sentence))
        }
        guard let length = head.bodyLength, length <= limits.bodyBytes else {
            return .refused(.refusal(.payloadTooLarge, "A body needs a Content-Length of at most \(limits.bodyBytes) bytes."))
        }
        guard bytes.count >= end + length else { return .incomplete }
        let body = Data(bytes[end..<end + length])
        bytes.removeFirst(end + length)
        searched = 0
        let request = HTTPRequest(
            method: head.method, version: .http11, target: head.target, headers: head.headers,
            body: HTTPBodySequence(data: body), remoteAddress: address)
        return .request(request, isLast: head.isLast)
    }

    /// The index after the empty line that ends the head. Each byte is looked at once, however small the parts are.
    private mutating func endOfHead() -> Int? {
        var index = searched
        while index < bytes.count {
            defer { index += 1 }
            guard bytes[index] == UInt8(ascii: "\n") else { continue }
            let before = index > 0 && bytes[index - 1] == UInt8(ascii: "\r") ? index - 1 : index
            // The end stays found while the body is awaited.
            if before > 0, bytes[before - 1] == UInt8(ascii: "\n") {
                searched = index
                return index + 1
            }
        }
        searched = bytes.count
        return nil
    }

    private var headIsTooLong: HTTPResponse {
        .refusal(
            HTTPStatusCode(431, phrase: "Request Header Fields Too Large"),
            "The head of a request has at most \(limits.headBytes) bytes.")
    }
}

/// The request line and the header lines of a request (RFC 9112).
struct RequestHead {
    /// Why a head is refused.
    struct Refusal: Error {
        var status = HTTPStatusCode.badRequest
        var sentence: String
    }

    let method: HTTPMethod
    let target: HTTPRequest.Target
    let headers: HTTPHeaders
    /// Whether the client ends the connection after the answer.
    let isLast: Bool
    /// The length of the body; nil when it has a transfer coding, which is not supported.
    let bodyLength: Int?

    /// - Parameter bytes: the lines with the empty one that ends them.
    init(_ bytes: some Collection<UInt8>) throws(Refusal) {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
        }
        let words = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, Self.isToken(words[0]), words[1].hasPrefix("/") else {
            throw Refusal(sentence: "The first line of a request is like \"GET /v1/now HTTP/1.1\".")
        }
        guard words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else {
            throw Refusal(status: HTTPStatusCode(505, phrase: "HTTP Version Not Supported"), sentence: "Use HTTP/1.1.")
        }
        var values: [HTTPHeader: String] = [:]
        for line in lines where !line.isEmpty {
            guard let colon = line.firstIndex(of: ":"), Self.isToken(line[..<colon]) else {
                throw Refusal(sentence: "A header line is like \"Host: 127.0.0.1\".")
            }
            let header = HTTPHeader(String(line[..<colon]))
            let value = line[line.index(after: colon)...].trimmingPrefix { $0 == " " || $0 == "\t" }
            let isSingle = header == .host || header == .contentLength || header == .authorization
            guard !isSingle || values[header] == nil else {
                throw Refusal(sentence: "\(header.rawValue) is there twice.")
            }
            values[header] = String(value.reversed().trimmingPrefix { $0 == " " || $0 == "\t" }.reversed())
        }
        let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        method = HTTPMethod(String(words[0]))
        self.target = HTTPRequest.Target(path: String(target[0]), query: target.count > 1 ? String(target[1]) : "")
        headers = HTTPHeaders(values)
        let connection = values[.connection].map { $0.lowercased().split { $0 == "," || $0 == " " } } ?? []
        isLast = words[2] == "HTTP/1.0" || connection.contains("close")
        if values[.transferEncoding] != nil {
            bodyLength = nil
        } else {
            let length = values[.contentLength] ?? "0"
            guard !length.isEmpty, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                throw Refusal(sentence: "Content-Length is not a number.")
            }
            bodyLength = Int(length) ?? .max
        }
    }

    /// RFC 9110, 5.6.2.
    private static func isToken(_ text: some StringProtocol) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}
