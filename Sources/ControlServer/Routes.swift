import FoundationEssentials
import NIOHTTP1
import StatusModel
import WireFormats

/// The routes of the API; `Page/openapi.json` describes the same. Requests are decoded and answers encoded on tasks of the global
/// pool; access to the box goes through `ControlDesk`.
struct Routes: Sendable {
    private let desk: ControlDesk
    private let screen: ScreenEncoder
    private let machine: MachineReader
    private let requests: RequestCounts
    private let limits: ControlLimits
    private let support: SupportDesk
    private let artwork: ArtworkDesk
    private let search: SearchDesk
    private let plays: ControlServer.Plays?
    private let settings: ControlServer.Settings?

    init(
        desk: ControlDesk, screen: ScreenEncoder, machine: MachineReader, requests: RequestCounts, limits: ControlLimits,
        support: SupportDesk, artwork: ArtworkDesk, plays: ControlServer.Plays? = nil,
        settings: ControlServer.Settings? = nil
    ) {
        self.desk = desk
        self.screen = screen
        self.machine = machine
        self.requests = requests
        self.limits = limits
        self.support = support
        self.artwork = artwork
        search = SearchDesk(desk: desk)
        self.plays = plays
        self.settings = settings
    }

    /// All routes, by path.
    var table: [String: [Route]] { Dictionary(grouping: all + ofPhones, by: \.path) }

    private var all: [Route] {
        let routes = self
        return [
            look("/v1/now") { _ in .json(await routes.desk.now()) },
            look("/v1/feed") { _ in .json(await routes.desk.feed()) },
            look("/v1/library") { request throws(RequestRefusal) in try await routes.library(request) },
            look("/v1/home") { request throws(RequestRefusal) in try await routes.home(request) },
            look("/v1/search") { request throws(RequestRefusal) in try await routes.search(request) },
            look("/v1/artwork") { request throws(RequestRefusal) in try await routes.artwork(request) },
            Route(method: .GET, path: "/v1/box", right: .look) { _, right in .response(await routes.box(right)) },
            look("/v1/errors") { request throws(RequestRefusal) in try await routes.errors(request) },
            look("/v1/downloads") { request throws(RequestRefusal) in try await routes.downloads(request) },
            look("/v1/log") { request throws(RequestRefusal) in try await routes.log(request) },
            look("/v1/log/access") { request throws(RequestRefusal) in try await routes.playbackLog(request, errors: false) },
            look("/v1/log/error") { request throws(RequestRefusal) in try await routes.playbackLog(request, errors: true) },
            look("/v1/plays") { request throws(RequestRefusal) in try await routes.plays(request) },
            look("/v1/commands") { _ in .json(CommandsAnswer()) },
            look("/v1/screen.jpg") { _ in await routes.picture(after: nil) },
            look("/v1/screen") { request throws(RequestRefusal) in try await routes.nextPicture(request) },
            look("/v1/support-bundle") { _ in await routes.supportBundle() },
            look("/v1/openapi.json") { _ in .file(PackageResources.openapi_json, type: "application/json") },
            look("/metrics") { await routes.metrics($0) },
            look("/healthz") { _ in
                let health = await routes.health()
                return .json(health, status: health.isFailing ? .serviceUnavailable : .ok)
            },
            look("/v1/health") { _ in .json(await routes.health()) },
            Route(method: .GET, path: "/v1/events", right: .look) { request, _ throws(RequestRefusal) in
                let kinds = try EventKind.wanted(request.parameters["kinds"])
                return await routes.desk.events.subscribe(after: request.header("Last-Event-ID"), kinds).map { .events($0) }
                    ?? .response(.refusal(.serviceUnavailable, "Too many clients wait for events at once."))
            },
            // A key was pressed, whether or not it does something here.
            order("/v1/key", KeyOrder.self, servesPhones: true) { order, _ in
                .json(CommandAnswer(await routes.desk.key(order.key, order.phase)))
            },
            order("/v1/command", CommandOrder.self) { order, right throws(RequestRefusal) in
                try right.allow(order.verb.right)
                return .outcome(await routes.desk.perform(order.command))
            },
            order("/v1/play", PlayOrder.self) { order, _ in .outcome(await routes.desk.perform(order.command)) },
            order("/v1/seek", SeekOrder.self) { order, _ in .outcome(await routes.desk.perform(order.command)) },
            order("/v1/announce", AnnouncementOrder.self) { order, _ in .outcome(await routes.desk.perform(order.command)) },
            order("/v1/settings", SettingsOrder.self, right: .configure) { order, _ throws(RequestRefusal) in
                try await routes.take(order)
            },
            // What a box says about downloads has status 200, also where it refuses: programs that read no other came before 409.
            // On the screen, what deletes is behind the PIN.
            order("/v1/downloads/add", AddDownloadOrder.self, right: .configure) { order, _ in
                .json(CommandAnswer(await routes.desk.addDownload(order)))
            },
            order("/v1/downloads/remove", DownloadOrder.self, right: .configure) { order, _ in
                .json(CommandAnswer(await routes.desk.removeDownload(order)))
            },
            order("/v1/downloads/verify", DownloadOrder.self) { order, _ in
                .json(CommandAnswer(await routes.desk.verifyDownload(order)))
            },
        ]
    }

