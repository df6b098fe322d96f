import Appliance
import Configuration
import LinuxSupport
import NetworkConditions
import StatusModel
import TestSupport
import Testing
import URLReferences

@testable import BoxAssembly
@testable import Housekeeping
@testable import marquee

/// All output of the box about itself: its log (local page, journal, crash records), the logs of playbacks in all their forms, the report to the
/// operator, the verdict on the settings, `marquee doctor`. None of it may contain a secret from settings, addresses or servers.
@Suite("No secret leaves the box in its own output", .serialized)
@MainActor
struct PrivacyTests {
    private static let secret = "sEcReT"

    private func desk(_ origin: LoopbackOrigin) throws -> Desk {
        let (s, host) = (Self.secret, "127.0.0.1:\(origin.port)")
        return try Desk(
            """
            [box]
            name = "room-7"
            keep_secrets = true
            [feed]
            url = "http://\(host)/feed.json?token=\(s)&\(s)"
            allow_http = ["127.0.0.1"]
            headers = { Authorization = "Bearer \(s)", Cookie = "session=\(s)", X-Box = "\(s)" }
            [network]
            wifi_ssid = "Lobby"
            wifi_password = "\(s)-\(s)"
            proxy_password = "\(s)"
            [report]
            url = "http://viewer:\(s)@\(host)/report;session=\(s)?key=\(s)"
            interval = 60
            [update]
            url = "https://u:\(s)@updates.example/a?b=\(s)"
            """)
    }

    /// The played content.
    private func addresses(_ origin: LoopbackOrigin, _ script: OriginScript) -> [String] {
        let s = Self.secret
        let host = "127.0.0.1:\(origin.port)"
        func put(_ lines: [String], at name: String) {
            script.put("#EXTM3U\n" + lines.joined(separator: "\n") + "\n", at: "/\(name)?token=\(s)")
        }
        put(["#EXT-X-TARGETDURATION:\(s)?sig=\(s)", "#EXTINF:2,", "seg.ts?sig=\(s)"], at: "bad.m3u8")
        put(["#EXT-X-TARGETDURATION:2"], at: "empty.m3u8")
        put(
            [
                "#EXT-X-TARGETDURATION:2", "#EXTINF:2,", "http://u:\(s)@\(host)/gone.ts;session=\(s)?sig=\(s)#\(s)", "#EXTINF:2,",
                "seg.ts?\(s)", "#EXT-X-ENDLIST",
            ], at: "gone.m3u8")
        put(
            [
                "#EXT-X-TARGETDURATION:2", "#EXT-X-KEY:METHOD=AES-128,URI=\"http://u:\(s)@\(host)/key?k=\(s)\"", "#EXTINF:2,",
                "page.ts?sig=\(s)", "#EXT-X-ENDLIST",
            ], at: "locked.m3u8")
        put(
            [
                "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"English\",LANGUAGE=\"en\",URI=\"sound.m3u8?t=\(s)\"",
                "#EXT-X-STREAM-INF:BANDWIDTH=1000,AUDIO=\"a\"", "low.m3u8?t=\(s)", "#EXT-X-STREAM-INF:BANDWIDTH=2000",
                "https://u:\(s)@\(host)/high.m3u8?t=\(s)",
            ], at: "master.m3u8")
        script.put(Signed.feed(5), at: "/feed.json?token=\(s)&\(s)")
        script.put("short", at: "/key?k=\(s)")
        script.put("<html>no segment</html>", at: "/page.ts?sig=\(s)")
        script.put("<html>no film</html>", at: "/page.mp4?token=\(s)")
        return ["missing.m3u8", "bad.m3u8", "empty.m3u8", "gone.m3u8", "locked.m3u8", "master.m3u8", "page.mp4", "missing.mp4"]
            .map { "http://viewer:\(s)@\(host)/\($0)?token=\(s)" }
            + ["http://127.0.0.1:1/film.mp4?token=\(s)#\(s)", "ftp://u:\(s)@h.example/film.mp4?token=\(s)"]
    }

