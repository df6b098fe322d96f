import Cryptography
import Glibc
import LinuxSupport
import MediaModel
import MediaSources
import Testing

@testable import SegmentStore

@Suite("Loading through the store")
@MainActor
struct StoredLoadingTests {
    private let url = "http://origin.test/a.m4s?token=1"
    private let key = ResourceMatching().key(for: "http://origin.test/a.m4s")
    private let bytes = body(1, 10_500)

    @MainActor
    private struct World {
        let rig: StoreRig
        let origin: FakeOrigin
        let loading: StoredLoading

        /// - Parameter members: of the asset `film`.
        init(_ members: [ResourceKey], _ disk: MemoryDisk = MemoryDisk()) throws {
            rig = try StoreRig.opened(disk)
            origin = FakeOrigin(clock: rig.loop.clock)
            loading = StoredLoading(origin, store: rig.store, clock: rig.loop.clock)
            _ = rig.setAsset("film")
            _ = rig.add(members, to: "film")
        }

        func load(_ request: ByteRequest) -> Result<ByteResponse, MediaError> { rig.wait { loading.load(request, $0) } }
        func download(
            _ url: String, _ key: ResourceKey, _ expected: ExpectedBody = .init()
        ) -> Result<StoredBody, StoredLoading.DownloadFailure> {
            rig.wait { loading.download(ByteRequest(url: url, range: key.range), as: key, expecting: expected, $0) }
        }
        func run(for length: Duration) {
            var isOver = false
            rig.loop.clock.schedule(after: length, rank: .display) { isOver = true }
            rig.loop.run(until: { isOver })
        }
    }

    @Test("what was downloaded is not requested again, also under an address that was signed anew")
    func readsThrough() throws {
        let world = try World([key])
        world.origin.resources[url] = .init(bytes: bytes, redirect: "http://cdn.test/x/a.m4s")
        #expect(try world.download(url, key).get().length == 10_500)
        #expect(try world.download(url, key).get().length == 10_500)
        let response = try world.load(ByteRequest(url: "http://origin.test/a.m4s?token=2")).get()
        #expect(response.bytes == bytes && response.status == 200 && response.contentType == "video/mp4" && response.isStored)
        #expect(response.url == "http://cdn.test/x/a.m4s")
        let part = try world.load(ByteRequest(url: url, range: 100..<5000)).get()
        #expect(part.bytes == Array(bytes[100..<5000]) && part.status == 206)
        var pieces: [UInt8] = []
        let streamed: Result<ByteResponse, MediaError> = world.rig.wait {
            world.loading.load(ByteRequest(url: url), progress: { pieces += $0.bytes }, $0)
        }
        #expect(try streamed.get().bytes.isEmpty && pieces == bytes)
        #expect(world.origin.requests.count == 1)
    }

    @Test("the page of a network that wants a sign-in is passed on and never stored, whole or in part")
    func webPages() throws {
        let world = try World([key])
        let page = Array(("\n<!DOCTYPE html><title>Welcome</title>" + String(repeating: "Please sign in. ", count: 600)).utf8)
        world.origin.resources[url] = .init(bytes: page)
        #expect(try world.load(ByteRequest(url: url)).get().bytes == page)
        guard case .failure(.loading(let error)) = world.download(url, key) else {
            Issue.record("a web page was stored")
            return
        }
        #expect(error.fault == .webPage && world.rig.store.bodies.body(of: key) == nil)
        let task = world.loading.download(ByteRequest(url: url), as: key) { _ in Issue.record("cancelled") }
        world.run(for: .milliseconds(450))
        task.cancel()
        world.run(for: .seconds(1))
        #expect(world.rig.store.partial(of: key) == nil && world.rig.store.usage.total == 0)
        // Afterwards it is stored. Documents may be of markup.
        world.origin.resources[url] = .init(bytes: bytes)
        #expect(try world.download(url, key).get().length == 10_500)
        let captions = "http://origin.test/captions.ttml"
        let captionsKey = ResourceMatching().key(for: captions)
        #expect(world.rig.add([captionsKey], to: "film") == nil)
        world.origin.resources[captions] = .init(bytes: Array("<?xml version=\"1.0\"?><tt/>".utf8))
        _ = world.load(ByteRequest(url: captions, kind: .captions))
        world.run(for: .seconds(1))
        #expect(world.rig.store.bodies.body(of: captionsKey) != nil)
    }

