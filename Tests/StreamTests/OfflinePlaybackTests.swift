import Captions
import HLSPlaylist
import LinuxSupport
import MediaTime
import NetworkConditions
import SegmentStore
import StatusModel
import TestSupport
import Testing

@testable import Downloads
@testable import Playback

/// A player whose programmes can be stored.
@MainActor
private final class OfflineRig {
    let folder = ScratchFolder("offline")
    private(set) var rig: StreamRig!
    private(set) var store: SegmentStore!
    private(set) var loading: SavedAssetLoading!
    private(set) var session: AssetDownloadSession!
    private(set) var captions: Set<String> = []
    private var subscription: Subscription?

    static let address = "http://test/all.m3u8"

    init() throws {
        rig = try StreamRig { [self] network, clock in
            store = SegmentStore(folder: folder.path, clock: clock)
            let stored = StoredLoading(network, store: store, clock: clock)
            loading = SavedAssetLoading(network: network, stored: stored, bodies: store.bodies)
            session = AssetDownloadSession(
                .init(store: store, loading: stored, network: network, clock: clock, log: LogBook(clock: clock)),
                policy: DownloadPolicy(window: nil, bitRate: nil, freeBytes: 0),
                configuration: AssetDownloadConfiguration(variants: VariantSelection(width: 1280, height: 720) { _ in true }),
                conditions: DownloadConditions())
            return loading
        }
        subscription = rig.player.events.listen { [weak self] in
            if case .captions(let cues) = $0 { self?.captions.formUnion(cues.map(\.plainText)) }
        }
        put()
        store.open { [weak self] _ in self?.session.start(languages: ["en", "es"]) }
    }

    /// A film of 20 seconds: two variants, two languages of sound, and captions.
    ///
    /// - Parameter top: lines for another variant, larger than what is stored.
    private func put(top: String = "") {
        let script = rig.script
        for name in ["low", "high", "top"] { script.putStream(name, seconds: 20, kinds: "v") }
        script.putStream("en", seconds: 20, kinds: "a")
        script.putStream("es", seconds: 20, kinds: "b")
        script.putStream("fr", seconds: 20, kinds: "a")
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:10\n"
        for number in 0..<2 {
            text += "#EXTINF:10,\ntext-\(number).vtt\n"
            script.put(
                "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000\n\n00:00:\(number)1.000 --> 00:00:\(number)4.000\nline \(number)\n",
                at: "http://test/text-\(number).vtt")
        }
        script.put(text + "#EXT-X-ENDLIST\n", at: "http://test/text.m3u8")
        script.put(
            """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,URI="en.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Español",LANGUAGE="es",AUTOSELECT=YES,URI="es.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Français",LANGUAGE="fr",AUTOSELECT=YES,URI="fr.m3u8"
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",AUTOSELECT=YES,URI="text.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=100000,RESOLUTION=640x360,CODECS="avc1.4d401e,mp4a.40.2",AUDIO="a",SUBTITLES="s"
            low.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=200000,RESOLUTION=1280x720,CODECS="avc1.4d401e,mp4a.40.2",AUDIO="a",SUBTITLES="s"
            high.m3u8
            \(top)
            """, at: Self.address)
    }

    /// Adds a variant that the player prefers, and that is not stored.
    func addTop() {
        put(
            top:
                "#EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=1920x1080,CODECS=\"avc1.4d401e,mp4a.40.2\",AUDIO=\"a\",SUBTITLES=\"s\"\ntop.m3u8"
        )
    }

    /// Stores the film with all wanted options.
    func download() {
        session.want([WantedDownload(DownloadableAsset(id: "film", streams: [.init(url: Self.address)]), .required)])
        #expect(rig.run { self.session.localOptions(of: "film").count == 3 })
    }

    func select(_ tag: String, _ characteristic: MediaCharacteristic, _ item: PlayerItem) throws {
        let group = try #require(item.selection.group(characteristic))
        let option = try #require(group.options.first { $0.extendedLanguageTag == tag })
        #expect(item.selection.select(option, in: group))
    }

    func options(_ characteristic: MediaCharacteristic, _ item: PlayerItem) -> [String?] {
        item.selection.group(characteristic)?.options.map(\.extendedLanguageTag) ?? []
    }

    func close() {
        session.close()
        rig.close()
        store.close()
    }
}

