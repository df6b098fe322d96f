import LinuxSupport
import MediaModel
import MediaSources
import TestSupport
import Testing

@testable import NetworkConditions

/// Loads from a simulated origin and records the results with their times.
@MainActor
private final class Rig {
    let loop: MainLoop
    let script = OriginScript()
    let origin: SimulatedOrigin

    init(_ network: NetworkProfile = .unlimited) throws {
        loop = try MainLoop(time: .simulated)
        origin = SimulatedOrigin(clock: loop.clock, script: script, network: network)
    }

    struct Outcome {
        var result: Result<ByteResponse, MediaError>
        var at: Duration
        var parts: [ByteProgress] = []
        var fault: LoadFault? { if case .failure(let error) = result { error.fault } else { nil } }
        var response: ByteResponse? { try? result.get() }
    }

    func load(_ request: ByteRequest) -> Outcome? {
        var outcome: Outcome?
        var parts: [ByteProgress] = []
        let start = loop.clock.now
        origin.load(request, progress: { parts.append($0) }) { [clock = loop.clock] result in
            outcome = Outcome(result: result, at: clock.now - start, parts: parts)
        }
        run { outcome != nil }
        return outcome
    }

    func run(until isDone: () -> Bool) {
        loop.run(within: .seconds(600), until: isDone)
    }
}

@MainActor
@Suite("A simulated origin")
struct SimulatedOriginTests {
    private static let url = "http://origin.test/a.bin"

    private static func network(_ rate: Int64, delay: Duration = .zero) -> NetworkProfile {
        NetworkProfile(name: "test", down: RateSchedule(rate), up: 100_000_000_000, delay: delay)
    }

    @Test("A body takes its length divided by the rate, and the bytes are reported as they arrive")
    func rate() throws {
        let rig = try Rig(Self.network(800_000))
        rig.script.put([UInt8](repeating: 7, count: 100_000), at: "/a.bin", type: "x/y")
        let outcome = try #require(rig.load(ByteRequest(url: Self.url)))
        #expect(abs(outcome.at / .seconds(1) - 1) < 0.001)
        #expect(outcome.parts.count == 7)
        #expect(outcome.parts.flatMap(\.bytes) == [UInt8](repeating: 7, count: 100_000))
        #expect(outcome.response?.contentType == "x/y" && outcome.response?.bytes.isEmpty == true)
    }

    @Test("A transfer that takes longer than the stall limit succeeds while bytes keep coming, and ends when they stop")
    func steady() throws {
        let rig = try Rig(Self.network(80_000))
        rig.script.put([UInt8](repeating: 7, count: 200_000), at: "/a.bin")
        let outcome = try #require(rig.load(ByteRequest(url: Self.url, stallTimeout: .seconds(4))))
        #expect(outcome.fault == nil && abs(outcome.at / .seconds(1) - 20) < 0.01)
        rig.script.fail("/a.bin", with: .stall(after: 100_000))
        let stalled = try #require(rig.load(ByteRequest(url: Self.url, stallTimeout: .seconds(4))))
        #expect(stalled.fault == .stalled)
        #expect(stalled.at > .seconds(12) && stalled.at < .seconds(15))
    }

    @Test("Two bodies share the rate; when one ends the other gets all of it")
    func sharing() throws {
        let rig = try Rig(Self.network(800_000))
        rig.script.put([UInt8](repeating: 7, count: 100_000), at: "/a.bin")
        rig.script.put([UInt8](repeating: 7, count: 50_000), at: "/b.bin")
        var ends: [String: Duration] = [:]
        for name in ["a", "b"] {
            rig.origin.load(ByteRequest(url: "http://origin.test/\(name).bin")) { [clock = rig.loop.clock] _ in
                ends[name] = clock.now - .zero
            }
        }
        rig.run { ends.count == 2 }
        #expect(abs(try #require(ends["b"]) / .seconds(1) - 1) < 0.02)
        #expect(abs(try #require(ends["a"]) / .seconds(1) - 1.5) < 0.02)
    }

    @Test("The first request pays for the connection, later ones do not")
    func connections() throws {
        let rig = try Rig(Self.network(8_000_000_000, delay: .milliseconds(50)))
        rig.script.put([1], at: "/a.bin")
        let first = try #require(rig.load(ByteRequest(url: Self.url)))
        let second = try #require(rig.load(ByteRequest(url: Self.url)))
        let secure = try #require(rig.load(ByteRequest(url: "https://origin.test/a.bin")))
        #expect(abs(first.at / .milliseconds(1) - 200) < 1)
        #expect(abs(second.at / .milliseconds(1) - 100) < 1)
        #expect(abs(secure.at / .milliseconds(1) - 300) < 1)
    }