    @Test("a player that joins a download shares its transfer from the first byte")
    func joins() throws {
        let world = try World([key])
        world.origin.resources[url] = .init(bytes: bytes)
        var stored: Result<StoredBody, StoredLoading.DownloadFailure>?
        var counts: [Int64] = []
        world.loading.download(ByteRequest(url: url), as: key, progress: { counts.append($0) }) { stored = $0 }
        world.run(for: .milliseconds(550))
        var pieces: [[UInt8]] = []
        var played: Result<ByteResponse, MediaError>?
        var whole: Result<ByteResponse, MediaError>?
        world.loading.load(ByteRequest(url: url), progress: { pieces.append($0.bytes) }) { played = $0 }
        world.run(for: .milliseconds(10))
        #expect(pieces.first == Array(bytes[..<5000]))
        world.loading.load(ByteRequest(url: url)) { whole = $0 }
        world.rig.loop.run(until: { stored != nil && played != nil && whole != nil })
        #expect(pieces.flatMap(\.self) == bytes)
        #expect(try whole?.get().bytes == bytes)
        #expect(try whole?.get().isStored == false && played?.get().isStored == false)
        #expect(counts.first == 1000 && counts.last == 10_500)
        #expect(world.origin.requests.count == 1)
    }

    @Test("a download that joins a player shares its transfer, and each of the two may be cancelled alone", arguments: [0, 1])
    func cancelsOne(which: Int) throws {
        let world = try World([key])
        world.origin.resources[url] = .init(bytes: bytes)
        var played: Result<ByteResponse, MediaError>?
        var stored: Result<StoredBody, StoredLoading.DownloadFailure>?
        let tasks = [
            world.loading.load(ByteRequest(url: url)) { played = $0 },
            world.loading.download(ByteRequest(url: url), as: key) { stored = $0 },
        ]
        world.run(for: .milliseconds(250))
        tasks[which].cancel()
        world.run(for: .seconds(5))
        #expect((played == nil) == (which == 0) && (stored == nil) == (which == 1))
        #expect(try played?.get().bytes ?? bytes == bytes)
        #expect(try world.rig.read(key).get() == bytes)
        #expect(world.origin.requests.count == 1 && world.origin.cancelled.isEmpty)
    }

    @Test("when everyone has cancelled, the transfer ends, its bytes stay, and the next one asks for the rest only")
    func resumes() throws {
        let world = try World([key])
        world.origin.resources[url] = .init(bytes: bytes)
        let tasks = (0..<2).map { _ in world.loading.download(ByteRequest(url: url), as: key) { _ in Issue.record("cancelled") } }
        world.run(for: .milliseconds(450))
        tasks.forEach { $0.cancel() }
        world.run(for: .seconds(1))
        #expect(world.origin.cancelled == [url] && world.rig.store.bodies.partialLength(of: key) == 4000)
        var pieces: [UInt8] = []
        var played: Result<ByteResponse, MediaError>?
        world.loading.load(ByteRequest(url: url), progress: { pieces += $0.bytes }) { played = $0 }
        #expect(try world.download(url, key, ExpectedBody(sha256: SHA256.digest(bytes))).get().length == 10_500)
        #expect(try played?.get().status == 200 && pieces == bytes)
        // The first 4,000 bytes took no time of this transfer.
        #expect(try played?.get().isStored == true)
        #expect(world.origin.requests.count == 2)
        #expect(world.origin.requests[1].range == 4000..<Int64.max && world.origin.requests[1].headers == ["If-Range: \"1\""])
    }

    @Test("a transfer that breaks fails everyone and continues where it broke")
    func breaks() throws {
        let range = ResourceKey(name: key.name, range: 100..<8100)
        let world = try World([range])
        world.origin.resources[url] = .init(bytes: bytes, breaksAfter: 3000)
        #expect(world.download(url, range).failure == .loading(.loading(url, failed: .broken)))
        world.origin.resources[url]?.breaksAfter = nil
        #expect(try world.download(url, range).get().length == 8000)
        #expect(world.origin.requests[1].range == 3100..<8100)
        #expect(try world.rig.read(range).get() == Array(bytes[100..<8100]))
    }

