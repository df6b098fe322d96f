import LinuxSupport
import MediaSources
import Synchronization

/// The resources of an origin and its faults: the same script runs on the simulated clock (`SimulatedOrigin`) and over sockets
/// (`LoopbackOrigin`). Any thread.
package final class OriginScript: Sendable {
    /// Makes a body for a request at a time after the origin's start; nil while there is none.
    package typealias Content = @Sendable (_ elapsed: Duration) -> [UInt8]?

    /// A request to an origin.
    package struct Request: Sendable, Hashable {
        /// The whole address.
        package var url: String
        /// Path and query.
        package var path: String { Address(url).path }
        /// The requested bytes; the end may be beyond the last byte.
        package var range: Range<Int64>?
        /// When it arrived, relative to the origin's start.
        package var elapsed: Duration
        /// All header lines.
        package var headers: [String]
        /// The body; nil if there is none.
        package var body: [UInt8]?

        package init(
            url: String, range: Range<Int64>? = nil, elapsed: Duration, headers: [String] = [], body: [UInt8]? = nil
        ) {
            self.url = url
            self.range = range
            self.elapsed = elapsed
            self.headers = headers
            self.body = body
        }
    }

    private struct Resource {
        var content: Content
        var type: String?
        var cacheControl: String?
        /// Counts the resources that were added; nil for a body that depends on time.
        var edition: Int?
    }
    private struct Rule {
        var path: String
        var skipped: Int
        var left: Int
        var during: Range<Duration>?
        var fault: OriginFault
    }
    private struct State {
        var resources: [String: Resource] = [:]
        var rules: [Rule] = []
        var requests: [Request] = []
        var editions = 0
    }
    private let state = Mutex(State())

    /// An empty origin.
    package init() {}

    // A resource's key is a path (with its query, if any), which applies to every host, or a whole address.

    /// Adds a resource with a body. Its ETag differs from that of the body before it.
    package func put(_ bytes: [UInt8], at path: String, type: String? = nil, cacheControl: String? = nil) {
        state.withLock { state in
            state.editions += 1
            state.resources[path] = Resource(
                content: { _ in bytes }, type: type, cacheControl: cacheControl, edition: state.editions)
        }
    }

    /// Adds a resource with a text.
    package func put(_ text: String, at path: String, type: String? = nil) { put(Array(text.utf8), at: path, type: type) }

    /// Adds a resource whose body depends on time, such as a live playlist.
    package func put(at path: String, type: String? = nil, _ content: @escaping Content) {
        state.withLock { $0.resources[path] = Resource(content: content, type: type) }
    }

    /// Adds a fault.
    ///
    /// - Parameters:
    ///   - path: the key of the requests; one that ends in `*` is a prefix.
    ///   - skipping: the number of requests served before the fault.
    ///   - times: the number of requests with the fault.
    ///   - during: only requests that arrive in this time after the origin's start.
    package func fail(
        _ path: String, with fault: OriginFault, skipping: Int = 0, times: Int = .max, during: Range<Duration>? = nil
    ) {
        state.withLock { $0.rules.append(Rule(path: path, skipped: skipping, left: times, during: during, fault: fault)) }
    }

    /// Removes all faults.
    package func heal() { state.withLock { $0.rules = [] } }

    /// All requests so far, in order of arrival.
    package var requests: [Request] { state.withLock { $0.requests } }

    /// Whether an address has a resource.
    package func has(_ url: String) -> Bool { state.withLock { Self.resource($0, url) != nil } }

    /// The answer to a request. Each call counts as a request.
    package func answer(_ request: Request) -> OriginAnswer {
        let (faults, resource) = state.withLock { state -> ([OriginFault], Resource?) in
            state.requests.append(request)
            return (
                Self.faults(&state.rules, request.url, request.elapsed, ofConnection: false), Self.resource(state, request.url)
            )
        }
        var elapsed = request.elapsed
        for case .stale(let age) in faults { elapsed = max(.zero, elapsed - age) }
        let body = resource?.content(elapsed)
        var answer = OriginAnswer(body: body, type: resource?.type, edition: resource?.edition, range: request.range)
        answer.cacheControl = resource?.cacheControl
        answer.apply(conditions: request.headers)
        for fault in faults { answer.apply(fault, path: request.path) }
        return answer
    }

    /// The faults before a request can be sent: name lookup, handshake and refusal. Each call counts as a request.
    package func connectionFaults(_ url: String, elapsed: Duration) -> [OriginFault] {
        state.withLock { Self.faults(&$0.rules, url, elapsed, ofConnection: true) }
    }

    private static func faults(_ rules: inout [Rule], _ url: String, _ elapsed: Duration, ofConnection: Bool) -> [OriginFault] {
        var faults: [OriginFault] = []
        for index in rules.indices where rules[index].fault.isOfConnection == ofConnection && matches(rules[index], url, elapsed)
        {
            if rules[index].skipped > 0 {
                rules[index].skipped -= 1
            } else if rules[index].left > 0 {
                if rules[index].left != .max { rules[index].left -= 1 }
                faults.append(rules[index].fault)
            }
        }
        return faults
    }

    private static func resource(_ state: State, _ url: String) -> Resource? {
        state.resources[url] ?? state.resources[Address(url).path]
    }

    private static func matches(_ rule: Rule, _ url: String, _ elapsed: Duration) -> Bool {
        if let during = rule.during, !during.contains(elapsed) { return false }
        let place = rule.path.hasPrefix("/") ? Address(url).path : url
        return rule.path.hasSuffix("*") ? place.hasPrefix(rule.path.dropLast()) : rule.path == place
    }
}

