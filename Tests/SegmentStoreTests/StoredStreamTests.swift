import Glibc
import LinuxSupport
import MediaModel
import MediaSources
import Synchronization
import Testing

@testable import SegmentStore

@Suite("Streams of stored files")
@MainActor
struct StoredStreamTests {
    private let url = "http://origin.test/film.mp4"
    /// Two whole pieces and a part.
    private let bytes = body(7, Int(2 * FilePieces.length) + 12_345)

    @MainActor
    private final class World {
        let rig: StoreRig
        let origin: FakeOrigin
        let loading: StoredLoading
        private let reader: WorkerThread

        init() throws {
            rig = try StoreRig.opened()
            origin = FakeOrigin(clock: rig.loop.clock)
            origin.chunk = 256 << 10
            loading = StoredLoading(origin, store: rig.store, clock: rig.loop.clock)
            reader = WorkerThread(name: "reader", clock: rig.loop.clock)
        }

        isolated deinit { reader.stop() }

        /// Reads on a worker thread.
        func read(_ stream: any ByteStream, _ count: Int, at offset: Int64? = nil) -> Result<[UInt8], MediaError> {
            rig.wait { done in
                rig.loop.clock.computeWaiting(on: reader, rank: .media) { () -> Result<[UInt8], MediaError> in
                    do throws(MediaError) {
                        if let offset { try stream.seek(to: offset) }
                        return .success(try stream.read(count: count))
                    } catch { return .failure(error) }
                } then: {
                    done($0)
                }
            }
        }

        func download(_ key: ResourceKey, _ url: String) -> Result<StoredBody, StoredLoading.DownloadFailure> {
            rig.wait { loading.download(ByteRequest(url: url, range: key.range), as: key, $0) }
        }
    }

    @Test("a file that is stored whole is read at any place, without a request")
    func whole() throws {
        let world = try World()
        world.rig.put(bytes, named(url))
        let stream = world.loading.stream(url + "?token=1")
        #expect(stream.length == Int64(bytes.count))
        #expect(try world.read(stream, 5000).get() == Array(bytes[..<5000]))
        #expect(try world.read(stream, 100, at: 8_000_000).get() == Array(bytes[8_000_000..<8_000_100]))
        #expect(try world.read(stream, 100, at: Int64(bytes.count) - 10).get() == Array(bytes.suffix(10)))
        #expect(try world.read(stream, 100, at: 1 << 40).get() == [])
        stream.cancel()
        #expect(try world.read(stream, 100, at: 0).get() == [])
        #expect(world.origin.requests.isEmpty)
    }

    @Test("a file of an asset is played while it is downloaded: each piece is loaded once and then stored")
    func pieces() throws {
        let world = try World()
        world.origin.resources[url] = .init(bytes: bytes)
        let first = FilePieces.key(url, at: 0)
        #expect(world.rig.setAsset("film") == nil && world.rig.add([first], to: "film") == nil)
        #expect(try world.download(first, url).get().description.version.length == Int64(bytes.count))
        let keys = FilePieces.keys(url, total: Int64(bytes.count))
        #expect(keys.count == 3 && world.rig.add(keys, to: "film") == nil)
        let stream = world.loading.stream(url)
        #expect(stream.length == Int64(bytes.count))
        #expect(try world.read(stream, bytes.count).get() == bytes)
        #expect(try world.read(stream, 1, at: Int64(bytes.count)).get() == [])
        for key in keys { #expect(try world.download(key, url).get().length > 0) }
        #expect(world.rig.complete("film") == nil)
        #expect(world.origin.requests.map(\.range) == keys.map(\.range))
        // Everything is stored: the origin may go.
        world.origin.resources = [:]
        let offline = world.loading.stream(url)
        for offset in [0, FilePieces.length - 1, FilePieces.length, 2 * FilePieces.length + 12_344] {
            let expected = Array(bytes[Int(offset)...].prefix(2000))
            #expect(try world.read(offline, 2000, at: offset).get() == expected)
        }
        #expect(world.origin.requests.count == 3)
    }

    @Test("a piece that cannot be loaded fails the reading, and is tried again after a seek")
    func failure() throws {
        let world = try World()
        let keys = FilePieces.keys(url, total: Int64(bytes.count))
        #expect(world.rig.setAsset("film") == nil && world.rig.add(keys, to: "film") == nil)
        let stream = world.loading.stream(url)
        #expect(world.read(stream, 10).failure?.fault == .status(404))
        world.origin.resources[url] = .init(bytes: Array(bytes.prefix(5000)))
        #expect(try world.read(stream, 10, at: 0).get() == Array(bytes.prefix(10)))
        #expect(try world.read(stream, 10_000, at: 4000).get() == Array(bytes[4000..<5000]))
    }

    @Test("cancelling a stream ends its reading and its transfer")
    func cancelling() throws {
        let world = try World()
        world.origin.resources[url] = .init(bytes: bytes)
        let keys = FilePieces.keys(url, total: Int64(bytes.count))
        #expect(world.rig.setAsset("film") == nil && world.rig.add(keys, to: "film") == nil)
        let stream = world.loading.stream(url)
        world.rig.loop.clock.schedule(after: .milliseconds(350)) { stream.cancel() }
        #expect(try world.read(stream, 10).get() == [])
        var isOver = false
        world.rig.loop.clock.schedule(after: .seconds(1)) { isOver = true }
        world.rig.loop.run(until: { isOver })
        #expect(world.origin.cancelled.first == url)
    }

    @Test("a file that no asset has is streamed from the network")
    func plain() throws {
        let world = try World()
        let stream = world.loading.stream(url)
        #expect(world.read(stream, 10).failure?.sentence.contains("was opened at the origin") == true)
    }
}
