import Dispatch
import LinuxSupport
import MediaModel
import MediaSources
import Synchronization
import Testing

@testable import SegmentStore

@Suite("A disk that is slower than the network")
@MainActor
struct SlowDiskTests {
    @Test("downloads wait for it, what a player waits for does not, and everything goes on when the disk has caught up")
    func pacing() throws {
        let disk = GatedDisk()
        let world = try World(disk)
        defer { world.store.close() }
        let (film, clip) = (world.download("film.mp4"), world.download("clip.mp4"))
        world.run { film.exchange != nil && clip.exchange != nil }
        clip.deliver(1)
        #expect(!clip.isHeld)

        disk.shut()
        // 32 MB may wait; what was delivered before may be one of them.
        film.deliver(31)
        #expect(!film.isHeld && !clip.isHeld)
        film.deliver(2)
        #expect(film.isHeld && clip.isHeld)
        // A download that begins now waits, too.
        let late = world.download("late.mp4")
        world.run { late.exchange != nil }
        #expect(late.isHeld)

        let player = world.loading.load(ByteRequest(url: "http://origin.test/clip.mp4"), progress: { _ in }, { _ in })
        world.run { !clip.isHeld }
        #expect(film.isHeld)
        player.cancel()
        world.run { clip.isHeld }

        disk.open()
        world.run { !film.isHeld && !clip.isHeld && !late.isHeld }
        for (body, length) in [(film, 33), (clip, 1)] {
            body.end()
            world.run { body.result != nil }
            #expect(try body.result?.get().length == Int64(length << 20))
        }
    }
}

/// A store on a disk, in real time: a thread that waits for its disk would stop simulated time.
@MainActor
private final class World {
    let store: SegmentStore
    let loading: StoredLoading
    private let loop: MainLoop
    private let network: HeldNetwork

    init(_ disk: GatedDisk) throws {
        loop = try MainLoop(time: .real)
        network = HeldNetwork()
        store = SegmentStore(folder: "/store", clock: loop.clock, disk: disk)
        loading = StoredLoading(network, store: store, clock: loop.clock)
        var isOpen = false
        store.open { _ in isOpen = true }
        run { isOpen }
        store.setAsset("film", metadata: [], isRequired: true) { _ in }
    }

    func run(until isDone: @escaping @MainActor () -> Bool) { loop.run(until: isDone) }

    func download(_ name: String) -> Download { Download("http://origin.test/\(name)", loading, network) }
}

/// A download, and the other end of its transfer.
@MainActor
private final class Download {
    private(set) var result: Result<StoredBody, StoredLoading.DownloadFailure>?
    private let url: String
    private let network: HeldNetwork
    private var sent: Int64 = 0

    init(_ url: String, _ loading: StoredLoading, _ network: HeldNetwork) {
        self.url = url
        self.network = network
        loading.download(ByteRequest(url: url), as: ResourceMatching().key(for: url)) { [weak self] in self?.result = $0 }
    }

    var exchange: HeldNetwork.Exchange? { network.exchanges[url] }
    var isHeld: Bool { exchange?.isHeld ?? false }

    /// A number of megabytes (2^20) arrives.
    func deliver(_ count: Int) {
        for _ in 0..<count {
            sent += 1 << 20
            exchange?.progress?(
                ByteProgress(
                    bytes: [UInt8](repeating: 7, count: 1 << 20), received: sent, expected: nil, elapsed: .zero,
                    timeToFirstByte: .zero))
        }
    }

    func end() {
        exchange?.completion(
            .success(
                ByteResponse(
                    bytes: [], url: url, status: 200, contentType: "video/mp4", timeToFirstByte: .zero, transferDuration: .zero)))
    }
}

/// A network that sends what a test delivers, and keeps whether it is held.
@MainActor
private final class HeldNetwork: ByteLoading {
    final class Exchange: ByteTask {
        let progress: (@MainActor @Sendable (ByteProgress) -> Void)?
        let completion: @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
        private let held = Mutex(false)
        var isHeld: Bool { held.withLock { $0 } }

        init(
            _ progress: (@MainActor @Sendable (ByteProgress) -> Void)?,
            _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
        ) {
            self.progress = progress
            self.completion = completion
        }

        func cancel() {}
        func setHeld(_ isHeld: Bool) { held.withLock { $0 = isHeld } }
    }
    /// The last exchange of each address.
    private(set) var exchanges: [String: Exchange] = [:]

    func load(
        _ request: ByteRequest, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask { start(request, nil, completion) }

    func load(
        _ request: ByteRequest, progress: @escaping @MainActor @Sendable (ByteProgress) -> Void,
        _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask { start(request, progress, completion) }

    nonisolated func stream(_ url: String) -> any ByteStream {
        FailedByteStream(name: url, error: MediaError(.networkDown, "The stream \(url) was opened."))
    }

    private func start(
        _ request: ByteRequest, _ progress: (@MainActor @Sendable (ByteProgress) -> Void)?,
        _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask {
        let exchange = Exchange(progress, completion)
        exchanges[request.url] = exchange
        return exchange
    }
}

/// A disk in memory whose writes wait while it is shut.
private final class GatedDisk: StoreDisk {
    private let disk = MemoryDisk()
    private let gate = DispatchSemaphore(value: 1)

    func shut() { gate.wait() }
    func open() { gate.signal() }

    private final class File: StoreFile {
        private let file: any StoreFile
        private let gate: DispatchSemaphore

        init(_ file: any StoreFile, _ gate: DispatchSemaphore) {
            self.file = file
            self.gate = gate
        }

        func write(_ bytes: [UInt8], at offset: Int64) throws(SystemError) {
            gate.wait()
            gate.signal()
            try file.write(bytes, at: offset)
        }

        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SystemError) -> Int {
            try file.read(into: buffer, at: offset)
        }
        func truncate(to length: Int64) throws(SystemError) { try file.truncate(to: length) }
        func sync() throws(SystemError) { try file.sync() }
        func length() throws(SystemError) -> Int64 { try file.length() }
    }

    func openForWriting(_ path: String) throws(SystemError) -> any StoreFile { File(try disk.openForWriting(path), gate) }
    func makeFolder(_ path: String) throws(SystemError) { try disk.makeFolder(path) }
    func files(in folder: String) throws(SystemError) -> [(name: String, length: Int64)] { try disk.files(in: folder) }
    func openForReading(_ path: String) throws(SystemError) -> any StoreFile { try disk.openForReading(path) }
    func rename(_ path: String, to newPath: String) throws(SystemError) { try disk.rename(path, to: newPath) }
    func remove(_ path: String) throws(SystemError) { try disk.remove(path) }
    func syncFolder(_ path: String) throws(SystemError) { try disk.syncFolder(path) }
    func lock(_ folder: String) throws(SystemError) -> any FolderLock { try disk.lock(folder) }
    func freeBytes(_ path: String) throws(SystemError) -> Int64 { try disk.freeBytes(path) }
}