    @Test(
        "A fault is reported with its kind, at its time",
        arguments: [
            (OriginFault.status(503), LoadFault.status(503), 0.0), (.status(404), .status(404), 0),
            (.reset(after: 10), .broken, 0),
            (.stall(after: 10), .stalled, 5), (.stall(after: 0), .noFirstByte, 5), (.silence, .noFirstByte, 10),
            (.wrongLength(short: 3), .wrongLength, 0), (.redirectLoop, .redirects, 0), (.refusal, .unreachable, 0),
            (.noName, .unresolved, 0), (.slowName(.seconds(20)), .unreachable, 6),
            (.slowHandshake(.seconds(20)), .unreachable, 6),
            (.latency(.seconds(30)), .noFirstByte, 10),
        ])
    func faults(_ fault: OriginFault, _ expected: LoadFault, _ seconds: Double) throws {
        let rig = try Rig(Self.network(8_000_000_000))
        rig.script.put([UInt8](repeating: 1, count: 20), at: "/a.bin")
        rig.script.fail("/a.bin", with: fault, times: 6)
        let outcome = try #require(rig.load(ByteRequest(url: Self.url)))
        #expect(outcome.fault == expected)
        #expect(abs(outcome.at / .seconds(1) - seconds) < 0.01)
        rig.script.heal()
        #expect(rig.load(ByteRequest(url: Self.url))?.response?.status == 200)
    }

    @Test("Ranges, other types, stale bodies, redirects and pauses are answered like a real server")
    func answers() throws {
        let rig = try Rig(Self.network(8_000_000_000))
        rig.script.put(Array(0..<20), at: "/a.bin")
        #expect(rig.load(ByteRequest(url: Self.url, range: 5..<8))?.parts.flatMap(\.bytes) == [5, 6, 7])
        rig.script.fail("/a.bin", with: .ignoresRanges, times: 1)
        #expect(rig.load(ByteRequest(url: Self.url, range: 5..<8))?.fault == .rangeIgnored)
        rig.script.fail("/a.bin", with: .type("text/html"), times: 1)
        #expect(rig.load(ByteRequest(url: Self.url))?.response?.contentType == "text/html")
        rig.script.fail("/moved", with: .redirect(to: "http://other.test/a.bin"))
        #expect(rig.load(ByteRequest(url: "http://origin.test/moved"))?.response?.url == "http://other.test/a.bin")
        rig.script.fail("/a.bin", with: .pause(after: 10, length: .seconds(4)), times: 1)
        let paused = try #require(rig.load(ByteRequest(url: Self.url)))
        #expect(paused.response != nil && abs(paused.at / .seconds(1) - 4) < 0.01)
        rig.script.put(at: "/live") { elapsed in Array("\(elapsed.components.seconds)".utf8) }
        rig.script.fail("/live", with: .stale(.seconds(2)), skipping: 1)
        let live = "http://origin.test/live"
        #expect(rig.load(ByteRequest(url: live))?.parts.first?.bytes == Array("4".utf8))
        #expect(rig.load(ByteRequest(url: live))?.parts.first?.bytes == Array("2".utf8))
    }

    @Test("An outage holds transfers, and they continue when the link is back")
    func outage() throws {
        var network = Self.network(80_000)
        network.down = network.down.interrupted(from: .seconds(2), for: .seconds(3))
        let rig = try Rig(network)
        rig.script.put([UInt8](repeating: 1, count: 40_000), at: "/a.bin")
        let outcome = try #require(rig.load(ByteRequest(url: Self.url)))
        #expect(outcome.response != nil && abs(outcome.at / .seconds(1) - 7) < 0.01)
    }

    @Test("A cancelled request reports nothing more")
    func cancelling() throws {
        let rig = try Rig(Self.network(80_000))
        rig.script.put([UInt8](repeating: 1, count: 40_000), at: "/a.bin")
        var isCalled = false
        let task = rig.origin.load(ByteRequest(url: Self.url)) { _ in isCalled = true }
        rig.loop.clock.schedule(after: .seconds(1)) { task.cancel() }
        #expect(rig.load(ByteRequest(url: Self.url))?.response != nil)
        #expect(!isCalled)
    }

    @Test("Every profile that passes data delivers a body, always identical; total loss delivers nothing")
    func profiles() throws {
        for profile in NetworkProfile.named {
            var times: [Duration?] = []
            for _ in 0..<2 {
                let rig = try Rig(profile)
                rig.script.put([UInt8](repeating: 1, count: 50_000), at: "/a.bin")
                let outcome = rig.load(ByteRequest(url: Self.url))
                times.append(outcome?.response == nil ? nil : outcome?.at)
            }
            #expect(times[0] == times[1])
            #expect((times[0] == nil) == (profile.loss == 1), "\(profile.name)")
        }
    }

    @Test("Profiles are parsed from the command line, with outages")
    func names() throws {
        #expect(NetworkProfile("edge")?.down.rate(at: .zero).rate == 240_000)
        let outage = try #require(NetworkProfile("lte,outage=60+30"))
        #expect(outage.down.rate(at: .seconds(59)).rate == 50_000_000)
        #expect(outage.down.rate(at: .seconds(60)).rate == 0)
        #expect(outage.down.nextUp(from: .seconds(70)) == .seconds(90))
        #expect(NetworkProfile("isdn") == nil && NetworkProfile("lte,outage=x") == nil && NetworkProfile("lte,foo=1+2") == nil)
    }
}
