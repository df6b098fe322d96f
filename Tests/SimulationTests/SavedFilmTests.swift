import LinuxSupport
import SegmentStore
import Testing

@testable import Simulation

@Suite("Saved films in the simulation")
@MainActor
struct SavedFilmTests {
    /// What a box claims to have.
    private final class Claims: SavedContents {
        var items: Set<String> = []
        var files: Set<String> = []
        var media: [(address: String, bytes: [UInt8]?)] = []

        func media(of item: String) -> [(address: String, bytes: [UInt8]?)] { media }
    }

    private let server: SimulatedServer
    private let claims = Claims()

    init() {
        let film = World.Saving.Film(segments: 3, isRequired: true)
        let world = World(
            seed: 1, length: .seconds(3600), channels: [], filmSegments: 2,
            saving: World.Saving(films: [film], window: nil, room: 1 << 20), faults: [])
        server = SimulatedServer(world: world, faults: [])
    }

    private func check(
        _ rule: inout SavedRule, _ files: [String] = [], canBeTidied: Bool = true, at seconds: Int
    ) -> String? { rule.check(claims, files: { files }, canBeTidied: canBeTidied, at: .seconds(seconds)) }

    @Test("a file from before the start that has no use is a breach after twenty seconds; one that was removed or is new is none")
    func orphans() {
        claims.files = ["used"]
        for (files, isBreach) in [(["used", "left"], true), (["used"], false), (["used", "new"], false)] {
            var rule = SavedRule(server: server)
            rule.started(files: ["used", "left"])
            #expect(rule.check(nil, files: { files }, canBeTidied: true, at: .seconds(100)) == nil)
            #expect(check(&rule, files, at: 101) == nil && check(&rule, files, at: 120) == nil)
            #expect((check(&rule, files, at: 121) != nil) == isBreach)
            #expect(check(&rule, files, at: 200) == nil, "it is said once")
        }
    }

    @Test("while the disk is full nothing can be removed, and the time begins afterwards")
    func fullDisk() {
        var rule = SavedRule(server: server)
        rule.started(files: ["left"])
        #expect(check(&rule, ["left"], canBeTidied: false, at: 0) == nil)
        #expect(check(&rule, ["left"], canBeTidied: false, at: 100) == nil)
        #expect(check(&rule, ["left"], at: 119) == nil)
        #expect(check(&rule, ["left"], at: 120) != nil)
    }

    @Test("what is shown as saved has the bytes of the server")
    func corruption() throws {
        let address = "https://cdn.test/saved0/high-1.ts"
        let bytes = try #require(server.body(of: address, at: .zero))
        claims.items = ["saved0"]
        for (media, words) in [
            ([(address, bytes)], nil), ([(address, Array(bytes.dropLast()))], "corrupt"), ([(address, nil)], "missing"),
            ([], "nothing of it"),
        ] as [([(String, [UInt8]?)], String?)] {
            var rule = SavedRule(server: server)
            rule.started(files: [])
            claims.media = media.map { (address: $0.0, bytes: $0.1) }
            let breach = check(&rule, at: 5)
            #expect(rule.comparisons == 1)
            #expect(words.map { breach?.contains($0) == true } ?? (breach == nil), "\(breach ?? "no breach")")
        }
    }

    @Test("some worlds save films, and some of their disks are too small; the others have no opening")
    func worlds() {
        let worlds = (1...300 as ClosedRange<UInt64>).map { World(seed: $0, length: .seconds(86_400)) }
        let savings = worlds.compactMap(\.saving)
        #expect((20...100).contains(savings.count))
        func bytes(_ saving: World.Saving) -> Int64 {
            saving.films.reduce(0) { $0 + Int64($1.segments * SimulatedServer.largestFilmSegment) }
        }
        #expect(savings.contains { $0.room < bytes($0) } && savings.contains { $0.room > bytes($0) })
        #expect(savings.contains { $0.window == nil } && savings.contains { $0.window != nil })
        for world in worlds {
            let openings = world.faults.filter { if case .open = $0.kind { true } else { false } }
            #expect(openings.isEmpty == (world.saving == nil))
            #expect(world.saving == nil || !world.isKiosk)
        }
    }

    @Test("a world without saved films has the faults that it had before there were any; damaging power cuts come on top")
    func unchanged() {
        var digest = Digest.start
        for seed in 1...60 as ClosedRange<UInt64> {
            let world = World(seed: seed, length: .seconds(172_800))
            guard world.saving == nil else { continue }
            for fault in world.faults where fault.kind != .damagingCut { Digest.add("\(fault)", to: &digest) }
        }
        #expect(digest == 0x078e_154b_3026_db77)
    }

    @Test("the server has the saved films, marked in the feed")
    func films() throws {
        let feed = try #require(server.body(of: SimulatedServer.feed, at: .zero).map { String(decoding: $0, as: UTF8.self) })
        #expect(feed.contains(#""id": "saved0""#) && feed.contains(#""offline": "required""#))
        #expect(server.body(of: "https://cdn.test/saved0/low-2.ts", at: .zero) != nil)
        #expect(server.body(of: "https://cdn.test/saved0/low-3.ts", at: .zero) == nil)
        #expect(server.body(of: "https://cdn.test/saved1/low-0.ts", at: .zero) == nil)
    }
}