    /// The routes for phones as keyboards.
    private var ofPhones: [Route] {
        let routes = self
        return [
            Route(method: .GET, path: "/v1/text", right: .look, servesPhones: true) { request, _ throws(RequestRefusal) in
                .response(try await routes.text(request))
            },
            Route(method: .POST, path: "/v1/text", right: .steer, servesPhones: true) { request, _ throws(RequestRefusal) in
                let order: TextOrder = try Self.body(of: request)
                try await routes.desk.type(order, isPrivate: request.isPrivate).map { refusal throws(RequestRefusal) in
                    throw refusal.answer
                }
                return .response(.json(CommandAnswer(.success)))
            },
            order("/v1/pair", PairOrder.self, servesPhones: true) { order, _ throws(RequestRefusal) in
                guard let token = await routes.desk.pair(order.secret) else {
                    throw RequestRefusal(
                        status: .forbidden, sentence: "This code is no longer valid. Scan the one on the television.")
                }
                return .json(PairAnswer(token: token))
            },
        ]
    }

    private func look(
        _ path: String, _ answer: @escaping @Sendable (HTTPRequest) async throws(RequestRefusal) -> HTTPResponse
    ) -> Route {
        Route(method: .GET, path: path, right: .look) { request, _ throws(RequestRefusal) in .response(try await answer(request))
        }
    }

    /// Decodes a body and executes it, for a visitor with a right.
    private func order<Order: Decodable & Sendable>(
        _ path: String, _ kind: Order.Type, right: AccessRight = .steer, servesPhones: Bool = false,
        _ carryOut: @escaping @Sendable (Order, AccessRight) async throws(RequestRefusal) -> HTTPResponse
    ) -> Route {
        Route(method: .POST, path: path, right: right, servesPhones: servesPhones) { request, right throws(RequestRefusal) in
            .response(try await carryOut(try Self.body(of: request), right))
        }
    }

    private static func body<Order: Decodable>(of request: HTTPRequest) throws(RequestRefusal) -> Order {
        // Readers disagree about which of two members of one name counts. What is not JSON at all is told below.
        var reader = JSONReader(request.body, maximumDepth: 16)
        if (try? reader.read()) != nil, let twice = reader.duplicates.first {
            throw RequestRefusal(sentence: "The body is not valid: \(twice.pointer) is there twice.")
        }
        do {
            return try JSONDecoder().decode(Order.self, from: Data(request.body))
        } catch let error as DecodingError {
            throw RequestRefusal(sentence: "The body is not valid: \(error.plainReason(in: request.body)).")
        } catch {
            throw RequestRefusal(sentence: "The body is not valid: \(error).")
        }
    }

    /// The text that the television asks for; waits while it is the one that the phone knows.
    private func text(_ request: HTTPRequest) async throws(RequestRefusal) -> HTTPResponse {
        let parameters = request.parameters
        let field = try parameters.count("field", standard: -1), serial = try parameters.count("serial", standard: 0)
        guard let text = await desk.text.next(after: field < 0 ? nil : (UInt64(field), UInt64(serial))) else {
            return .refusal(.serviceUnavailable, "Too many clients wait for a text at once.")
        }
        return .json(text)
    }

    private func library(_ request: HTTPRequest) async throws(RequestRefusal) -> HTTPResponse {
        let parameters = request.parameters
        guard let kind = LibraryKind(rawValue: parameters["kind"] ?? LibraryKind.items.rawValue) else {
            throw RequestRefusal(sentence: "\"kind\" must be channels, items or series.")
        }
        let series = parameters["series"]
        guard series == nil || kind == .items else {
            throw RequestRefusal(sentence: "\"series\" selects items, so \"kind\" must be items.")
        }
        let query = LibraryQuery(
            kind: kind, series: series, offset: try parameters.count("offset", standard: 0),
            limit: try parameters.count("limit", standard: 50, most: limits.libraryEntries))
        return .json(await desk.library(query))
    }

    private func home(_ request: HTTPRequest) async throws(RequestRefusal) -> HTTPResponse {
        let parameters = request.parameters
        let query = HomeQuery(
            row: parameters["row"], offset: try parameters.count("offset", standard: 0),
            limit: try parameters.count("limit", standard: 20, most: limits.rowEntries))
        return .json(await desk.home(query))
    }

    private func search(_ request: HTTPRequest) async throws(RequestRefusal) -> HTTPResponse {
        let parameters = request.parameters
        guard let text = parameters["text"], text.unicodeScalars.count <= limits.searchedCharacters else {
            throw RequestRefusal(sentence: "\"text\" must be a text of at most \(limits.searchedCharacters) characters.")
        }
        let offset = try parameters.count("offset", standard: 0)
        let limit = try parameters.count("limit", standard: 50, most: limits.libraryEntries)
        return .json(SearchAnswer(await search.find(text), offset: offset, limit: limit))
    }

