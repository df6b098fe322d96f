import HLSPlaylist
import LinuxSupport
import MediaSources
import MediaTime
import TestSupport
import Testing

@testable import HLSStreaming

@Suite("Schedules of date ranges", .serialized)
@MainActor
struct DateRangeScheduleTests {
    /// A date range of a schedule or preload class, five seconds into the stream.
    private func range(_ id: String, _ uri: String, kind: String = "daterange-schedule") throws -> DateRange {
        let text = """
            #EXTM3U
            #EXT-X-TARGETDURATION:2
            #EXT-X-DATERANGE:ID="\(id)",CLASS="com.apple.hls.\(kind)",START-DATE="\(LiveOrigin.date(5))",X-URI="\(uri)"
            #EXTINF:2,
            a.ts

            """
        return try #require(PlaylistParser().parse(text).playlist?.media?.dateRanges.first)
    }

    private func object(_ id: String, _ more: String = "\"CLASS\":\"x\"") -> String {
        "{\"ID\":\"\(id)\",\"START-DATE\":\"\(LiveOrigin.date(9))\",\(more)}"
    }

    @Test("a schedule is loaded once; its ranges follow it with its own address as their base, each ID once")
    func schedule() throws {
        let bench = try Bench()
        bench.put(
            "{\"DATERANGES\":[\(object("a")),\(object("own")),\(object("a", "\"CLASS\":\"y\"")),{\"CLASS\":\"z\",\"X-SCHEDULE-OFFSET\":2.5,\"X-FLAG\":true,\"X-NUMBER\":7},{\"CLASS\":\"w\"}]}",
            at: "http://h/p/plan/one.json")
        var changes = 0
        let schedules = DateRangeSchedules(context: bench.context) { changes += 1 }
        let ranges = [try range("s", "plan/one.json"), try range("own", "plan/one.json")]
        func ids() -> [String] { schedules.entries(of: ranges, base: "http://h/p/list.m3u8").map(\.range.id) }
        #expect(ids() == ["s", "own"])
        #expect(ids() == ["s", "own"])
        bench.run(for: 1)
        #expect(changes == 1 && bench.loader.requests == ["http://h/p/plan/one.json"])
        let entries = schedules.entries(of: ranges, base: "http://h/p/list.m3u8")
        #expect(entries.map(\.range.id) == ["s", "a", "s#4", "own", "own#4"])
        #expect(
            entries.map(\.base) == [
                "http://h/p/list.m3u8", "http://h/p/plan/one.json", "http://h/p/plan/one.json", "http://h/p/list.m3u8",
                "http://h/p/plan/one.json",
            ])
        #expect(entries.map(\.range.classID).dropFirst().first == "x")
        // Relative to the schedule.
        #expect(entries[2].range.startDate - entries[0].range.startDate == .milliseconds(2500))
        #expect(entries[2].range.attributes["X-FLAG"] == "YES" && entries[2].range.attributes["X-NUMBER"] == "7")
        #expect(schedules.entries(of: [], base: "u").isEmpty)
    }

    @Test("schedules may name further schedules, to a depth of four")
    func nested() throws {
        let bench = try Bench()
        for depth in 0..<8 {
            let more = "\"CLASS\":\"com.apple.hls.daterange-schedule\",\"X-URI\":\"\(depth + 1).json\""
            bench.put("{\"DATERANGES\":[\(object("r\(depth)", more))]}", at: "http://h/\(depth).json")
        }
        let schedules = DateRangeSchedules(context: bench.context) {}
        let ranges = [try range("s", "0.json")]
        for _ in 0..<10 {
            _ = schedules.entries(of: ranges, base: "http://h/list.m3u8")
            bench.run(for: 1)
        }
        #expect(schedules.entries(of: ranges, base: "http://h/list.m3u8").map(\.range.id) == ["s", "r0", "r1", "r2", "r3"])
        #expect(bench.loader.requests.count == 5)
    }

    @Test("at most 64 schedules are loaded, and at most 4096 ranges are taken")
    func limits() throws {
        let bench = try Bench()
        let schedules = DateRangeSchedules(context: bench.context) {}
        let ranges = try (0..<70).map { try range("s\($0)", "\($0).json") }
        for number in 0..<70 {
            let objects = (0..<100).map { object("\(number)-\($0)") }.joined(separator: ",")
            bench.put("{\"DATERANGES\":[\(objects)]}", at: "http://h/\(number).json")
        }
        _ = schedules.entries(of: ranges, base: "http://h/list.m3u8")
        bench.run(for: 1)
        #expect(bench.loader.requests.count == 64)
        #expect(schedules.entries(of: ranges, base: "http://h/list.m3u8").count == 4096)
    }

    @Test("what is preloaded is kept and makes no ranges; a missing or damaged schedule has none")
    func preload() throws {
        let bench = try Bench()
        bench.put("{\"DATERANGES\":[\(object("a"))]}", at: "http://h/ads.json")
        bench.put("{\"DATERANGES\":7}", at: "http://h/odd.json")
        var changes = 0
        let schedules = DateRangeSchedules(context: bench.context) { changes += 1 }
        let ranges = [try range("p", "ads.json", kind: "preload"), try range("o", "odd.json"), try range("m", "missing.json")]
        _ = schedules.entries(of: ranges, base: "http://h/list.m3u8")
        #expect(schedules.preloaded("http://h/ads.json") == nil)
        bench.run(for: 5)
        #expect(schedules.preloaded("http://h/ads.json")?.bytes.isEmpty == false && changes == 2)
        #expect(schedules.entries(of: ranges, base: "http://h/list.m3u8").map(\.range.id) == ["p", "o", "m"])
        #expect(bench.loader.requests.filter { $0.hasSuffix("ads.json") }.count == 1)
    }

    @Test("closing ends the loads")
    func closed() throws {
        let bench = try Bench()
        bench.loader.setLatency(.seconds(1))
        bench.put("{\"DATERANGES\":[]}", at: "http://h/a.json")
        var changes = 0
        let schedules = DateRangeSchedules(context: bench.context) { changes += 1 }
        _ = schedules.entries(of: [try range("s", "a.json")], base: "http://h/list.m3u8")
        schedules.close()
        bench.run(for: 5)
        #expect(changes == 0)
    }

    @Test("the assets of an event come from its address, from its list, or from a list that was preloaded")
    func assets() throws {
        let bench = try Bench()
        let list = #"{"ASSETS":[{"URI":"one.m3u8","DURATION":15}],"SKIP-CONTROL":{"OFFSET":5}}"#
        bench.put(list, at: "http://h/ads.json")
        bench.put(list, at: "http://h/early.json")
        let head = """
            #EXTM3U
            #EXT-X-TARGETDURATION:30
            #EXT-X-PROGRAM-DATE-TIME:\(LiveOrigin.date(0))
            #EXT-X-DATERANGE:ID="p",CLASS="com.apple.hls.preload",START-DATE="\(LiveOrigin.date(0))",X-URI="early.json"

            """
        let events = [
            ("a", "X-ASSET-URI=\"ad.m3u8\""), ("b", "X-ASSET-LIST=\"ads.json\""), ("c", "X-ASSET-LIST=\"early.json\""),
            ("d", "X-ASSET-LIST=\"none.json\""),
        ].map {
            "#EXT-X-DATERANGE:ID=\"\($0.0)\",CLASS=\"com.apple.hls.interstitial\",START-DATE=\"\(LiveOrigin.date(3))\",\($0.1)\n"
        }
        bench.put(head + events.joined() + "#EXTINF:30,\n0.ts\n#EXT-X-ENDLIST\n", at: "http://h/list.m3u8")
        let tracker = bench.tracker()
        tracker.load()
        bench.run(for: 1)
        var schedules = 0
        let follower = DateRangeFollower(context: bench.context) { schedules += 1 }
        let playlist = try #require(tracker.playlist)
        #expect(follower.update(tracker, playlist) == [.interstitials, .metadata])
        #expect(follower.update(tracker, playlist) == [])
        bench.run(for: 1)
        #expect(schedules == 1 && follower.interstitials.map(\.id) == ["a", "b", "c", "d"])
        #expect(
            follower.metadata.map(\.identifier) == ["p", "a", "b", "c", "d"]
                && follower.metadata.map(\.start) == [.zero] + [MediaTime](repeating: .seconds(3), count: 4))
        func resolve(_ index: Int, runs: Bool) throws -> String? {
            var words: String?
            _ = follower.resolveAssets(of: try #require(follower.interstitials[index].event)) { assets, skip in
                words =
                    "\(assets?.map { "\($0.url) \($0.duration?.milliseconds ?? -1)" } ?? []) \(skip?.offset.milliseconds ?? -1)"
            }
            if runs { bench.run(for: 30) }
            return words
        }
        #expect(try resolve(0, runs: false) == "[\"http://h/ad.m3u8 -1\"] -1")
        #expect(try resolve(1, runs: false) == nil)
        #expect(try resolve(1, runs: true) == "[\"http://h/one.m3u8 15000\"] 5000")
        #expect(try resolve(2, runs: false) == "[\"http://h/one.m3u8 15000\"] 5000")
        #expect(try resolve(3, runs: true) == "[] -1")
        // Without date ranges everything goes, and that is a change.
        bench.put(
            "#EXTM3U\n#EXT-X-TARGETDURATION:30\n#EXT-X-PROGRAM-DATE-TIME:\(LiveOrigin.date(0))\n#EXTINF:30,\n0.ts\n",
            at: "http://h/list.m3u8")
        let empty = bench.tracker()
        empty.load()
        bench.run(for: 1)
        #expect(follower.update(empty, try #require(empty.playlist)) == [.interstitials, .metadata])
        #expect(follower.update(empty, try #require(empty.playlist)) == [] && follower.metadata.isEmpty)
        follower.close()
    }
}

