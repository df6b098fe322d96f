import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaSources
import NetworkConditions
import StatusModel
import Synchronization
import Testing

@testable import Downloads
@testable import SegmentStore

/// A loader that notes which bodies arrived whole, and how many operations the disk had done by then.
private final class DeliveryLog: ByteLoading {
    struct Delivery: Sendable {
        var url: String
        var operations: Int
    }
    private let backing: any ByteLoading
    private let disk: MemoryDisk
    private let deliveries = Mutex<[Delivery]>([])

    init(_ backing: any ByteLoading, _ disk: MemoryDisk) {
        self.backing = backing
        self.disk = disk
    }

    /// Without playlists, which are loaded again at each start.
    var all: [Delivery] { deliveries.withLock { $0 }.filter { !$0.url.hasSuffix(".m3u8") } }

    @MainActor @discardableResult
    func load(
        _ request: ByteRequest, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask {
        backing.load(request) { [self] in
            note(request, $0)
            completion($0)
        }
    }

    @MainActor @discardableResult
    func load(
        _ request: ByteRequest, progress: @escaping @MainActor @Sendable (ByteProgress) -> Void,
        _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask {
        backing.load(request, progress: progress) { [self] in
            note(request, $0)
            completion($0)
        }
    }

    func stream(_ url: String) -> any ByteStream { backing.stream(url) }

    private func note(_ request: ByteRequest, _ result: Result<ByteResponse, MediaError>) {
        guard case .success = result else { return }
        deliveries.withLock { $0.append(Delivery(url: request.url, operations: disk.log.count)) }
    }
}

/// A box that stores a film while a player reads it, on a disk in memory.
@MainActor
private final class Life {
    let disk: MemoryDisk
    let loop: MainLoop
    let script = OriginScript()
    let store: SegmentStore
    let deliveries: DeliveryLog
    let loading: SavedAssetLoading
    /// The addresses that the player has asked for.
    private(set) var played: Set<String> = []
    private let session: AssetDownloadSession
    private(set) var report: StoreReport?
    /// Addresses whose bytes were not those of the server.
    private(set) var corrupt: [String] = []
    private var isPlaying = false

    static let names = ["main.m3u8", "v.m3u8", "a.m3u8"]
    static let segments = 12
    static func address(_ name: String) -> String { "https://cdn.example/cuts/\(name)" }
    private static let wanted = WantedDownload(
        DownloadableAsset(id: "film", streams: [.init(url: address("main.m3u8"))], companions: []), .required)

    /// All segments have lengths of their own, so that no two of them end at the same instant.
    static let bodies: [String: [UInt8]] = Dictionary(
        uniqueKeysWithValues: ["v", "a"].flatMap { track in
            (0..<segments).map { number in
                var random = SeededGenerator(seed: UInt64(number) + (track == "v" ? 100 : 200))
                let count = (track == "v" ? 9000 : 3000) + Int(random.next() % 4000)
                return (address("\(track)-\(number).ts"), (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) })
            }
        })

    /// A segment takes about as long as in a home, where it is 200 times as large.
    private static let network = NetworkProfile(name: "home", down: RateSchedule(100_000), up: 100_000, delay: .milliseconds(5))

    init(_ contents: MemoryDisk.Contents = .init(), hasNetwork: Bool = true) throws {
        disk = MemoryDisk(contents)
        loop = try MainLoop(time: .simulated)
        let clock = loop.clock
        store = SegmentStore(folder: "/saved", clock: clock, disk: disk)
        let origin = SimulatedOrigin(clock: clock, script: script, network: Self.network)
        deliveries = DeliveryLog(origin, disk)
        let stored = StoredLoading(deliveries, store: store, clock: clock)
        loading = SavedAssetLoading(network: deliveries, stored: stored, bodies: store.bodies)
        loading.setOffline(!hasNetwork)
        session = AssetDownloadSession(
            .init(store: store, loading: stored, network: deliveries, clock: clock, log: LogBook(clock: clock)),
            policy: DownloadPolicy(window: nil, bitRate: nil, freeBytes: 0), configuration: Film.configuration(["en"]),
            conditions: DownloadConditions(hasNetwork: hasNetwork))
        if hasNetwork { putFilm() }
        store.open { [weak self] result in
            self?.report = try? result.get()
            self?.session.start(languages: ["en"])
        }
        session.want([Self.wanted])
        loop.run(until: { report != nil })
    }

    isolated deinit { close() }

    func close() {
        session.close()
        store.close()
    }

    private func putFilm() {
        script.put(
            """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,URI="a.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=800000,RESOLUTION=640x360,CODECS="avc1.64001e,mp4a.40.2",AUDIO="a"
            v.m3u8

            """, at: Self.address("main.m3u8"))
        for track in ["v", "a"] { script.put(Film.media(track, segments: Self.segments), at: Self.address("\(track).m3u8")) }
        for (url, bytes) in Self.bodies { script.put(bytes, at: url) }
    }

    var isSaved: Bool { session.isComplete("film") }

    /// Reads the film from a segment on, as a player does: one after the other.
    func play(from first: Int) {
        isPlaying = true
        read(first)
    }

    private func read(_ number: Int) {
        guard number < Self.segments else { return }
        let url = Self.address("v-\(number).ts")
        played.insert(url)
        loading.load(ByteRequest(url: url, kind: .media)) { [weak self] result in
            guard let self else { return }
            if case .success(let response) = result, response.bytes != Self.bodies[url] { corrupt.append(url) }
            loop.clock.schedule(after: .milliseconds(40)) { [weak self] in self?.read(number + 1) }
        }
    }

    func load(_ url: String) -> [UInt8]? {
        var result: Result<ByteResponse, MediaError>?
        loading.load(ByteRequest(url: url, kind: url.hasSuffix(".m3u8") ? .playlist : .media)) { result = $0 }
        loop.run(within: .seconds(60), until: { result != nil })
        return try? result?.get().bytes
    }

    /// The files that nothing in the store leads to.
    var orphans: Int {
        disk.names("/saved/bodies").count - store.bodies.index.digests.count - store.bodies.index.partials.count
    }
}

/// A box downloads and plays, its power is cut at a drawn operation of its disk, and it starts again.
@Suite("Power cuts during downloads and plays")
@MainActor
struct DownloadPowerCutTests {
    @Test(
        "at 200 moments: at most one segment is fetched again, nothing is corrupt, no orphan stays, and what is saved plays"
    )
    func cuts() throws {
        var moments = 0
        var again = 0
        for seed in 1...20 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            let life = try Life()
            let start = Int.random(in: 0..<Life.segments, using: &random)
            life.loop.run(within: .milliseconds(Int.random(in: 0...900, using: &random)), until: { false })
            life.play(from: start)
            #expect(life.loop.run(within: .seconds(600), until: { life.isSaved }))
            #expect(life.corrupt.isEmpty)
            let log = life.disk.log
            for _ in 0..<10 {
                let count = Int.random(in: 0...log.count, using: &random)
                again += try check(life, cutAfter: count, log, &random)
                moments += 1
            }
        }
        #expect(moments == 200)
        // The rule is tested at the moments that matter, too: between the last byte of a segment and its record.
        #expect(again > 0)
    }

