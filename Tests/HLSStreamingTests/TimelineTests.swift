import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import TestSupport
import Testing

@testable import HLSStreaming

@Suite("The alignment of playlists")
struct AlignmentTests {
    private func playlist(_ text: String) throws -> MediaPlaylist {
        try #require(PlaylistParser().parse("#EXTM3U\n#EXT-X-TARGETDURATION:2\n" + text).playlist?.media)
    }

    private func live(
        first: Int, count: Int, dated: Double? = nil, splice: Int? = nil, spliceNumber: Int = 0, ended: Bool = false
    ) throws -> MediaPlaylist {
        var text = "#EXT-X-MEDIA-SEQUENCE:\(first)\n#EXT-X-DISCONTINUITY-SEQUENCE:\(spliceNumber)\n"
        for index in 0..<count {
            if index == splice { text += "#EXT-X-DISCONTINUITY\n" }
            if index == 0, let dated { text += "#EXT-X-PROGRAM-DATE-TIME:\(LiveOrigin.date(dated))\n" }
            text += "#EXTINF:2,\n\(first + index).ts\n"
        }
        return try playlist(text + (ended ? "#EXT-X-ENDLIST\n" : ""))
    }

    @Test("a reload moves by the segments that were removed")
    func moves() throws {
        let old = PlaylistAlignment.Placed(playlist: try live(first: 10, count: 5), anchor: .seconds(3))
        #expect(PlaylistAlignment.continue(old, with: try live(first: 12, count: 5)) == .moved(anchor: .seconds(7)))
        #expect(PlaylistAlignment.continue(old, with: try live(first: 15, count: 5)) == .moved(anchor: .seconds(13)))
        // Two were never seen: they were as long as the others.
        #expect(PlaylistAlignment.continue(old, with: try live(first: 17, count: 5)) == .moved(anchor: .seconds(17)))
    }

    @Test("the dates give the duration of segments that were never seen")
    func unseen() throws {
        let old = PlaylistAlignment.Placed(playlist: try live(first: 10, count: 5, dated: 100), anchor: .zero)
        #expect(PlaylistAlignment.continue(old, with: try live(first: 17, count: 5, dated: 113)) == .moved(anchor: .seconds(13)))
    }

    @Test("an older playlist is stale, one with only lower numbers is a restart")
    func backward() throws {
        let old = PlaylistAlignment.Placed(playlist: try live(first: 100, count: 5), anchor: .seconds(3))
        #expect(PlaylistAlignment.continue(old, with: try live(first: 98, count: 5)) == .stale)
        #expect(PlaylistAlignment.continue(old, with: try live(first: 0, count: 3)) == .reset(anchor: .seconds(13)))
    }

    @Test("a common discontinuity aligns two playlists, whatever their numbers and dates are")
    func byEdge() throws {
        let reference = PlaylistAlignment.Placed(
            playlist: try live(first: 10, count: 6, dated: 0, splice: 3, spliceNumber: 4), anchor: .seconds(20))
        let other = try live(first: 90, count: 6, dated: 50, splice: 1, spliceNumber: 4)
        #expect(PlaylistAlignment.place(other, beside: reference) == .seconds(24))
    }

    @Test("a discontinuity that has left one of the windows does not align: the next common one does")
    func byNextEdge() throws {
        let segments = ["", "", "#EXT-X-DISCONTINUITY\n", "", "#EXT-X-DISCONTINUITY\n", ""].map { $0 + "#EXTINF:2,\na.ts\n" }
        let reference = PlaylistAlignment.Placed(
            playlist: try playlist("#EXT-X-DISCONTINUITY-SEQUENCE:4\n" + segments.joined()), anchor: .seconds(20))
        let other = try playlist("#EXT-X-MEDIA-SEQUENCE:90\n#EXT-X-DISCONTINUITY-SEQUENCE:5\n" + segments[3...].joined())
        #expect(PlaylistAlignment.place(other, beside: reference) == .seconds(26))
    }