    @Test("an origin that has changed the file between two requests is asked for the whole again", arguments: [false, true])
    func changed(hasSameValidator: Bool) throws {
        let world = try World([key])
        world.origin.resources[url] = .init(bytes: bytes, breaksAfter: 5000)
        _ = world.download(url, key)
        let new = body(2, 9000)
        // Where the validator is the same, the length tells that it is another file.
        world.origin.resources[url] = .init(bytes: new, validator: hasSameValidator ? "\"1\"" : "\"2\"")
        var pieces: [UInt8] = []
        let played: Result<ByteResponse, MediaError> = world.rig.wait {
            world.loading.load(ByteRequest(url: url), progress: { pieces += $0.bytes }, $0)
        }
        #expect(try played.get().status == 200 && pieces == new)
        world.run(for: .seconds(1))
        #expect(try world.rig.read(key).get() == new)
        #expect(world.rig.disk.names(StoreRig.bodies).count == 1)
    }

    @Test("a file without validator is loaded anew, and a range beyond a file that shrank too")
    func withoutValidator() throws {
        let world = try World([key])
        world.origin.resources[url] = .init(bytes: bytes, validator: nil, breaksAfter: 5000)
        _ = world.download(url, key)
        world.origin.resources[url] = .init(bytes: bytes, validator: nil)
        #expect(try world.download(url, key).get().length == 10_500)
        #expect(world.origin.requests[1].range == nil)
    }

    @Test("answers that are not what was asked for are passed on and not stored")
    func wrongAnswers() throws {
        let range = ResourceKey(name: key.name, range: 0..<2000)
        let world = try World([key, range])
        world.origin.resources[url] = .init(bytes: bytes, statedLength: 20_000)
        #expect(try world.load(ByteRequest(url: url)).get().bytes == bytes)
        #expect(world.download(url, key).failure?.isStoring(.wrongLength) == true)
        world.origin.resources[url] = .init(bytes: bytes, surplus: 500)
        #expect(try world.load(ByteRequest(url: url, range: 0..<2000)).get().bytes.count == 2500)
        #expect(world.download(url, range).failure?.isStoring(.wrongLength) == true)
        world.origin.resources[url] = .init(bytes: bytes, status: 403)
        #expect(world.load(ByteRequest(url: url)).failure?.fault == .status(403))
        world.origin.resources[url] = .init(bytes: bytes)
        #expect(world.download(url, key, ExpectedBody(sha256: SHA256.digest([]))).failure?.isStoring(.wrongDigest) == true)
        world.rig.settle()
        #expect(world.rig.disk.names(StoreRig.bodies).isEmpty)
    }

    @Test("playlists, and what belongs to no asset, are never stored; a stored playlist is read")
    func playlists() throws {
        let list = "http://origin.test/list.m3u8"
        let listKey = ResourceKey(name: list)
        let world = try World([listKey])
        world.origin.resources[list] = .init(bytes: bytes)
        world.origin.resources[url] = .init(bytes: bytes)
        for _ in 0..<2 { _ = try world.load(ByteRequest(url: list, kind: .playlist)).get() }
        for _ in 0..<2 { _ = try world.load(ByteRequest(url: url)).get() }
        #expect(world.origin.requests.count == 4 && world.rig.store.usage.total == 0)
        world.rig.put([1, 2], listKey)
        #expect(try world.load(ByteRequest(url: list, kind: .playlist)).get().bytes == [1, 2])
        #expect(world.origin.requests.count == 4)
        var post = ByteRequest(url: list)
        post.body = [1]
        _ = world.load(post)
        #expect(world.origin.requests.count == 5)
    }

