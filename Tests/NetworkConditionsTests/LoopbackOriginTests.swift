import LinuxSupport
import MediaModel
import MediaSources
import TestSupport
import Testing
import Transfer

@testable import NetworkConditions

/// The same script on both origins: in simulated time, and over sockets in real time.
@MainActor
@Suite("The same origin over sockets", .serialized)
struct LoopbackOriginTests {
    /// The result of a request, on which both origins must agree.
    private struct Outcome: Equatable {
        var status: Int?
        var bytes: [UInt8]?
        var type: String?
        var path: String?
        var fault: LoadFault?

        init(_ result: Result<ByteResponse, MediaError>, _ parts: [ByteProgress]) {
            switch result {
            case .success(let response):
                status = response.status
                bytes = parts.flatMap(\.bytes)
                type = response.contentType
                path = Address(response.url).path
            case .failure(let error): fault = error.fault
            }
        }
    }

    private static func load(_ request: ByteRequest, from loader: any ByteLoading, _ loop: MainLoop) -> Outcome? {
        var outcome: Outcome?
        var parts: [ByteProgress] = []
        loader.load(request, progress: { parts.append($0) }) { outcome = Outcome($0, parts) }
        loop.run(within: .seconds(60), until: { outcome != nil })
        return outcome
    }

    /// A request that survives a stall of the machine.
    private static func patient(
        _ url: String, range: Range<Int64>? = nil, firstByte: Duration = .seconds(30), stall: Duration = .seconds(30)
    ) -> ByteRequest {
        ByteRequest(url: url, range: range, firstByteTimeout: firstByte, stallTimeout: stall)
    }

    private static func script(_ fault: OriginFault?) -> OriginScript {
        let script = OriginScript()
        script.put((0..<100_000).map { UInt8($0 % 251) }, at: "/a.bin", type: "video/mp2t")
        script.put("elsewhere", at: "/b.txt", type: "text/plain")
        if let fault { script.fail("/a.bin", with: fault, times: 1) }
        return script
    }

    private static func real(
        _ script: OriginScript, _ network: NetworkProfile = .unlimited,
        _ body: (LoopbackOrigin, any ByteLoading, MainLoop) throws -> Void
    ) throws {
        let loop = try MainLoop(time: .real)
        let origin = try LoopbackOrigin(clock: loop.clock, script: script, network: network)
        defer { origin.stop() }
        try body(origin, CurlTransfer(clock: loop.clock, version: "test"), loop)
    }

    @Test(
        "a script means the same in both kinds of time",
        arguments: [
            nil, OriginFault.latency(.milliseconds(50)), .status(404), .status(503), .reset(after: 20_000), .stall(after: 20_000),
            .pause(after: 1000, length: .milliseconds(100)), .wrongLength(short: 400), .type("text/html"), .body([1, 2, 3]),
            .redirect(to: "/b.txt"), .silence, .refusal, .slowHandshake(.milliseconds(100)), .rate(4_000_000),
        ])
    func same(_ fault: OriginFault?) throws {
        func request(_ url: String) -> ByteRequest {
            // Short only where a timeout is expected.
            Self.patient(
                url, firstByte: .seconds(fault == .silence ? 3 : 30), stall: .seconds(fault == .stall(after: 20_000) ? 1 : 30))
        }
        let loop = try MainLoop(time: .simulated)
        let simulated = SimulatedOrigin(clock: loop.clock, script: Self.script(fault))
        let expected = try #require(Self.load(request("http://origin.test/a.bin"), from: simulated, loop))
        try Self.real(Self.script(fault)) { origin, loader, loop in
            var outcome = try #require(Self.load(request(origin.url("/a.bin")), from: loader, loop))
            // A server that closes before it answers looks the same as one that breaks off.
            if fault == .refusal, outcome.fault == .broken { outcome.fault = .unreachable }
            #expect(outcome == expected)
            // The next request has no fault, whether its connection is new or reused.
            #expect(Self.load(Self.patient(origin.url("/a.bin")), from: loader, loop)?.bytes?.count == 100_000)
        }
    }

    @Test("ranges, a redirect to itself, and a server without ranges")
    func others() throws {
        let script = Self.script(nil)
        script.fail("/loop", with: .redirectLoop)
        script.put([1, 2, 3, 4], at: "/whole")
        script.fail("/whole", with: .ignoresRanges)
        try Self.real(script) { origin, loader, loop in
            let part = Self.load(Self.patient(origin.url("/a.bin"), range: 1000..<1010), from: loader, loop)
            #expect(part?.status == 206 && part?.bytes == (1000..<1010).map { UInt8($0 % 251) })
            #expect(Self.load(Self.patient(origin.url("/loop")), from: loader, loop)?.fault == .redirects)
            #expect(Self.load(Self.patient(origin.url("/whole"), range: 1..<2), from: loader, loop)?.bytes == [2])
        }
    }

    @Test(
        "a body takes at least its length divided by the rate plus the delays; a lossy network delivers all of it",
        arguments: [1, 50])
    func shaped(_ seed: UInt64) throws {
        let lossy = NetworkProfile(
            name: "test", down: RateSchedule(4_000_000), up: 1_000_000, delay: .milliseconds(20), loss: 0.1, burst: 2)
        let loop = try MainLoop(time: .real)
        let origin = try LoopbackOrigin(clock: loop.clock, script: Self.script(nil), network: lossy, seed: seed)
        defer { origin.stop() }
        let loader = CurlTransfer(clock: loop.clock, version: "test")
        let start = loop.clock.now
        var tries = 0
        var outcome: Outcome?
        // One of many losses breaks the connection.
        while tries < 20, outcome?.status != 200 {
            tries += 1
            outcome = Self.load(ByteRequest(url: origin.url("/a.bin")), from: loader, loop)
        }
        #expect(outcome?.bytes?.count == 100_000)
        let passed: Duration = loop.clock.now - start
        #expect(passed > .milliseconds(200 + 60))
    }

    @Test("total loss delivers nothing, and cancelling ends pending requests at once")
    func nothing() throws {
        try Self.real(Self.script(nil), try #require(NetworkProfile("loss-100"))) { origin, loader, loop in
            let outcome = Self.load(ByteRequest(url: origin.url("/a.bin"), firstByteTimeout: .seconds(3)), from: loader, loop)
            #expect(outcome?.fault == .noFirstByte)
        }
    }

    @Test("the same profiles as netem commands")
    func netem() throws {
        let edge = try #require(NetworkProfile("edge")).netemCommands(port: 8080)
        #expect(edge.contains { $0.hasSuffix("parent 1:1 handle 10: netem limit 20000 delay 400000us rate 240000bit") })
        #expect(edge.contains { $0.hasSuffix("parent 1:2 handle 20: netem limit 20000 delay 400000us rate 200000bit") })
        #expect(edge.contains { $0.contains("sport 8080 0xffff flowid 1:1") })
        let lossy = try #require(NetworkProfile("wifi-lossy"))
        #expect(
            lossy.netemCommands(port: 1).contains { $0.contains("loss gemodel 0.5") && $0.contains("% 25.0% rate 40000000bit") })
        #expect(try #require(NetworkProfile("loss-100")).netemCommands(port: 1).contains { $0.hasSuffix("delay 0us loss 100%") })
        #expect(NetworkProfile("slow-dns")?.netemObstacle != nil && NetworkProfile("lte,outage=1+2")?.netemObstacle != nil)
        #expect(NetworkProfile.named.filter { $0.netemObstacle == nil }.count == 8)
    }
}