    @Test("with secrets in all settings, addresses, playlists and headers, no output contains one, and the rest is there")
    func everything() throws {
        let real = try MainLoop(time: .real)
        let script = OriginScript()
        let origin = try LoopbackOrigin(clock: real.clock, script: script)
        defer { origin.stop() }
        let desk = try desk(origin)
        defer { desk.close() }
        let films = addresses(origin, script)
        desk.keeping.start()
        #expect(desk.run(within: .seconds(20), until: { desk.box.appliance.offersChannels }), "\(desk.log)")
        let appliance = desk.box.appliance
        var told: [(what: String, text: String)] = []
        for address in films {
            appliance.open(Programme(.url(address)))
            // Some are retried for a long time; their first messages are enough.
            desk.run(
                within: .seconds(2),
                until: { appliance.nowPlaying.state == .failed || appliance.currentLog?.errorEvents.count ?? 0 > 1 })
            let now = appliance.nowPlaying
            told.append(("now of \(address)", "\(now.error?.sentence ?? "") \(now.title ?? "") \(now.subtitle ?? "")"))
            told.append(("playback log", appliance.playbackLog(errors: false, session: nil)?.text ?? ""))
            told.append(("error log", appliance.playbackLog(errors: true, session: nil)?.text ?? ""))
            told.append(("report", desk.keeping.life.makeReport().text))
        }
        // This one is cancelled before it has answered.
        appliance.open(Programme(.url("http://viewer:\(Self.secret)@127.0.0.1:\(origin.port)/late.mp4?token=\(Self.secret)")))
        appliance.open(Programme(.url("/nowhere/film.mp4")))
        desk.run(for: .seconds(1))

        told.append(("log", desk.log))
        let folder = SessionFolder.path(in: desk.folder.path + "/state")
        let sessions = SessionFolder.sessions(in: folder)
        #expect(sessions.count >= 6)
        for name in sessions {
            for kind in ["access", "error"] {
                told.append(("session", try #require(desk.folder.get("state/sessions/\(name).\(kind).log"))))
            }
        }
        let files = ProvisioningFiles(file: desk.folder.path + "/firmware/marquee.toml", folder: desk.folder.path + "/data")
        let provisioning = Result { () throws(ConfigurationError) in try files.read() }
        let known = try provisioning.get()
        told.append(("applied", known.configuration.report))
        told.append(("remarks", desk.plan.remarks.joined(separator: "\n")))
        let doctor =
            BoxExamination.settings(provisioning) + BoxExamination.network(known.configuration, serial: nil)
            + BoxExamination.feed(known, stateFolder: desk.folder.path + "/state", serial: "77")
        told.append(("doctor", doctor.map { "\($0.0): \($0.1)" }.joined(separator: "\n")))

        for (what, text) in told { #expect(!text.contains(Self.secret), "\(what): \(text)") }
        // The output contains the useful facts.
        let all = told.map(\.text).joined(separator: "\n")
        for word in [
            "SRC-404", "REDACTED", "127.0.0.1:\(origin.port)", "missing.m3u8", "feed.headers applied: (secret)", "gone.ts",
            "room-7",
        ] {
            #expect(all.contains(word), "the output does not contain \(word)")
        }
        // The secrets were really configured and really sent.
        #expect(script.requests.contains { $0.url.contains("token=\(Self.secret)") })
        #expect(script.requests.contains { $0.headers.contains("X-Box: \(Self.secret)") })
    }

    @Test("secrets are removed from every log line, whatever component wrote it")
    func log() throws {
        let loop = try MainLoop(time: .simulated)
        var echoed: [String] = []
        let log = LogBook(clock: loop.clock) { echoed.append($0.text) }
        log.note("went to http://u:\(Self.secret)@h/x?t=\(Self.secret), with Authorization: Bearer \(Self.secret)")
        #expect(log.tail(1).first?.hasSuffix(" went to http://h/x?t=REDACTED, with Authorization: REDACTED") == true)
        #expect(echoed == log.tail(1))
    }

    @Test("a line of the log has its level and part, and a date once that is known, also the lines before")
    func logDates() throws {
        let loop = try MainLoop(time: .simulated)
        var echoed: [LogLine] = []
        let log = LogBook(clock: loop.clock) { echoed.append($0) }
        log.note("it began")
        #expect(log.tail(1) == ["0.000 info MarqueeTests: it began"])
        loop.run(within: .milliseconds(1500), until: { false })
        log.wallClock = { 1_795_168_800_123_456_789 }
        log.note("it failed", .error)
        #expect(
            log.tail(2) == [
                "2026-11-20T09:59:58.623Z info MarqueeTests: it began", "2026-11-20T10:00:00.123Z error MarqueeTests: it failed",
            ])
        #expect(echoed.map(\.level.rawValue) == [6, 3])
    }
}
