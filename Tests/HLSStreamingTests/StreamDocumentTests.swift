import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaTime
import Testing
import TestSupport

@testable import HLSStreaming

@Suite("Documents of a stream")
struct StreamDocumentTests {
    @Test("chapters are ordered by time, with the widest picture, their titles and exact times")
    func chapters() throws {
        let text = """
            [{"start-time":20.5,"duration":9.25,"titles":[{"language":"en","title":"Two"},{"language":"und","title":"Zwei"}],
              "images":[{"url":"small.jpg","pixel-width":100},{"url":"big.jpg","pixel-width":300},{"url":"none.jpg"}]},
             {"start-time":0},{"start-time":-1}]
            """
        let chapters = ChapterDocument.chapters(of: Array(text.utf8), url: "http://h/c/list.json")
        #expect(
            chapters.map(\.start) == [.zero, .milliseconds(20_500)] && chapters.map(\.duration) == [nil, .milliseconds(9250)])
        #expect(chapters[1].titles.map(\.text) == ["Two", "Zwei"] && chapters[1].titles.map(\.languageTag) == ["en", nil])
        #expect(chapters.map(\.image) == [nil, "http://h/c/big.jpg"])
        #expect(ChapterDocument.chapters(of: Array("{}".utf8), url: "u").isEmpty)
        let titles = (0..<100).map { #"{"title":"\#($0)"}"# }.joined(separator: ",")
        let many = (0..<20_000).map { #"{"start-time":\#($0),"titles":[\#($0 == 0 ? titles : "")]}"# }.joined(separator: ",")
        let bounded = ChapterDocument.chapters(of: Array("[\(many)]".utf8), url: "u")
        #expect(bounded.map(\.start) == (0..<1000).map { .seconds($0) } && bounded.first?.titles.count == 64)
    }

    @Test("a list of assets may omit durations and the skip control; other text is refused")
    func assets() {
        func list(_ text: String) -> AssetList? { AssetList(Array(text.utf8), url: "http://h/l.json") }
        #expect(list(#"{"ASSETS":[]}"#)?.assets == [] && list(#"{"ASSETS":[]}"#)?.skip == nil)
        #expect(
            list(#"{"ASSETS":[],"SKIP-CONTROL":{"DURATION":3.5}}"#)?.skip
                == .init(offset: .zero, duration: .milliseconds(3500), labelID: nil))
        #expect(list("[]") == nil && list("") == nil && list(#"{"ASSETS":[{"DURATION":1}]}"#) == nil)
    }

    private func piece(key: EncryptionKey? = nil) -> Piece {
        Piece(
            uri: "x", range: nil, map: nil, key: key, mediaSequence: 1, sequence: 3, start: .seconds(4), end: .seconds(6),
            isPart: false,
            next: .init(mediaSequence: 2, epoch: 0))
    }

    @Test("a truncated event message, or one without a timescale, is ignored (ISO/IEC 23009-1, 5.10.3.3)")
    func events() {
        func word(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
        func messages(_ body: [UInt8]) -> [SegmentMetadata] {
            EventMessage.messages(in: word(UInt32(body.count + 8)) + Array("emsg".utf8) + body, of: piece())
        }
        let text: [UInt8] = Array("u".utf8) + [0] + Array("v".utf8) + [0]
        let zero: [UInt8] = [0, 0, 0, 0] + text + word(1000) + word(500) + word(2000) + word(7)
        #expect(messages(zero).map(\.time) == [.milliseconds(4500)] && messages(zero).map(\.sequence) == [3])
        let one: [UInt8] = [1, 0, 0, 0] + word(1000) + word(0) + word(2500) + word(2000) + word(7) + text
        #expect(messages(one).map(\.stamp) == [.milliseconds(2500)])
        // Any number of them may be in a segment.
        let box = word(UInt32(zero.count + 8)) + Array("emsg".utf8) + zero
        let many = (0..<40_000).flatMap { _ in box }
        #expect(EventMessage.messages(in: many, of: piece()).count == EventMessage.most)
        let large = zero + [UInt8](repeating: 1, count: 100_000)
        let larger = (0..<50).flatMap { _ in word(UInt32(large.count + 8)) + Array("emsg".utf8) + large }
        let count = EventMessage.messages(in: larger, of: piece()).count
        #expect(count == EventMessage.mostBytes / (large.count + 8))
        for count in 0..<zero.count { #expect(messages(Array(zero.prefix(count))).isEmpty) }
        for count in 0..<one.count { #expect(messages(Array(one.prefix(count))).isEmpty) }
        #expect(messages([0, 0, 0, 0] + text + word(0) + word(0) + word(0) + word(0)).isEmpty)
        #expect(messages([1, 0, 0, 0] + word(0) + word(0) + word(0) + word(0) + word(0) + text).isEmpty)
        #expect(messages([1, 0, 0, 0] + word(0x8000_0000) + word(0) + word(0) + word(0) + word(0) + text).isEmpty)
        #expect(messages([1, 0, 0, 0] + word(1) + word(0x4000_0000) + word(0) + word(0) + word(0) + text).isEmpty)
    }

    @Test("only AES-128 with keys of this format can be played; the refusal names the segment and the method")
    func refusals() throws {
        func key(_ attributes: String) throws -> EncryptionKey? {
            let text = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-KEY:\(attributes)\n#EXTINF:1,\na.ts\n"
            return try #require(PlaylistParser().parse(text).playlist?.media).segments[0].key
        }
        #expect(piece().refusal(in: "u") == nil)
        #expect(try piece(key: key("METHOD=AES-128,URI=\"k\"")).refusal(in: "u") == nil)
        let sample = try #require(try piece(key: key("METHOD=SAMPLE-AES,URI=\"k\"")).refusal(in: "http://h/p"))
        #expect(sample.code == .protected && sample.sentence.contains("Segment 1 of http://h/p is protected with SAMPLE-AES,"))
        let system = try #require(
            try piece(key: key("METHOD=AES-128,URI=\"k\",KEYFORMAT=\"com.apple.streamingkeydelivery\"")).refusal(in: "u"))
        #expect(system.sentence.contains("AES-128 of com.apple.streamingkeydelivery"))
    }

    @Test("the plan of a piece resolves its address, and takes only keys of AES-128")
    @MainActor
    func plans() {
        let plan = piece().plan(role: .variant(2), playlistURL: "http://h/p/list.m3u8")
        #expect(
            plan.request.url == "http://h/p/x" && plan.request.kind == .segment && plan.request.duration == .seconds(2)
                && plan.request.mediaSequence == 1)
        var part = piece()
        part.isPart = true
        #expect(part.plan(role: .variant(2), playlistURL: "http://h/p").request.kind == .part)
    }
}

@Suite("A playlist on the timeline")
struct PlaylistPlacementTests {
    private func live(_ first: Int, _ count: Int = 5, number: Int = 0) throws -> MediaPlaylist {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:\(first)\n#EXT-X-DISCONTINUITY-SEQUENCE:\(number)\n"
        for index in first..<first + count { text += "#EXTINF:2,\n\(index).ts\n" }
        return try #require(PlaylistParser().parse(text).playlist?.media)
    }

    @Test("the first playlist starts at zero, another one is placed by its sequence numbers")
    func first() throws {
        var placement = PlaylistPlacement()
        let step = placement.take(try live(10), after: nil) { nil }
        #expect(step == .continued && placement.anchor == .zero && placement.timelineSequence(3) == 3)
        let reference = PlaylistAlignment.Placed(playlist: try live(10, number: 7), anchor: .seconds(100))
        let beside = placement.take(try live(12, number: 2), after: nil) { reference }
        #expect(beside == .continued && placement.anchor == .seconds(104) && placement.timelineSequence(2) == 7)
    }

    @Test("a reload moves it, a stale one does not, and a restart begins a new epoch behind everything")
    func reloads() throws {
        var placement = PlaylistPlacement()
        _ = placement.take(try live(10), after: nil) { nil }
        let moved = placement.take(try live(12), after: try live(10)) { nil }
        #expect(moved == .continued && placement.anchor == .seconds(4))
        let stale = placement.take(try live(11), after: try live(12)) { nil }
        #expect(stale == .stale && placement.anchor == .seconds(4) && placement.epoch == 0)
        let reset = placement.take(try live(0), after: try live(12)) { nil }
        #expect(reset == .reset && placement.anchor == .seconds(14) && placement.epoch == 1)
        #expect(placement.timelineSequence(0) == 1 << 40 && placement.timelineSequence(2) == (1 << 40) + 2)
    }

    @Test("a playlist that was not reloaded for a while is placed by one that was, if there is one")
    func lost() throws {
        let reference = PlaylistAlignment.Placed(playlist: try live(20), anchor: .seconds(500))
        var placement = PlaylistPlacement()
        _ = placement.take(try live(10), after: nil) { nil }
        let near = placement.take(try live(15), after: try live(10)) { reference }
        #expect(near == .continued && placement.anchor == .seconds(10))
        _ = placement.take(try live(21), after: try live(15)) { reference }
        #expect(placement.anchor == .seconds(502))
        _ = placement.take(try live(40), after: try live(21)) { nil }
        #expect(placement.anchor == .seconds(502 + 10 + 14 * 2))
    }

    @Test("a playlist with the same numbers does not move")
    func unchanged() throws {
        let old = PlaylistAlignment.Placed(playlist: try live(10), anchor: .seconds(3))
        #expect(PlaylistAlignment.continue(old, with: try live(10)) == .moved(anchor: .seconds(3)))
        #expect(PlaylistAlignment.continue(old, with: try live(10, 9)) == .moved(anchor: .seconds(3)))
        #expect(PlaylistAlignment.continue(old, with: try live(9, 6)) == .stale)
        #expect(PlaylistAlignment.continue(old, with: try live(10, 4)) == .stale)
        #expect(PlaylistAlignment.continue(old, with: try live(5)) == .reset(anchor: .seconds(13)))
        #expect(PlaylistAlignment.continue(old, with: try live(6)) == .stale)
    }

    @Test("a delta update is asked for only while the known part is fresh, and only of a whole playlist (6.2.5.1)")
    func deltas() throws {
        func playlist(_ control: String, _ count: Int = 20, skip: String = "") throws -> MediaPlaylist {
            var text = "#EXTM3U\n#EXT-X-VERSION:9\n#EXT-X-TARGETDURATION:2\n\(control)\(skip)"
            for index in 0..<count { text += "#EXTINF:2,\n\(index).ts\n" }
            return try #require(PlaylistParser().parse(text).playlist?.media)
        }
        let control = "#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=12\n"
        let plain = try playlist(control)
        #expect(
            ReloadSchedule.mayAskForDelta(plain, age: .milliseconds(5999))
                && !ReloadSchedule.mayAskForDelta(plain, age: .seconds(6)))
        #expect(!ReloadSchedule.mayAskForDelta(try playlist(""), age: .zero))
        #expect(!ReloadSchedule.mayAskForDelta(try playlist(control, 6), age: .zero))
        #expect(ReloadSchedule.mayAskForDelta(try playlist(control, 7), age: .zero))
        #expect(!ReloadSchedule.mayAskForDelta(try playlist(control, skip: "#EXT-X-SKIP:SKIPPED-SEGMENTS=3\n"), age: .zero))
        #expect(ReloadSchedule.stuckLimit(targetDuration: .seconds(2)) == .seconds(7))
    }

    @Test("directives keep a query, and a part needs its segment; an interval has bounds")
    func directives() {
        #expect(ReloadSchedule.address("http://h/p?", mediaSequence: 1, part: nil, skip: nil) == "http://h/p?_HLS_msn=1")
        #expect(
            ReloadSchedule.address("http://h/p?a", mediaSequence: 1, part: 0, skip: nil) == "http://h/p?a&_HLS_msn=1&_HLS_part=0")
        #expect(ReloadSchedule.address("http://h/p", mediaSequence: nil, part: 3, skip: nil) == "http://h/p")
        func interval(_ last: MediaTime?) -> MediaTime {
            ReloadSchedule.interval(
                after: .init(
                    targetDuration: .seconds(6), partTargetDuration: nil, lastSegmentDuration: last, slidingWindow: nil,
                    hasChanged: true,
                    canBlockReload: false))
        }
        #expect(
            [nil, MediaTime.zero, .seconds(9), .seconds(3), .seconds(2)].map(interval) == [
                .seconds(6), .seconds(6), .seconds(6), .seconds(3), .seconds(3),
            ])
    }
}

