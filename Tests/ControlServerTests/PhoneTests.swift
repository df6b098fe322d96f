import Foundation
import StatusModel
import Synchronization
import Testing
import TransportSecurity

@testable import ControlServer

/// Phones over HTTP: what they may do with which token, and what a stranger may.
@MainActor
struct PhoneTests {
    private nonisolated static let isElsewhere = !machineAddresses.isEmpty
    private let phone = ["Authorization": "Bearer token-1", "Origin": "", "X-Marquee-Token": ""]
    private let stranger = ["Origin": "", "X-Marquee-Token": ""]
    private static let asked = AskedText(field: 3, serial: 5, title: "Search", text: "sea", longest: 40)

    private func makeServer(limits: ControlLimits = ControlLimits()) async throws -> RunningServer {
        let running = try await RunningServer(limits: limits, admits: { $0 == "token-1" ? .phone : nil })
        running.box.asked = Self.asked
        return running
    }

    @Test(.enabled(if: isElsewhere, "this machine has no address except loopback"))
    func aStrangerGetsThePageForPhonesAndIsPairedByTheSecretAlone() async throws {
        let running = try await makeServer()
        defer { running.server.stop() }
        let address = try #require(machineAddresses.first)
        func get(_ path: String) async throws -> Int { try await running.send("GET", path, from: address).status }
        for path in PageFiles.ofPhones { #expect(try await get(path) == 200, "\(path)") }
        for path in ["/", "/page.js", "/library.js", "/v1/now", "/v1/text", "/v1/pair"] {
            #expect(try await get(path) != 200, "\(path)")
        }
        #expect(!(try await running.send("GET", "/phone", from: address)).body.contains(try await running.pageToken()))
        for wrong in [#"{"secret":"left"}"#, #"{"secret":""}"#] {
            let answer = try await running.send("POST", "/v1/pair", body: wrong, headers: stranger, from: address)
            #expect(answer.status == 403 && answer.json["token"] == nil)
        }
        #expect(try await running.send("POST", "/v1/pair", body: "{}", headers: stranger, from: address).status == 400)
        let other = ["Origin": "http://example.org", "X-Marquee-Token": ""]
        #expect(
            try await running.send("POST", "/v1/pair", body: #"{"secret":"right"}"#, headers: other, from: address).status == 403)
        let answer = try await running.send("POST", "/v1/pair", body: #"{"secret":"right"}"#, headers: stranger, from: address)
        #expect(answer.status == 200 && answer.json["token"] == .text("token-1"))
        #expect(
            try await running.send("POST", "/v1/pair", body: #"{"secret":"right"}"#, headers: stranger, from: address).status
                == 403)
    }

    @Test(.enabled(if: isElsewhere, "this machine has no address except loopback"))
    func aPhonePressesKeysAndTypesAndNothingElse() async throws {
        let running = try await makeServer()
        defer { running.server.stop() }
        let address = try #require(machineAddresses.first)
        #expect(try await running.send("POST", "/v1/key", body: #"{"key":"ok"}"#, headers: phone, from: address).status == 200)
        let text = try await running.send("GET", "/v1/text", headers: phone, from: address)
        #expect(text.json["text"] == .text("sea") && text.json["field"] == .number(3) && text.json["secret"] == .bool(false))
        let body = #"{"field":3,"serial":6,"text":"seal"}"#
        #expect(try await running.send("POST", "/v1/text", body: body, headers: phone, from: address).status == 200)
        #expect(running.box.typed == ["3 6 clear seal"] && running.box.keys == ["ok press", "ok release"])
        for path in ["/v1/now", "/v1/log", "/v1/support-bundle", "/v1/screen.jpg", "/v1/box", "/", "/page.js"] {
            #expect(try await running.send("GET", path, headers: phone, from: address).status == 403, "\(path)")
        }
        for path in PageFiles.ofPhones {
            #expect(try await running.send("GET", path, headers: phone, from: address).status == 200, "\(path)")
        }
        #expect(
            try await running.send("POST", "/v1/command", body: #"{"command":"play"}"#, headers: phone, from: address).status
                == 403)
        #expect(running.box.commands.isEmpty)
    }

    @Test(.enabled(if: isElsewhere, "this machine has no address except loopback"))
    func aForgottenPhoneIsToldSoWithoutAQuestionForAPassword() async throws {
        let running = try await makeServer()
        defer { running.server.stop() }
        let address = try #require(machineAddresses.first)
        let forgotten = ["Authorization": "Bearer token-0", "Origin": "", "X-Marquee-Token": ""]
        let answer = try await running.send("GET", "/v1/text", headers: forgotten, from: address)
        #expect(answer.status == 401 && answer.headers.first(name: "WWW-Authenticate") == #"Bearer realm="Marquee""#)
        #expect(
            try await running.send("POST", "/v1/key", body: #"{"key":"ok"}"#, headers: forgotten, from: address).status == 401)
        #expect(running.box.keys.isEmpty)
    }

    @Test(.enabled(if: isElsewhere, "this machine has no address except loopback"))
    func aPhoneThatIsForgottenWhileItWaitsIsToldNothingMore() async throws {
        // It is admitted when its request comes, and then no more.
        let questions = Mutex(0)
        let running = try await RunningServer(
            limits: ControlLimits(longPoll: .milliseconds(20)),
            admits: { _ in
                questions.withLock { count in
                    count += 1
                    return count == 1 ? .phone : nil
                }
            })
        defer { running.server.stop() }
        let address = try #require(machineAddresses.first)
        running.box.asked = Self.asked
        let answer = try await running.send("GET", "/v1/text?field=3&serial=5", headers: phone, from: address)
        #expect(answer.status == 401 && !answer.body.contains("sea"), "\(answer.body)")
    }

    @Test(.enabled(if: isElsewhere, "this machine has no address except loopback"))
    func aPhoneIsToldOfTheBoxsHealthAsAStrangerIs() async throws {
        let running = try await makeServer()
        defer { running.server.stop() }
        let address = try #require(machineAddresses.first)
        let stranger = try await running.send("GET", "/healthz", headers: stranger, from: address)
        let paired = try await running.send("GET", "/healthz", headers: phone, from: address)
        #expect(paired.status == stranger.status && paired.body.isEmpty && stranger.body.isEmpty)
    }

    @Test(arguments: [
        (TypingRefusal.notAsked, 409), (.late, 409), (.ahead, 400), (.invalid, 400), (.inClear, 403),
    ])
    func aTextThatDoesNotCountIsAnsweredWithASentence(refusal: TypingRefusal, status: Int) async throws {
        let running = try await makeServer()
        defer { running.server.stop() }
        running.box.typingRefusal = refusal
        let answer = try await running.send("POST", "/v1/text", body: #"{"field":3,"serial":6,"text":"seal"}"#)
        #expect(answer.status == status && answer.json["error"] == .text(refusal.answer.sentence))
    }

    @Test(arguments: [
        (#"{"field":3,"serial":-1,"text":"a"}"#, "a number in it is out of range, or is not whole"),
        (#"{"field":3,"serial":1e30,"text":"a"}"#, "a number in it is out of range, or is not whole"),
        (#"{"field":3,"serial":6.5,"text":"a"}"#, "a number in it is out of range, or is not whole"),
        (#"{"field":3,"serial":6}"#, #""text" is missing"#), (#"{"field":3,"serial":6,"text":7}"#, #""text" has the wrong type"#),
        (#"{"field":null,"serial":6,"text":"a"}"#, #""field" has the wrong type"#),
        (#"{"field":3,"serial":6,"text":"a","serial":7}"#, "/serial is there twice"),
        (#"{"field":3,"serial":6,"text":"a""#, "it is not JSON at byte 32"), ("", "it is not JSON at byte 0"),
    ])
    func aBodyThatIsNoTextIsRefused(body: String, reason: String) async throws {
        let running = try await makeServer()
        defer { running.server.stop() }
        let answer = try await running.send("POST", "/v1/text", body: body)
        #expect(answer.status == 400)
        guard case .text(let sentence)? = answer.json["error"] else {
            Issue.record("no sentence: \(answer.body)")
            return
        }
        #expect(sentence.hasPrefix("The body is not valid: \(reason)"), "\(sentence)")
        #expect(running.box.typed.isEmpty)
    }

    @Test func aMegabyteIsRefusedBeforeItIsRead() async throws {
        let running = try await makeServer()
        defer { running.server.stop() }
        let answer = try await running.sendRaw(
            "POST /v1/text HTTP/1.1\r\nHost: \(running.host)\r\nContent-Length: 1048576\r\n\r\n{\"field\":3,")
        #expect(answer.hasPrefix("HTTP/1.1 413"))
        #expect(running.box.typed.isEmpty)
    }

    @Test func aSecretIsNeverTold() async throws {
        let running = try await makeServer()
        defer { running.server.stop() }
        running.box.asked = AskedText(field: 4, serial: 1, title: "Password for Home", text: nil, longest: 63)
        let answer = try await running.send("GET", "/v1/text")
        #expect(answer.json["text"] == nil && answer.json["secret"] == .bool(true))
        running.box.asked = nil
        #expect(try await running.send("GET", "/v1/text").body == "{}")
    }

    @Test func aRequestWaitsUntilTheTextIsAnotherOne() async throws {
        let running = try await makeServer(limits: ControlLimits(longPoll: .seconds(600)))
        defer { running.server.stop() }
        #expect(try await running.send("GET", "/v1/text?field=3&serial=4").json["serial"] == .number(5), "it is newer already")
        async let next = running.send("GET", "/v1/text?field=3&serial=5")
        async let none = running.send("GET", "/v1/text?field=0")
        #expect(try await none.json["serial"] == .number(5))
        running.box.asked?.serial = 6
        #expect(try await next.json["serial"] == .number(6))
        async let end = running.send("GET", "/v1/text?field=3&serial=6")
        running.box.asked = nil
        #expect(try await end.body == "{}")
    }

    @Test func withoutAChangeTheSameTextIsToldAfterATime() async throws {
        let running = try await makeServer(limits: ControlLimits(longPoll: .milliseconds(20)))
        defer { running.server.stop() }
        #expect(try await running.send("GET", "/v1/text?field=3&serial=5").json["serial"] == .number(5))
    }

    @Test func tooManyDoNotWait() async throws {
        let running = try await makeServer(limits: ControlLimits(watchers: 0))
        defer { running.server.stop() }
        #expect(try await running.send("GET", "/v1/text?field=3&serial=5").status == 503)
    }
}
