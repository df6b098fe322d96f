import ArgumentParser
import Downloads
import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import SegmentStore
import StatusModel
import Transfer

/// `MarqueeBench download`: stores a programme as the box does.
struct DownloadBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "Store an HLS playlist with all that it names in a new folder; print the seconds and the bytes as JSON.")

    @Argument(help: "The address of a playlist.")
    var address: String

    @Option(help: "A folder that does not exist yet.")
    var folder: String

    func run() throws {
        Heap.settle()
        try MainActor.assumeIsolated { try measure() }
    }

    @MainActor
    private func measure() throws {
        let loop = try MainLoop(time: .real)
        let clock = loop.clock
        let network = CurlTransfer(clock: clock, version: "bench")
        let store = SegmentStore(folder: folder, clock: clock)
        let loading = StoredLoading(network, store: store, clock: clock)
        let configuration = AssetDownloadConfiguration(variants: VariantSelection(width: 1920, height: 1080) { _ in true })
        let session = AssetDownloadSession(
            .init(store: store, loading: loading, network: network, clock: clock, log: LogBook(clock: clock)),
            policy: DownloadPolicy(window: nil, bitRate: nil, freeBytes: 0), configuration: configuration,
            conditions: DownloadConditions())
        defer {
            session.close()
            store.close()
        }
        var failure: String?
        store.open { result in
            switch result {
            case .success: session.start(languages: [])
            case .failure(let error): failure = error.sentence
            }
        }
        let began = clock.now
        let item = "film"
        session.want([WantedDownload(DownloadableAsset(id: item, streams: [.init(url: address)], companions: []), .required)])
        // A question about a download is linear in its resources: it is asked now and then, as the box does.
        while failure == nil, session.state(of: item) != .saved {
            pause(loop)
            if case .failed(let error) = session.state(of: item) { failure = error.sentence }
        }
        if let failure { throw BenchFailure("Storing \(address) failed: \(failure)") }
        let bytes = store.usage.assets
        print("{\"seconds\": \((clock.now - began) / .seconds(1)), \"bytes\": \(bytes)}")
    }

    @MainActor
    private func pause(_ loop: MainLoop) {
        var isOver = false
        loop.clock.schedule(after: .milliseconds(20)) { isOver = true }
        loop.run(until: { isOver })
    }
}

/// `MarqueeBench store-read`: reads a stored programme as the player does.
struct StoreReadBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store-read",
        abstract:
            "Read what `download` has stored, segment by segment, through the player's loader; print the seconds and the bytes as JSON."
    )

    @Option(help: "The folder of `download`.")
    var folder: String

    func run() throws {
        Heap.settle()
        try MainActor.assumeIsolated { try measure() }
    }

    @MainActor
    private func measure() throws {
        let loop = try MainLoop(time: .real)
        let clock = loop.clock
        let store = SegmentStore(folder: folder, clock: clock)
        defer { store.close() }
        let loading = StoredLoading(CurlTransfer(clock: clock, version: "bench"), store: store, clock: clock)
        var failure: String?
        var isOpen = false
        store.open { result in
            if case .failure(let error) = result { failure = error.sentence }
            isOpen = true
        }
        loop.run(until: { isOpen })
        if let failure { throw BenchFailure("Opening the store in \(folder) failed: \(failure)") }
        let names = store.assetIDs.flatMap { store.asset($0)?.members ?? [] }.filter {
            $0.name.hasPrefix("http") && $0.range == nil
        }
        guard !names.isEmpty else { throw BenchFailure("The store in \(folder) has no segments; fill it with download.") }
        let began = clock.now
        var bytes: Int64 = 0
        for key in names {
            var result: Result<ByteResponse, MediaError>?
            loading.load(
                ByteRequest(url: key.name, kind: .media), progress: { bytes += Int64($0.bytes.count) }, { result = $0 })
            loop.run(until: { result != nil })
            if case .failure(let error) = result { throw BenchFailure("Reading \(key.name) failed: \(error.sentence)") }
        }
        print("{\"seconds\": \((clock.now - began) / .seconds(1)), \"bytes\": \(bytes)}")
    }
}

/// `MarqueeBench store-open`: the time and the memory that a store of many resources takes.
struct StoreOpenBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store-open",
        abstract: "Fill a store in memory with resources of a programme, and open it again; print milliseconds and bytes as JSON."
    )

    @Option(help: "How many.")
    var resources = 100_000

    func run() throws {
        Heap.settle()
        try MainActor.assumeIsolated { try measure() }
    }

    @MainActor
    private func measure() throws {
        guard resources > 0 else { throw BenchFailure("--resources \(resources) is no number of resources.", code: 2) }
        let loop = try MainLoop(time: .real)
        let disk = MemoryDisk(capacity: .max)
        let (filling, _) = try open(disk, loop)
        let keys = (0..<resources).map { ResourceKey(name: "https://cdn.example/programmes/1234/video/1080p/segment-\($0).m4s") }
        let began = loop.clock.now
        filling.setAsset("film", metadata: [], isRequired: true)
        filling.add(keys, to: "film")
        // As many at a time as a download has requests.
        for start in stride(from: 0, to: keys.count, by: 4) {
            var left = 0
            for number in start..<min(start + 4, keys.count) {
                left += 1
                filling.store(Array("\(number)".utf8), as: keys[number]) { _ in left -= 1 }
            }
            loop.run(until: { left == 0 })
        }
        let filled = loop.clock.now - began
        filling.close()
        let before = MemoryUse.allocatedBytes
        let (store, time) = try open(disk, loop)
        let memory = MemoryUse.allocatedBytes - before
        guard store.usage.resources == resources else {
            throw BenchFailure("The store has \(store.usage.resources) of \(resources) resources after it was opened again.")
        }
        store.close()
        print("{\"filling\": \(filled.milliseconds), \"opening\": \(time.milliseconds), \"memory\": \(memory)}")
    }

    /// - Returns: the store, and how long opening took.
    @MainActor
    private func open(_ disk: MemoryDisk, _ loop: MainLoop) throws -> (SegmentStore, Duration) {
        let store = SegmentStore(folder: "/saved", clock: loop.clock, disk: disk)
        var result: Result<StoreReport, StoreError>?
        let began = loop.clock.now
        store.open { result = $0 }
        loop.run(until: { result != nil })
        if case .failure(let error) = result { throw BenchFailure("Opening the store failed: \(error.sentence)") }
        return (store, loop.clock.now - began)
    }
}
