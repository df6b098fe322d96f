import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import TestSupport
import Testing

@testable import HLSStreaming

@Suite("The addresses and tracks of variants")
struct AddressTests {
    private static let media = """
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a1",NAME="English",LANGUAGE="en",URI="en1.m3u8",DEFAULT=YES,CHANNELS="2"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a1",NAME="Deutsch",LANGUAGE="de",URI="de1.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a2",NAME="English",LANGUAGE="en",URI="en2.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a2",NAME="Kommentar",LANGUAGE="de",URI="de2.m3u8",STABLE-RENDITION-ID="de-2"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a3",NAME="English",LANGUAGE="en"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",URI="sub.m3u8",AUTOSELECT=YES
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="Forced",LANGUAGE="fr",URI="fr.m3u8",DEFAULT=YES,AUTOSELECT=YES,FORCED=YES
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="Manual",LANGUAGE="es",URI="es.m3u8",ASSOC-LANGUAGE="ca"
        #EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="c",NAME="CC",LANGUAGE="en",INSTREAM-ID="CC1"
        #EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="c",NAME="Digital",LANGUAGE="en",INSTREAM-ID="SERVICE2",AUTOSELECT=YES
        #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="v",NAME="Stadium",URI="stadium.m3u8"
        #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="v",NAME="Main",DEFAULT=YES
        #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="v",NAME="Bench",URI="bench.m3u8"

        """
    private static let codecs = "CODECS=\"avc1.64001f,mp4a.40.2\""

    private func playlist(_ lines: [String]) throws -> MultivariantPlaylist { try variants(lines, others: Self.media) }

    private func table(_ lines: [String]) throws -> VariantTable {
        VariantTable(url: "http://h/p/master.m3u8", presentation: try playlist(lines))
    }

    // MARK: Addresses

    @Test("a variant is chosen once; one that does not exist is not")
    func choice() throws {
        var table = try table(["BANDWIDTH=1,PATHWAY-ID=\"A\"", "BANDWIDTH=2"])
        #expect(table.pathway == "A" && table.index == 0 && table.address(ofVariant: 1) == "http://h/p/1.m3u8")
        let again = table.choose(0), other = table.choose(1), none = table.choose(2)
        #expect(!again && other && !none && table.index == 1 && table.pathway == ".")
        #expect(VariantTable(url: "u").current == nil && VariantTable(url: "u").pathway == ".")
    }