    @Test("dates align playlists without a common discontinuity, unless they are hours apart")
    func byDate() throws {
        let reference = PlaylistAlignment.Placed(playlist: try live(first: 10, count: 6, dated: 100), anchor: .seconds(20))
        #expect(PlaylistAlignment.place(try live(first: 500, count: 6, dated: 104), beside: reference) == .seconds(24))
        // Then their numbers do.
        #expect(PlaylistAlignment.place(try live(first: 12, count: 6, dated: 9000), beside: reference) == .seconds(24))
    }

    @Test("sequence numbers align playlists without dates, and their ends align those with nothing in common")
    func byNumber() throws {
        let reference = PlaylistAlignment.Placed(playlist: try live(first: 10, count: 6), anchor: .seconds(20))
        #expect(PlaylistAlignment.place(try live(first: 8, count: 6), beside: reference) == .seconds(16))
        #expect(PlaylistAlignment.place(try live(first: 700, count: 4), beside: reference) == .seconds(24))
    }

    @Test("on demand all playlists start together")
    func onDemand() throws {
        let reference = PlaylistAlignment.Placed(playlist: try live(first: 0, count: 6, dated: 0, ended: true), anchor: .zero)
        #expect(PlaylistAlignment.place(try live(first: 0, count: 7, dated: 30, ended: true), beside: reference) == .zero)
    }

    @Test("playlists that number their discontinuities differently get the same names")
    func sequences() throws {
        let reference = PlaylistAlignment.Placed(
            playlist: try live(first: 10, count: 6, splice: 3, spliceNumber: 4), anchor: .zero)
        let other = try live(first: 10, count: 6, splice: 3, spliceNumber: 0)
        #expect(PlaylistAlignment.numbering(of: other, at: .zero, beside: reference).shift == 4)
        #expect(PlaylistAlignment.numbering(of: reference.playlist, at: .zero, beside: reference).shift == 0)
    }
}

@Suite("The schedule of reloads")
struct ReloadScheduleTests {
    private func answer(
        changed: Bool, target: MediaTime = .seconds(6), last: MediaTime? = .seconds(6), window: MediaTime? = .seconds(18),
        blocking: Bool = false, part: MediaTime? = nil
    ) -> ReloadSchedule.LastAnswer {
        .init(
            targetDuration: target, partTargetDuration: part, lastSegmentDuration: last, slidingWindow: window,
            hasChanged: changed, canBlockReload: blocking)
    }

    @Test("after the target duration if changed, after half of it if not, after the last segment's duration if that is shorter")
    func intervals() {
        #expect(ReloadSchedule.interval(after: answer(changed: true)) == .seconds(6))
        #expect(ReloadSchedule.interval(after: answer(changed: false)) == .seconds(3))
        #expect(ReloadSchedule.interval(after: answer(changed: true, last: .seconds(4))) == .seconds(4))
        #expect(ReloadSchedule.interval(after: answer(changed: true, last: .seconds(1))) == .seconds(3))
    }

    @Test(
        "a window that is much shorter than three target durations is asked for before it has slid out, and at most once a second"
    )
    func shortWindow() {
        func interval(_ changed: Bool, _ last: MediaTime, window: MediaTime?) -> MediaTime {
            ReloadSchedule.interval(after: answer(changed: changed, target: .seconds(60), last: last, window: window))
        }
        #expect(interval(true, .seconds(2), window: .seconds(12)) == .seconds(4))
        #expect(interval(true, .seconds(5), window: .seconds(12)) == .seconds(5))
        #expect(interval(false, .seconds(2), window: .seconds(12)) == .seconds(4))
        #expect(interval(true, .seconds(2), window: .seconds(180)) == .seconds(30))
        #expect(interval(true, .milliseconds(1), window: .milliseconds(5)) == .seconds(1))
        #expect(interval(true, .seconds(2), window: nil) == .seconds(30), "a stream that begins")
    }

    @Test("a server with blocking reload gets the next request at once, but a server without new media does not get a burst")
    func blocking() {
        #expect(ReloadSchedule.interval(after: answer(changed: true, blocking: true)) == .zero)
        #expect(ReloadSchedule.interval(after: answer(changed: false, blocking: true)) == .seconds(3))
        #expect(ReloadSchedule.interval(after: answer(changed: false, blocking: true, part: .seconds(1))) == .milliseconds(500))
    }

