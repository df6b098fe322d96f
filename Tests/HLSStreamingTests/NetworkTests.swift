import LinuxSupport
import MediaModel
import MediaTime
import NetworkConditions
import Testing

@testable import HLSStreaming

/// Whole playbacks over networks and origins with faults, in simulated time.
@MainActor
@Suite("Playing over bad networks")
struct NetworkTests {
    private static let all = frames(0..<NetworkRig.length * 25)

    private static func network(_ rate: Int64, delay: Duration = .milliseconds(20)) -> NetworkProfile {
        NetworkProfile(name: "test", down: RateSchedule(rate), up: 10_000_000, delay: delay)
    }

    @Test(
        "every named network that carries the lowest variant plays all of it, and what it can afford",
        arguments: NetworkProfile.named.filter { $0.loss < 1 })
    func profiles(_ profile: NetworkProfile) throws {
        let rig = try NetworkRig(profile)
        defer { rig.close() }
        let viewing = rig.play()
        #expect(viewing.times == Self.all)
        #expect(viewing.error == nil)
        let rate = profile.down.rate(at: .zero).rate
        if rate >= 2 * NetworkRig.high, profile.loss < 0.05 {
            #expect(rig.requests("high") > 16 && viewing.stalls == 0, "\(profile.name)")
        }
        if rate < NetworkRig.high { #expect(rig.requests("low") > 8, "\(profile.name)") }
    }

    @Test("a network slower than every variant plays all of it, with stalls")
    func tooSlow() throws {
        let rig = try NetworkRig(Self.network(80_000))
        defer { rig.close() }
        let viewing = rig.play()
        #expect(viewing.times == Self.all && viewing.stalls > 0)
    }

    @Test("without any network the error comes after a minute, with that reason")
    func none() throws {
        let rig = try NetworkRig(try #require(NetworkProfile("loss-100")))
        let viewing = rig.play()
        #expect(viewing.times.isEmpty && viewing.error?.code == .networkDown)
    }

    @Test("after an outage of thirty seconds it continues automatically, with nothing missing")
    func outage() throws {
        var network = Self.network(20_000_000)
        network.down = network.down.interrupted(from: .seconds(4), for: .seconds(30))
        let rig = try NetworkRig(network)
        defer { rig.close() }
        let viewing = rig.play()
        #expect(viewing.times == Self.all && viewing.error == nil)
        #expect(viewing.stalled < .seconds(30))
    }

    @Test("when the network becomes slow in the middle of a segment, that segment is loaded smaller")
    func abandoned() throws {
        let schedule = RateSchedule(
            [.init(duration: .seconds(1), rate: 2_000_000), .init(duration: .seconds(1000), rate: 150_000)], repeats: false)
        let rig = try NetworkRig(NetworkProfile(name: "test", down: schedule, up: 10_000_000, delay: .milliseconds(20)))
        defer { rig.close() }
        let viewing = rig.play()
        #expect(viewing.times == Self.all)
        #expect(rig.requests("low") > 10 && viewing.stalled < .seconds(6))
    }

    @Test("a variant whose segments are missing is left for the other")
    func missingVariant() throws {
        let rig = try NetworkRig(Self.network(20_000_000))
        defer { rig.close() }
        rig.script.fail("/high5.ts", with: .status(404))
        let viewing = rig.play()
        #expect(viewing.times == Self.all && viewing.stalls == 0)
        #expect(rig.script.requests.contains { $0.url.hasSuffix("/low5.ts") })
    }

    @Test("media that no variant has is a gap, for every kind of failure", arguments: [404, 410, 403])
    func hole(_ status: Int) throws {
        let rig = try NetworkRig(Self.network(20_000_000))
        defer { rig.close() }
        for name in ["low", "high"] { rig.script.fail("/\(name)5.ts", with: .status(status)) }
        let viewing = rig.play()
        #expect(viewing.times == frames(0..<250) + frames(300..<1000) && viewing.error == nil)
    }

    /// Faults of servers that pass.
    nonisolated private static let refusals: [OriginFault] = [
        .status(404), .status(401), .status(429), .status(502), .reset(after: 1),
        .body(Array("<!DOCTYPE html><p>Please sign in.".utf8)),
    ]

    @Test("a segment that fails for seconds is not missed while enough is buffered", arguments: refusals)
    func failingWhileBuffered(_ fault: OriginFault) throws {
        let rig = try NetworkRig(Self.network(20_000_000))
        defer { rig.close() }
        rig.failSegment(8, with: fault, during: .zero..<(.seconds(8)))
        let viewing = rig.play()
        #expect(viewing.times == Self.all && viewing.error == nil && viewing.stalls == 0)
        // With a back-off.
        #expect(rig.script.requests.filter { $0.url.hasSuffix("8.ts") && !$0.url.contains("18") }.count < 40)
    }

    @Test("segments of a film whose addresses have expired are found at their new ones", arguments: [401, 403, 410])
    func expiredAddresses(_ status: Int) throws {
        let rig = try NetworkRig(Self.network(2_000_000))
        defer { rig.close() }
        rig.expireAddresses(after: .seconds(3), with: status)
        let viewing = rig.play()
        #expect(viewing.times == Self.all && viewing.error == nil && viewing.stalls == 0)
        // The first request for the film, and the one after the first refusal.
        #expect(rig.script.requests.filter { $0.path == "/main.m3u8" }.count == 2)
        #expect(rig.script.requests.filter { $0.path.hasSuffix("?token=2") }.count > 10)
    }

    @Test("a declared gap is played from another variant that has the segment")
    func declaredGaps() throws {
        let rig = try NetworkRig(Self.network(20_000_000))
        defer { rig.close() }
        rig.declareGaps([5, 6, 12], in: "high")
        rig.declareGaps([12], in: "low")
        let viewing = rig.play()
        #expect(viewing.times == frames(0..<600) + frames(650..<1000) && viewing.error == nil && viewing.stalls == 0)
        let segments = rig.script.requests.map(\.path)
        #expect(segments.contains("/low5.ts") && segments.contains("/low6.ts"))
        #expect(!segments.contains { ["/high5.ts", "/high6.ts", "/high12.ts", "/low12.ts"].contains($0) })
        // The higher variant is used again after them.
        #expect(segments.last == "/high19.ts")
    }

    @Test("all segments may fail for a second at the start", arguments: refusals)
    func failingAtStart(_ fault: OriginFault) throws {
        let rig = try NetworkRig(Self.network(20_000_000))
        defer { rig.close() }
        rig.failSegments(1..<NetworkRig.length / 2, with: fault, during: .zero..<(.seconds(1)))
        let viewing = rig.play()
        #expect(viewing.times == Self.all && viewing.error == nil)
    }

    @Test(
        "a server that is faulty for 26 seconds at the start is waited for",
        arguments: [OriginFault.status(503), .reset(after: 1), .body(Array("<!DOCTYPE html><p>Please sign in.".utf8))])
    func faultyAtStart(_ fault: OriginFault) throws {
        let rig = try NetworkRig(Self.network(20_000_000))
        defer { rig.close() }
        rig.failSegments(0..<NetworkRig.length / 2, with: fault, during: .zero..<(.seconds(26)))
        let viewing = rig.play()
        #expect(viewing.times == Self.all && viewing.error == nil)
        #expect(try #require(viewing.startup) < .seconds(33))
    }

    @Test("a server that is faulty for a minute costs two segments, not the rest of the film")
    func faultyForLong() throws {
        let rig = try NetworkRig(Self.network(20_000_000))
        defer { rig.close() }
        rig.failSegments(8..<NetworkRig.length / 2, with: .status(503), during: .zero..<(.seconds(70)))
        let viewing = rig.play()
        #expect(viewing.times == frames(0..<400) + frames(500..<1000) && viewing.error == nil)
    }

    @Test(
        "a segment that no variant has is tried in all of them at once, and becomes a gap only when the buffer is nearly used up")
    func lateHole() throws {
        let rig = try NetworkRig(Self.network(20_000_000))
        defer { rig.close() }
        rig.failSegment(10, with: .status(404), during: .zero..<(.seconds(600)))
        let viewing = rig.play()
        #expect(viewing.times == frames(0..<500) + frames(550..<1000) && viewing.error == nil)
        let requests = rig.script.requests.filter { $0.url.hasSuffix("10.ts") }
        #expect(Set(requests.filter { $0.elapsed < .seconds(2) }.map(\.url)).count == 2)
        #expect(try #require(requests.last).elapsed > .seconds(12) && requests.count < 30)
        let next = try #require(rig.script.requests.first { $0.url.hasSuffix("11.ts") })
        #expect(next.elapsed < .seconds(19))
    }

    @Test(
        "a missing segment is a gap when the other variant's playlist cannot be loaded either",
        arguments: [OriginFault.status(404), .status(503), .body(Array("<html>".utf8))])
    func holeWithoutOther(_ fault: OriginFault) throws {
        let rig = try NetworkRig(Self.network(20_000_000))
        defer { rig.close() }
        rig.script.fail("/high5.ts", with: .status(404))
        rig.script.fail("/high9.ts", with: .status(404))
        rig.script.fail("/low.m3u8", with: fault)
        let viewing = rig.play()
        #expect(viewing.error == nil && viewing.times.last == .milliseconds(39_960))
        #expect(viewing.times.filter { $0 < .seconds(10) || $0 >= .seconds(20) } == frames(0..<250) + frames(500..<1000))
    }

    @Test(
        "a presentation whose first variant has no playlist starts with the other one",
        arguments: [OriginFault.status(404), .body(Array("<html>".utf8))])
    func brokenFirst(_ fault: OriginFault) throws {
        let rig = try NetworkRig(Self.network(20_000_000))
        defer { rig.close() }
        rig.script.fail("/high.m3u8", with: fault)
        let viewing = rig.play()
        #expect(viewing.error == nil && viewing.times == Self.all)
        #expect(rig.requests("high") == 0)
    }

    @Test("a pathway that fails is left for the other, on the same rung")
    func pathway() throws {
        let rig = try NetworkRig(Self.network(20_000_000))
        defer { rig.close() }
        rig.script.fail("http://one.test/high*", with: .status(503), skipping: 6)
        let viewing = rig.play("http://one.test/two.m3u8")
        #expect(viewing.times == Self.all && viewing.stalls == 0)
        #expect(rig.script.requests.filter { $0.url.hasPrefix("http://two.test/high") }.count > 10)
        // The first segments are small until the throughput is known.
        #expect(rig.requests("low") < 4)
    }

    @Test(
        "a fault that passes costs no picture",
        arguments: [
            OriginFault.status(503), .status(500), .status(429), .reset(after: 20_000), .stall(after: 20_000),
            .wrongLength(short: 400),
            .silence, .refusal, .latency(.seconds(3)), .pause(after: 1000, length: .seconds(3)), .noName,
            .slowHandshake(.seconds(2)),
            .slowName(.seconds(3)), .type("text/html"), .redirect(to: "http://two.test/high5.ts"), .rate(100_000),
        ])
    func passing(_ fault: OriginFault) throws {
        let rig = try NetworkRig(Self.network(20_000_000))
        defer { rig.close() }
        rig.script.fail("http://one.test/high5.ts", with: fault, times: 1)
        let viewing = rig.play()
        #expect(viewing.times == Self.all && viewing.error == nil)
        // Silence is detected after ten seconds, which is more than the read-ahead.
        #expect(viewing.stalled < (fault == .silence ? .seconds(3) : .milliseconds(1)), "\(fault)")
    }

    @Test("a redirect loop is a fault of that address, and the other variant is used")
    func redirectLoop() throws {
        let rig = try NetworkRig(Self.network(20_000_000))
        defer { rig.close() }
        rig.script.fail("/high5.ts", with: .redirectLoop)
        #expect(rig.play().times == Self.all)
    }

    @Test("a variant that the decoders cannot decode in time is not loaded again, however fast the network is")
    func slowDecoder() throws {
        let rig = try NetworkRig(Self.network(20_000_000))
        defer { rig.close() }
        rig.loop.clock.schedule(after: .seconds(1), rank: .display) { rig.source.decoderFallsBehind() }
        let viewing = rig.play()
        #expect(viewing.times == Self.all && viewing.stalls == 0)
        let segments = rig.script.requests.map(\.path).filter { $0.hasSuffix(".ts") }
        #expect(segments.contains { $0.hasPrefix("/high") } && segments.suffix(2).allSatisfy { $0.hasPrefix("/low") })
        // Only the segments that were read ahead.
        #expect(rig.requests("high") < 19)
    }

    @Test("two runs are identical to the sample", arguments: ["wifi-lossy", "very-bad"])
    func determinism(_ name: String) throws {
        let profile = try #require(NetworkProfile(name))
        let runs = try (0..<2).map { _ in
            let rig = try NetworkRig(profile)
            defer { rig.close() }
            let viewing = rig.play()
            return "\(String(describing: viewing.startup)) \(viewing.stalls) \(viewing.stalled) \(rig.script.requests)"
        }
        #expect(runs[0] == runs[1])
    }
}
