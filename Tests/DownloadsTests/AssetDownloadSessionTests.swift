import Cryptography
import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaSources
import NetworkConditions
import SegmentStore
import StatusModel
import TestSupport
import Testing
import WireFormats

@testable import Downloads

/// A box's downloads in simulated time: a server, a store on the disk, and sessions that follow one another.
@MainActor
private final class Rig {
    let folder = ScratchFolder("downloads")
    let script: OriginScript
    let loop: MainLoop
    let store: SegmentStore
    let session: AssetDownloadSession
    let loading: StoredLoading
    let network: SimulatedOrigin
    var cache: AssetCache { AssetCache(session) }
    private(set) var changes: [String] = []
    private var subscription: Subscription?
    private let other: ScratchFolder?

    init(
        continuing previous: Rig? = nil, script: OriginScript = OriginScript(), bitRate: Int64? = nil,
        languages: [String] = ["en", "de"]
    ) throws {
        other = previous?.folder
        self.script = previous?.script ?? script
        loop = try MainLoop(time: .simulated)
        let clock = loop.clock
        store = SegmentStore(folder: (other ?? folder).path + "/store", clock: clock)
        let origin = SimulatedOrigin(clock: clock, script: self.script)
        network = origin
        loading = StoredLoading(origin, store: store, clock: clock)
        session = AssetDownloadSession(
            .init(store: store, loading: loading, network: origin, clock: clock, log: LogBook(clock: clock)),
            policy: DownloadPolicy(window: nil, bitRate: bitRate, freeBytes: 0), configuration: Film.configuration([]),
            conditions: DownloadConditions())
        subscription = session.changes.listen { [weak self] in self?.changes.append($0) }
        store.open { [weak self] _ in self?.session.start(languages: languages) }
    }

    func close() {
        session.close()
        store.close()
    }

    isolated deinit { close() }

    @discardableResult
    func run(_ limit: Duration = .seconds(3600), until isDone: () -> Bool) -> Bool { loop.run(within: limit, until: isDone) }

    /// What a player without a network reads.
    func stored(_ url: String, _ range: Range<Int64>? = nil) -> [UInt8]? {
        let key = ResourceMatching().key(for: url, range: range)
        return try? store.bodies.read(key)
    }

    /// How often each address was requested.
    var counts: [String: Int] { script.requests.reduce(into: [:]) { $0[$1.url, default: 0] += 1 } }
}

extension OriginScript {
    /// Puts the film with its segments.
    fileprivate func putFilm(query: String = "") {
        for (name, text) in PlaylistServer(query: query).texts {
            put(text, at: "/film/" + name + (name == "main.m3u8" ? "?token=1" : ""))
        }
        for name in ["low", "mid", "high", "en", "de", "fr", "s-en", "s-forced", "keys"] {
            for number in 0..<3 {
                put(Array(repeating: UInt8(number), count: 1000 + number), at: "/film/\(name)-\(number).ts" + query)
            }
        }
        put([1, 2, 3], at: "/poster.jpg")
    }
}

@MainActor
@Suite struct AssetDownloadSessionTests {
    private static let film = WantedDownload(Film.asset, .required)

