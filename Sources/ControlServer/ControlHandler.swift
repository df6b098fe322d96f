import FlyingFox
import FoundationEssentials
import Synchronization

/// Decides who may ask for what, and answers. It runs on tasks of the global pool.
struct ControlHandler: Sendable {
    private let routes: [String: [HTTPMethod: Route]]
    private let gate: RequestGuard
    private let visitors: VisitorGuard
    private let page: PageFiles
    private let counts: RequestCounts
    private let underWay: RequestLimit
    private let needsTLS: Bool
    private let probe: @Sendable () async -> HTTPResponse

    /// - Parameters:
    ///   - routes: by path and method.
    ///   - probe: the answer of `/healthz` to a visitor without a token.
    ///   - needsTLS: whether other machines must use TLS.
    init(
        routes: [String: [HTTPMethod: Route]], probe: @escaping @Sendable () async -> HTTPResponse, gate: RequestGuard,
        visitors: VisitorGuard, counts: RequestCounts,
        limits: ControlLimits, needsTLS: Bool
    ) {
        self.needsTLS = needsTLS
        self.routes = routes
        self.probe = probe
        self.gate = gate
        self.visitors = visitors
        self.counts = counts
        page = PageFiles(token: gate.token)
        underWay = RequestLimit(most: limits.requests)
    }

    /// The origin of a request.
    ///
    /// - Parameter isSecure: whether it came under TLS. Where that is needed, a token that came in clear is worth nothing.
    func visitor(of request: HTTPRequest, isSecure: Bool) -> VisitorGuard.Visitor {
        let isLocal = request.remoteAddress?.isLocal ?? false
        guard isLocal || isSecure || !needsTLS else { return .stranger }
        return visitors.visitor(isLocal: isLocal, authorization: request.headers[.authorization])
    }

    /// - Parameter isSecure: whether the request came under TLS.
    func answer(_ request: HTTPRequest, isSecure: Bool) async -> RouteAnswer {
        let answer = await admit(request, isSecure: isSecure)
        switch answer {
        case .response(let response): counts.add(response.statusCode)
        case .events: counts.add(.ok)
        }
        return answer
    }

    private func admit(_ request: HTTPRequest, isSecure: Bool) async -> RouteAnswer {
        let visitor = visitor(of: request, isSecure: isSecure)
        let isHead = request.method == .HEAD
        // Without a token a probe is told no more than that the box works.
        if visitor == .stranger, request.path == "/healthz", request.method == .GET || isHead {
            guard underWay.enter() else { return .response(.file(Data(), status: .serviceUnavailable)) }
            defer { underWay.leave() }
            return .response(await probe())
        }
        if visitor == .stranger, needsTLS, !isSecure { return .response(.secureOnly(request)) }
        guard let right = visitor.right else {
            return .response(
                .refusal(
                    .unauthorized, "From another machine, this needs the operator's token.",
                    headers: [HTTPHeader("WWW-Authenticate"): "Basic realm=\"Marquee\", charset=\"UTF-8\""]))
        }
        guard underWay.enter() else {
            return .response(.refusal(.serviceUnavailable, "Too many requests at once; try again."))
        }
        defer { underWay.leave() }
        let refusal = gate.refusal(
            host: request.headers[.host], origin: request.headers[.origin], fetchSite: request.headers[.fetchSite],
            token: request.headers[.token], isCommand: request.method != .GET && !isHead,
            isPage: request.path == "/", visitor: visitor, isSecure: isSecure)
        if let refusal { return .response(.refusal(.forbidden, refusal)) }
        return await routes.answer(request, right) ?? .response(file(request))
    }

    private func file(_ request: HTTPRequest) -> HTTPResponse {
        guard let file = page.file(request.path) else { return .refusal(.notFound, "There is nothing at this address.") }
        return [.GET, .HEAD].contains(request.method) ? file : .wrongMethod(allowed: "GET, HEAD")
    }
}

/// How many requests are answered at the same time. Any thread.
final class RequestLimit: Sendable {
    private let most: Int
    private let count = Mutex(0)

    init(most: Int) { self.most = most }

    /// - Returns: false if there are too many; otherwise `leave` must follow.
    func enter() -> Bool {
        count.withLock { count in
            guard count < most else { return false }
            count += 1
            return true
        }
    }

    func leave() { count.withLock { $0 -= 1 } }
}