@Suite("Interstitials across reloads")
struct InterstitialReloadTests {
    private func playlist(_ ranges: [(id: String, second: Double)], count: Int = 5, attributes: String = "", ended: Bool = false)
        throws -> MediaPlaylist
    {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-PROGRAM-DATE-TIME:\(LiveOrigin.date(100))\n"
        for number in 0..<count { text += "#EXTINF:4,\n\(number).ts\n" }
        if ended { text += "#EXT-X-ENDLIST\n" }
        for range in ranges {
            text +=
                "#EXT-X-DATERANGE:ID=\"\(range.id)\",CLASS=\"com.apple.hls.interstitial\",START-DATE=\"\(LiveOrigin.date(100 + range.second))\",X-ASSET-URI=\"a\"\(attributes)\n"
        }
        return try #require(PlaylistParser().parse(text).playlist?.media)
    }

    private func events(_ playlist: MediaPlaylist, anchor: MediaTime = .zero, known: [Interstitial] = [])
        -> [Interstitial]
    {
        InterstitialBuilder(playlist: playlist, anchor: anchor, url: "http://h/l").interstitials(
            of: playlist.dateRanges.map { .init(range: $0, base: "http://h/l") }, known: known)
    }

    @Test("events are ordered by time, then by name")
    func order() throws {
        let found = events(try playlist([("b", 8), ("c", 4), ("a", 8)]))
        #expect(found.map(\.id) == ["c", "a", "b"] && found.map(\.time) == [.seconds(4), .seconds(8), .seconds(8)])
    }

