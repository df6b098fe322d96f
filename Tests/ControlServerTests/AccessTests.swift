import Testing

@testable import ControlServer

/// Access control: over real HTTP when the server's wiring matters, and the rules alone.
@MainActor
struct AccessTests {
    private let key = #"{"key":"ok"}"#

    @Test func ourOwnPageMayPressKeys() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        let answer = try await running.send("POST", "/v1/key", body: key)
        #expect(answer.status == 200)
        #expect(running.box.keys == ["ok press", "ok release"])
    }

    @Test(arguments: [
        ["X-Marquee-Token": ""], ["X-Marquee-Token": "00000000000000000000000000000000"], ["X-Marquee-Token": "0"],
        ["Origin": "http://example.org"], ["Origin": "null"], ["Host": "marquee.example.org:8080"], ["Host": "127.0.0.1"],
        ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"],
    ])
    func aCommandFromElsewhereIsRefusedAndDoesNothing(headers: [String: String]) async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        let answer = try await running.send("POST", "/v1/key", body: key, headers: headers)
        #expect(answer.status == 403)
        #expect(answer.json["error"] != nil)
        #expect(running.box.events.isEmpty)
    }

    @Test(arguments: ["/v1/now", "/v1/log", "/v1/log/access", "/v1/log/error", "/v1/screen.jpg"])
    func anotherSiteMayNotRead(path: String) async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        #expect(try await running.send("GET", path, headers: ["Origin": "http://example.org"]).status == 403)
        #expect(try await running.send("GET", path, headers: ["Sec-Fetch-Site": "cross-site"]).status == 403)
        #expect(try await running.send("GET", path, headers: ["Host": "example.org:\(running.server.port)"]).status == 403)
        #expect(running.box.reads == 0)
        #expect(try await running.send("GET", path).status == 200)
    }

    @Test func anotherSiteMayLinkToThePageButNotFrameIt() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        let page = try await running.send("GET", "/", headers: ["Sec-Fetch-Site": "cross-site"])
        #expect(page.status == 200)
        #expect(page.headers.first(name: "Content-Security-Policy")?.contains("frame-ancestors 'none'") == true)
    }

    @Test func aCommandByGetIsRefused() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        let answer = try await running.send("GET", "/v1/key?key=ok", headers: ["X-Marquee-Token": running.pageToken()])
        #expect(answer.status == 405)
        #expect(answer.headers.first(name: "Allow") == "POST")
        #expect(answer.headers.first(name: "Allow") == "POST")
        #expect(running.box.events.isEmpty)
    }

    /// The rules alone, because an HTTP client omits a header without a value.
    @Test func onlyTheWholeTokenIsTheToken() {
        let gate = RequestGuard(port: 8080, token: "0123456789abcdef")
        func refusal(_ token: String?) -> String? {
            gate.refusal(host: "127.0.0.1:8080", origin: nil, fetchSite: nil, token: token, isCommand: true, isPage: false)
        }
        #expect(refusal("0123456789abcdef") == nil)
        for wrong in [
            nil, "", "0", "0123456789abcde", "123456789abcdef", "0123456789abcdef0", "0123456789abcdeg", "1123456789abcdef",
            "0123456789ABCDEF",
        ] {
            #expect(refusal(wrong) != nil, "\(wrong ?? "none")")
        }
    }

    @Test func aPageOfTheSameSiteIsNotThisPage() {
        let gate = RequestGuard(port: 8080, token: "t")
        func isRefused(_ fetchSite: String?, isPage: Bool = false) -> Bool {
            gate.refusal(
                host: "127.0.0.1:8080", origin: nil, fetchSite: fetchSite, token: nil, isCommand: false, isPage: isPage) != nil
        }
        #expect(isRefused("same-site") && isRefused("cross-site"))
        #expect(!isRefused("same-origin") && !isRefused("none") && !isRefused(nil))
        #expect(!isRefused("same-site", isPage: true))
    }

    /// The header is sent with nothing after its colon.
    @Test func anEmptyTokenIsRefusedOnTheWireToo() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        let answer = try await running.sendRaw(
            "POST /v1/key HTTP/1.1\r\nHost: 127.0.0.1:\(running.server.port)\r\nX-Marquee-Token: \r\n"
                + "Content-Type: application/json\r\nContent-Length: \(key.utf8.count)\r\nConnection: close\r\n\r\n" + key)
        #expect(answer.hasPrefix("HTTP/1.1 403"))
        #expect(running.box.events.isEmpty)
    }

    @Test func localhostIsAcceptedAsHost() {
        let gate = RequestGuard(port: 8080, token: "t")
        #expect(
            gate.refusal(
                host: "localhost:8080", origin: "http://localhost:8080", fetchSite: "same-origin", token: "t", isCommand: true,
                isPage: false) == nil)
        #expect(
            gate.refusal(host: "localhost:8081", origin: nil, fetchSite: nil, token: "t", isCommand: true, isPage: false) != nil)
        #expect(gate.refusal(host: nil, origin: nil, fetchSite: nil, token: "t", isCommand: false, isPage: true) != nil)
    }

    @Test func onPortEightyTheNameNeedsNoPort() {
        let gate = RequestGuard(port: 80, token: "t")
        #expect(gate.refusal(host: "127.0.0.1", origin: nil, fetchSite: nil, token: nil, isCommand: false, isPage: true) == nil)
        #expect(
            gate.refusal(host: "127.0.0.1:80", origin: nil, fetchSite: nil, token: nil, isCommand: false, isPage: true) == nil)
    }

    @Test func everyServerHasItsOwnToken() {
        #expect(RequestGuard.makeToken() != RequestGuard.makeToken())
        #expect(RequestGuard.makeToken().utf8.count == 32)
    }
}