    @Test(
        "a server with blocking reload that never blocks, but has news each time, is asked no more often than its parts can come")
    func neverBlocks() {
        for (part, most) in [(MediaTime.seconds(1), 24), (.milliseconds(1), 104)] {
            var schedule = ReloadSchedule()
            var (now, count) = (HostTime.zero, 0)
            while now < .zero + .seconds(10) {
                now = schedule.next(after: answer(changed: true, blocking: true, part: part), request: now, now: now)
                count += 1
                guard count < 1000 else { break }
            }
            #expect(count <= most, "\(part)")
        }
        // One that blocks is asked at once.
        var schedule = ReloadSchedule()
        for second in Int64(0)..<10 {
            let (asked, now) = (HostTime.zero + .seconds(second), HostTime.zero + .seconds(second + 1))
            #expect(
                schedule.next(after: answer(changed: true, blocking: true, part: .seconds(1)), request: asked, now: now) == now)
        }
    }

    @Test("delivery directives are added to the query, ordered by name")
    func address() {
        #expect(
            ReloadSchedule.address("http://h/p.m3u8?token=1", mediaSequence: 12, part: 3, skip: .segments)
                == "http://h/p.m3u8?token=1&_HLS_msn=12&_HLS_part=3&_HLS_skip=YES")
        #expect(ReloadSchedule.address("http://h/p.m3u8", mediaSequence: nil, part: nil, skip: nil) == "http://h/p.m3u8")
        #expect(
            ReloadSchedule.address("http://h/p.m3u8", mediaSequence: nil, part: nil, skip: .dateRanges).hasSuffix("?_HLS_skip=v2")
        )
    }
}

@Suite("Timestamps that wrap", .serialized)
@MainActor
struct StampWrapTests {
    @Test("the shift is a whole number of periods, to the nearest position")
    func shift() {
        let period = StampPeriod.length
        #expect(StampPeriod.shift(of: .seconds(10), toward: .seconds(12)) == .zero)
        #expect(StampPeriod.shift(of: .seconds(1), toward: period) == period)
        #expect(StampPeriod.shift(of: period, toward: .seconds(2)) == -period)
        #expect(StampPeriod.shift(of: .seconds(3), toward: period * 3 + .seconds(4)) == period * 3)
    }

    @Test("reading that starts before or after the timestamps wrap gives the right positions")
    func seeks() throws {
        let rig = try SourceRig()
        defer { rig.close() }
        var list = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n"
        for number in 0..<6 {
            list += "#EXTINF:1,\n\(number).ts\n"
            // The timestamps wrap after the third second.
            let stamp = (Int64(1) << 33) - 270_000 + Int64(number) * 90_000
            rig.loader.put(FakeSegment.bytes(start: stamp & (1 << 33 - 1)), at: "http://test/\(number).ts")
        }
        rig.put(list + "#EXT-X-ENDLIST\n", at: "http://test/main.m3u8")
        _ = rig.prepare("http://test/main.m3u8")
        func first(at time: MediaTime) -> MediaTime? {
            let buffer = rig.source.startReading(at: time, tracks: [TrackID(0)])
            defer { buffer.cancel() }
            return rig.read(buffer, [0])[0]?.times.first
        }
        #expect(first(at: .seconds(1)) == .seconds(1))
        #expect(first(at: .seconds(4)) == .seconds(4))
        #expect(first(at: .seconds(2)) == .seconds(2))
    }
}

@Suite("Metadata in segments")
struct SegmentMetadataTests {
    private func tag(_ frames: [UInt8]) -> [UInt8] {
        Array("ID3".utf8) + [4, 0, 0, 0, 0, UInt8(frames.count >> 7), UInt8(frames.count & 0x7f)] + frames
    }

    private func frame(_ id: String, _ body: [UInt8]) -> [UInt8] {
        Array(id.utf8) + [0, 0, UInt8(body.count >> 7), UInt8(body.count & 0x7f), 0, 0] + body
    }