    @Test("a known event keeps its time when its date moves by at most a second, and is replaced when an attribute changes")
    func stable() throws {
        let known = events(try playlist([("a", 8)]))
        #expect(events(try playlist([("a", 9)]), known: known).map(\.time) == [.seconds(8)])
        #expect(events(try playlist([("a", 9.5)]), known: known).map(\.time) == [.milliseconds(9500)])
        let longer = events(try playlist([("a", 8.5)], attributes: ",DURATION=5"), known: known)
        #expect(longer.map(\.time) == [.milliseconds(8500)] && longer.map(\.event?.plannedDuration) == [.seconds(5)])
    }

    @Test("an event that has left the window stays; one that was withdrawn from inside it goes, except on demand")
    func window() throws {
        let known = events(try playlist([("a", 4), ("b", 16)]))
        let later = try playlist([])
        #expect(events(later, anchor: .seconds(8), known: known).map(\.id) == ["a"])
        #expect(events(later, anchor: .seconds(4), known: known).map(\.id) == [])
        #expect(events(try playlist([], ended: true), known: known).map(\.id) == ["a", "b"])
    }

    @Test("dates before the first segment and behind the last one count from them; without dates there is no place")
    func dates() throws {
        #expect(events(try playlist([("a", -3), ("b", 23)]), anchor: .seconds(50)).map(\.time) == [.seconds(47), .seconds(73)])
        let plain =
            "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n0.ts\n#EXT-X-DATERANGE:ID=\"a\",CLASS=\"com.apple.hls.interstitial\",START-DATE=\"2026-03-01T12:00:00Z\",X-ASSET-URI=\"a\"\n"
        #expect(events(try #require(PlaylistParser().parse(plain).playlist?.media)).isEmpty)
    }