@Suite("Data of the session", .serialized)
@MainActor
struct SessionDataTests {
    private func loader(_ bench: Bench, _ lines: String, _ onChange: @escaping @MainActor () -> Void = {}) throws
        -> SessionDataLoader
    {
        SessionDataLoader(
            try variants(["BANDWIDTH=1"], others: lines), url: "http://h/p/master.m3u8", context: bench.context,
            onChange: onChange)
    }

    @Test("values are there at once; documents are loaded after a second, and chapters are read")
    func documents() throws {
        let bench = try Bench()
        bench.put("{\"a\":1}", at: "http://h/p/data.json")
        bench.put("[{\"start-time\":3}]", at: "http://h/p/chapters.json")
        var changes = 0
        let loader = try loader(
            bench,
            """
            #EXT-X-SESSION-DATA:DATA-ID="title",VALUE="Name",LANGUAGE="en"
            #EXT-X-SESSION-DATA:DATA-ID="data",URI="data.json",LANGUAGE="de"
            #EXT-X-SESSION-DATA:DATA-ID="com.apple.hls.chapters",URI="chapters.json"
            #EXT-X-SESSION-DATA:DATA-ID="raw",URI="raw.bin",FORMAT=RAW
            #EXT-X-SESSION-DATA:DATA-ID="missing",URI="missing.json"

            """
        ) { changes += 1 }
        #expect(loader.sessionData == [SessionDatum(identifier: "title", value: "Name", languageTag: "en")])
        bench.run(for: 0.9)
        #expect(bench.loader.requests.isEmpty)
        bench.run(for: 5)
        #expect(changes == 2 && loader.chapters.map(\.start) == [.seconds(3)])
        #expect(loader.sessionData.dropFirst() == [SessionDatum(identifier: "data", value: "{\"a\":1}", languageTag: "de")])
        #expect(!bench.loader.requests.contains("http://h/p/raw.bin"))
    }