    @Test("a disk that is full, read-only or gone never keeps a player from its bytes")
    func failingDisk() throws {
        for code in [ENOSPC, EROFS, EIO] {
            for number in 1...12 {
                let world = try World([key])
                world.origin.resources[url] = .init(bytes: bytes)
                world.rig.disk.failChange(number, code, andAllAfter: true)
                let stored: Result<StoredBody, StoredLoading.DownloadFailure> = world.rig.wait { done in
                    world.loading.download(ByteRequest(url: url), as: key, done)
                    world.loading.load(ByteRequest(url: url)) { #expect((try? $0.get().bytes) == bytes) }
                }
                if case .failure(.loading) = stored { Issue.record("the network did not fail") }
                #expect(try world.load(ByteRequest(url: url)).get().bytes == bytes)
            }
        }
        let world = try World([key])
        world.origin.resources[url] = .init(bytes: bytes)
        _ = try world.download(url, key).get()
        world.rig.disk.vanish()
        #expect(try world.load(ByteRequest(url: url)).get().bytes == bytes)
        #expect(world.origin.requests.count == 2)
    }

    @Test("a damaged body is loaded and stored again")
    func damage() throws {
        let world = try World([key])
        world.origin.resources[url] = .init(bytes: bytes)
        _ = try world.download(url, key).get()
        let path = "\(StoreRig.bodies)/\(BodyDigest(of: bytes).hexadecimal)"
        world.rig.disk.damage(path) { $0.removeLast() }
        #expect(try world.load(ByteRequest(url: url)).get().bytes == bytes)
        world.run(for: .seconds(1))
        #expect(try world.rig.read(key).get() == bytes)
        #expect(world.origin.requests.count == 2)
    }

    @Test("removing an asset during its download leaves nothing")
    func removedMeanwhile() throws {
        for milliseconds in stride(from: 50, through: 1250, by: 100) {
            let world = try World([key])
            world.origin.resources[url] = .init(bytes: bytes)
            let task = world.loading.download(ByteRequest(url: url), as: key) { _ in }
            world.run(for: .milliseconds(milliseconds))
            _ = world.rig.removeAsset("film")
            if milliseconds % 200 == 50 { task.cancel() }
            world.run(for: .seconds(3))
            world.rig.settle()
            #expect(world.rig.disk.names(StoreRig.bodies).isEmpty && world.rig.store.usage == StoreUsage())
        }
    }

    @Test(
        "drawn requests and cancellations: each is answered once with the right bytes, and no resource is loaded twice at a time")
    func drawn() throws {
        for seed in 1...30 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            let urls = (0..<4).map { "http://origin.test/\($0).m4s" }
            let world = try World(urls.dropLast().map { ResourceKey(name: $0) })
            for (index, url) in urls.enumerated() {
                world.origin.resources[url] = .init(bytes: body(index, 2000 + index * 1500))
            }
            var answers: [Int: Int] = [:]
            var cancelled: Set<Int> = []
            var tasks: [any ByteTask] = []
            for number in 0..<40 {
                let index = Int.random(in: 0..<3, using: &random)
                let url = urls[index]
                let expected = body(index, 2000 + index * 1500)
                if Bool.random(using: &random) {
                    tasks.append(
                        world.loading.load(ByteRequest(url: url)) { result in
                            answers[number, default: 0] += 1
                            #expect((try? result.get().bytes) == expected)
                        })
                } else {
                    tasks.append(
                        world.loading.download(ByteRequest(url: url), as: ResourceKey(name: url)) { result in
                            answers[number, default: 0] += 1
                            if let body = try? result.get() { #expect(body.length == Int64(expected.count)) }
                        })
                }
                if Int.random(in: 0..<3, using: &random) == 0 {
                    let victim = Int.random(in: 0...number, using: &random)
                    if answers[victim] == nil {
                        cancelled.insert(victim)
                        tasks[victim].cancel()
                    }
                }
                if Int.random(in: 0..<12, using: &random) == 0 { _ = world.rig.removeResource(ResourceKey(name: url)) }
                world.run(for: .milliseconds(Int64.random(in: 0..<300, using: &random)))
            }
            world.run(for: .seconds(10))
            for number in 0..<40 { #expect((answers[number] ?? 0) == (cancelled.contains(number) ? 0 : 1), "\(seed) \(number)") }
            #expect(world.origin.mostRunning == 1)
            world.rig.settle()
            #expect(
                world.rig.disk.names(StoreRig.bodies).count == world.rig.store.bodies.index.digests.count
                    + world.rig.store.bodies.index.partials.count)
        }
    }
}

extension StoredLoading.DownloadFailure {
    fileprivate func isStoring(_ reason: StoreError.Reason) -> Bool {
        if case .storing(let error) = self { error.reason == reason } else { false }
    }
}