    @Test("the nearest segment boundary; half way it is the earlier one")
    func boundaries() throws {
        let playlist = try playlist([])
        let times: [Int64] = [-1000, 0, 1999, 2000, 2001, 4000, 17_999, 18_001, 20_000, 90_000]
        #expect(
            times.map { playlist.boundary(nearest: .milliseconds($0)).milliseconds } == [
                0, 0, 0, 0, 4000, 4000, 16_000, 20_000, 20_000, 20_000,
            ])
    }

    @Test("SNAP=IN aligns the return, CUE marks are kept, and a place on demand may be filled")
    func attributes() throws {
        let filling = try #require(
            events(
                try playlist(
                    [("a", 4)],
                    attributes: ",X-SNAP=\"IN\",CUE=\"PRE,ONCE\",X-TIMELINE-OCCUPIES=\"RANGE\",X-TIMELINE-STYLE=\"PRIMARY\"",
                    ended: true)
            ).first)
        let event = try #require(filling.event)
        #expect(
            event.alignsResumptionWithSegmentBoundary && event.cue == .joinCue && filling.repetition == .once
                && event.timelineOccupancy == .fill && !event.isHighlighted)
        let plain = try #require(events(try playlist([("a", 4)])).first)
        let plainEvent = try #require(plain.event)
        #expect(
            !plainEvent.alignsResumptionWithSegmentBoundary && plainEvent.cue == [] && plain.repetition == .always
                && plainEvent.timelineOccupancy == .singlePoint && plainEvent.isHighlighted)
        #expect(
            plainEvent.contentMayVary && plain.restrictions == [] && plain.skip == nil && plainEvent.plannedDuration == nil)
    }
}

