import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaTime
import Testing
import TestSupport

@testable import HLSStreaming

/// The first variant, whatever happens. Records the questions.
@MainActor
private final class Asked: StreamPolicy {
    private(set) var questions: [VariantQuestion] = []
    private(set) var loads: [StreamLoad] = []
    func firstVariant() -> Int? { 0 }
    func variant(for question: VariantQuestion) -> Int {
        questions.append(question)
        return question.current
    }
    func action(after failure: StreamFailure) -> FailureAction { .skip }
    func didLoad(_ load: StreamLoad) { loads.append(load) }
}

@Suite("What a presentation says and is told", .serialized)
@MainActor
struct SourceEventTests {
    /// Segments of a second, of one playlist at each name.
    private func put(_ names: [String], count: Int = 6, into rig: SourceRig, tags: (Int) -> String = { _ in "" }) {
        for name in names {
            var list = "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:1\n"
            for number in 0..<count {
                list += "\(tags(number))#EXTINF:1,\n\(name)\(number).ts\n"
                rig.loader.put(FakeSegment.bytes(start: 900_000 + Int64(number) * 90_000), at: "http://test/\(name)\(number).ts")
            }
            rig.put(list + "#EXT-X-ENDLIST\n", at: "http://test/\(name).m3u8")
        }
    }

    private func segments(_ rig: SourceRig) -> [String] {
        rig.loader.requests.filter { $0.hasSuffix(".ts") }.map { String($0.dropFirst(12)) }
    }

    private func pause(_ rig: SourceRig, _ length: Duration) { rig.loop.run(within: length) { false } }