@Suite("A saved programme")
@MainActor
struct OfflinePlaybackTests {
    /// Without a fault there is no network at all.
    @Test(
        "plays to its end without a network, with the choice of the sound and captions that are stored",
        arguments: [OriginFault.status(503), nil] as [OriginFault?])
    func withoutNetwork(fault: OriginFault?) throws {
        let offline = try OfflineRig()
        defer { offline.close() }
        offline.download()
        let rig = offline.rig!
        rig.script.fail("http://test/*", with: fault ?? .status(500))
        offline.loading.setOffline(fault == nil)
        let count = rig.script.requests.count
        let item = rig.play(OfflineRig.address)
        #expect(rig.run { rig.player.currentTime >= .seconds(4) }, "\(String(describing: rig.error))")
        // French is not stored and not offered.
        #expect(offline.options(.audible, item) == ["en", "es"] && offline.options(.legible, item) == ["en"])
        try offline.select("en", .legible, item)
        try offline.select("es", .audible, item)
        #expect(rig.run { rig.player.currentTime >= .seconds(9) })
        #expect(rig.sink.enqueued.last.map { $0 < 0 } == true)
        // A seek back plays from the store too.
        #expect(rig.seek(to: .seconds(2)))
        #expect(rig.run { rig.hasEnded }, "\(String(describing: rig.error))")
        #expect(rig.error == nil && rig.soundFailures.isEmpty)
        #expect(offline.captions == ["line 0", "line 1"])
        let new = rig.script.requests.dropFirst(count)
        // With a server that fails only playlists are asked for; without a network nothing is.
        #expect(new.allSatisfy { $0.url.hasSuffix(".m3u8") } && (fault != nil || new.isEmpty))
    }

    @Test("offers all options online, and streams what is not stored beside what is")
    func online() throws {
        let offline = try OfflineRig()
        defer { offline.close() }
        offline.download()
        let rig = offline.rig!
        let count = rig.script.requests.count
        let item = rig.play(OfflineRig.address)
        #expect(rig.run { rig.player.currentTime >= .seconds(4) })
        #expect(offline.options(.audible, item) == ["en", "es", "fr"])
        try offline.select("fr", .audible, item)
        #expect(rig.run { rig.hasEnded })
        let new = rig.script.requests.dropFirst(count).map(\.url).filter { $0.hasSuffix(".ts") }
        #expect(!new.isEmpty && new.allSatisfy { $0.contains("/fr-") || $0.contains("/low-") }, "\(new)")
    }

    /// The player streams a larger variant than the one that is saved.
    @Test(
        "goes on with the saved variant when the network goes, whichever variant played",
        arguments: [OriginFault.silence, .refusal, .noName, .stall(after: 1000), .status(503), .status(404), .reset(after: 1000)])
    func networkGoes(fault: OriginFault) throws {
        let offline = try OfflineRig()
        defer { offline.close() }
        offline.addTop()
        offline.download()
        let rig = offline.rig!
        for number in 4..<10 {
            for name in ["top", "low", "high"] { rig.script.fail("http://test/\(name)-\(number).ts", with: fault) }
        }
        rig.play(OfflineRig.address)
        #expect(rig.run { rig.hasEnded }, "\(String(describing: rig.error))")
        #expect(rig.error == nil && rig.player.state.stallCount <= 1)
        #expect(rig.times == (0..<20 * 25).map { MediaTime(Int64($0), 25) })
        let length = MediaTime.nanoseconds(rig.loop.clock.now.nanoseconds)
        #expect(length < .seconds(32), "one timeout, not several")
        #expect(rig.script.requests.contains { $0.url.contains("/top-") })
    }

    @Test("is requested once when it is played while it is downloaded")
    func whileDownloading() throws {
        let offline = try OfflineRig()
        defer { offline.close() }
        let rig = offline.rig!
        rig.script.fail("http://test/*", with: .latency(.milliseconds(300)))
        offline.session.want([WantedDownload(DownloadableAsset(id: "film", streams: [.init(url: OfflineRig.address)]), .required)]
        )
        #expect(rig.run { rig.script.requests.contains { $0.url.contains("high-2.ts") } })
        rig.play(OfflineRig.address)
        #expect(rig.run { rig.hasEnded })
        #expect(rig.run { offline.session.isComplete("film") })
        let segments = rig.script.requests.map(\.url).filter { $0.hasSuffix(".ts") && !$0.contains("/low-") }
        #expect(Set(segments).count == segments.count)
    }
}
