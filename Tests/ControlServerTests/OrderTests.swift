import BoxModel
import LinuxSupport
import MediaTime
import Testing

@testable import ControlServer

/// Requests by POST.
@MainActor
struct OrderTests {
    /// A slow page keeps its keys, however busy the machine is.
    private static let patient = ControlLimits(keyTimeout: .seconds(600))

    @Test func phasesArePassedOn() async throws {
        let running = try await RunningServer(limits: Self.patient)
        defer { running.server.stop() }
        for phase in ["press", "repeat", "release"] {
            _ = try await running.send("POST", "/v1/key", body: #"{"key":"right","phase":"\#(phase)"}"#)
        }
        #expect(running.box.keys == ["right press", "right repeat", "right release"])
        #expect(running.box.events.allSatisfy { $0.device == "web" && $0.sendsReleases })
    }

    @Test(arguments: RemoteKey.allCases)
    func everyKeyHasItsName(key: RemoteKey) async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        let answer = try await running.send("POST", "/v1/key", body: #"{"key":"\#(key.rawValue)","phase":"release"}"#)
        #expect(answer.json == ["result": .text("success")])
        #expect(running.box.events.map(\.key) == [key])
    }

    /// Each command of the table as it is written, and what it asks the box for.
    nonisolated static let bodies: [(String, RemoteCommand)] = [
        (#"{"command":"play"}"#, RemoteCommand.play), (#"{"command":"pause"}"#, .pause),
        (#"{"command":"togglePlayPause"}"#, .togglePlayPause),
        (#"{"command":"stop"}"#, .stop), (#"{"command":"restart"}"#, .restart),
        (#"{"command":"open","id":"ch 1"}"#, .open(id: "ch 1")),
        (#"{"command":"changePlaybackPosition","position":61.5}"#, .changePlaybackPosition(.milliseconds(61_500))),
        (#"{"command":"skip","interval":-10}"#, .skip(.seconds(-10))), (#"{"command":"key","key":"ch+"}"#, .key(.channelUp)),
        (#"{"command":"skipForward"}"#, .skip(.seconds(10))), (#"{"command":"skipBackward","interval":3}"#, .skip(.seconds(-3))),
        (#"{"command":"nextTrack"}"#, .key(.next)), (#"{"command":"previousTrack"}"#, .key(.prev)),
        (#"{"command":"wake"}"#, .wake), (#"{"command":"standby"}"#, .standby), (#"{"command":"goLive"}"#, .goLive),
        (#"{"command":"goToTimeOfDay","time":"20:15"}"#, .goToTimeOfDay(72_900)),
        (#"{"command":"goToTimeOfDay","time":"00:00:59"}"#, .goToTimeOfDay(59)),
        (#"{"command":"setVolume","percent":40}"#, .setVolume(percent: 40)),
        (#"{"command":"setMuted","on":true}"#, .setMuted(true)),
        (#"{"command":"setCaptions","on":false}"#, .setCaptions(false)),
        (#"{"command":"selectAudio","id":"a1"}"#, .selectAudio(id: "a1")),
        (#"{"command":"selectOutput","id":"hdmi:CARD=0,DEV=1"}"#, .selectOutput(id: "hdmi:CARD=0,DEV=1")),
        (#"{"command":"selectOutput","id":"automatic"}"#, .selectOutput(id: nil)),
        (#"{"command":"selectSubtitles","id":"s1"}"#, .selectSubtitles(id: "s1")),
        (#"{"command":"selectAngle","id":"v1"}"#, .selectAngle(id: "v1")),
        (#"{"command":"changePlaybackRate","rate":1.25}"#, .changePlaybackRate(Ratio(5, 4))),
        (#"{"command":"showMessage","text":" Dinner\nis  served "}"#, .showMessage("Dinner is served", seconds: 10)),
        (#"{"command":"showMessage","text":"Now","seconds":3600}"#, .showMessage("Now", seconds: 3600)),
        (#"{"command":"setWelcome","name":" Ms  Gray"}"#, .setWelcome(name: "Ms Gray")),
        (#"{"command":"setWelcome","name":" "}"#, .setWelcome(name: nil)),
        (#"{"command":"checkOut"}"#, .checkOut), (#"{"command":"endEmergency"}"#, .endEmergency),
        (#"{"command":"showEmergency","text":"Leave\nthe building."}"#, .showEmergency("Leave the building.")),
        (#"{"command":"refreshFeed"}"#, .refreshFeed), (#"{"command":"updateNow"}"#, .updateNow),
        (#"{"command":"restartPlayer"}"#, .restartPlayer), (#"{"command":"reboot"}"#, .reboot),
        (
            #"{"command":"sendSupportBundle","url":"https://desk.example/b?key=1"}"#,
            .sendSupportBundle(to: "https://desk.example/b?key=1")
        ),
    ]

    @Test(arguments: bodies)
    func everyCommandHasItsName(body: String, command: RemoteCommand) async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        #expect(try await running.send("POST", "/v1/command", body: body).json == ["result": .text("success")])
        #expect(running.box.commands == [command])
        #expect(running.box.origins == ["web"])
    }

    /// A dump tells of a command by the name that the API has for it; a few names of the API are short for a command with an argument.
    @Test func theNamesAreThoseOfTheCommands() throws {
        let short = ["skipForward", "skipBackward", "nextTrack", "previousTrack"]
        for (body, command) in Self.bodies {
            let name = try #require(body.split(separator: "\"").dropFirst(3).first.map(String.init))
            #expect(short.contains(name) || name == command.rule.name)
        }
    }

    @Test func theTableOfTestsHasEveryCommand() {
        let tested = Set(Self.bodies.compactMap { body, _ in body.split(separator: "\"").dropFirst(3).first.map(String.init) })
        #expect(tested == Set(CommandVerb.all.map(\.name)))
    }

    /// As the broker's commands come: without a connection, with the right of the settings.
    @Test(arguments: bodies, [AccessRight.look, .steer, .configure])
    func everyCommandComesFromTheBrokerToo(order: (String, RemoteCommand), right: AccessRight) async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        let name = try #require(order.0.split(separator: "\"").dropFirst(3).first)
        let verb = try #require(CommandVerb.byName[String(name)])
        let answer = await withCheckedContinuation { done in
            running.server.answer(method: "POST", target: "/v1/command", body: Array(order.0.utf8), right: right) {
                done.resume(returning: $0)
            }
        }
        #expect(answer.status == (right >= verb.right ? 200 : 403))
        #expect(running.box.commands == (right >= verb.right ? [order.1] : []))
    }

    @Test(arguments: CommandVerb.all.map(\.name))
    func whatAsksForAStateThatIsThereAlreadyIsDone(name: String) async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        running.box.answer = .failed(.noChange)
        let body =
            #"{"command":"\#(name)","id":"a","key":"ok","position":1,"interval":1,"rate":1,"percent":1,"on":true,"text":"a","name":"a","time":"00:00","url":"https://a"}"#
        let answer = try await running.send("POST", "/v1/command", body: body)
        let isState =
            ["play", "pause", "wake", "standby", "changePlaybackRate", "checkOut", "showEmergency", "endEmergency"].contains(name)
            || name.hasPrefix("set") || name.hasPrefix("select")
        #expect(answer.status == (isState ? 200 : 409))
        #expect(answer.json["result"] == .text(isState ? "success" : "failed"))
        #expect(running.box.commands.count == 1)
    }

    @Test(.enabled(if: !machineAddresses.isEmpty, "this machine has no address except loopback"))
    func whoMaySteerMayNotRestart() async throws {
        let running = try await RunningServer(admits: { AccessRight(rawValue: $0) })
        defer { running.server.stop() }
        let address = try #require(machineAddresses.first)
        for (name, right, status) in [
            ("reboot", "steer", 403), ("restartPlayer", "steer", 403), ("standby", "steer", 200), ("reboot", "configure", 200),
            ("wake", "look", 403), ("checkOut", "steer", 403), ("endEmergency", "steer", 403), ("updateNow", "steer", 403),
        ] {
            let headers = ["Authorization": "Bearer \(right)", "Origin": "", "X-Marquee-Token": ""]
            let answer = try await running.send(
                "POST", "/v1/command", body: #"{"command":"\#(name)"}"#, headers: headers, from: address)
            #expect(answer.status == status, "\(name) by \(right)")
        }
        #expect(running.box.commands == [.standby, .reboot])
    }

    @Test func anAnnouncementBeginsAndEnds() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        for body in [#"{"state":"began"}"#, #"{"state":"ended"}"#, #"{"state":"ended","shouldResume":false}"#] {
            #expect(try await running.send("POST", "/v1/announce", body: body).json == ["result": .text("success")])
        }
        #expect(
            running.box.commands == [
                .beginAnnouncement, .endAnnouncement(shouldResume: true), .endAnnouncement(shouldResume: false),
            ])
        #expect(try await running.send("POST", "/v1/announce", body: #"{"state":"maybe"}"#).status == 400)
        #expect(try await running.send("GET", "/v1/announce").status == 405)
    }

    @Test(arguments: [
        "", "nonsense", "[]", "{}", #"{"command":"explode"}"#, #"{"command":7}"#, #"{"command":"open"}"#,
        #"{"command":"skip","interval":"ten"}"#,
        #"{"command":"skip","interval":1e300}"#, #"{"command":"changePlaybackPosition","position":null}"#,
        #"{"command":"key","key":"any"}"#, #"{"command":"setVolume"}"#, #"{"command":"setVolume","percent":101}"#,
        #"{"command":"setVolume","percent":-1}"#, #"{"command":"setVolume","percent":1.5}"#,
        #"{"command":"setVolume","percent":1e300}"#, #"{"command":"setMuted","on":1}"#, #"{"command":"setMuted"}"#,
        #"{"command":"changePlaybackRate","rate":0}"#, #"{"command":"changePlaybackRate","rate":1e300}"#,
        #"{"command":"showMessage","text":"  "}"#, #"{"command":"showMessage","text":"a","seconds":0}"#,
        #"{"command":"showMessage","text":"\#(String(repeating: "a", count: 201))"}"#, #"{"command":"selectAudio","id":null}"#,
        #"{"command":"selectOutput"}"#,
        #"{"command":"showEmergency"}"#, #"{"command":"showEmergency","text":"\n"}"#,
        #"{"command":"showEmergency","text":"\#(String(repeating: "a", count: 501))"}"#, #"{"command":"setWelcome"}"#,
        #"{"command":"setWelcome","name":7}"#, #"{"command":"setWelcome","name":"\#(String(repeating: "a", count: 81))"}"#,
        #"{"command":"goToTimeOfDay","time":"24:00"}"#, #"{"command":"goToTimeOfDay","time":"8:15"}"#,
        #"{"command":"goToTimeOfDay","time":"20:15:"}"#, #"{"command":"goToTimeOfDay","time":"+1:15"}"#,
        #"{"command":"goToTimeOfDay","time":"20:60"}"#, #"{"command":"goToTimeOfDay","time":"٢٠:١٥"}"#,
        #"{"command":"goToTimeOfDay","time":""}"#, #"{"command":"goToTimeOfDay","time":1215}"#, #"{"command":"selectAngle"}"#,
        #"{"command":"sendSupportBundle"}"#, #"{"command":"sendSupportBundle","url":"file:///etc/passwd"}"#,
        #"{"command":"sendSupportBundle","url":"https://a b"}"#, #"{"command":"sendSupportBundle","url":"https://a\nX: y"}"#,
        #"{"command":"sendSupportBundle","url":"https://\#(String(repeating: "a", count: 2048))"}"#,
    ])
    func aCommandThatIsNotUnderstoodIsRefusedInOneSentence(body: String) async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        let answer = try await running.send("POST", "/v1/command", body: body)
        #expect(answer.status == 400)
        guard case .text(let sentence) = answer.json["error"] else { Issue.record("no sentence"); return }
        #expect(sentence.hasSuffix(".") && !sentence.contains("\n"))
        #expect(running.box.commands.isEmpty)
    }

    @Test(arguments: [#"{"key":"any"}"#, #"{"phase":"press"}"#, #"{"key":"ok","phase":"hover"}"#])
    func anUnknownKeyIsRefused(body: String) async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        #expect(try await running.send("POST", "/v1/key", body: body).status == 400)
        #expect(running.box.events.isEmpty)
    }

    @Test func aBodyThatIsTooLongIsNotRead() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        let body = #"{"key":"ok"}"# + String(repeating: " ", count: 5000)
        #expect(try await running.send("POST", "/v1/key", body: body).status == 413)
        #expect(running.box.events.isEmpty)
    }

    @Test func anUnreadBodyIsNotParsedAsTheNextRequest() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        let token = try await running.pageToken()
        let hidden =
            "POST /v1/key HTTP/1.1\r\nHost: \(running.host)\r\nX-Marquee-Token: \(token)\r\nContent-Length: 12\r\n\r\n{\"key\":\"ok\"}"
        let replies = try await running.sendRaw(
            "POST /v1/key HTTP/1.1\r\nHost: \(running.host)\r\nX-Marquee-Token: \(token)\r\nContent-Length: 9999999\r\n\r\n"
                + hidden)
        #expect(replies.split(separator: "HTTP/1.1 ").count == 1)
        #expect(replies.hasPrefix("HTTP/1.1 413"))
        #expect(running.box.events.isEmpty)
    }

    @Test func aBodyOfUnknownLengthIsRefused() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        let token = try await running.pageToken()
        let reply = try await running.sendRaw(
            "POST /v1/key HTTP/1.1\r\nHost: \(running.host)\r\nX-Marquee-Token: \(token)\r\nTransfer-Encoding: chunked\r\n\r\nc\r\n{\"key\":\"ok\"}\r\n0\r\n\r\n"
        )
        #expect(reply.hasPrefix("HTTP/1.1 413"))
        #expect(running.box.events.isEmpty)
    }

    @Test func aHeldKeyIsReleasedAfterATimeout() async throws {
        let running = try await RunningServer(limits: ControlLimits(keyTimeout: .milliseconds(30)))
        defer { running.server.stop() }
        async let answer = running.send("POST", "/v1/key", body: #"{"key":"ff","phase":"press"}"#)
        await withCheckedContinuation { released in
            running.box.onEvent = { if $0.phase == .release { released.resume() } }
        }
        #expect(try await answer.status == 200)
        #expect(running.box.keys == ["ff press", "ff release"])
    }

    @Test func aStoppedServerReleasesKeys() async throws {
        let running = try await RunningServer(limits: Self.patient)
        _ = try await running.send("POST", "/v1/key", body: #"{"key":"ff","phase":"press"}"#)
        _ = try await running.send("POST", "/v1/key", body: #"{"key":"rw","phase":"press"}"#)
        _ = try await running.send("POST", "/v1/key", body: #"{"key":"rw","phase":"release"}"#)
        running.server.stop()
        #expect(running.box.keys == ["ff press", "rw press", "rw release", "ff release"])
    }
}
