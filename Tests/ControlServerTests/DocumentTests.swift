import BoxModel
import Foundation
import GeneratedInputs
import LinuxSupport
import MediaModel
import MediaTime
import StatusModel
import Testing

@testable import ControlServer

/// The server does what its OpenAPI document says, for every path and method.
@MainActor
struct DocumentTests {
    private let document: JSONValue
    private let schemas: JSONSchema
    /// The same for answers, which have no members that are not described.
    private let answers: JSONSchema

    init() throws {
        document = try JSONDecoder().decode(JSONValue.self, from: Data(PackageResources.openapi_json))
        schemas = JSONSchema(document: document)
        answers = JSONSchema(document: document, isClosed: true)
    }

    private struct Operation {
        var path: String
        var method: String
        var description: JSONValue
    }

    private var operations: [Operation] {
        (document["paths"]?.members ?? [:]).sorted { $0.key < $1.key }.flatMap { path, methods in
            (methods.members ?? [:]).sorted { $0.key < $1.key }.map {
                Operation(path: path, method: $0.key.uppercased(), description: $0.value)
            }
        }
    }

    @Test func itDescribesEveryRouteWithItsRight() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        let routes = running.server.routes.values.flatMap { $0 }.map {
            "\($0.method.rawValue) \($0.path) \($0.right)\($0.servesPhones ? " phones" : "")"
        }
        let described = operations.map {
            "\($0.method) \($0.path) \($0.description["x-right"]?.text ?? "none")\($0.description["x-phones"] == .bool(true) ? " phones" : "")"
        }
        #expect(routes.sorted() == described.sorted())
    }

    @Test func everyAnswerIsAsDescribed() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        fill(running.box)
        for operation in operations where operation.path != "/v1/events" {
            for body in try bodies(of: operation) {
                try await check(operation, operation.path + neededParameters(of: operation), body: body, running, status: 200)
            }
        }
    }

    @Test(arguments: [
        ("/v1/library?kind=films", 400), ("/v1/library?offset=-1", 400), ("/v1/library?limit=x", 400),
        ("/v1/library?kind=series&series=s1", 400), ("/v1/log?lines=many", 400), ("/v1/screen?after=last", 400),
        ("/v1/log/error?session=none", 404), ("/v1/log/access?session=none", 404), ("/v1/screen?after=1", 204),
        ("/v1/downloads?offset=x", 400), ("/v1/downloads?limit=-1", 400), ("/v1/downloads?offset=499&limit=5", 200),
        ("/v1/home?row=row-0&offset=3&limit=1", 200), ("/v1/home?limit=x", 400), ("/v1/search?text=One&offset=1&limit=9999", 200),
        ("/v1/search", 400), ("/v1/search?text=01234567890123456789012345678901234567890", 400),
        ("/v1/search?text=One&offset=-1", 400), ("/v1/artwork", 400), ("/v1/artwork?id=none", 404), ("/v1/artwork?id=c1", 200),
        ("/v1/plays?after=3&limit=1", 200), ("/v1/plays?after=4", 200), ("/v1/plays?after=last", 400),
        ("/v1/plays?limit=-1", 400), ("/v1/text?field=x", 400), ("/v1/text?field=0", 200), ("/v1/text?field=3&serial=4", 200),
        ("/v1/errors?limit=1", 200), ("/v1/errors?limit=all", 400),
        ("/v1/library?kind=channels&offset=1&limit=1", 200), ("/v1/log/error?session=A-1", 200), ("/v1/screen?after=7", 200),
    ])
    func parametersAreAsDescribed(address: String, status: Int) async throws {
        let running = try await RunningServer(limits: ControlLimits(longPoll: status == 204 ? .milliseconds(20) : .seconds(600)))
        defer { running.server.stop() }
        fill(running.box)
        let path = String(address.prefix { $0 != "?" })
        let operation = try #require(operations.first { $0.path == path })
        try await check(operation, address, body: "", running, status: status)
    }

    @Test func refusalsAreAsDescribed() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        for operation in operations {
            try await check(
                operation, operation.path, body: "", headers: ["Origin": "http://example.org"], running, status: 403)
            guard operation.method == "POST" else { continue }
            for body in [
                "", "[]", "{}", #"{"command":7,"key":"sideways","position":"far","state":"later","id":7}"#,
                #"{"command":7,"key":7,"position":[],"state":"began","shouldResume":7,"id":null}"#,
            ] {
                try await check(operation, operation.path, body: body, running, status: 400)
            }
        }
        #expect(running.box.commands.isEmpty && running.box.events.isEmpty && running.box.downloadOrders.isEmpty)
    }

    @Test func anUnhealthyBoxAnswersAsDescribed() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        running.box.health = BoxHealth(faults: [.screenLost])
        let operation = try #require(operations.first { $0.path == "/healthz" })
        try await check(operation, "/healthz", body: "", running, status: 503)
    }

    @Test func theEventsHaveTheDescribedData() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        fill(running.box)
        let desk = running.server.events
        let opening = try #require(desk.subscribe(after: nil)).opening
        let data = opening.split(separator: "\n").filter { $0.hasPrefix("data: ") }.map { $0.dropFirst(6) }
        let values = try data.map { try JSONDecoder().decode(JSONValue.self, from: Data($0.utf8)) }
        try #require(values.count == 2)
        #expect(answers.faults(of: values[0], by: schema("Now")) == [])
        #expect(answers.faults(of: values[1], by: schema("Feed")) == [])
        let fault = EventText.json(FaultAnswer(try #require(running.box.faults.first)))
        #expect(answers.faults(of: try JSONDecoder().decode(JSONValue.self, from: Data(fault.utf8)), by: schema("Fault")) == [])
    }

    @Test func theDocumentAndThePageOfDocsNameEveryCommand() throws {
        func names(_ schema: JSONValue) -> [String] {
            let command = schema["properties"]?["command"]
            return (command?["enum"]?.list?.compactMap(\.text) ?? []) + [command?["const"]?.text].compactMap { $0 }
        }
        let described = (schema("CommandOrder")["oneOf"]?.list ?? []).flatMap(names)
        for verb in CommandVerb.all {
            let choice = schema("CommandOrder")["oneOf"]?.list?.first { names($0).contains(verb.name) }
            let properties = choice?["properties"]?.members ?? [:]
            #expect(Set(properties.keys) == Set(["command"] + verb.fields.map(\.member.rawValue)), "\(verb.name)")
            let required = Set(choice?["required"]?.list?.compactMap(\.text) ?? [])
            #expect(required == Set(verb.fields.filter(\.isRequired).map(\.member.rawValue)), "\(verb.name)")
            for field in verb.fields {
                let type = properties[field.member.rawValue]?["type"]?.text ?? "string"
                #expect((type == "integer" ? "number" : type) == field.member.type, "\(verb.name)")
            }
        }
        #expect(described.sorted() == CommandVerb.all.map(\.name).sorted())
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let page = try String(contentsOfFile: "/\(root)/docs/local-page.md", encoding: .utf8)
        let table =
            ["| command | members | right | what it does |", "| --- | --- | --- | --- |"]
            + CommandVerb.all.map { verb in
                let members = verb.fields.map { "`\($0.member.rawValue)`: \($0.meaning)" }
                return
                    "| `\(verb.name)` | \(members.isEmpty ? "none" : members.joined(separator: ", ")) | `\(verb.right.rawValue)` | \(verb.summary) |"
            }
        #expect(
            page.contains("\n\n" + table.joined(separator: "\n") + "\n\n"), "the table is now:\n\(table.joined(separator: "\n"))")
    }

    @Test func generatedOrdersAreTakenIfTheDocumentAllowsThem() throws {
        var generator = InputGenerator(.order, seed: 11)
        var taken = 0
        for _ in 0..<300 {
            let body = Data(generator.next())
            // Of a name that occurs twice, each reader takes another value.
            guard let value = try? JSONDecoder().decode(JSONValue.self, from: body) else { continue }
            let isAllowed = schemas.faults(of: value, by: schema("CommandOrder")).isEmpty
            let isTaken = (try? JSONDecoder().decode(CommandOrder.self, from: body)) != nil
            #expect(isAllowed == isTaken, "\(String(decoding: body, as: UTF8.self))")
            taken += isTaken ? 1 : 0
        }
        #expect(taken > 10)
    }

    // MARK: -

    private func schema(_ name: String) -> JSONValue { document["components"]?["schemas"]?[name] ?? .null }

    /// Fills everything that answers can contain.
    private func fill(_ box: FakeBox) {
        var now = NowPlaying(state: .failed, hostTime: .zero)
        (now.id, now.title, now.subtitle, now.session) = ("e1", "A title", "A subtitle", "A-1")
        (now.elapsed, now.duration, now.assetTime) = (.seconds(1), .seconds(2), .seconds(3))
        (now.artworkURL, now.date, now.isLive) = ("https://cdn.example/e1.jpg", 1_795_168_800_123_456_789, true)
        now.interstitialLabel = "Ad"
        now.error = MediaError(.sourceMissing, "Nothing there.")
        now.selections = [
            .init(
                characteristic: "audible",
                options: (0..<100).map { .init(id: "\($0)", language: $0 == 0 ? nil : "de", name: $0 == 0 ? nil : "Deutsch") },
                selected: "1"), .init(characteristic: "legible", options: [], selected: nil),
        ]
        box.nowPlaying = now
        var feed = FeedStatus()
        (feed.source, feed.id, feed.revision, feed.verdict) = ("https://cdn.example/feed.json", "f", 7, .dropped)
        (feed.title, feed.lastUpdated, feed.itemCount) = ("A provider", "2026-11-20T10:00:00Z", 3)
        (feed.summary, feed.trouble, feed.findingCount) = ("Partly good.", "NET-DOWN", 1)
        feed.findings = [
            .init(severity: "error", code: "FEED-001", pointer: "/items/3", line: 4, column: 5, message: "m", remedy: "r")
        ]
        box.feedStatus = feed
        var entry = LibraryPage.Entry(id: "c1", title: "One")
        (entry.subtitle, entry.number, entry.artworkURL, entry.duration) = ("s", 1, "https://cdn.example/c1.jpg", .seconds(60))
        (entry.hasPicture, entry.watchedPercent) = (true, 40)
        box.entries = (0..<500).map { _ in entry }
        box.rows = [HomeRow(id: "row-0", title: "A row", total: 500, entries: Array(box.entries.prefix(3)))]
        box.pictured = ["c1"]
        var description = BoxDescription(name: "Room", version: "1.2", build: "ab", screen: "HDMI-A-1", sound: "hw:0")
        (description.uptime, description.throughput) = (.seconds(7), 12_500_000.5)
        var update = BoxDescription.Update(state: "installing")
        (update.running, update.isOnTrial, update.offered, update.percent) = ("1.2.0", true, "1.3.0", 40)
        (update.waitsFor, update.trouble) = ("outsideWindow", "The bundle was damaged.")
        description.update = update
        var settings = BoxDescription.Settings(state: .trying)
        (settings.revision, settings.offered, settings.waitsFor) = (7, 8, ["feed", "broker"])
        (settings.givenUp, settings.trouble, settings.refusals) = (6, "The broker was not reached.", 2)
        settings.refusal = "Its revision 5 is not higher than 7."
        description.settings = settings
        let headset = SoundPort(id: "plughw:CARD=Headset,DEV=0", kind: .usb, name: "Acme Headset")
        let plug = SoundPort(id: "plughw:CARD=PCH,DEV=0", kind: .lineOut, name: "")
        description.route = SoundRoute(outputs: [headset, plug].compactMap { $0 }, current: headset, fixed: plug)
        description.chosenOutput = headset?.id
        box.boxDescription = description
        box.faults = [
            PlaybackFault(code: "SRC-404", sentence: "Gone.", session: "A-1", isFatal: true, date: 1_795_168_800_123_456_789),
            PlaybackFault(code: "NET-DOWN", sentence: nil, session: nil, isFatal: false),
        ]
        var download = DownloadStatus(id: "e1", state: .failed, isRequired: true)
        (download.title, download.progress, download.bytes, download.expectedBytes) = ("T", 0.5, 1 << 40, 1 << 41)
        (download.waitsFor, download.error) = ("space", MediaError(.storage, "The disk is full."))
        download.verification = .damaged
        box.statuses = [DownloadStatus(id: "e0", state: .queued, isRequired: false)] + (0..<500).map { _ in download }
        (box.freeBytes, box.trouble) = (0, .full)
        box.lines = ["a line"]
        box.playbackLogs = ("#Version: 1.0\n", "#Version: 1.0\n")
        box.metrics = [MetricFamily("marquee_stalls", .counter, help: "Stalls.", 2)]
        box.screen = 1
        box.asked = AskedText(field: 3, serial: 5, title: "Search", text: "sea", longest: 40)
    }

    /// Bodies that a request may have.
    private func bodies(of operation: Operation) throws -> [String] {
        switch operation.path {
        case "/v1/key": [#"{"key":"ok"}"#, #"{"key":"ch+","phase":"press"}"#, #"{"key":"ok","phase":null}"#]
        case "/v1/play": [#"{"id":"e1"}"#]
        case "/v1/seek": [#"{"position":12.5}"#, #"{"interval":-10}"#]
        case "/v1/downloads/add": [#"{"id":"e1"}"#, #"{"id":"e1","required":true}"#, #"{"id":"e1","required":null}"#]
        case "/v1/downloads/remove", "/v1/downloads/verify": [#"{"id":"e1"}"#]
        case "/v1/text" where operation.method == "POST": [#"{"field":3,"serial":6,"text":"seal"}"#]
        case "/v1/pair": [#"{"secret":"right"}"#]
        case "/v1/settings": [#"{"document":"{}","signature":"good"}"#]
        case "/v1/announce":
            [#"{"state":"began"}"#, #"{"state":"began","shouldResume":null}"#, #"{"state":"ended","shouldResume":false}"#]
        case "/v1/command":
            [
                #"{"command":"play"}"#, #"{"command":"skip","interval":-3}"#, #"{"command":"skipBackward"}"#,
                #"{"command":"skipForward","interval":5}"#, #"{"command":"changePlaybackPosition","position":7}"#,
                #"{"command":"open","id":"e1"}"#, #"{"command":"key","key":"ok"}"#, #"{"command":"nextTrack"}"#,
                #"{"command":"setVolume","percent":0}"#, #"{"command":"setMuted","on":true}"#, #"{"command":"wake"}"#,
                #"{"command":"showMessage","text":"Dinner is served"}"#, #"{"command":"changePlaybackRate","rate":1.5}"#,
                #"{"command":"selectSubtitles","id":"s1"}"#, #"{"command":"reboot"}"#,
                #"{"command":"goToTimeOfDay","time":"23:59:59"}"#, #"{"command":"setWelcome","name":""}"#,
                #"{"command":"showEmergency","text":"Fire"}"#, #"{"command":"selectAngle","id":"v1"}"#,
                #"{"command":"checkOut"}"#, #"{"command":"selectOutput","id":"automatic"}"#,
            ]
        default: operation.method == "GET" ? [""] : []
        }
    }

    /// The parameters without which a request is refused.
    private func neededParameters(of operation: Operation) -> String {
        switch operation.path {
        case "/v1/search": "?text=One"
        case "/v1/artwork": "?id=c1"
        default: ""
        }
    }

    private func check(
        _ operation: Operation, _ address: String, body: String, headers: [String: String] = [:], _ running: RunningServer,
        status: Int
    ) async throws {
        let words = Comment(rawValue: "\(operation.method) \(address) \(body)")
        if !body.isEmpty, status == 200 {
            let value = try JSONDecoder().decode(JSONValue.self, from: Data(body.utf8))
            let content = operation.description["requestBody"]?["content"]?["application/json"]?["schema"]
            #expect(schemas.faults(of: value, by: try #require(content, words)) == [], words)
        }
        let answer = try await running.send(operation.method, address, body: body, headers: headers)
        #expect(answer.status == status, words)
        let description = try #require(operation.description["responses"]?["\(answer.status)"], words)
        let content = schemas.resolve(description)["content"]?.members ?? [:]
        let type = (answer.headers.first(name: "Content-Type") ?? "").prefix { $0 != ";" }
        guard !content.isEmpty else {
            #expect(type.isEmpty && answer.body.isEmpty, words)
            return
        }
        let described = try #require(content[String(type)], words)
        #expect(!answer.body.isEmpty, words)
        for name in (schemas.resolve(description)["headers"]?.members ?? [:]).keys {
            #expect(answer.headers.first(name: name) != nil, words)
        }
        guard type == "application/json" else { return }
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(answer.body.utf8))
        #expect(answers.faults(of: value, by: try #require(described["schema"], words)) == [], words)
    }
}