    @Test("a selected rendition is loaded from the group of the variant: the same name, else the same language, else itself")
    func groups() throws {
        var table = try table([
            "BANDWIDTH=1,AUDIO=\"a1\",SUBTITLES=\"s\"", "BANDWIDTH=2,AUDIO=\"a2\"", "BANDWIDTH=3,AUDIO=\"a3\"", "BANDWIDTH=4",
        ])
        let playlist = try #require(table.presentation)
        let english = playlist.renditions(.audio, group: "a1")[0], german = playlist.renditions(.audio, group: "a1")[1]
        #expect(table.address(ofAudio: german) == "http://h/p/de1.m3u8")
        _ = table.choose(1)
        #expect(
            table.address(ofAudio: english) == "http://h/p/en2.m3u8" && table.address(ofAudio: german) == "http://h/p/de2.m3u8")
        _ = table.choose(2)
        #expect(table.address(ofAudio: german) == "http://h/p/de1.m3u8")
        _ = table.choose(3)
        #expect(table.address(ofAudio: german) == "http://h/p/de1.m3u8")
        #expect(table.address(ofText: playlist.renditions(.subtitles, group: "s")[0]) == "http://h/p/sub.m3u8")
        #expect(table.address(ofAudio: playlist.renditions(.audio, group: "a3")[0]) == nil)
    }

    @Test("the default angle comes first; another angle is loaded from its own playlist")
    func angles() throws {
        var table = try table(["BANDWIDTH=1,VIDEO=\"v\"", "BANDWIDTH=2"])
        let main = TrackDescription(id: StreamTrack.video, type: .video, codec: "avc1", isDefault: true)
        let tracks = table.describeAngles(like: main)
        #expect(
            tracks.map(\.name) == ["Main", "Stadium", "Bench"] && tracks.map(\.id) == [TrackID(0), TrackID(51), TrackID(52)])
        #expect(tracks.map(\.isDefault) == [true, false, false] && tracks.allSatisfy { $0.codec == "avc1" })
        let isSame = table.chooseAngle(TrackID(0)), isOther = table.chooseAngle(TrackID(52)),
            isNone = table.chooseAngle(TrackID(53))
        #expect(!isSame && isOther && !isNone)
        #expect(table.address(ofVariant: 0) == "http://h/p/bench.m3u8" && table.address(ofVariant: 1) == "http://h/p/1.m3u8")
        let isBack = table.chooseAngle(TrackID(0))
        #expect(isBack && table.address(ofVariant: 0) == "http://h/p/0.m3u8")
        // Angles are described again after a switch of variants; the chosen one stays.
        _ = table.chooseAngle(TrackID(51))
        _ = table.describeAngles(like: main)
        #expect(table.address(ofVariant: 0) == "http://h/p/stadium.m3u8")
        _ = table.choose(1)
        #expect(table.describeAngles(like: main).map(\.name) == [nil])
    }

    @Test("a cloned pathway has a copy of each variant at other addresses, once (RFC 8216bis, 7.2)")
    func clones() throws {
        var table = try table([
            "BANDWIDTH=1,PATHWAY-ID=\"A\",AUDIO=\"a2\",STABLE-VARIANT-ID=\"one\"", "BANDWIDTH=2,PATHWAY-ID=\"B\"",
            "BANDWIDTH=3,PATHWAY-ID=\"A\"",
        ])
        let manifest = try #require(
            SteeringManifest(
                Array(
                    """
                    {"VERSION":1,"PATHWAY-PRIORITY":["C"],"PATHWAY-CLONES":[
                     {"BASE-ID":"A","ID":"C","URI-REPLACEMENT":{"HOST":"c.test","PER-VARIANT-URIS":{"one":"http://x/one"},"PER-RENDITION-URIS":{"de-2":"http://x/de"}}},
                     {"BASE-ID":"Z","ID":"D","URI-REPLACEMENT":{}},{"BASE-ID":"A","ID":"B","URI-REPLACEMENT":{}}]}
                    """.utf8)))
        let added = table.addClones(manifest)
        #expect(added.map(\.bases) == [[0, 2]] && added[0].copies.map(\.uri) == ["http://x/one", "http://c.test/p/2.m3u8"])
        #expect(added[0].copies.map(\.pathwayID) == ["C", "C"] && table.variants.count == 5)
        let again = table.addClones(manifest)
        #expect(again.isEmpty && table.variants.count == 5)
        _ = table.choose(3)
        #expect(table.pathway == "C" && table.address(ofVariant: 3) == "http://x/one")
        let sounds = try #require(table.presentation).renditions(.audio, group: "a2")
        #expect(
            table.address(ofAudio: sounds[0]) == "http://c.test/p/en2.m3u8" && table.address(ofAudio: sounds[1]) == "http://x/de")
    }

    @Test(
        "a clone's host keeps the port unless it has its own; its parameters replace those of the same name",
        arguments: [
            ("v.m3u8", "c", [], "http://c:8080/p/v.m3u8"), ("v.m3u8", "c:9", [], "http://c:9/p/v.m3u8"),
            ("v.m3u8", nil, ["k=1"], "http://a:8080/p/v.m3u8?k=1"),
            ("v.m3u8?k&x=2&kk=3&k=9", nil, ["k=1"], "http://a:8080/p/v.m3u8?x=2&kk=3&k=1"),
            ("http://b/v", "c", ["a=1", "b=2"], "http://c/v?a=1&b=2"),
            ("v?x=1", nil, [], "http://a:8080/p/v?x=1"),
        ] as [(String, String?, [String], String)])
    func cloneAddresses(_ original: String, _ host: String?, _ parameters: [String], _ expected: String) {
        let clone = SteeringManifest.Clone(
            baseID: "A", id: "C", host: host,
            parameters: parameters.map { parameter in
                let parts = parameter.split(separator: "=").map(String.init)
                return (name: parts[0], value: parts[1])
            })
        #expect(clone.address(of: original, base: "http://a:8080/p/m.m3u8", stableID: "s", in: ["other": "x"]) == expected)
    }

    @Test(
        "a manifest without a time is asked for after five minutes; without pathways, or with a time of zero, it says nothing of it"
    )
    func manifests() {
        func manifest(_ text: String) -> SteeringManifest? { SteeringManifest(Array(text.utf8)) }
        #expect(manifest(#"{"VERSION":1,"PATHWAY-PRIORITY":["A"]}"#)?.timeToLive == .seconds(300))
        #expect(manifest(#"{"VERSION":1,"TTL":0,"PATHWAY-PRIORITY":["A"]}"#)?.timeToLive == .seconds(300))
        #expect(manifest(#"{"VERSION":1,"TTL":1,"PATHWAY-PRIORITY":["A"]}"#)?.timeToLive == .seconds(1))
        #expect(manifest(#"{"VERSION":1,"PATHWAY-PRIORITY":[]}"#) == nil)
        #expect(manifest(#"{"VERSION":1,"PATHWAY-PRIORITY":["A"]}"#)?.reloadAddress == nil)
    }

    @Test("a playlist from https names nothing over plain http, except on hosts of allow_http; others may name what they like")
    func plainHTTP() {
        func allows(_ playlist: String, _ url: String, _ hosts: Set<String> = []) -> Bool {
            PresentationAddresses(playlist: playlist, plainHTTPHosts: hosts).allows(url)
        }
        #expect(allows("https://a.test/m.m3u8", "https://b.test/s.ts") && !allows("https://a.test/m.m3u8", "http://a.test/key"))
        #expect(!allows("HTTPS://a.test/m.m3u8", "HTTP://b.test/s.ts", ["a.test"]))
        #expect(allows("https://a.test/m.m3u8", "http://B.test/s.ts", ["b.TEST"]))
        #expect(allows("http://a.test/m.m3u8", "http://b.test/s.ts") && allows("/media/m.m3u8", "http://b.test/s.ts"))
        #expect(!allows("https://a.test/m.m3u8", "http://localhost/s.ts", ["localhost"]))
    }

    @Test("segments and keys that an https playlist names over plain http are not asked for, and the reason is told")
    @MainActor func plainSegments() throws {
        let loop = try MainLoop(time: .simulated)
        let loader = FakeLoader(clock: loop.clock)
        loader.put(FakeSegment.bytes(start: 900_000, count: 50), at: "http://a.test/0.ts")
        let guarded = PresentationAddresses(playlist: "https://a.test/m.m3u8").guarding(loader, clock: loop.clock)
        var result: Result<ByteResponse, MediaError>?
        guarded.load(ByteRequest(url: "http://a.test/0.ts")) { result = $0 }
        loop.run(until: { result != nil })
        guard case .failure(let error)? = result else {
            Issue.record("it was loaded")
            return
        }
        #expect(error.fault == .refused && error.sentence.contains("plain http") && loader.requests.isEmpty)
    }

    // MARK: Tracks

    private func tracks(_ attributes: String) throws -> TrackTable {
        let playlist = try playlist(["BANDWIDTH=5," + attributes])
        return TrackTable(of: playlist, variant: playlist.variants[0]) { [$0] }
    }

    private func ids(_ table: TrackTable) -> [String] { table.tracks.map { "\($0.type) \($0.id)" } }

    @Test("without audio renditions the audio is in the variant's segments, unless CODECS lists no audio")
    func muxed() throws {
        #expect(
            try ids(tracks(Self.codecs)) == ["video 0", "audio 1"]
                && tracks(Self.codecs).mainOutlets.map(\.track) == [TrackID(0), TrackID(1)])
        #expect(try ids(tracks("RESOLUTION=16x9")) == ["video 0", "audio 1"])
        #expect(try ids(tracks("CODECS=\"avc1.1\"")) == ["video 0"])
        #expect(try ids(tracks("CODECS=\"mp4a.40.2\"")) == ["audio 1"])
        #expect(try ids(tracks("CODECS=\"mp4a.40.2\",RESOLUTION=16x9")) == ["video 0", "audio 1"])
        #expect(try ids(tracks("CODECS=\"stpp\"")) == ["audio 1"])
        for unknown in ["xyz1,ac-9", "avc1.1,xyz1", "xyz1,mp4a.40.2"] {
            #expect(try ids(tracks("CODECS=\"\(unknown)\"")) == ["video 0", "audio 1"], "\(unknown): the segments tell")
        }
        let plain = TrackTable()
        #expect(ids(plain) == ["video 0", "audio 1"] && plain.mainOutlets.count == 2 && plain.tracks.allSatisfy(\.isDefault))
        let video = try tracks(Self.codecs + ",RESOLUTION=640x360,FRAME-RATE=25").tracks[0]
        #expect(
            video.codec == "avc1.64001f" && video.width == 640 && video.height == 360 && video.bitRate == 5 && video.isDefault)
    }

    @Test("an audio rendition has its own playlist; one without an address is with the pictures (RFC 8216bis, 4.4.6.2.1)")
    func audio() throws {
        let own = try tracks("AUDIO=\"a1\"," + Self.codecs)
        #expect(ids(own) == ["video 0", "audio 1", "audio 2"] && own.audio.keys.sorted() == [TrackID(1), TrackID(2)])
        #expect(own.mainOutlets.map(\.track) == [TrackID(0)] && own.tracks[1].isDefault && !own.tracks[2].isDefault)
        #expect(
            own.tracks[1].languageTag == "en" && own.tracks[1].name == "English" && own.tracks[1].codec == "mp4a.40.2"
                && own.tracks[1].channels == 2)
        let with = try tracks("AUDIO=\"a3\"," + Self.codecs)
        #expect(with.mainOutlets.map(\.track) == [TrackID(0), TrackID(1)] && with.audio.isEmpty)
        #expect(try ids(tracks("AUDIO=\"none\"," + Self.codecs)) == ["video 0", "audio 1"])
    }

    @Test("captions are selected automatically if they say so, or are the default")
    func captions() throws {
        let table = try tracks("SUBTITLES=\"s\",CLOSED-CAPTIONS=\"c\"," + Self.codecs)
        let text = table.tracks.filter { $0.type == .text }, closed = table.tracks.filter { $0.type == .subtitle }
        #expect(text.map(\.id) == [TrackID(100), TrackID(101), TrackID(102)] && table.text.count == 3)
        #expect(
            text.map(\.isAutoselect) == [true, true, false] && text.map(\.isForced) == [false, true, false]
                && text.map(\.isDefault) == [false, true, false])
        #expect(text[2].associatedLanguageTag == "ca" && text.allSatisfy { $0.codec == "webvtt" })
        #expect(closed.map(\.id) == [TrackID(200), TrackID(201)] && closed.map(\.isAutoselect) == [false, true])
        #expect(try tracks("SUBTITLES=\"s\",CODECS=\"avc1.1,stpp.ttml.im1t\"").tracks.last?.codec == "ttml")
        #expect(try tracks("CLOSED-CAPTIONS=NONE," + Self.codecs).tracks.count == 2)
    }
}