@Suite("Callbacks and logs of a stream", .serialized)
@MainActor
struct StreamNoticesTests {
    @Test("observers are called at each change until they are removed, others once")
    func observers() {
        let observers = ChangeObservers()
        var calls: [String] = []
        let first = observers.add { calls.append("a") }
        let second = observers.add { calls.append("b") }
        observers.addOnce {
            calls.append("once")
            observers.addOnce { calls.append("again") }
        }
        observers.notify()
        #expect(calls == ["once", "a", "b"] && first != second)
        observers.remove(first)
        observers.notify()
        #expect(calls == ["once", "a", "b", "again", "b"])
        observers.addOnce { calls.append("never") }
        observers.removeAll()
        observers.notify()
        #expect(calls.count == 5)
    }

    @Test("each load is logged, a variant when its media begin to arrive, and each failure with its address")
    func logged() {
        final class Inner: StreamPolicy {
            var calls: [String] = []
            func firstVariant() -> Int? { 3 }
            func variant(for question: VariantQuestion) -> Int { question.current + 1 }
            func abandon(_ progress: StreamProgress) -> Int? { 7 }
            func didLoad(_ load: StreamLoad) { calls.append("loaded \(load.url)") }
            func action(after failure: StreamFailure) -> FailureAction { .retry(after: .seconds(9)) }
            func setPathwayPriority(_ pathways: [String]) { calls.append("pathways \(pathways)") }
            func decoderFallsBehind(_ variant: Int) { calls.append("behind \(variant)") }
        }
        let inner = Inner()
        var asked: [Int] = []
        var words: [String] = []
        let policy = LoggedPolicy(
            inner,
            facts: { index in
                asked.append(index)
                return RenditionFacts(url: "v")
            }
        ) { entry in
            switch entry {
            case .delivering: words.append("delivering")
            case .transferred(let transfer):
                words.append(
                    "\(transfer.url) \(transfer.mediaType.map(\.rawValue) ?? "-") \(transfer.mediaDuration == nil ? "-" : "media")"
                )
            case .failed(let url, _): words.append("failed \(url)")
            }
        }
        func load(_ kind: ResourceKind, _ role: RenditionRole) {
            policy.didLoad(
                StreamLoad(
                    request: StreamRequest(kind: kind, role: role, url: "asked", duration: .seconds(4)), byteCount: 1,
                    timeToFirstByte: .zero,
                    transferDuration: .zero, url: "u", serverAddress: nil, state: ReadingState()))
        }
        load(.playlist, .variant(1))
        load(.segment, .variant(1))
        load(.part, .variant(1))
        load(.segment, .audio(TrackID(2)))
        load(.segment, .variant(2))
        load(.segment, .text(TrackID(100)))
        load(.segment, .iFrames(0))
        #expect(asked == [1, 2])
        #expect(
            words == [
                "u - -", "delivering", "u video media", "u video media", "u audio media", "delivering", "u video media",
                "u text media", "u video media",
            ])
        policy.setPathwayPriority(["A"])
        policy.decoderFallsBehind(5)
        #expect(inner.calls.count == 9 && inner.calls.suffix(2) == ["pathways [\"A\"]", "behind 5"])
        let failure = StreamFailure(
            request: StreamRequest(kind: .key, role: .presentation, url: "k"), error: MediaError(.sourceMissing, "x"),
            attempts: 1, missedSegments: 0,
            hasMediaBehind: false, state: ReadingState())
        #expect(policy.action(after: failure) == .retry(after: .seconds(9)) && words.last == "failed k")
        #expect(
            policy.firstVariant() == 3
                && policy.variant(for: .init(current: 4, startTime: .zero, duration: .zero, state: ReadingState())) == 5)
    }
}