/// The parts of an address that matter to an origin.
struct Address: Hashable {
    /// `http` or `https` with host and port: the key for kept connections.
    var origin: String
    /// Path and query.
    var path: String

    init(_ url: String) {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? ""
        let slash = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        origin = rest.isEmpty ? "" : String(url[..<slash])
        path = rest.isEmpty ? url : (rest[slash...].first == "/" ? String(rest[slash...]) : "/" + rest[slash...])
        path = String(path.prefix { $0 != "#" })
    }

    var isSecure: Bool { origin.hasPrefix("https:") }
}

/// A fault of an origin or of the network.
package enum OriginFault: Sendable, Hashable {
    /// The answer starts this much later.
    case latency(Duration)
    /// This status instead of the body.
    case status(Int)
    /// The connection breaks after this many bytes of the body.
    case reset(after: Int)
    /// The body stalls after this many bytes; the connection stays open.
    case stall(after: Int)
    /// The body pauses after this many bytes for this long, then continues.
    case pause(after: Int, length: Duration)
    /// The body is this many bytes shorter than stated.
    case wrongLength(short: Int)
    /// A wrong media type.
    case type(String)
    /// Other bytes than the right ones.
    case body([UInt8])
    /// A redirect to another address.
    case redirect(to: String)
    /// A redirect to itself.
    case redirectLoop
    /// The content as it was this long ago.
    case stale(Duration)
    /// Ranges are not supported: the whole resource is sent.
    case ignoresRanges
    /// Not even a header is sent.
    case silence
    /// The connection is refused.
    case refusal
    /// The name lookup fails.
    case noName
    /// The name lookup takes this long.
    case slowName(Duration)
    /// The TLS handshake takes this long.
    case slowHandshake(Duration)
    /// The body is limited to this many bits per second.
    case rate(Int64)

    var isOfConnection: Bool {
        switch self {
        case .refusal, .noName, .slowName, .slowHandshake: true
        default: false
        }
    }
}