    /// - Returns: how many segments were fetched again.
    private func check(_ life: Life, cutAfter count: Int, _ log: [MemoryDisk.Operation], _ random: inout SeededGenerator) throws
        -> Int
    {
        let left = MemoryDisk.afterPowerCut(log, after: count, folders: life.disk.contents.folders, &random)
        let fetched = Set(life.deliveries.all.filter { $0.operations <= count }.map(\.url))
        let second = try Life(left)
        second.play(from: Int.random(in: 0..<Life.segments, using: &random))
        #expect(second.loop.run(within: .seconds(600), until: { second.isSaved }), "cut after \(count) operations")
        let again = fetched.intersection(second.script.requests.map(\.url))
        // A player may have asked for another one than the download.
        let ofDownload = again.subtracting(life.played)
        #expect(
            ofDownload.count <= 1 && again.count <= 1 + (life.played.isEmpty ? 0 : 1),
            "cut after \(count) operations: \(again.sorted())")
        #expect(second.corrupt.isEmpty, "cut after \(count) operations")
        second.loop.run(within: .seconds(60), until: { false })
        #expect(second.orphans == 0, "cut after \(count) operations")
        second.close()

        let third = try Life(second.disk.contents, hasNetwork: false)
        #expect(third.report?.orphansRemoved == 0 && third.report?.bodiesMissing == 0 && third.report?.warning == nil)
        #expect(third.loop.run(within: .seconds(60), until: { third.isSaved }))
        for name in Life.names { #expect(third.load(Life.address(name)) != nil, "\(name) after \(count) operations") }
        for (url, bytes) in Life.bodies { #expect(third.load(url) == bytes, "\(url) after \(count) operations") }
        #expect(third.script.requests.isEmpty)
        third.close()
        return again.count
    }
}