    @Test func aFilmIsStoredWithItsPlaylistsAndEachResourceIsRequestedOnce() throws {
        let script = OriginScript()
        script.putFilm()
        let rig = try Rig(script: script)
        rig.session.want([Self.film])
        #expect(!rig.cache.isPlayableOffline("film"))
        #expect(rig.run { rig.session.localOptions(of: "film").count == 4 })
        #expect(rig.cache.mediaSelectionOptions(of: "film", .audible).map(\.name) == ["English", "Deutsch"])
        #expect(rig.cache.isPlayableOffline("film") && rig.session.state(of: "film") == .saved)
        #expect(rig.cache.size(of: "film") > 12_000)
        #expect(rig.changes.contains("film"))
        // Playlists are loaded once for each selection, everything else once.
        #expect(rig.counts.filter { !$0.key.contains(".m3u8") }.values.allSatisfy { $0 == 1 })
        let root = try #require(rig.stored(Film.address))
        let playlist = try #require(PlaylistParser(url: Film.address).parse(root).playlist?.multivariant)
        #expect(playlist.renditions.map(\.name) == ["English", "Deutsch", "English", "Forced"])
        for uri in playlist.variants.map(\.uri) + playlist.renditions.compactMap(\.uri) {
            let text = try #require(rig.stored(uri))
            let media = try #require(PlaylistParser(url: uri).parse(text).playlist?.media)
            for segment in media.segments { #expect(rig.stored(segment.uri) != nil) }
        }
        #expect(rig.stored("https://cdn.example/poster.jpg") == [1, 2, 3])
    }

    @Test func theSizeIsThatOfTheStoreAtEachMomentAndAPartOfTheListIsWhatItSays() throws {
        let script = OriginScript()
        script.putFilm()
        script.fail("*", with: .latency(.milliseconds(50)))
        let rig = try Rig(script: script)
        func counted() -> Int64 { rig.store.assetIDs.reduce(0) { $0 + (rig.store.size(of: $1)?.bytes ?? 0) } }
        rig.session.want([
            Self.film, WantedDownload(DownloadableAsset(id: "none", streams: [], companions: []), .opportunistic),
        ])
        var sizes: Set<Int64> = []
        for _ in 0..<300 {
            rig.run(.milliseconds(10)) { false }
            guard let listed = rig.session.statuses(0..<1).first else { continue }
            #expect(listed.bytes == counted())
            sizes.insert(listed.bytes)
        }
        #expect(rig.session.localOptions(of: "film").count == 4)
        #expect(sizes.count > 3 && rig.session.size(of: "film") == counted())
        #expect(rig.session.statuses(0..<1).map(\.id) == ["film"] && rig.session.statuses(1..<9).map(\.id) == ["none"])
        #expect(rig.session.statuses(2..<9).isEmpty && rig.session.statuses(0..<Int.max).count == 2 && rig.session.count == 2)
    }

    @Test func theFirstPlaylistIsThereOnlyWhenEverythingElseIs() throws {
        let script = OriginScript()
        script.putFilm()
        script.fail("/film/en-2.ts", with: .status(503), during: .zero..<Duration.seconds(60))
        let rig = try Rig(script: script)
        rig.session.want([Self.film])
        rig.run(.seconds(50)) { false }
        #expect(rig.stored("https://cdn.example/film/mid-0.ts") != nil && rig.stored(Film.address) == nil)
        #expect(rig.stored("https://cdn.example/film/mid.m3u8") == nil && !rig.cache.isPlayableOffline("film"))
        #expect(rig.run { rig.cache.isPlayableOffline("film") })
    }

    /// A box that is switched off at any moment continues; nothing that was stored is requested again.
    @Test func aRestartAtAnyMomentRequestsNothingTwice() throws {
        for moment in stride(from: 0, to: 40, by: 4) {
            let script = OriginScript()
            script.putFilm()
            let first = try Rig(script: script, languages: [])
            first.session.want([Self.film])
            // Each answer takes a while, so that there are moments between them.
            script.fail("*", with: .latency(.milliseconds(100)))
            first.run(.milliseconds(25 * moment)) { false }
            first.close()
            let before = first.counts
            let second = try Rig(continuing: first, languages: [])
            second.session.want([Self.film])
            #expect(second.run { second.cache.isPlayableOffline("film") })
            // At most the requests that were under way are made again: several, because they are so short.
            let again = second.counts.filter { !$0.key.contains(".m3u8") && $0.value > 1 }
            #expect(again.count <= ResourceLoading.mostRequests, "cut after \(25 * moment) ms: \(again), \(before.count) before")
            second.close()
            // The third start has it at once, without a request.
            let count = script.requests.count
            let third = try Rig(continuing: first, languages: [])
            third.session.want([Self.film])
            #expect(third.run(.seconds(5)) { third.cache.isPlayableOffline("film") })
            #expect(script.requests.count == count)
            third.close()
        }
    }

    /// A network that wants a sign-in answers everything with its page, from some moment on and for two minutes.
    @Test(arguments: [0, 150, 400]) func webPagesInPlaceOfAFilmAreNeverStored(moment: Int) throws {
        let script = OriginScript()
        script.putFilm()
        script.fail("*", with: .latency(.milliseconds(100)))
        let page = "<!doctype html><title>Welcome</title>" + String(repeating: "Please sign in. ", count: 90)
        script.fail("*", with: .body(Array(page.utf8)), during: .milliseconds(moment)..<Duration.seconds(120))
        let rig = try Rig(script: script)
        rig.session.want([Self.film])
        rig.run(.seconds(119)) { false }
        #expect(!rig.cache.isPlayableOffline("film"))
        #expect(rig.run(.seconds(1000)) { rig.cache.isPlayableOffline("film") })
        for number in 0..<3 {
            let bytes = Array(repeating: UInt8(number), count: 1000 + number)
            for name in ["mid", "en"] { #expect(rig.stored("https://cdn.example/film/\(name)-\(number).ts") == bytes) }
        }
        let root = try #require(rig.stored(Film.address))
        #expect(root.starts(with: Array("#EXTM3U".utf8)))
        // A player behind such a network has the stored playlists.
        script.fail("*", with: .body(Array(page.utf8)))
        let saved = SavedAssetLoading(network: rig.network, stored: rig.loading, bodies: rig.store.bodies)
        var result: Result<ByteResponse, MediaError>?
        saved.load(ByteRequest(url: Film.address, kind: .playlist)) { result = $0 }
        rig.run { result != nil }
        #expect(try result?.get().bytes == root)
    }

    @Test func whatIsNoLongerWantedIsRemovedWithEverythingThatOnlyItHad() throws {
        let script = OriginScript()
        script.putFilm()
        let rig = try Rig(script: script)
        rig.session.want([Self.film])
        #expect(rig.run { rig.session.localOptions(of: "film").count == 4 })
        rig.session.want([])
        rig.run(.seconds(5)) { false }
        #expect(rig.store.assetIDs.isEmpty && rig.store.usage.total == 0 && rig.session.state(of: "film") == .none)
        #expect(rig.stored(Film.address) == nil)
        rig.close()
        // Also when the box was off when the feed changed.
        let second = try Rig(script: script)
        second.session.want([Self.film])
        #expect(second.run { second.cache.isPlayableOffline("film") })
        second.close()
        let third = try Rig(continuing: second)
        third.session.want([])
        third.run(.seconds(5)) { false }
        #expect(third.store.assetIDs.isEmpty && third.store.usage.total == 0)
    }

    @Test func addressesThatExpireAreRenewed() throws {
        let script = OriginScript()
        script.putFilm(query: "?t=old")
        let rig = try Rig(script: script, languages: [])
        rig.session.want([Self.film])
        #expect(rig.run { rig.stored("https://cdn.example/film/mid-0.ts?t=old") != nil })
        script.fail("/film/mid-1.ts?t=old", with: .status(403))
        script.fail("/film/mid-2.ts?t=old", with: .status(403))
        script.putFilm(query: "?t=new")
        #expect(rig.run { rig.cache.isPlayableOffline("film") })
        // The player finds them under the addresses of the stored playlist.
        let text = try #require(rig.stored("https://cdn.example/film/mid.m3u8"))
        let media = try #require(PlaylistParser().parse(text).playlist?.media)
        #expect(media.segments.count == 3 && media.segments.allSatisfy { rig.stored($0.uri) != nil })
    }

    @Test func filesAreStoredInPiecesAndCompared() throws {
        let film = (0..<9).flatMap { Array(repeating: UInt8($0), count: 1 << 20) }
        for isGood in [true, false] {
            let script = OriginScript()
            script.put(film, at: "/f.mp4")
            let digest = isGood ? SHA256.digest(film).hexadecimal : String(repeating: "0", count: 64)
            let rig = try Rig(script: script)
            let asset = DownloadableAsset(id: "f", streams: [.init(url: "https://cdn.example/f.mp4", sha256: digest)])
            rig.session.want([WantedDownload(asset, .opportunistic)])
            rig.run(.seconds(4)) { rig.cache.isPlayableOffline("f") }
            #expect(rig.cache.isPlayableOffline("f") == isGood)
            if isGood {
                #expect(rig.stored("https://cdn.example/f.mp4", 4 << 20..<8 << 20) == Array(film[4 << 20..<8 << 20]))
                #expect(rig.cache.size(of: "f") >= 9 << 20)
            }
        }
    }

    @Test func theCapHoldsOverTheWholeDownload() throws {
        let script = OriginScript()
        for name in ["low", "mid", "high"] {
            script.put(Film.media(name, segments: 30), at: "/film/\(name).m3u8")
            for number in 0..<30 { script.put(Array(repeating: 7, count: 50_000), at: "/film/\(name)-\(number).ts") }
        }
        // 1.5 MB at 100 kbit/s take two minutes.
        let rig = try Rig(script: script, bitRate: 100_000)
        let asset = DownloadableAsset(id: "x", streams: [.init(url: "https://cdn.example/film/mid.m3u8")])
        rig.session.want([WantedDownload(asset, .required)])
        #expect(rig.run { rig.cache.isPlayableOffline("x") })
        let seconds = Double(rig.loop.clock.now.nanoseconds) / 1e9
        // The last segment may still be unpaid.
        #expect(seconds >= 29 * 4 && seconds < 130)
        for request in script.requests {
            let paid = Double(script.requests.filter { $0.elapsed < request.elapsed }.count - 2) * 4
            #expect(Double(request.elapsed.wholeNanoseconds) / 1e9 >= paid - 1)
        }
    }

    /// A film whose segments are ranges of one file, with sound in another.
    private func putRanges(_ script: OriginScript, ranges: Int = 30, length: Int = 50_000) -> DownloadableAsset {
        for name in ["video", "sound"] {
            let lines = (0..<ranges).map { "#EXTINF:4,\n#EXT-X-BYTERANGE:\(length)@\($0 * length)\n\(name).ts\n" }.joined()
            script.put("#EXTM3U\n#EXT-X-TARGETDURATION:4\n\(lines)#EXT-X-ENDLIST\n", at: "/film/\(name).m3u8")
            script.put((0..<ranges).flatMap { [UInt8](repeating: UInt8($0), count: length) }, at: "/film/\(name).ts")
        }
        script.put(
            """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="sound.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=100000,RESOLUTION=640x360,CODECS="avc1.4d401e,mp4a.40.2",AUDIO="a"
            video.m3u8
            """, at: "/film/ranges.m3u8")
        return DownloadableAsset(id: "x", streams: [.init(url: "https://cdn.example/film/ranges.m3u8")])
    }

    @Test func adjoiningRangesOfOneFileAreOneRequestAndAreStoredOneByOne() throws {
        let script = OriginScript()
        let asset = putRanges(script)
        let rig = try Rig(script: script)
        rig.session.want([WantedDownload(asset, .required)])
        #expect(rig.run { rig.cache.isPlayableOffline("x") })
        // 30 ranges of 50 kB each are 1.5 MB a file.
        let requests = script.requests.filter { $0.url.hasSuffix(".ts") }
        #expect(requests.map(\.range) == [0..<1_500_000, 0..<1_500_000])
        for number in [0, 7, 29] {
            let range = Int64(number * 50_000)..<Int64(number * 50_000 + 50_000)
            #expect(rig.stored("https://cdn.example/film/video.ts", range) == [UInt8](repeating: UInt8(number), count: 50_000))
        }
    }

    @Test func aBrokenConnectionInARunOfRangesLosesNothingThatHadArrived() throws {
        let script = OriginScript()
        let asset = putRanges(script)
        script.fail("/film/video.ts", with: .reset(after: 420_000), times: 1)
        let rig = try Rig(script: script)
        rig.session.want([WantedDownload(asset, .required)])
        #expect(rig.run { rig.cache.isPlayableOffline("x") })
        let ranges = script.requests.filter { $0.url.hasSuffix("video.ts") }.compactMap(\.range)
        #expect(ranges.first == 0..<1_500_000)
        // The eight whole ranges, and the 20 kB of the ninth, are not asked for again.
        #expect(ranges.dropFirst().allSatisfy { $0.lowerBound >= 420_000 } && ranges.contains { $0.lowerBound == 420_000 })
        for number in 0..<30 {
            let range = Int64(number * 50_000)..<Int64(number * 50_000 + 50_000)
            #expect(rig.stored("https://cdn.example/film/video.ts", range) == [UInt8](repeating: UInt8(number), count: 50_000))
        }
    }

    @Test func aFileThatIsShorterThanItsRangesFailsAlone() throws {
        let script = OriginScript()
        let asset = putRanges(script)
        script.put([UInt8](repeating: 1, count: 420_000), at: "/film/video.ts")
        let rig = try Rig(script: script)
        rig.session.want([WantedDownload(asset, .required)])
        rig.run(.seconds(600)) { false }
        #expect(!rig.cache.isPlayableOffline("x"))
        #expect(rig.stored("https://cdn.example/film/video.ts", 0..<50_000)?.count == 50_000)
        #expect(rig.stored("https://cdn.example/film/video.ts", 400_000..<450_000) == nil)
    }

    @Test func namesThatAreLongerThanARecordAreRefused() throws {
        let script = OriginScript()
        script.putFilm()
        let long = String(repeating: "n", count: 2 << 20)
        script.put(Film.main.replacing("NAME=\"Deutsch\"", with: "NAME=\"\(long)\""), at: "/film/main.m3u8?token=1")
        let rig = try Rig(script: script)
        rig.session.want([Self.film])
        rig.run(.seconds(60)) { false }
        #expect(!rig.cache.isPlayableOffline("film") && rig.store.assetIDs.isEmpty)
        #expect(!rig.script.requests.contains { $0.url.hasSuffix(".ts") })
    }

    @Test func playbackStopsTheRequestsAtOnce() throws {
        let script = OriginScript()
        script.putFilm()
        script.fail("*", with: .latency(.seconds(1)))
        let rig = try Rig(script: script)
        rig.session.want([Self.film])
        rig.run { script.requests.count > 8 }
        rig.session.conditionsChanged(DownloadConditions(playback: .needsNetwork))
        let count = script.requests.count
        rig.run(.seconds(600)) { false }
        #expect(script.requests.count == count && rig.session.state(of: "film") == .queued)
        rig.session.conditionsChanged(DownloadConditions())
        #expect(rig.run { rig.cache.isPlayableOffline("film") })
    }

    @Test func aDamagedBodyMakesTheFilmUnsavedUntilItIsLoadedAgain() throws {
        let script = OriginScript()
        script.putFilm()
        let rig = try Rig(script: script, languages: [])
        rig.session.want([Self.film])
        #expect(rig.run { rig.cache.isPlayableOffline("film") })
        let key = ResourceMatching().key(for: "https://cdn.example/film/mid-1.ts")
        rig.store.removeResource(key)
        #expect(!rig.cache.isPlayableOffline("film"))
        rig.session.storeChanged()
        #expect(rig.run { rig.cache.isPlayableOffline("film") })
        #expect(rig.counts["https://cdn.example/film/mid-1.ts"] == 2 && rig.counts["https://cdn.example/film/mid-0.ts"] == 1)
    }
}