/// The answer to a request.
package struct OriginAnswer: Sendable {
    package private(set) var status: Int
    /// The body, already cut to the range.
    package private(set) var body: [UInt8]
    /// The media type, if stated.
    package private(set) var type: String?
    /// The redirect target, with status 302.
    package private(set) var location: String?
    /// First and last byte and length of the whole, of an answer with status 206.
    package private(set) var contentRange: (first: Int64, last: Int64, total: Int64)?
    /// Its ETag, if it has one, and the length of the whole.
    package var version: ResourceVersion {
        guard status < 400, let whole else { return ResourceVersion() }
        return ResourceVersion(validator: tag, length: Int64(whole.count))
    }
    /// Its ETag, if it has one.
    package var entityTag: String? { status < 400 && !isDecided ? tag : nil }
    /// How long it may be kept, if stated.
    package internal(set) var cacheControl: String?
    /// The delay of the header.
    package private(set) var latency = Duration.zero
    /// An incident in the body, and the number of bytes before it.
    package private(set) var incident: (after: Int, kind: Incident)?
    /// Whether not even a header is sent.
    package private(set) var isSilent = false
    /// The limit in bits per second.
    package private(set) var rate: Int64?

    /// An incident in the middle of a body.
    package enum Incident: Sendable, Hashable {
        /// The connection breaks.
        case reset
        /// The connection is closed properly, but too early.
        case end
        /// Nothing more is sent.
        case stall
        /// A pause of this length.
        case pause(Duration)
    }

    private let whole: [UInt8]?
    private let edition: Int?
    private var tag: String? { edition.map { "\"\($0)\"" } }
    /// Whether a fault has decided the answer.
    private var isDecided = false
    private var short = 0

    init(body: [UInt8]?, type: String?, edition: Int?, range: Range<Int64>?) {
        whole = body
        self.edition = edition
        self.type = type
        status = 404
        self.body = Array("nothing here\n".utf8)
        guard let body else { return }
        let total = Int64(body.count)
        if let range {
            guard range.lowerBound < total else {
                status = 416
                self.body = []
                return
            }
            let end = min(range.upperBound, total)
            status = 206
            self.body = Array(body[Int(range.lowerBound)..<Int(end)])
            contentRange = (range.lowerBound, end - 1, total)
        } else {
            status = 200
            self.body = body
        }
    }

    /// Takes the content of another resource, unless a fault has decided the answer.
    mutating func take(status: Int, body: [UInt8], type: String?) {
        guard self.status == 404, location == nil, !isDecided else { return }
        self.status = status
        self.body = body
        self.type = self.type ?? type
        if let incident, case .end = incident.kind { self.incident = (max(0, body.count - short), .end) }
    }

    /// Answers that a resource has not changed, if the request has its ETag (RFC 9110, 13.1.2).
    mutating func apply(conditions headers: [String]) {
        guard status == 200, let tag, headers.contains("If-None-Match: \(tag)") else { return }
        (status, body) = (304, [])
    }

    mutating func clearIncident() { incident = nil }

    mutating func apply(_ fault: OriginFault, path: String) {
        switch fault {
        case .latency(let length): latency += length
        case .status(let status):
            isDecided = true
            (self.status, body, contentRange) = (status, Array("status \(status)\n".utf8), nil)
        case .reset(let count): incident = (count, .reset)
        case .stall(let count): incident = (count, .stall)
        case .pause(let count, let length): incident = (count, .pause(length))
        case .wrongLength(let short):
            self.short = short
            incident = (max(0, body.count - short), .end)
        case .type(let type): self.type = type
        case .body(let bytes):
            isDecided = true
            (status, body, contentRange) = (200, bytes, nil)
        case .redirect(let url): (status, body, location, contentRange) = (302, [], url, nil)
        case .redirectLoop: (status, body, location, contentRange) = (302, [], path, nil)
        case .ignoresRanges: if status == 206, let whole { (status, body, contentRange) = (200, whole, nil) }
        case .silence: isSilent = true
        case .rate(let bits): rate = bits
        case .stale, .refusal, .noName, .slowName, .slowHandshake: break
        }
    }
}
