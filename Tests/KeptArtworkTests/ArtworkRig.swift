import LinuxSupport
import MediaModel
import NetworkConditions
import StatusModel
import TestSupport

@testable import KeptArtwork
@testable import SegmentStore

/// A cache of artwork in simulated time, with a scripted server and a disk in memory. Pictures begin with the letter P.
@MainActor
final class ArtworkRig {
    let loop: MainLoop
    let script: OriginScript
    let disk: MemoryDisk
    let files: ArtworkFiles
    let cache: ArtworkCache
    let log: LogBook
    /// The addresses that were said to have another picture.
    private(set) var changes: [String] = []
    private let thread: WorkerThread
    private var listening: Subscription?
    private var isClosed = false

    static let folder = "/artwork"

    /// - Parameters:
    ///   - old: the same box before its restart, with its disk and its server.
    init(after old: ArtworkRig? = nil, disk: MemoryDisk? = nil, limits: ArtworkFiles.Limits = .init()) throws {
        old?.close()
        loop = try MainLoop(time: .simulated)
        script = old?.script ?? OriginScript()
        self.disk = disk ?? old?.disk ?? MemoryDisk()
        let clock = loop.clock
        log = LogBook(clock: clock)
        let origin = SimulatedOrigin(clock: clock, script: script)
        files = ArtworkFiles(folder: Self.folder, disk: self.disk, clock: clock, log: log, limits: limits)
        thread = WorkerThread(name: "artwork", clock: clock)
        cache = ArtworkCache(loader: origin, network: origin, files: files, clock: clock, log: log, thread: thread) { bytes in
            bytes.first == UInt8(ascii: "P") ? nil : MediaError(.sourceFormat, "Decoding failed: it is no picture.")
        }
        listening = cache.changes.listen { [weak self] in self?.changes.append($0) }
    }

    isolated deinit { close() }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        cache.close()
        thread.stop()
    }

    nonisolated static func address(_ name: String) -> String { "https://cdn.example/\(name).jpg" }

    nonisolated static func picture(_ words: String, length: Int = 1000) -> [UInt8] {
        var bytes = Array("P \(words) ".utf8)
        while bytes.count < length { bytes.append(UInt8(truncatingIfNeeded: bytes.count &* 31)) }
        return bytes
    }

    func put(_ name: String, _ words: String, cacheControl: String? = nil) {
        script.put(Self.picture(words), at: Self.address(name), cacheControl: cacheControl)
    }

    /// Asks for a picture and waits until it is given; nil if there is none.
    func load(address: String) -> [UInt8]? {
        var answer: Result<[UInt8], MediaError>?
        cache.load(address) { answer = $0 }
        loop.run(until: { answer != nil })
        return try? answer!.get()
    }

    /// What a picture says; nil if there is none.
    func words(of name: String) -> String? {
        load(address: Self.address(name)).map { bytes in
            String(decoding: bytes.dropFirst(2).prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
        }
    }

    func run(for seconds: Int) { loop.run(within: .seconds(seconds), until: { false }) }

    /// Until everything that was begun has ended.
    func settle() { run(for: 1) }

    func takeChanges() -> [String] {
        defer { changes = [] }
        return changes
    }

    /// The requests for a picture, with the header lines that ask for news.
    func requests(for name: String) -> [[String]] {
        script.requests.filter { $0.url == Self.address(name) }.map { $0.headers.filter { $0.hasPrefix("If-") } }
    }

    /// The files with pictures.
    var bodies: [String] { disk.names(Self.folder + "/bodies") }

    var warnings: [String] { log.tail(1000).filter { $0.contains("artwork:") } }
}