    @Test("closing before the second or during a load ends it")
    func closed() throws {
        for wait in [0.5, 1.5] {
            let bench = try Bench()
            bench.loader.setLatency(.seconds(1))
            bench.put("{}", at: "http://h/p/data.json")
            var changes = 0
            let loader = try loader(bench, "#EXT-X-SESSION-DATA:DATA-ID=\"a\",URI=\"data.json\"\n") { changes += 1 }
            bench.run(for: wait)
            loader.close()
            bench.run(for: 5)
            #expect(changes == 0 && bench.loader.requests.count == (wait < 1 ? 0 : 1))
        }
    }
}

@Suite("The playlists of a presentation", .serialized)
@MainActor
struct PlaylistSetTests {
    private func list(_ first: Int) -> String {
        "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
            + (first..<first + 5).map { "#EXTINF:2,\n\($0).ts\n" }.joined()
    }

    @Test("an address has one tracker; a playlist is placed by the followed one, or by any other with a place")
    func placed() throws {
        let bench = try Bench()
        let set = PlaylistSet(context: bench.context, state: { ReadingState() }, onChange: {})
        bench.put(list(10), at: "http://h/a")
        bench.put(list(13), at: "http://h/b")
        bench.put(list(40), at: "http://h/c")
        let unloaded = set.tracker("http://h/none", role: .variant(0)), first = set.tracker("http://h/a", role: .variant(1))
        #expect(set.tracker("http://h/a", role: .variant(1)) === first && unloaded.playlist == nil)
        first.load()
        bench.run(for: 0.1)
        let second = set.tracker("http://h/b", role: .variant(2))
        second.load()
        bench.run(for: 0.1)
        #expect(first.anchor == .zero && second.anchor == .seconds(6))
        // With nothing in common their ends are aligned, here with the end of the followed one.
        set.follow(second)
        let third = set.tracker("http://h/c", role: .variant(3))
        third.load()
        bench.run(for: 0.1)
        #expect(third.end == .seconds(16))
        set.close()
    }

    @Test("only the followed playlist is reloaded and reported, and none after closing")
    func follow() throws {
        let bench = try Bench()
        var changes = 0
        let set = PlaylistSet(context: bench.context, state: { ReadingState() }, onChange: { changes += 1 })
        bench.put(list(10), at: "http://h/a")
        bench.put(list(10), at: "http://h/b")
        let first = set.tracker("http://h/a", role: .variant(0)), second = set.tracker("http://h/b", role: .variant(1))
        set.follow(first)
        bench.run(for: 0.1)
        #expect(changes == 2 && set.followed === first)
        set.follow(first)
        #expect(changes == 2)
        set.follow(second)
        bench.run(for: 3)
        let reloads = { (name: String) in bench.loader.requests.filter { $0 == "http://h/\(name)" }.count }
        #expect(reloads("a") == 1 && reloads("b") >= 2)
        set.close()
        let (count, before) = (reloads("b"), changes)
        set.follow(first)
        bench.run(for: 10)
        #expect(reloads("a") == 1 && reloads("b") == count && changes == before && set.followed === second)
    }
}
