import StatusModel
import Testing

@testable import ControlServer

/// Metrics and health.
@MainActor
struct MetricsTests {
    private let families = [
        MetricFamily("marquee_box", .info, help: "The box.", samples: [.init(1, labels: [.init("version", "1.0 \"x\"\\\n")])]),
        MetricFamily("marquee_watched_seconds", .counter, unit: "seconds", help: "Seconds that were played.", 12.5),
        MetricFamily(
            "marquee_errors", .counter, help: "Errors\nby code.",
            samples: [
                .init(1, labels: [.init("code", "SRC-404"), .init("fatal", "1")]), .init(2, labels: [.init("code", "NET")]),
            ]),
        MetricFamily("marquee_memory_bytes", .gauge, unit: "bytes", help: "Memory.", 1e15),
    ]

    @Test func openMetrics() {
        #expect(
            MetricsText.text(families, .openMetrics) == #"""
                # TYPE marquee_box info
                # HELP marquee_box The box.
                marquee_box_info{version="1.0 \"x\"\\\n"} 1
                # TYPE marquee_watched_seconds counter
                # UNIT marquee_watched_seconds seconds
                # HELP marquee_watched_seconds Seconds that were played.
                marquee_watched_seconds_total 12.5
                # TYPE marquee_errors counter
                # HELP marquee_errors Errors\nby code.
                marquee_errors_total{code="SRC-404",fatal="1"} 1
                marquee_errors_total{code="NET"} 2
                # TYPE marquee_memory_bytes gauge
                # UNIT marquee_memory_bytes bytes
                # HELP marquee_memory_bytes Memory.
                marquee_memory_bytes 1000000000000000
                # EOF

                """#)
    }

    @Test func theOlderFormatNamesCountersWithTheirSuffix() {
        let text = MetricsText.text(families, .prometheus)
        #expect(text.hasPrefix("# TYPE marquee_box_info gauge\n# HELP marquee_box_info The box.\n"))
        #expect(text.contains("# TYPE marquee_watched_seconds_total counter\n"))
        #expect(!text.contains("# UNIT") && !text.contains("# EOF"))
    }

    @Test func everySampleSaysOfWhichBoxItIs() {
        let box = MetricFamily(
            "marquee_box", .info, help: "The box.",
            samples: [.init(1, labels: [.init("box", "room-214"), .init("group", "canary"), .init("board", "rpi")])])
        let text = MetricsText.text([box] + families.dropFirst(), .prometheus)
        let samples = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(samples.count == 5 && samples.allSatisfy { $0.contains("{box=\"room-214\",group=\"canary\"") })
        #expect(text.contains("marquee_box_info{box=\"room-214\",group=\"canary\",board=\"rpi\"} 1\n"))
        #expect(text.contains("marquee_errors_total{box=\"room-214\",group=\"canary\",code=\"NET\"} 2\n"))
    }

    @Test func theFormatIsTheClientsChoice() async throws {
        let running = try await RunningServer(machine: {
            MachineReading(metrics: [MetricFamily("machine_uptime_seconds", .gauge, help: "Up.", 5)])
        })
        defer { running.server.stop() }
        running.box.metrics = families
        let plain = try await running.send("GET", "/metrics")
        #expect(plain.headers.first(name: "Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
        #expect(plain.body.contains("machine_uptime_seconds 5\n"))
        let accept = "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.1"
        let open = try await running.send("GET", "/metrics", headers: ["Accept": accept])
        #expect(open.headers.first(name: "Content-Type") == "application/openmetrics-text; version=1.0.0; charset=utf-8")
        #expect(open.body.hasSuffix("# EOF\n"))
        #expect(open.body.contains("marquee_page_responses_total{class=\"2xx\"} 1\n"), "the answer before this one")
    }

    @Test(arguments: [
        ([BoxHealth.Fault](), 200, "ok"), ([.noSound], 200, "degraded"), ([.noSound, .noChannels], 503, "failing"),
        ([.screenLost], 503, "failing"), ([.safeMode], 503, "failing"), ([.feedNotCurrent("FEED-090")], 200, "degraded"),
    ])
    func healthIsOneWordAndTheReasons(faults: [BoxHealth.Fault], status: Int, word: String) async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        running.box.health = BoxHealth(faults: faults)
        let answer = try await running.send("GET", "/healthz")
        #expect(answer.status == status)
        #expect(answer.json["status"] == .text(word))
        #expect(answer.json["reasons"] == .list(faults.map { .text($0.sentence) }))
    }

    @Test(arguments: [[BoxHealth.Fault.screenLost], [.screenLost, .noChannels], []])
    func aBoxInStandbyDoesNotFail(faults: [BoxHealth.Fault]) async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        running.box.health = BoxHealth(faults: faults, isInStandby: true)
        let answer = try await running.send("GET", "/healthz")
        #expect(answer.status == 200 && answer.json["status"] == .text("standby"))
        #expect(answer.json["faults"] == .list(faults.contains(.noChannels) ? [.text("noChannels")] : []))
    }

    @Test(.enabled(if: !machineAddresses.isEmpty, "this machine has no address except loopback"), arguments: [true, false])
    func aProbeWithoutATokenIsToldNothingButTheStatus(fails: Bool) async throws {
        let running = try await RunningServer(admits: { $0 == "open sesame" ? .look : nil })
        defer { running.server.stop() }
        let address = try #require(machineAddresses.first)
        running.box.health = BoxHealth(faults: fails ? [.screenLost] : [])
        let answer = try await running.send("GET", "/healthz", from: address)
        #expect(answer.status == (fails ? 503 : 200) && answer.body.isEmpty)
        #expect(
            try await running.send("GET", "/healthz?x=1", headers: ["Authorization": "Bearer wrong"], from: address).body.isEmpty)
        for path in ["/v1/health", "/metrics", "/v1/now", "/"] {
            #expect(try await running.send("GET", path, from: address).status == 401, "\(path)")
        }
        #expect(try await running.send("POST", "/healthz", from: address).status == 401)
        let known = try await running.send("GET", "/healthz", headers: ["Authorization": "Bearer open sesame"], from: address)
        #expect(known.json["status"] == .text(fails ? "failing" : "ok"))
    }

    @Test func aBoxThatFailsSaysWhyToProgramsTooWithAnOrdinaryStatus() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        running.box.health = BoxHealth(faults: [.screenLost, .feedNotCurrent("FEED-090")], flips: 301)
        let answer = try await running.send("GET", "/v1/health")
        #expect(answer.status == 200)
        #expect(answer.json["status"] == .text("failing"))
        #expect(answer.json["faults"] == .list([.text("screenLost"), .text("feedNotCurrent")]))
        #expect(answer.json["flips"] == .number(301))
    }

    @Test func theMachineIsReadOnceForManyClients() async {
        let count = Counter()
        let reader = MachineReader(interval: .seconds(3600)) {
            count.add()
            return MachineReading()
        }
        for _ in 0..<10 { _ = await reader.read() }
        #expect(count.value == 1)
    }
}
