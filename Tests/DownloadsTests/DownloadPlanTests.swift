import HLSPlaylist
import MediaModel
import MediaTime
import Testing

@testable import Downloads

@Suite struct DownloadPlanTests {
    private let server = PlaylistServer()

    private func files(_ plan: DownloadPlan) -> [String] {
        plan.resources.map { $0.url.split(separator: "/").last.map(String.init) ?? "" }
    }

    @Test func theBestVariantOfTheScreenWithTheDefaultSelectionIsStoredInTheOrderOfPlayback() throws {
        let plan = try server.plan()
        #expect(
            files(plan) == [
                "mid-0.ts", "en-0.ts", "s-forced-0.ts", "mid-1.ts", "en-1.ts", "s-forced-1.ts", "mid-2.ts", "en-2.ts",
                "s-forced-2.ts", "chapters.json", "keys-0.ts", "keys-1.ts", "keys-2.ts", "poster.jpg",
            ])
        #expect(plan.duration == .seconds(12))
        #expect(plan.selection.map(\.name) == ["English", "Forced"])
        #expect(plan.resources.filter(\.isOptional).count == 5)
        #expect(plan.resources[0].timeRanges == [TimeRange(start: .zero, duration: .seconds(4))])
        // Three segments of four seconds at two megabits per second.
        #expect(plan.expectedBytes == 3_000_000)
    }

    @Test(
        arguments: [
            (nil, "mid"), (500_000, "low"), (800_001, "mid"), (2_000_000, "mid"), (2_000_001, "mid"),
        ] as [(Int64?, String)])
    func theMinimumBitRateChoosesTheLowestVariantThatHasIt(bitRate: Int64?, name: String) throws {
        let plan = try server.plan(Film.configuration(atLeast: bitRate))
        #expect(files(plan)[0] == name + "-0.ts")
    }

    @Test func theStoredPlaylistsListOnlyWhatIsStored() throws {
        let plan = try server.plan()
        let root = try #require(plan.playlists.last)
        #expect(root.role == .root && root.url == Film.address)
        let playlist = try #require(PlaylistParser(url: root.url).parse(root.text).playlist?.multivariant)
        #expect(playlist.variants.map(\.uri) == ["https://cdn.example/film/mid.m3u8"])
        #expect(playlist.renditions.map(\.name) == ["English", "Forced"])
        #expect(playlist.renditions.map(\.uri) == ["https://cdn.example/film/en.m3u8", "https://cdn.example/film/s-forced.m3u8"])
        #expect(playlist.iFrameVariants.map(\.uri) == ["https://cdn.example/film/keys.m3u8"])
        #expect(playlist.sessionData.map(\.uri) == ["https://cdn.example/film/chapters.json"])
        // Every other playlist comes before the first one, and every address in them is one that is stored.
        let stored = Set(plan.resources.map(\.name))
        for text in plan.playlists.dropLast() {
            let media = try #require(PlaylistParser(url: text.url).parse(text.text).playlist?.media)
            #expect(media.segments.count == 3 && media.segments.allSatisfy { stored.contains($0.uri) })
        }
        #expect(plan.playlists.count == 5)
    }

    @Test func furtherOptionsInTheWantedLanguagesFollowAudibleFirst() throws {
        var gathering = PlaylistGathering(address: Film.address, options: nil, configuration: Film.configuration())
        try server.gather(&gathering)
        #expect(gathering.furtherOptions.map(\.name) == ["Deutsch", "English"])
        #expect(gathering.furtherOptions.map(\.characteristic) == [.audible, .legible])
        // The next task has one option more, and leaves the others to the tasks after it.
        let options = try #require(gathering.presentation?.selection) + [gathering.furtherOptions[0]]
        var next = PlaylistGathering(address: Film.address, options: options, configuration: Film.configuration())
        try server.gather(&next)
        #expect(next.presentation?.selection.map(\.name) == ["English", "Forced", "Deutsch"])
        #expect(next.furtherOptions.map(\.name) == ["English"])
    }

    @Test func withoutADefaultInAWantedLanguageTheWantedSoundIsStored() throws {
        let plan = try server.plan(Film.configuration(["fr"]))
        #expect(plan.selection.map(\.name) == ["Français"])
    }

    @Test func keysAndInitializationSectionsComeBeforeTheirSegmentsAndOnce() throws {
        var server = server
        let head = """
            #EXT-X-KEY:METHOD=AES-128,URI="key.bin"
            #EXT-X-MAP:URI="mid.mp4",BYTERANGE="700@0"

            """
        server.texts["mid.m3u8"] =
            "#EXTM3U\n#EXT-X-TARGETDURATION:4\n" + head
            + "#EXTINF:4,\n#EXT-X-BYTERANGE:1000@700\nmid.mp4\n#EXTINF:4,\n#EXT-X-BYTERANGE:900\nmid.mp4\n#EXT-X-GAP\n#EXTINF:4,\ngap.mp4\n#EXTINF:4,\n#EXT-X-BYTERANGE:1000@700\nmid.mp4\n#EXT-X-ENDLIST\n"
        let plan = try server.plan(Film.configuration([]))
        let own = plan.resources.filter { $0.place.role == .variant }
        #expect(own.map(\.kind) == [.key, .initialization, .segment, .segment])
        #expect(own.map(\.range) == [nil, 0..<700, 700..<1700, 1700..<2600])
        // The range that is repeated is stored once and covers both places; the gap is not stored.
        #expect(own[2].timeRanges.map(\.start) == [.zero, .seconds(12)])
    }

    @Test func livePlaylistsAndProtectedOnesAreRefused() throws {
        for (head, tail, code) in [
            ("", "", ErrorCode.sourceFormat), ("#EXT-X-PLAYLIST-TYPE:EVENT\n", "", .sourceFormat),
            (
                "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://k\",KEYFORMAT=\"com.apple.streamingkeydelivery\"\n", "#EXT-X-ENDLIST\n",
                .protected
            ),
            ("#EXT-X-KEY:METHOD=AES-128,URI=\"k\",KEYFORMAT=\"com.example\"\n", "#EXT-X-ENDLIST\n", .protected),
            ("#EXT-X-MAP:URI=\"i\"\n#EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI=\"k\"\n", "#EXT-X-ENDLIST\n", .protected),
        ] {
            var server = server
            server.texts["en.m3u8"] = Film.media("en", head: head, tail: tail)
            #expect(throws: MediaError.self) { try server.plan() }
            do { _ = try server.plan() } catch let error as MediaError { #expect(error.code == code) }
        }
    }

    @Test func aPlaylistThatStatesVODIsStoredWithoutAnEndToo() throws {
        var server = server
        for name in ["en", "mid"] {
            server.texts[name + ".m3u8"] = Film.media(name, head: "#EXT-X-PLAYLIST-TYPE:VOD\n", tail: "")
        }
        #expect(try server.plan().resources.filter { $0.place.role == .variant }.count == 3)
    }

    @Test(arguments: ["file:///etc/shadow", "http://127.0.0.1/key", "http://localhost:8080/v1/now"])
    func aPlaylistFromAnotherMachineNamesNothingOfThisBox(url: String) throws {
        for (name, text) in [
            ("en.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n\(url)\n#EXT-X-ENDLIST\n"),
            ("en.m3u8", Film.media("en", head: "#EXT-X-KEY:METHOD=AES-128,URI=\"\(url)\"\n")),
            ("en.m3u8", Film.media("en", head: "#EXT-X-MAP:URI=\"\(url)\"\n")),
            ("main.m3u8", Film.main.replacing("mid.m3u8", with: url)), ("main.m3u8", Film.main.replacing("en.m3u8", with: url)),
        ] {
            var server = server
            server.texts[name] = text
            #expect(throws: MediaError.self) { try server.plan() }
        }
    }

    @Test func aPlaylistFromHTTPSNamesNothingOverPlainHTTP() throws {
        #expect(Film.address.hasPrefix("https://"))
        for (name, text) in [
            ("en.m3u8", Film.media("en", head: "#EXT-X-KEY:METHOD=AES-128,URI=\"http://keys.example/k\"\n")),
            ("main.m3u8", Film.main.replacing("en.m3u8", with: "http://keys.example/en.m3u8")),
        ] {
            var server = server
            server.texts[name] = text
            #expect(throws: MediaError.self) { try server.plan() }
        }
        var server = server
        server.texts["en.m3u8"] = Film.media("en", head: "#EXT-X-KEY:METHOD=AES-128,URI=\"http://keys.example/k\"\n")
        var configuration = Film.configuration()
        configuration.plainHTTPHosts = ["Keys.example"]
        #expect(throws: Never.self) { try server.plan(configuration) }
    }

    @Test func assetsBeyondTheLimitsAreRefused() throws {
        for (resources, bytes, isRefused) in [(14, Int64(3_000_000), false), (13, 3_000_000, true), (14, 2_999_999, true)] {
            var configuration = Film.configuration()
            configuration.limits = DownloadLimits(resources: resources, bytes: bytes)
            let plan = try? server.plan(configuration)
            #expect((plan == nil) == isRefused)
        }
    }

    @Test func aNewTokenChangesWhereAResourceIsLoadedFromAndNotItsName() throws {
        let first = try PlaylistServer(query: "?t=old").plan()
        let second = try PlaylistServer(query: "?t=new").plan(previous: first)
        #expect(second.resources.map(\.name) == first.resources.map(\.name))
        #expect(second.resources[0].url.hasSuffix("mid-0.ts?t=new") && second.resources[0].name.hasSuffix("mid-0.ts?t=old"))
        #expect(second.playlists == first.playlists)
        // A path that differs is another resource.
        var other = PlaylistServer(query: "?t=new")
        other.texts["mid.m3u8"] = Film.media("mid", query: "?t=new").replacing("mid-1", with: "other-1")
        let third = try other.plan(previous: first)
        #expect(third.resources.filter { $0.place.role == .variant }.map { $0.name == $0.url } == [false, true, false])
    }

    @Test func aPlainMediaPlaylistIsStoredUnderTheAddressOfTheAsset() throws {
        var server = server
        server.texts["main.m3u8"] = Film.media("only")
        let plan = try server.plan()
        #expect(files(plan) == ["only-0.ts", "only-1.ts", "only-2.ts", "poster.jpg"])
        #expect(plan.playlists.map(\.url) == [Film.address])
        #expect(plan.playlists[0].text.contains("https://cdn.example/film/only-0.ts"))
    }

    @Test func aRecordGivesThePlanBack() throws {
        let plan = try server.plan()
        let record = DownloadRecord(
            asset: Film.asset, stream: 0, playlists: plan.playlists, selection: plan.selection, furtherOptions: [],
            isComplete: false)
        let read = try #require(record.plan(Film.configuration(atLeast: 1)))
        #expect(read.resources.map(\.name) == plan.resources.map(\.name))
        #expect(read.playlists == plan.playlists && read.duration == plan.duration && read.selection == plan.selection)
        var broken = record
        broken.playlists?[0] = PlaylistText(role: plan.playlists[0].role, url: "x", text: "nonsense")
        #expect(broken.plan(Film.configuration()) == nil)
        // Without playlists it is a file only if it is known that there are none.
        broken.playlists = nil
        #expect(broken.plan(Film.configuration()) == nil)
        broken.playlists = []
        #expect(broken.plan(Film.configuration())?.isFile == true)
    }
}
