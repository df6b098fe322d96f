import Testing

@testable import Simulation

@Suite("Worlds")
struct WorldTests {
    @Test("The same seed gives the same world, another seed another")
    func repeats() {
        #expect(World(seed: 7, length: .seconds(86_400)) == World(seed: 7, length: .seconds(86_400)))
        #expect(World(seed: 7, length: .seconds(86_400)).faults != World(seed: 8, length: .seconds(86_400)).faults)
    }

    @Test("Faults are in the order of their start, lie within the world's time, and are numbered")
    func order() {
        for seed in 1...200 as ClosedRange<UInt64> {
            let faults = World(seed: seed, length: .seconds(86_400)).faults
            #expect(zip(faults, faults.dropFirst()).allSatisfy { $0.start <= $1.start })
            #expect(Set(faults.map(\.number)).count == faults.count)
            #expect(faults.allSatisfy { $0.start >= .zero && $0.length >= .zero })
        }
    }

    @Test("All kinds of faults are drawn by some seed, and some seeds have none")
    func variety() {
        let worlds = (1...400 as ClosedRange<UInt64>).map { World(seed: $0, length: .seconds(86_400)) }
        let words = Set(worlds.flatMap(\.faults).map { "\($0)".split(separator: " ")[1] })
        #expect(
            words.isSuperset(of: [
                "network", "names", "link", "HTTP", "no", "stall", "broken", "web", "live", "media", "invalid",
                "film", "television", "video", "crash", "power", "key",
            ]))
        #expect(worlds.contains { $0.faults.isEmpty })
    }

    @Test("A kiosk has one channel and no keys")
    func kiosk() {
        for seed in 1...100 as ClosedRange<UInt64> {
            let world = World(seed: seed, length: .seconds(86_400))
            #expect(!world.isKiosk || world.channels.count == 1 && world.faults.allSatisfy { !$0.isKey })
        }
    }
}

@Suite("The servers of a world")
struct ServerTests {
    private func server(_ stream: World.LiveStream, faults: [Fault] = []) -> SimulatedServer {
        SimulatedServer(
            world: World(seed: 1, length: .seconds(3600), channels: [stream], filmSegments: 2, faults: faults), faults: faults)
    }

    private func text(_ server: SimulatedServer, _ file: String, at seconds: Int) -> String? {
        server.body(of: "https://cdn.test/\(file)", at: .seconds(seconds)).map { String(decoding: $0, as: UTF8.self) }
    }

    private let plain = World.LiveStream(segment: 10, window: 5, hasVariants: false, hasDates: false, splice: nil)

    @Test("A live playlist lists the newest segments, and they exist")
    func live() {
        let server = server(plain)
        #expect(
            text(server, "live0/low.m3u8", at: 25) == """
                #EXTM3U
                #EXT-X-VERSION:3
                #EXT-X-TARGETDURATION:10
                #EXT-X-MEDIA-SEQUENCE:357
                #EXTINF:10,
                low-357.ts
                #EXTINF:10,
                low-358.ts
                #EXTINF:10,
                low-359.ts
                #EXTINF:10,
                low-360.ts
                #EXTINF:10,
                low-361.ts

                """)
        #expect(text(server, "live0/low-361.ts", at: 25) != nil)
        #expect(text(server, "live0/low-362.ts", at: 25) == nil)
        #expect(text(server, "live0/low-340.ts", at: 25) == nil)
    }

    @Test("A restarted packager numbers from zero; the discontinuity sequence counts the splices that slid out")
    func reset() {
        let fault = Fault(number: 0, kind: .sequenceReset, start: .seconds(100), length: .zero)
        let server = server(plain, faults: [fault])
        #expect(text(server, "live0/low.m3u8", at: 125)?.contains("#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:10,\nlow-370.ts") == true)
        var spliced = plain
        spliced.splice = 40
        let playlist = text(self.server(spliced), "live0/low.m3u8", at: 25)
        #expect(playlist?.contains("#EXT-X-DISCONTINUITY-SEQUENCE:8\n") == true)
        #expect(playlist?.contains("#EXT-X-DISCONTINUITY\n#EXTINF:10,\nlow-360.ts") == true)
    }

    @Test("The pictures of a segment carry their stream, and their stamps wrap at 33 bits")
    func pictures() {
        let bytes = SyntheticSegment.bytes(stream: 3, start: 95_440, seconds: 6, padding: 1)
        let pictures = stride(from: 0, to: bytes.count, by: SyntheticSegment.packetSize).compactMap {
            SyntheticSegment.parse(bytes[$0..<$0 + SyntheticSegment.packetSize])
        }
        #expect(pictures.map(\.stream) == [3, 3, 3])
        #expect(pictures.map(\.isSync) == [true, false, false])
        #expect(pictures.map(\.stamp) == [95_440, 95_442, 95_444].map { $0 * 90_000 % (1 << 33) })
    }

    @Test("Dates are civil dates")
    func dates() {
        #expect(WorldDate.text(seconds: 0) == "2026-01-01T00:00:00Z")
        #expect(WorldDate.text(seconds: 59 * 86_400 - 1) == "2026-02-28T23:59:59Z")
        #expect(WorldDate.text(seconds: 365 * 86_400 + 3661) == "2027-01-01T01:01:01Z")
        #expect(WorldDate.text(seconds: (365 * 2 + 59) * 86_400) == "2028-02-29T00:00:00Z")
    }
}
