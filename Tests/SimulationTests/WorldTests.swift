import ChannelFeed
import Cryptography
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
                "film", "television", "video", "crash", "power", "key", "decoders", "sound", "date",
                "segments", "variant", "keys", "feed", "disk", "damaging",
            ]))
        #expect((1...400 as ClosedRange<UInt64>).contains { World(seed: $0, length: .seconds(600)).faults.isEmpty })
    }

    @Test("Some kiosks and some households have a schedule")
    func schedules() {
        let worlds = (1...100 as ClosedRange<UInt64>).map { World(seed: $0, length: .seconds(86_400)) }
        #expect(Set(worlds.map { [$0.isKiosk, $0.schedule != nil] }).count == 4)
        #expect(worlds.allSatisfy { $0.schedule.map { $0.slots.allSatisfy { $0.segments > 0 && $0.length >= 30 } } ?? true })
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
    private func server(
        _ stream: World.LiveStream, origin: World.Origin = .init(), faults: [Fault] = []
    ) -> SimulatedServer {
        SimulatedServer(
            world: World(
                seed: 1, length: .seconds(3600), channels: [stream], filmSegments: 2, origin: origin, faults: faults),
            faults: faults)
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
        let bytes = SyntheticSegment.bytes(stream: 3, start: 95_440, seconds: 6, padding: 2, hasSound: true)
        let samples = stride(from: 0, to: bytes.count, by: SyntheticSegment.packetSize).compactMap {
            SyntheticSegment.parse(bytes[$0..<$0 + SyntheticSegment.packetSize])
        }
        #expect(samples.map(\.isSound) == [false, true, false, true, false, true])
        let pictures = samples.filter { !$0.isSound }
        #expect(pictures.map(\.stream) == [3, 3, 3])
        #expect(pictures.map(\.isSync) == [true, false, false])
        for part in [pictures, samples.filter(\.isSound)] {
            #expect(part.map(\.stamp) == [95_440, 95_442, 95_444].map { $0 * 90_000 % (1 << 33) })
        }
    }

    @Test("The entrance to a stream redirects to an address whose token expires")
    func tokens() {
        var origin = World.Origin()
        origin.tokenLife = .seconds(300)
        let server = server(plain, origin: origin)
        let url = server.address(of: "https://cdn.test/live0/master.m3u8", at: .seconds(1000))
        #expect(url == "https://edge.test/1000/live0/master.m3u8")
        #expect(server.body(of: url, at: .seconds(1000)) != nil)
        #expect(server.accepts("https://edge.test/1000/live0/low.m3u8", at: .seconds(1299)))
        #expect(!server.accepts("https://edge.test/1000/live0/low.m3u8", at: .seconds(1300)))
        #expect(server.accepts("https://cdn.test/live0/low.m3u8", at: .seconds(9000)))
        let other = server.address(of: "https://other.cdn.test/live0/master.m3u8", at: .seconds(7))
        #expect(other == "https://edge.test/7/live0/master.m3u8")
    }

    @Test("Encrypted segments are decrypted with the key that their playlist names")
    func encryption() throws {
        var origin = World.Origin()
        origin.isEncrypted = true
        let server = server(plain, origin: origin)
        let playlist = try #require(text(server, "live0/low.m3u8", at: 25))
        let tag = "#EXT-X-KEY:METHOD=AES-128,URI=\"7.key\",IV=0x\(String(repeating: "0", count: 29))169\n#EXTINF:10,\nlow-361.ts"
        #expect(playlist.contains(tag))
        let sealed = try #require(server.body(of: "https://cdn.test/live0/low-361.ts", at: .seconds(25)))
        let key = try #require(server.body(of: "https://cdn.test/live0/7.key", at: .seconds(25)))
        let vector = [UInt8](repeating: 0, count: 14) + [0x01, 0x69]
        #expect(
            CBCDecryption.decrypt(sealed, key: key, initializationVector: vector)
                == self.server(plain).body(of: "https://cdn.test/live0/low-361.ts", at: .seconds(25)))
    }

    @Test("Segments may be listed before they exist, and the better variant may be late")
    func publication() {
        func fault(_ kind: Fault.Kind) -> [Fault] { [Fault(number: 0, kind: kind, start: .zero, length: .seconds(100))] }
        let early = server(plain, faults: fault(.earlyListing))
        #expect(text(early, "live0/low.m3u8", at: 25)?.contains("low-363.ts") == true)
        #expect(text(early, "live0/low-362.ts", at: 25) == nil && text(early, "live0/low-362.ts", at: 30) != nil)
        let late = server(plain, faults: fault(.laggingVariant))
        #expect(text(late, "live0/low.m3u8", at: 25)?.hasSuffix("low-361.ts\n") == true)
        #expect(text(late, "live0/high.m3u8", at: 25)?.hasSuffix("high-358.ts\n") == true)
        #expect(text(late, "live0/high-359.ts", at: 25) == nil)
    }

    private var lowLatency: World.LiveStream {
        var stream = plain
        stream.isLowLatency = true
        return stream
    }

    @Test("With low latency the segment that is not complete is listed by its parts, whose bytes are those of the segment")
    func parts() throws {
        let server = server(lowLatency)
        let playlist = try #require(text(server, "live0/low.m3u8", at: 25))
        #expect(playlist.contains("#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=6\n#EXT-X-PART-INF:PART-TARGET=2\n"))
        #expect(
            playlist.hasSuffix(
                """
                #EXTINF:10,
                low-361.ts
                #EXT-X-PART:DURATION=2,URI="low-362.0.ts",INDEPENDENT=YES
                #EXT-X-PART:DURATION=2,URI="low-362.1.ts"
                #EXT-X-PRELOAD-HINT:TYPE=PART,URI="low-362.2.ts"

                """))
        let parts = (0..<5).map { server.body(of: "https://cdn.test/live0/low-361.\($0).ts", at: .seconds(25)) ?? [] }
        #expect(parts.flatMap { $0 } == server.body(of: "https://cdn.test/live0/low-361.ts", at: .seconds(25)))
        #expect(text(server, "live0/low-361.5.ts", at: 25) == nil && text(server, "live0/low-362.2.ts", at: 25) == nil)
        #expect(text(self.server(plain), "live0/low-361.0.ts", at: 25) == nil)
    }

    @Test("A request for a part that does not exist yet waits for it, and fails if the part is far away")
    func blocking() {
        let server = server(lowLatency)
        func wait(_ file: String, _ server: SimulatedServer) -> Duration? {
            server.wait(for: "https://cdn.test/live0/\(file)", at: .milliseconds(24_500))
        }
        #expect(wait("low.m3u8?_HLS_msn=362&_HLS_part=1", server) == .zero)
        #expect(wait("low.m3u8?_HLS_msn=362&_HLS_part=2", server) == .milliseconds(1500))
        #expect(wait("low.m3u8?_HLS_msn=362", server) == .milliseconds(5500))
        #expect(wait("low.m3u8?_HLS_msn=364", server) == .milliseconds(25_500))
        let frozen = Fault(number: 0, kind: .frozenPlaylists, start: .seconds(20), length: .seconds(500))
        #expect(wait("low.m3u8?_HLS_msn=364", self.server(lowLatency, faults: [frozen])) == .seconds(30))
        #expect(wait("low.m3u8?_HLS_msn=\(Int.max - 1)", server) == nil)
        #expect(wait("low-362.2.ts", server) == .milliseconds(1500))
        #expect(wait("low.m3u8?_HLS_msn=362&_HLS_part=2", self.server(plain)) == .zero)
        let reset = Fault(number: 0, kind: .sequenceReset, start: .seconds(20), length: .zero)
        #expect(wait("low.m3u8?_HLS_msn=0&_HLS_part=2", self.server(lowLatency, faults: [reset])) == .milliseconds(1500))
        #expect(wait("low.m3u8?_HLS_msn=362&_HLS_part=2", self.server(lowLatency, faults: [reset])) == nil)
    }

    @Test("Segments may be on other hosts")
    func redirects() {
        var origin = World.Origin()
        origin.redirectsSegments = true
        let server = server(plain, origin: origin)
        #expect(
            server.address(of: "https://cdn.test/live0/low-361.ts", at: .seconds(25)) == "https://node1.test/live0/low-361.ts")
        #expect(server.address(of: "https://cdn.test/live0/low.m3u8", at: .seconds(25)) == "https://cdn.test/live0/low.m3u8")
        #expect(text(server, "live0/low-361.ts", at: 25) != nil)
    }

    @Test("A schedule repeats its programmes, from two hours ago to a day ahead, and they are films")
    func schedule() throws {
        let world = World(
            seed: 1, length: .seconds(86_400 * 5), channels: [plain], filmSegments: nil,
            schedule: World.Schedule(slots: [.init(segments: 10, length: 600), .init(segments: 5, length: 1200)]), faults: [])
        let server = SimulatedServer(world: world, faults: [])
        for time in [0, 7300, 86_400 * 4] {
            let bytes = try #require(server.body(of: SimulatedServer.feed, at: .seconds(time)))
            let verdict = FeedReader.read(bytes, baseURL: SimulatedServer.feed)
            let feed = try #require(verdict.feed)
            #expect(verdict.findings.isEmpty)
            let entries = try #require(feed.channel(SimulatedServer.schedule)?.schedule.entries)
            let starts = entries.map { $0.at.milliseconds / 1000 }
            let now = WorldDate.at(.seconds(time)).milliseconds / 1000
            let (first, last) = (try #require(starts.first), try #require(starts.last))
            #expect(first > now - 12_600 && first <= now - 5400 && last > now + 79_200)
            let lengths = zip(starts, starts.dropFirst()).map { $1 - $0 }
            #expect(zip(entries, lengths).allSatisfy { $1 == ($0.item == "show0" ? 600 : 1200) })
            #expect(starts.allSatisfy { [0, 600].contains(($0 - first) % 1800) })
        }
        #expect(text(server, "show1/low.m3u8", at: 0)?.split(separator: "\n").filter { $0 == "#EXTINF:6," }.count == 5)
        #expect(server.body(of: "https://cdn.test/show2/low.m3u8", at: .zero) == nil)
    }

    @Test("Dates are civil dates")
    func dates() {
        #expect(WorldDate.at(.zero).description == "2026-01-01T00:00:00Z")
        #expect(WorldDate.at(.seconds(59 * 86_400 - 1)).description == "2026-02-28T23:59:59Z")
        #expect(WorldDate.at(.seconds((365 * 2 + 59) * 86_400)).description == "2028-02-29T00:00:00Z")
    }
}