    private var stamp: [UInt8] {
        frame("PRIV", Array("com.apple.streaming.transportStreamTimestamp".utf8) + [0] + [0, 0, 0, 0, 0, 0x0d, 0xbb, 0xa0])
    }

    @Test("the timestamp of packed audio is found, and whether the tag has other contents")
    func id3() throws {
        let plain = try #require(PackedAudioTag(tag(stamp) + [0xff, 0xf1]))
        #expect(plain.transportStreamTimestamp == .seconds(10))
        #expect(!plain.hasContent)
        #expect(plain.length == stamp.count + 10)
        let both = try #require(PackedAudioTag(tag(stamp + frame("TIT2", [3, 65])) + [0xff]))
        #expect(both.hasContent && both.transportStreamTimestamp == .seconds(10))
        let two = try #require(PackedAudioTag(tag(stamp) + tag(frame("TXXX", [3, 65, 0, 66])) + [0xff]))
        #expect(two.hasContent && two.transportStreamTimestamp == .seconds(10))
    }

    @Test("an incomplete tag is waited for; other bytes are not")
    func partial() {
        let whole = tag(stamp)
        #expect(PackedAudioTag(Array(whole.dropLast())) == nil)
        #expect(
            PackedAudioTag.mayBegin(Array(whole.dropLast())) && PackedAudioTag.mayBegin([0x49]) && PackedAudioTag.mayBegin([]))
        #expect(!PackedAudioTag.mayBegin(whole) && !PackedAudioTag.mayBegin([0xff, 0xf1]))
        #expect(PackedAudioTag([0xff, 0xf1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]) == nil)
    }

    @Test("event messages of both versions have their time, scheme and data")
    func interstitials() {
        func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
            let size = body.count + 8
            return [0, 0, UInt8(size >> 8), UInt8(size & 0xff)] + Array(type.utf8) + body
        }
        func word(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
        let text = Array("urn:test".utf8) + [0] + Array("v".utf8) + [0]
        let zero = box("emsg", [0, 0, 0, 0] + text + word(1000) + word(500) + word(2000) + word(7) + [9, 8])
        let one = box("emsg", [1, 0, 0, 0] + word(90_000) + word(0) + word(900_000) + word(0xffff_ffff) + word(8) + text + [5])
        let piece = Piece(
            uri: "x", range: nil, map: nil, key: nil, mediaSequence: 1, sequence: 0, start: .seconds(4), end: .seconds(6),
            isPart: false,
            next: .init(mediaSequence: 2, epoch: 0))
        let found = EventMessage.messages(in: box("styp", [1, 2, 3, 4]) + zero + one + box("moof", []), of: piece)
        #expect(found.map(\.time) == [.milliseconds(4500), .seconds(4)])
        #expect(found.map(\.stamp) == [nil, .seconds(10)])
        guard case .event(let first) = found[0].content, case .event(let second) = found[1].content else {
            Issue.record("these are events")
            return
        }
        #expect(
            first.scheme == "urn:test" && first.value == "v" && first.id == 7 && first.duration == .seconds(2)
                && first.data == [9, 8])
        #expect(second.duration == nil && second.data == [5] && second.id == 8)
    }
}

@Suite("Interstitials from date ranges")
struct InterstitialBuilderTests {
    private func interstitials(_ ranges: String, ended: Bool = true) throws -> [Interstitial] {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-PROGRAM-DATE-TIME:2026-03-01T12:00:00Z\n"
        for number in 0..<5 { text += "#EXTINF:4,\n\(number).ts\n" }
        if ended { text += "#EXT-X-ENDLIST\n" }
        let playlist = try #require(PlaylistParser().parse(text + ranges).playlist?.media)
        return InterstitialBuilder(playlist: playlist, anchor: .seconds(100), url: "http://h/p/list.m3u8").interstitials(
            of: playlist.dateRanges.map { .init(range: $0, base: "http://h/p/list.m3u8") }, known: [])
    }

    private func range(_ attributes: String, at second: Int = 5) -> String {
        "#EXT-X-DATERANGE:ID=\"a\",CLASS=\"com.apple.hls.interstitial\",START-DATE=\"2026-03-01T12:00:0\(second)Z\",\(attributes)\n"
    }