    private func artwork(_ request: HTTPRequest) async throws(RequestRefusal) -> HTTPResponse {
        guard let id = request.parameters["id"] else { throw RequestRefusal(sentence: "\"id\" is missing.") }
        switch await artwork.picture(of: id) {
        case .jpeg(let bytes):
            return .file(
                bytes, type: "image/jpeg", headers: ["Cache-Control": "private, max-age=\(limits.artworkAge)"])
        case .missing: return .refusal(.notFound, "There is no picture.")
        case .crowded: return .refusal(.serviceUnavailable, "Too many pictures are asked for at once; try again.")
        }
    }

    private func box(_ right: AccessRight) async -> HTTPResponse {
        .json(BoxAnswer(await desk.box, await machine.read().description, right: right))
    }

    private func errors(_ request: HTTPRequest) async throws(RequestRefusal) -> HTTPResponse {
        let limit = try request.parameters.count("limit", standard: 20, most: limits.lastErrors)
        return .json(await desk.errors(limit))
    }

    private func downloads(_ request: HTTPRequest) async throws(RequestRefusal) -> HTTPResponse {
        let parameters = request.parameters
        return .json(
            await desk.downloads(
                offset: try parameters.count("offset", standard: 0),
                limit: try parameters.count("limit", standard: 50, most: limits.libraryEntries)))
    }

    private func log(_ request: HTTPRequest) async throws(RequestRefusal) -> HTTPResponse {
        let lines = try request.parameters.count("lines", standard: 100, most: limits.logLines)
        return .json(await desk.log(lines))
    }

    private func playbackLog(_ request: HTTPRequest, errors: Bool) async throws(RequestRefusal) -> HTTPResponse {
        guard let log = await desk.playbackLog(errors: errors, session: request.parameters["session"]) else {
            throw RequestRefusal(status: .notFound, sentence: "There is no playback with this session id any more.")
        }
        return .text(log.text)
    }

    private func plays(_ request: HTTPRequest) async throws(RequestRefusal) -> HTTPResponse {
        let after = request.parameters["after"] ?? "0"
        guard let number = UInt64(after) else {
            throw RequestRefusal(sentence: "\"after\" must be the number of the last play that the client has.")
        }
        let limit = try request.parameters.count("limit", standard: 100, most: limits.plays)
        guard let plays else { throw RequestRefusal(status: .notFound, sentence: "This player keeps no plays.") }
        let read = await plays(number, limit)
        return .file(Array(read().utf8), type: "application/json")
    }

    private func take(_ order: SettingsOrder) async throws(RequestRefusal) -> HTTPResponse {
        guard let settings else { throw RequestRefusal(status: .notFound, sentence: "This player takes no settings.") }
        if let sentence = await settings(Array(order.document.utf8), Array(order.signature.utf8)) {
            throw RequestRefusal(status: .conflict, sentence: sentence)
        }
        return .json(CommandAnswer(.success))
    }

    private func nextPicture(_ request: HTTPRequest) async throws(RequestRefusal) -> HTTPResponse {
        guard let after = request.parameters["after"] else { return await picture(after: nil) }
        guard let serial = UInt64(after) else {
            throw RequestRefusal(sentence: "\"after\" must be the serial of the last picture, from its X-Marquee-Serial.")
        }
        return await picture(after: serial)
    }

    private func picture(after serial: UInt64?) async -> HTTPResponse {
        switch await screen.next(after: serial) {
        case .still(let still):
            return .file(still.jpeg, type: "image/jpeg", headers: ["X-Marquee-Serial": String(still.serial)])
        case .unchanged where serial != nil: return .file([], status: .noContent)
        case .unreadable, .unchanged: return .refusal(.serviceUnavailable, "The screen cannot be read now.")
        case .crowded: return .refusal(.serviceUnavailable, "Too many clients watch the screen at once.")
        }
    }

    private func supportBundle() async -> HTTPResponse {
        switch await support.make() {
        case .bundle(let bytes):
            .file(
                bytes, type: "application/zstd",
                headers: ["Content-Disposition": "attachment; filename=\"marquee-support.tar.zst\""])
        case .busy: .refusal(.serviceUnavailable, "Another support bundle is being made; ask again in a moment.")
        case .failed(let sentence): .refusal(.internalServerError, sentence)
        }
    }

    private func metrics(_ request: HTTPRequest) async -> HTTPResponse {
        let format = MetricsText.Format(accept: request.header("Accept"))
        let families = await desk.metrics() + machine.read().metrics + requests.metrics
        return .file(Array(MetricsText.text(families, format).utf8), type: format.mediaType)
    }

    /// The status of `/healthz` alone, for a visitor who may not look.
    func probe() async -> HTTPResponse { .file([], status: await health().isFailing ? .serviceUnavailable : .ok) }

    /// A main loop that does not answer cannot show anything either.
    private func health() async -> HealthAnswer {
        let desk = desk
        return await RealTime.onMain(within: limits.healthTime) { desk.health() } ?? HealthAnswer(unanswered: limits.healthTime)
    }
}
