import NIOHTTP1
import Synchronization

/// Decides who may ask for what, and answers. Any thread.
struct ControlHandler: Sendable {
    private let routes: [String: [Route]]
    private let gate: RequestGuard
    private let visitors: VisitorGuard
    private let page: PageFiles
    private let counts: RequestCounts
    private let underWay: RequestLimit
    private let needsTLS: Bool
    private let probe: @Sendable () async -> HTTPResponse

    /// - Parameters:
    ///   - routes: by path.
    ///   - probe: the answer of `/healthz` to a visitor who may not look.
    ///   - needsTLS: whether other machines must use TLS.
    init(
        routes: [String: [Route]], probe: @escaping @Sendable () async -> HTTPResponse, gate: RequestGuard,
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

    /// What is to be done with a request.
    enum Verdict {
        case answered(HTTPResponse)
        /// The box must be asked, away from the threads of the connections. It must be called.
        case work(@Sendable () async -> RouteAnswer)
    }

    /// The origin of a request.
    ///
    /// - Parameters:
    ///   - isLocal: whether it came from this machine.
    ///   - isSecure: whether it came under TLS. Where that is needed, a token that came in clear is worth nothing.
    func visitor(of request: HTTPRequest, isLocal: Bool, isSecure: Bool) -> VisitorGuard.Visitor {
        guard isLocal || isSecure || !needsTLS else { return .stranger }
        return visitors.visitor(isLocal: isLocal, authorization: request.header("Authorization"))
    }

    /// - Parameter isSecure: whether the request came under TLS.
    func verdict(on request: HTTPRequest, of visitor: VisitorGuard.Visitor, isSecure: Bool) -> Verdict {
        let verdict = admit(request, of: visitor, isSecure: isSecure)
        if case .answered(let response) = verdict { counts.add(response.status) }
        return verdict
    }

    private func admit(_ request: HTTPRequest, of visitor: VisitorGuard.Visitor, isSecure: Bool) -> Verdict {
        let isHead = request.method == .HEAD
        // Who may not look is told no more than that the box works.
        if !visitor.looks, request.path == "/healthz", request.method == .GET || isHead {
            return work(orElse: .file([], status: .serviceUnavailable)) { [probe] in .response(await probe()) }
        }
        if visitor == .stranger, needsTLS, !isSecure { return .answered(.secureOnly(request)) }
        // The files of the page for phones contain no secrets. Pairing needs no token: the secret of the code is checked instead.
        if visitor == .stranger, PageFiles.ofPhones.contains(request.path) { return .answered(file(request)) }
        let isPairing = visitor == .stranger && request.path == "/v1/pair"
        guard let right = isPairing ? .phone : visitor.right else {
            return .answered(.needsToken(isProgram: visitors.sendsToken(request.header("Authorization"))))
        }
        let refusal = gate.refusal(
            host: request.header("Host"), origin: request.header("Origin"), fetchSite: request.header("Sec-Fetch-Site"),
            token: request.header("X-Marquee-Token"), isCommand: request.method != .GET && !isHead && !isPairing,
            isPage: request.path == "/", visitor: visitor, isSecure: isSecure)
        if let refusal { return .answered(.refusal(.forbidden, refusal)) }
        var request = request
        request.isPrivate = isSecure || visitor == .local
        guard routes[request.path] != nil else {
            do throws(RequestRefusal) {
                // What is no part of the page for phones is for those who may look.
                if !PageFiles.ofPhones.contains(request.path) { try right.allow(.look) }
            } catch {
                return .answered(.refusal(error.status, error.sentence))
            }
            return .answered(file(request))
        }
        return work(orElse: .refusal(.serviceUnavailable, "Too many requests at once; try again.")) {
            [routes, visitors, request] in
            let answer = await routes.answer(request, right) ?? .response(.nothing)
            // A phone may have been forgotten while the answer waited: what the box says now is not for it.
            let now = visitors.visitor(isLocal: visitor == .local, authorization: request.header("Authorization"))
            return request.method == .POST || now == visitor ? answer : .response(.needsToken(isProgram: visitor.isBearer))
        }
    }

    /// - Parameter refusal: the answer if too much is under way.
    private func work(orElse refusal: HTTPResponse, _ answer: @escaping @Sendable () async -> RouteAnswer) -> Verdict {
        guard underWay.enter() else { return .answered(refusal) }
        let (underWay, counts) = (underWay, counts)
        return .work {
            defer { underWay.leave() }
            let answer = await answer()
            switch answer {
            case .response(let response): counts.add(response.status)
            case .events: counts.add(.ok)
            }
            return answer
        }
    }

    private func file(_ request: HTTPRequest) -> HTTPResponse {
        guard let file = page.file(request.path) else { return .nothing }
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