    @Test("all attributes are kept")
    func attributes() throws {
        let interstitial = try #require(
            try interstitials(
                range(
                    "DURATION=15,X-ASSET-URI=\"ad.m3u8\",X-RESUME-OFFSET=1.5,X-PLAYOUT-LIMIT=10,X-RESTRICT=\"SKIP,JUMP\",CUE=\"ONCE\",X-TIMELINE-OCCUPIES=\"RANGE\",X-TIMELINE-STYLE=\"PRIMARY\",X-CONTENT-MAY-VARY=\"NO\",X-SKIP-CONTROL-OFFSET=5,X-SKIP-CONTROL-DURATION=4,X-SKIP-CONTROL-LABEL-ID=\"skip\""
                )
            ).first)
        let event = try #require(interstitial.event)
        #expect(event.time == .seconds(105))
        #expect(event.assets == .asset(url: "http://h/p/ad.m3u8"))
        #expect(event.resumptionOffset == .milliseconds(1500) && event.playoutLimit == .seconds(10))
        #expect(
            interstitial.restrictions == [
                .requiresPlaybackAtPreferredRateForAdvancement, .constrainsSeekingForwardInPrimaryContent,
            ])
        #expect(interstitial.repetition == .once && event.cue == [])
        #expect(event.timelineOccupancy == .fill && !event.isHighlighted && !event.contentMayVary)
        #expect(interstitial.skip == .init(offset: .seconds(5), duration: .seconds(4), labelID: "skip"))
        #expect(event.plannedDuration == .seconds(15))
    }

    @Test("a list of assets is found beside the playlist")
    func list() throws {
        #expect(try interstitials(range("X-ASSET-LIST=\"ads.json\"")).first?.event?.assets == .list(url: "http://h/p/ads.json"))
    }

    @Test("PRE is placed at the start, POST at the end, whatever their dates")
    func cues() throws {
        #expect(try interstitials(range("X-ASSET-URI=\"a\",CUE=\"PRE\"")).first?.time == .seconds(100))
        #expect(try interstitials(range("X-ASSET-URI=\"a\",CUE=\"POST,ONCE\"")).first?.time == .seconds(120))
    }

    @Test("X-SNAP=OUT moves the start to the nearest segment boundary", arguments: [(5, 104), (7, 108), (1, 100)])
    func snap(_ second: Int, _ place: Int64) throws {
        #expect(try interstitials(range("X-ASSET-URI=\"a\",X-SNAP=\"OUT\"", at: second)).first?.time == .seconds(place))
    }

    @Test("a date range without assets or of another class makes no event")
    func foreign() throws {
        #expect(try interstitials(range("DURATION=3")).isEmpty)
        #expect(
            try interstitials("#EXT-X-DATERANGE:ID=\"b\",CLASS=\"x\",START-DATE=\"2026-03-01T12:00:05Z\",X-ASSET-URI=\"a\"\n")
                .isEmpty)
    }

    @Test("on a live stream no event fills the timeline")
    func live() throws {
        let interstitial = try interstitials(range("X-ASSET-URI=\"a\",X-TIMELINE-OCCUPIES=\"RANGE\""), ended: false).first
        #expect(interstitial?.event?.timelineOccupancy == .singlePoint)
    }

    @Test("an asset list has relative addresses, exact durations, and its own skip control")
    func assetList() throws {
        let text =
            #"{"ASSETS":[{"URI":"one.m3u8","DURATION":15.005},{"URI":"https://x/two.m3u8"}],"SKIP-CONTROL":{"OFFSET":5,"LABEL-ID":"s"}}"#
        let list = try #require(
            AssetList(Array(text.utf8), url: "http://h/ads/list.json"))
        #expect(
            list.assets == [
                InterstitialAsset(url: "http://h/ads/one.m3u8", duration: .milliseconds(15_005)),
                InterstitialAsset(url: "https://x/two.m3u8", duration: nil),
            ])
        #expect(list.skip == .init(offset: .seconds(5), duration: nil, labelID: "s"))
    }
}
