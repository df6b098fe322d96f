import LinuxSupport
import NetworkConditions
import TestSupport
import Testing

@testable import BoxAssembly
@testable import Housekeeping
@testable import marquee

@Suite("Reports of a whole box", .serialized)
@MainActor
struct BoxReportTests {
    @Test("a whole box reports itself and its feed to its operator over a socket")
    func wholeBox() throws {
        let real = try MainLoop(time: .real)
        let script = OriginScript()
        script.put("", at: "/report?key=secret")
        let origin = try LoopbackOrigin(clock: real.clock, script: script)
        defer { origin.stop() }
        let desk = try Desk(
            """
            [box]
            name = "room-7"
            group = "canary"
            [feed]
            file = "feed.json"
            [report]
            url = "\(origin.url("/report?key=secret"))"
            interval = 60
            """, files: ["firmware/feed.json": Signed.feed(5)])
        defer { desk.close() }
        desk.keeping.start()
        #expect(desk.run(within: .seconds(400), until: { script.requests.count == 2 }), "\(desk.log)")
        let request = try #require(script.requests.first)
        #expect(request.headers.contains("X-Marquee-Box: room-7") && request.headers.contains("X-Marquee-Group: canary"))
        #expect(request.headers.contains("Content-Type: application/json"))
        let body = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
        #expect(body.hasPrefix(#"{"report":1,"box":"room-7","group":"canary","#))
        #expect(
            body.contains(
                #""feed":{"id":"t","revision":5,"trouble":null},"update":null,"settings":null,"playsKey":null,"state":"home","#),
            "\(body)")
        #expect(body.contains(#""screen":"headless 320x180@60""#))
        #expect(body.utf8.count < BoxReport.longest)
    }

    @Test("without an address nothing is sent, nor over plain http to a host that is not allowed")
    func none() throws {
        let silent = try Desk("")
        defer { silent.close() }
        silent.keeping.start()
        #expect(!silent.keeping.life.sendsReports)
        let plain = try Desk("[report]\nurl = \"http://operator.example/\"\n")
        defer { plain.close() }
        plain.keeping.start()
        #expect(!plain.keeping.life.sendsReports)
        #expect(plain.log.contains("report.url is plain http"))
    }
}
