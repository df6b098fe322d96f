import LinuxSupport
import MediaModel
import MediaTime
import StatusModel
import Testing

@testable import ControlServer

/// The answer shapes that programs rely on.
@MainActor
struct AnswerTests {
    @Test func nowReportsTheCurrentItem() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        var now = NowPlaying(state: .playing, hostTime: .zero)
        (now.id, now.title, now.subtitle) = ("e1", "Episode “one”", "S1 E1")
        (now.elapsed, now.duration) = (.milliseconds(12_345), .seconds(90))
        now.assetTime = MediaTime(1_001_000, 30_000)
        now.rate = Ratio(3, 2)
        now.interstitialLabel = "Ad 1 of 2 · 0:12"
        now.requiresLinearPlayback = true
        running.box.nowPlaying = now
        let answer = try await running.send("GET", "/v1/now")
        #expect(answer.status == 200)
        #expect(answer.headers.first(name: "Content-Type") == "application/json")
        #expect(
            answer.json == [
                "state": .text("playing"), "screenOff": .bool(false), "id": .text("e1"), "title": .text("Episode “one”"),
                "subtitle": .text("S1 E1"),
                "elapsed": .number(12.345), "duration": .number(90), "assetTime": .number(33.367), "rate": .number(1.5),
                "age": .number(0),
                "interstitialLabel": .text("Ad 1 of 2 · 0:12"), "requiresLinearPlayback": .bool(true), "live": .bool(false),
                "media": .list([]),
            ])
    }

    @Test func nowOmitsUnknownValuesAndReportsAnError() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        var now = NowPlaying(state: .failed, hostTime: .zero - .milliseconds(1500))
        now.error = MediaError(.sourceMissing, "Nothing there.")
        running.box.nowPlaying = now
        let answer = try await running.send("GET", "/v1/now")
        #expect(
            answer.json == [
                "state": .text("failed"), "screenOff": .bool(false), "rate": .number(0), "age": .number(1.5),
                "requiresLinearPlayback": .bool(false),
                "live": .bool(false), "media": .list([]),
                "error": .object(["code": .text("SRC-404"), "sentence": .text("Nothing there.")]),
            ])
    }

    @MainActor private final class Told { var names: [String] = [] }

    @Test func anEmergencyMessageIsToldWhileItIsOnTheScreen() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        #expect(try await running.send("GET", "/v1/now").json["emergency"] == nil)
        let told = Told()
        let events = running.server.watchEvents { name, _ in told.names.append(name) }
        defer { events.cancel() }
        running.box.room = RoomState(emergency: "Leave by the \"stairs\".", volume: 40, isMuted: true)
        #expect(try await running.send("GET", "/v1/now").json["emergency"] == .text("Leave by the \"stairs\"."))
        #expect(running.server.statusText().contains(#""emergency":"Leave by the \"stairs\".""#))
        running.box.statusEvents.send(.nowPlaying)
        while told.names.isEmpty { await Task.yield() }
        #expect(told.names == ["now"], "it is an event, although nothing else has changed")
        let now = try await running.send("GET", "/v1/now").json
        #expect(now["volume"] == .number(40) && now["muted"] == .bool(true))
        running.box.room.emergency = nil
        #expect(try await running.send("GET", "/v1/now").json["emergency"] == nil)
        #expect(!running.server.statusText().contains("emergency"))
    }

    @Test func anItemOpenedByAddressIsShownWithoutSecrets() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        var now = NowPlaying(state: .failed, hostTime: .zero)
        now.id = "http://u:p@h/a.m3u8?token=t"
        now.error = MediaError(.sourceMissing, "Loading http://u:p@h/a.m3u8?token=t failed.")
        running.box.nowPlaying = now
        let answer = try await running.send("GET", "/v1/now")
        #expect(
            answer.json == [
                "state": .text("failed"), "screenOff": .bool(false), "id": .text("http://h/a.m3u8?token=REDACTED"),
                "rate": .number(0), "age": .number(0),
                "requiresLinearPlayback": .bool(false), "live": .bool(false), "media": .list([]),
                "error": .object([
                    "code": .text("SRC-404"), "sentence": .text("Loading http://h/a.m3u8?token=REDACTED failed."),
                ]),
            ])
    }

    @Test func theLogEndsWithTheNewestLine() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        running.box.lines = (1...300).map { "line \($0)" }
        #expect(
            try await running.send("GET", "/v1/log?lines=2").json == ["lines": .list([.text("line 299"), .text("line 300")])])
        guard case .list(let lines) = try await running.send("GET", "/v1/log").json["lines"] else {
            Issue.record("no list"); return
        }
        #expect(lines.count == 100)
    }

    @Test(arguments: ["-1", "many", "1e3"])
    func anInvalidLogLengthIsRefused(lines: String) async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        #expect(try await running.send("GET", "/v1/log?lines=\(lines)").status == 400)
    }

    @Test func theLogIsBounded() async throws {
        let running = try await RunningServer(limits: ControlLimits(logLines: 3))
        defer { running.server.stop() }
        running.box.lines = (1...9).map { "line \($0)" }
        let answer = try await running.send("GET", "/v1/log?lines=1000000000")
        #expect(answer.json == ["lines": .list([.text("line 7"), .text("line 8"), .text("line 9")])])
    }

    @Test func theLogsOfPlaybacksAreText() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        running.box.playbackLogs = ("#Version: 1.0\n", "#Version: 1.0\n#Fields: date\n")
        #expect(try await running.send("GET", "/v1/log/access").body == "#Version: 1.0\n")
        #expect(try await running.send("GET", "/v1/log/error").body == "#Version: 1.0\n#Fields: date\n")
        #expect(try await running.send("POST", "/v1/log/access").status == 405)
    }

    @Test func everyAnswerCanBeAskedForWithoutItsBody() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        let paths = running.server.routes.values.flatMap { $0 }.filter { $0.method == .GET }.map(\.path)
        for path in paths.sorted() + ["/", "/page.css"] {
            let reply = try await running.sendRaw("HEAD \(path) HTTP/1.1\r\nHost: \(running.host)\r\nConnection: close\r\n\r\n")
            let lacks = ["/v1/search", "/v1/artwork"].contains(path)
            #expect(reply.hasPrefix("HTTP/1.1 \(lacks ? 400 : 200) "), "\(path)")
            #expect(reply.hasSuffix("\r\n\r\n") && reply.split(separator: "\r\n\r\n").count == 1, "\(path)")
        }
        #expect(running.server.events.clientCount == 0)
        let refused = try await running.send("POST", "/v1/now")
        #expect(refused.headers.first(name: "Allow") == "GET, HEAD")
        #expect(
            try await running.sendRaw("HEAD /v1/key HTTP/1.1\r\nHost: \(running.host)\r\nConnection: close\r\n\r\n").hasPrefix(
                "HTTP/1.1 405"))
    }

    @Test func aRefusalByTheBoxIsAConflictThatSaysWhy() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        running.box.answer = .failed(.linear)
        let answer = try await running.send("POST", "/v1/command", body: #"{"command":"skip","interval":10}"#)
        #expect(answer.status == 409)
        #expect(
            answer.json == [
                "result": .text("failed"), "reason": .text("linear"), "error": .text("This part cannot be skipped."),
            ])
    }

    @Test func aMissingPathIsNotFound() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        #expect(try await running.send("GET", "/v2/now").status == 404)
        #expect(try await running.send("GET", "/../page.html").status == 404)
    }
}
