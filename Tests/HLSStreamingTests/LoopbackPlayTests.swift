import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import NetworkConditions
import TestSupport
import Testing
import Transfer

@testable import HLSStreaming

/// A presentation over sockets and libcurl in real time, on the same networks as in simulated time. Read as fast as it arrives,
/// to keep it short.
@MainActor
@Suite("Reading over real sockets", .serialized)
struct LoopbackPlayTests {
    private static let segments = 10

    private static func script() -> OriginScript {
        let script = OriginScript()
        var main = "#EXTM3U\n"
        for (name, rate) in [("low", 100_000), ("high", 400_000)] {
            main += "#EXT-X-STREAM-INF:BANDWIDTH=\(rate),CODECS=\"avc1.4d401e\",RESOLUTION=320x180\n\(name).m3u8\n"
            var list = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n"
            for number in 0..<segments {
                list += "#EXTINF:2,\n\(name)\(number).ts\n"
                let media = FakeSegment.bytes(start: 900_000 + Int64(number) * 180_000, count: 50)
                let padding = max(0, (rate * 2 / 8 - media.count) / FakeSegment.packetSize) * FakeSegment.packetSize
                script.put(media + [UInt8](repeating: 0x20, count: padding), at: "/\(name)\(number).ts")
            }
            script.put(list + "#EXT-X-ENDLIST\n", at: "/\(name).m3u8")
        }
        script.put(main, at: "/main.m3u8")
        return script
    }

    private final class Inbox: Sendable {
        let times = Monitor<(times: [MediaTime], isOver: Bool)>(([], false), ledger: nil)
    }

    private func read(_ script: OriginScript, _ network: NetworkProfile) throws -> [MediaTime] {
        let loop = try MainLoop(time: .real)
        let origin = try LoopbackOrigin(clock: loop.clock, script: script, network: network)
        defer { origin.stop() }
        let loader = CurlTransfer(clock: loop.clock, version: "test")
        var isLate = false
        let guardian = loop.clock.schedule(after: .seconds(120), rank: .display) { isLate = true }
        defer { guardian.cancel() }
        var playlist: ByteResponse?
        // The first request has no policy.
        for _ in 0..<5 where playlist == nil {
            var isAnswered = false
            loader.load(ByteRequest(url: origin.url("/main.m3u8"))) {
                playlist = try? $0.get()
                isAnswered = true
            }
            loop.run(until: { isLate || isAnswered })
        }
        let source = HLSSource(
            playlist: try #require(playlist), screen: (1920, 1080), loader: loader,
            codecs: FakeSegmentCodecs(), clock: loop.clock)
        defer { source.close() }
        var description: SourceDescription?
        source.prepare { description = try? $0.get() }
        loop.run(until: { isLate || description != nil })
        let buffer = source.startReading(at: .zero, tracks: [TrackID(0)])
        buffer.readAhead()
        let inbox = Inbox()
        let bell = loop.clock.makeDoorbell(rank: .media) {}
        let thread = WorkerThread(name: "viewer", clock: loop.clock)
        thread.perform {
            while case .sample(let sample) = buffer.next(TrackID(0)) {
                inbox.times.update { if !sample.doesNotDisplay { $0.times.append(sample.presentationTime) } }
            }
            inbox.times.update { $0.isOver = true }
            bell.ring()
        }
        loop.run(until: { isLate || inbox.times.read(\.isOver) })
        buffer.cancel()
        thread.stop()
        return inbox.times.read(\.times)
    }

    @Test("the received media is complete and in order", arguments: ["dsl", "lte", "wifi", "wifi-lossy"])
    func profiles(_ name: String) throws {
        #expect(try read(Self.script(), try #require(NetworkProfile(name))) == frames(0..<Self.segments * 50))
    }

    @Test("after an outage it continues automatically")
    func outage() throws {
        #expect(try read(Self.script(), try #require(NetworkProfile("dsl,outage=1+3"))) == frames(0..<Self.segments * 50))
    }

    @Test("a broken connection, a short body and a failing server lose nothing")
    func faults() throws {
        let script = Self.script()
        for name in ["low", "high"] {
            script.fail("/\(name)2.ts", with: .reset(after: 10_000), times: 1)
            script.fail("/\(name)4.ts", with: .wrongLength(short: 376), times: 1)
            script.fail("/\(name)6.ts", with: .status(503), times: 1)
        }
        #expect(try read(script, try #require(NetworkProfile("wifi"))) == frames(0..<Self.segments * 50))
    }
}