    @Test("the policy is asked before each segment, with its time, its duration and its size as far as the playlist tells it")
    func questions() throws {
        let rig = try SourceRig()
        defer { rig.close() }
        rig.put("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=300000,CODECS=\"avc1.64000d\"\na.m3u8\n", at: "http://test/master.m3u8")
        put(["a"], count: 4, into: rig) {
            $0 == 1 ? "#EXT-X-BYTERANGE:4888@0\n" : $0 == 2 ? "#EXT-X-BITRATE:80\n" : ""
        }
        let policy = Asked()
        _ = try #require(rig.prepare("http://test/master.m3u8", policy: policy)).get()
        let delivery = rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0)]), [0])[0]!
        #expect(delivery.times == frames(0..<100))
        let first = policy.questions.reduce(into: [VariantQuestion]()) { if $0.last?.startTime != $1.startTime { $0.append($1) } }
        #expect(first.map(\.startTime) == [0, 1, 2, 3, 4].map { .seconds($0) })
        // The first question comes before the position in the playlist is known, the last after its end.
        #expect(first.map(\.byteCount) == [nil, 4888, 10_000, 10_000, nil])
        #expect(first.allSatisfy { $0.current == 0 && $0.duration == .seconds(1) })
        #expect(policy.questions.first?.state.hasDelivered == false && policy.questions.last?.state.hasDelivered == true)
        #expect(policy.loads.map(\.byteCount).suffix(4) == [4888, 4888, 4888, 4888])
        #expect(policy.loads.last?.request.duration == .seconds(1) && policy.loads.last?.state.behindLive == nil)
    }

    @Test("the state that the policy sees is what was fetched before the decoder's position, and the distance to the live edge")
    func states() throws {
        let rig = try LiveRig(.init())
        defer { rig.close() }
        let policy = Asked()
        _ = rig.prepare(
            multivariant: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"avc1.64000d\"\nmain.m3u8\n", policy: policy)
        let buffer = rig.source.startReading(at: .seconds(4), tracks: [TrackID(0)])
        rig.run(for: .milliseconds(500))
        // Nothing is taken: two seconds are read ahead at the start.
        let last = try #require(policy.questions.last)
        #expect(last.state.bufferedDuration == last.startTime - .seconds(4) && last.state.bufferedDuration >= .seconds(2))
        #expect(last.state.behindLive == .seconds(10) - last.startTime)
        #expect(last.state.now > .zero)
        buffer.cancel()
    }

    @Test("another angle is read from its own playlist, from the next segment on; the same one and an unknown one change nothing")
    func angles() throws {
        let rig = try SourceRig()
        defer { rig.close() }
        rig.put(
            """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="v",NAME="Main",DEFAULT=YES
            #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="v",NAME="Bench",URI="bench.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=300000,CODECS="avc1.64000d",VIDEO="v"
            main.m3u8
            """, at: "http://test/master.m3u8")
        put(["main", "bench"], into: rig)
        rig.loader.setLatency(.milliseconds(100))
        let description = try #require(rig.prepare("http://test/master.m3u8")).get()
        #expect(description.tracks.map(\.name) == ["Main", "Bench"])
        let buffer = rig.source.startReading(at: .zero, tracks: [TrackID(0)])
        pause(rig, .milliseconds(150))
        #expect(!rig.source.selectAngle(TrackID(0)) && !rig.source.selectAngle(TrackID(77)))
        #expect(rig.source.selectAngle(TrackID(51)) && !rig.source.selectAngle(TrackID(51)))
        let delivery = rig.read(buffer, [0])[0]!
        #expect(delivery.times == frames(0..<150) && delivery.error == nil)
        #expect(segments(rig) == ["main0.ts", "main1.ts", "bench2.ts", "bench3.ts", "bench4.ts", "bench5.ts"])
        rig.close()
        #expect(!rig.source.selectAngle(TrackID(0)))
    }

    @Test(
        "the steering server is told the pathway in use; its order applies from the next segment on, also to pathways that it adds"
    )
    func steering() throws {
        let rig = try SourceRig()
        defer { rig.close() }
        let stream = "BANDWIDTH=300000,CODECS=\"avc1.64000d\""
        rig.put(
            """
            #EXTM3U
            #EXT-X-CONTENT-STEERING:SERVER-URI="steer",PATHWAY-ID="B"
            #EXT-X-STREAM-INF:\(stream),PATHWAY-ID="A"
            a.m3u8
            #EXT-X-STREAM-INF:\(stream),PATHWAY-ID="B"
            b.m3u8
            """, at: "http://test/master.m3u8")
        put(["a", "b"], count: 12, into: rig)
        for number in 0..<12 {
            rig.loader.put(FakeSegment.bytes(start: 900_000 + Int64(number) * 90_000), at: "http://c/b\(number).ts")
        }
        rig.put(
            "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:1\n" + (0..<12).map { "#EXTINF:1,\nb\($0).ts\n" }.joined()
                + "#EXT-X-ENDLIST\n", at: "http://c/b.m3u8")
        rig.put(#"{"VERSION":1,"TTL":2,"PATHWAY-PRIORITY":["A"]}"#, at: "http://test/steer?_HLS_pathway=\"B\"")
        rig.put(
            #"{"VERSION":1,"TTL":300,"PATHWAY-PRIORITY":["C"],"PATHWAY-CLONES":[{"BASE-ID":"B","ID":"C","URI-REPLACEMENT":{"HOST":"c"}}]}"#,
            at: "http://test/steer?_HLS_pathway=\"A\"")
        rig.loader.setLatency(.milliseconds(500))
        for name in ["a", "b"] { rig.loader.setLatency(.zero, at: "http://test/\(name).m3u8") }
        rig.loader.setLatency(.zero, at: "http://c/b.m3u8")
        rig.loader.setLatency(.milliseconds(1800), at: "http://test/steer?_HLS_pathway=\"B\"")
        _ = try #require(rig.prepare("http://test/master.m3u8")).get()
        let delivery = rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0)]), [0])[0]!
        #expect(delivery.times == frames(0..<300))
        let hosts = rig.loader.requests.filter { $0.hasSuffix(".ts") }.map {
            $0.hasPrefix("http://c/") ? "C" : $0.contains("/a") ? "A" : "B"
        }
        #expect(hosts.first == "B" && hosts.last == "C" && hosts.contains("A") && hosts.count == 12)
        #expect(hosts == hosts.sorted { order($0) < order($1) })
        func order(_ pathway: String) -> Int { ["B", "A", "C"].firstIndex(of: pathway)! }
        rig.close()
        let count = rig.loader.requests.count
        pause(rig, .seconds(600))
        #expect(rig.loader.requests.count == count)
    }

    @Test("session data, chapters, date ranges and interstitials are told when they are there, and once")
    func metadata() throws {
        let rig = try SourceRig()
        defer { rig.close() }
        rig.put(
            """
            #EXTM3U
            #EXT-X-SESSION-DATA:DATA-ID="title",VALUE="Name"
            #EXT-X-SESSION-DATA:DATA-ID="com.apple.hls.chapters",URI="chapters.json"
            #EXT-X-STREAM-INF:BANDWIDTH=300000,CODECS="avc1.64000d"
            a.m3u8
            """, at: "http://test/master.m3u8")
        rig.put("[{\"start-time\":3}]", at: "http://test/chapters.json")
        put(["a"], into: rig) {
            $0 == 0
                ? "#EXT-X-PROGRAM-DATE-TIME:\(LiveOrigin.date(0))\n#EXT-X-DATERANGE:ID=\"e\",CLASS=\"com.apple.hls.interstitial\",START-DATE=\"\(LiveOrigin.date(2))\",X-ASSET-URI=\"ad\"\n"
                : ""
        }
        _ = try #require(rig.prepare("http://test/master.m3u8")).get()
        var told: [String] = []
        let listening = rig.source.events.listen {
            switch $0 {
            case .metadataChanged: told.append("metadata")
            case .interstitialsChanged(let found): told.append("interstitials \(found.count)")
            case .soundUnavailable(let track, _): told.append("no sound \(track)")
            case .soundAvailable(let track): told.append("sound \(track)")
            case .liveStatusChanged(let status): told.append("status \(status.isLive)")
            case .logEntry, .timedMetadata, .trackAppeared: break
            }
        }
        pause(rig, .milliseconds(500))
        let early = told.count
        #expect(rig.source.sessionData.map(\.value) == ["Name"] && rig.source.chapters.isEmpty)
        pause(rig, .seconds(2))
        #expect(told.count == early + 1 && told.last == "metadata" && rig.source.chapters.map(\.start) == [.seconds(3)])
        #expect(rig.source.interstitials.map(\.id) == ["e"] && rig.source.dateRangeMetadata.map(\.identifier) == ["e"])
        #expect(rig.source.liveStatus?.isLive == false && rig.source.liveStatus?.duration == .finite(.seconds(6)))
        #expect(rig.source.segmentBoundary(nearest: .milliseconds(2400)) == .seconds(2))
        // Nothing has changed.
        _ = rig.source.startReading(at: .zero, tracks: [TrackID(0)])
        #expect(told.count == early + 1)
        withExtendedLifetime(listening) {}
    }

    @Test("a live status is reported when it changes, with its low latency, its dates and its window")
    func statuses() throws {
        let rig = try LiveRig(.init())
        defer { rig.close() }
        _ = rig.prepare()
        rig.read([0])
        rig.run(for: .seconds(20))
        #expect((9...12).contains(rig.statuses.count))
        #expect(zip(rig.statuses, rig.statuses.dropFirst()).allSatisfy { $0 != $1 && $0.edge <= $1.edge })
        #expect(
            rig.statuses.allSatisfy {
                $0.isLive && !$0.isLowLatency && !$0.isStuck && !$0.dates.isEmpty && $0.targetDuration == .seconds(2)
            })
    }
}
