import FlyingFox
import FoundationEssentials
import MediaModel
import Synchronization

/// The routes of the page and of the API. It runs on tasks of the global pool; access to the box goes through `ControlDesk`.
final class ControlHandler: HTTPHandler {
    private let desk: ControlDesk
    private let screen: ScreenEncoder
    private let gate: RequestGuard
    private let visitors: VisitorGuard
    private let limits: ControlLimits
    private let page: PageFiles
    private let underWay = Mutex(0)

    init(desk: ControlDesk, screen: ScreenEncoder, gate: RequestGuard, visitors: VisitorGuard, limits: ControlLimits) {
        self.desk = desk
        self.screen = screen
        self.gate = gate
        self.visitors = visitors
        self.limits = limits
        page = PageFiles(token: gate.token)
    }

    /// The origin of a request.
    func visitor(of request: HTTPRequest) -> VisitorGuard.Visitor {
        visitors.visitor(
            isLocal: request.remoteAddress?.isLocal ?? false, authorization: request.headers[.authorization])
    }

    func handleRequest(_ request: HTTPRequest) async -> HTTPResponse {
        let visitor = visitor(of: request)
        if visitor == .stranger {
            return .refusal(
                .unauthorized, "From another machine, this needs the operator's token.",
                headers: [HTTPHeader("WWW-Authenticate"): "Basic realm=\"Marquee\", charset=\"UTF-8\""])
        }
        let isAdmitted = underWay.withLock { count in
            count += 1
            return count <= limits.requests
        }
        defer { underWay.withLock { $0 -= 1 } }
        guard isAdmitted else { return .refusal(.serviceUnavailable, "Too many requests at once; try again.") }
        let refusal = gate.refusal(
            host: request.headers[.host], origin: request.headers[.origin], fetchSite: request.headers[.fetchSite],
            token: request.headers[.token], isCommand: request.method != .GET && request.method != .HEAD,
            isPage: request.path == "/", visitor: visitor)
        if let refusal { return .refusal(.forbidden, refusal) }
        switch (request.method, request.path) {
        case (.GET, "/v1/now"): return .json(await desk.now())
        case (.GET, "/v1/log"): return await log(request)
        case (.GET, "/v1/log/access"): return .text(await desk.playbackLog(errors: false))
        case (.GET, "/v1/log/error"): return .text(await desk.playbackLog(errors: true))
        case (.GET, "/v1/screen.jpg"): return await picture(after: nil)
        case (.GET, "/v1/screen"): return await nextPicture(request)
        case (.POST, "/v1/key"):
            return await order(KeyOrder.self, request) { await self.desk.key($0.key, $0.phase) }
        case (.POST, "/v1/command"):
            return await order(CommandOrder.self, request) { await self.desk.perform($0.command) }
        case (.POST, "/v1/announce"):
            return await order(AnnouncementOrder.self, request) { await self.desk.perform($0.command) }
        case (_, "/v1/key"), (_, "/v1/command"), (_, "/v1/announce"):
            return .wrongMethod(allowed: "POST")
        case (_, "/v1/now"), (_, "/v1/log"), (_, "/v1/log/access"), (_, "/v1/log/error"), (_, "/v1/screen.jpg"),
            (_, "/v1/screen"):
            return .wrongMethod(allowed: "GET")
        default:
            guard let file = page.file(request.path) else {
                return .refusal(.notFound, "There is nothing at this address.")
            }
            guard request.method == .GET else { return .wrongMethod(allowed: "GET") }
            return file
        }
    }

    private func log(_ request: HTTPRequest) async -> HTTPResponse {
        guard let lines = Int(request.query["lines"] ?? "100"), lines >= 0 else {
            return .refusal(.badRequest, "\"lines\" must be a whole number.")
        }
        return .json(await desk.log(min(lines, limits.logLines)))
    }

    private func nextPicture(_ request: HTTPRequest) async -> HTTPResponse {
        guard let after = request.query["after"] else { return await picture(after: nil) }
        guard let serial = UInt64(after) else {
            return .refusal(.badRequest, "\"after\" must be the serial of the last picture, from its X-Marquee-Serial.")
        }
        return await picture(after: serial)
    }

    private func picture(after serial: UInt64?) async -> HTTPResponse {
        switch await screen.next(after: serial) {
        case .still(let still):
            return .file(Data(still.jpeg), type: "image/jpeg", headers: [.serial: String(still.serial)])
        case .unchanged: return .file(Data(), status: .noContent)
        case .unreadable: return .refusal(.serviceUnavailable, "The screen cannot be read now.")
        case .crowded: return .refusal(.serviceUnavailable, "Too many clients watch the screen at once.")
        }
    }

    /// Decodes a body and executes it; a refusal by the box is an ordinary answer with status 200.
    private func order<Order: Decodable & Sendable>(
        _ kind: Order.Type, _ request: HTTPRequest, _ carryOut: (Order) async -> CommandResult
    ) async -> HTTPResponse {
        do {
            let order = try JSONDecoder().decode(kind, from: await request.bodyData)
            return .json(CommandAnswer(await carryOut(order)))
        } catch let error as DecodingError {
            return .refusal(.badRequest, "The body is not valid: \(error.plainReason).")
        } catch {
            return .refusal(.badRequest, "The body could not be read: \(error).")
        }
    }
}

extension HTTPHeader {
    static let origin = HTTPHeader("Origin")
    static let fetchSite = HTTPHeader("Sec-Fetch-Site")
    static let token = HTTPHeader("X-Marquee-Token")
    static let serial = HTTPHeader("X-Marquee-Serial")
}
