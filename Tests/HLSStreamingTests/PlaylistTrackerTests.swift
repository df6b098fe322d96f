import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaTime
import Testing
import TestSupport

@testable import HLSStreaming

@Suite("A load and its failures", .serialized)
@MainActor
struct StreamTaskTests {
    private func outcome(_ bench: Bench, cancelsAfter: Double? = nil, _ prepare: (Bench) -> Void = { _ in }) -> String? {
        prepare(bench)
        var found: String?
        let task = StreamTask(
            StreamRequest(kind: .key, role: .presentation, url: "http://h/key"), context: bench.context, state: { ReadingState() }
        ) { outcome in
            switch outcome {
            case .loaded(let response): found = "loaded \(response.bytes.count)"
            case .superseded: found = "superseded"
            case .skipped: found = "skipped"
            case .failed: found = "failed"
            }
        }
        if let cancelsAfter {
            bench.run(for: cancelsAfter)
            task.cancel()
        }
        bench.run(for: 30)
        return found
    }

    @Test("a body is given to the caller, and to the policy as a load")
    func loaded() throws {
        let bench = try Bench()
        #expect(outcome(bench) { $0.put("abc", at: "http://h/key") } == "loaded 3")
        #expect(bench.policy.loads.map(\.url) == ["http://h/key"] && bench.policy.attempts.isEmpty)
    }

    @Test("failures are counted, and the request is made again after the delay that the policy says")
    func retried() throws {
        let bench = try Bench()
        bench.policy.actions = [.retry(after: .seconds(2)), .retry(after: .seconds(3)), .skip]
        #expect(outcome(bench) == "skipped" && bench.policy.attempts == [1, 2, 3] && bench.loader.requests.count == 3)
        let later = try Bench()
        later.policy.actions = [.retry(after: .seconds(2))]
        later.loop.clock.schedule(after: .seconds(1)) { later.put("abc", at: "http://h/key") }
        #expect(outcome(later) == "loaded 3" && later.policy.attempts == [1])
    }

    @Test("a switch to another variant supersedes the load; without that variant the load fails")
    func superseded() throws {
        for (exists, expected) in [(true, "superseded"), (false, "failed")] {
            let bench = try Bench()
            bench.policy.actions = [.use(variant: 4)]
            var asked: [Int] = []
            bench.context.useVariant = {
                asked.append($0)
                return exists
            }
            #expect(outcome(bench) == expected && asked == [4])
        }
        let bench = try Bench()
        bench.policy.actions = [.use(variant: 4)]
        #expect(outcome(bench) == "failed")
        #expect(outcome(try Bench()) == "failed")
    }

    @Test("a cancelled load never calls back, during the transfer or before a retry")
    func cancelled() throws {
        let bench = try Bench()
        bench.loader.setLatency(.seconds(5))
        #expect(outcome(bench, cancelsAfter: 1) { $0.put("abc", at: "http://h/key") } == nil && bench.policy.loads.isEmpty)
        let waiting = try Bench()
        waiting.policy.actions = [.retry(after: .seconds(5))]
        #expect(outcome(waiting, cancelsAfter: 1) == nil && waiting.loader.requests.count == 1)
    }

    @Test("a load that is cancelled while the policy switches to another variant does not call back either")
    func cancelledBySwitch() throws {
        let bench = try Bench()
        bench.policy.actions = [.use(variant: 4)]
        var calls = 0
        let task = StreamTask(
            StreamRequest(kind: .playlist, role: .variant(0), url: "http://h/none"), context: bench.context,
            state: { ReadingState() }
        ) { _ in calls += 1 }
        bench.context.useVariant = { _ in
            task.cancel()
            return true
        }
        bench.run(for: 5)
        #expect(calls == 0 && bench.policy.attempts == [1])
    }

    @Test("a key or an initialization section is loaded once for all who wait, and kept")
    func cache() throws {
        let bench = try Bench()
        bench.put("0123456789", at: "http://h/init")
        var told: [String] = []
        func ask(_ name: String, _ range: ByteRange? = nil) -> Int {
            bench.context.resources.load(
                StreamRequest(kind: .initialization, role: .presentation, url: "http://h/init"), range: range,
                state: { ReadingState() }
            ) { if case .loaded(let response) = $0 { told.append("\(name) \(response.bytes.count)") } }
        }
        _ = ask("a")
        let cancelled = ask("b")
        _ = ask("c")
        _ = ask("d", ByteRange(length: 4, offset: 2))
        bench.context.resources.cancel(cancelled)
        #expect(told.isEmpty)
        bench.run(for: 1)
        #expect(told == ["a 10", "c 10", "d 4"] && bench.loader.requests.count == 2)
        #expect(bench.context.resources.bytes(at: "http://h/init", range: nil)?.count == 10)
        #expect(bench.context.resources.bytes(at: "http://h/init", range: ByteRange(length: 4, offset: 2)) == Array("2345".utf8))
        #expect(bench.context.resources.bytes(at: "http://h/other", range: nil) == nil)
        bench.context.resources.close()
        #expect(bench.context.resources.bytes(at: "http://h/init", range: nil) == nil)
    }
}

@Suite("A playlist and its reloads", .serialized)
@MainActor
struct PlaylistTrackerTests {
    @Test("a playlist is loaded once; observers are told of it")
    func load() throws {
        let bench = try Bench()
        bench.put(0, tail: "#EXT-X-ENDLIST\n")
        let tracker = bench.tracker()
        var changes = 0, once = 0
        let token = tracker.observe { changes += 1 }
        tracker.observeOnce { once += 1 }
        tracker.load()
        tracker.load()
        bench.run(for: 1)
        tracker.load()
        tracker.follow()
        bench.run(for: 20)
        #expect(bench.loader.requests.count == 1 && changes == 1 && once == 1)
        #expect(!tracker.isLive && tracker.end == .seconds(10) && tracker.failure == nil && tracker.placed?.anchor == .zero)
        #expect([-1, 0, 1, 2, 9, 10, 99].map { tracker.index(at: .seconds($0)) } == [0, 0, 0, 1, 4, 4, 4])
        tracker.stopObserving(token)
        tracker.close()
    }

    @Test("a live playlist is reloaded while it is followed, after its target duration or half of it (6.3.4)")
    func follow() throws {
        let bench = try Bench()
        bench.put(0)
        let tracker = bench.tracker()
        tracker.follow()
        bench.run(for: 0.5)
        #expect(tracker.isLive && bench.loader.requests.count == 1)
        // Changed: after two seconds; unchanged: after one more each.
        bench.run(for: 1)
        #expect(bench.loader.requests.count == 1)
        bench.run(for: 1)
        #expect(bench.loader.requests.count == 2)
        bench.run(for: 1)
        #expect(bench.loader.requests.count == 3)
        tracker.follow()
        tracker.unfollow()
        bench.run(for: 1)
        #expect(bench.loader.requests.count == 4)
        tracker.unfollow()
        bench.run(for: 10)
        #expect(bench.loader.requests.count == 4)
        tracker.follow()
        bench.run(for: 0.5)
        #expect(bench.loader.requests.count == 5)
        tracker.close()
        bench.run(for: 10)
        #expect(bench.loader.requests.count == 5)
    }

    @Test("new segments, parts, hints, dates and the end are news")
    func news() throws {
        let bench = try Bench()
        bench.put(0)
        let tracker = bench.tracker()
        var changes = 0
        _ = tracker.observe { changes += 1 }
        tracker.follow()
        bench.run(for: 0.5)
        bench.put(2)
        bench.run(for: 2)
        #expect(tracker.anchor == .seconds(4) && tracker.end == .seconds(14) && changes == 2)
        bench.put(2, tail: "#EXT-X-ENDLIST\n")
        bench.run(for: 4)
        let count = bench.loader.requests.count
        bench.run(for: 20)
        #expect(!tracker.isLive && bench.loader.requests.count == count)
    }

    @Test("a damaged or older reload changes nothing, and is repeated")
    func broken() throws {
        let bench = try Bench()
        bench.put(10)
        let tracker = bench.tracker()
        tracker.follow()
        bench.run(for: 0.5)
        bench.put("<html>", at: "http://h/list.m3u8")
        bench.run(for: 2)
        #expect(tracker.failure == nil && tracker.playlist?.mediaSequence == 10)
        bench.put(9)
        bench.run(for: 2)
        #expect(tracker.failure == nil && tracker.playlist?.mediaSequence == 10)
        bench.put(12)
        bench.run(for: 2)
        #expect(tracker.playlist?.mediaSequence == 12 && tracker.anchor == .seconds(4))
        tracker.close()
    }

    @Test("a failed first load is reported, and repeated on request")
    func failed() throws {
        let bench = try Bench()
        let tracker = bench.tracker()
        var changes = 0
        _ = tracker.observe { changes += 1 }
        tracker.load()
        bench.run(for: 1)
        #expect(tracker.failure?.code == .sourceMissing && changes == 1 && tracker.playlist == nil)
        tracker.forgetFailure()
        #expect(tracker.failure == nil)
        bench.put("no playlist", at: "http://h/list.m3u8")
        tracker.load()
        bench.run(for: 1)
        #expect(tracker.failure?.code == .sourceFormat && changes == 2)
        bench.put(0)
        tracker.load()
        bench.run(for: 1)
        #expect(tracker.failure == nil && tracker.playlist != nil && changes == 3)
    }

    @Test("a live playlist may be empty before it starts, one that has ended may not")
    func empty() throws {
        func read(_ text: String, mayBeEmpty: Bool) -> Bool {
            let response = ByteResponse(
                bytes: Array(("#EXTM3U\n#EXT-X-TARGETDURATION:2\n" + text).utf8), url: "u", status: 200, contentType: nil,
                timeToFirstByte: .zero,
                transferDuration: .zero)
            return (try? MediaPlaylistReader.read(response, mayBeEmpty: mayBeEmpty)) != nil
        }
        #expect(read("", mayBeEmpty: true) && !read("", mayBeEmpty: false) && !read("#EXT-X-ENDLIST\n", mayBeEmpty: true))
        #expect(read("#EXTINF:2,\na.ts\n", mayBeEmpty: false) && read("#EXTINF:2,\na.ts\n#EXT-X-ENDLIST\n", mayBeEmpty: true))
    }

    @Test("a stuck live playlist is reported once, after 3.5 target durations, and the policy may choose another variant")
    func stuck() throws {
        let bench = try Bench()
        bench.put(0)
        bench.policy.actions = [.use(variant: 2)]
        var used: [Int] = []
        bench.context.useVariant = {
            used.append($0)
            return true
        }
        let tracker = bench.tracker()
        tracker.follow()
        bench.run(for: 6.9)
        #expect(!tracker.isStuck && used.isEmpty)
        bench.run(for: 1.2)
        #expect(tracker.isStuck && used == [2] && bench.policy.failures.first?.error.code == .sourceTimeout)
        bench.run(for: 10)
        #expect(bench.policy.failures.count == 1)
        bench.put(1)
        bench.run(for: 1.1)
        #expect(!tracker.isStuck)
        tracker.close()
    }

    @Test("a stuck playlist that is followed anew while it is reported is reloaded no more often")
    func stuckAndFollowedAgain() throws {
        let bench = try Bench()
        bench.put(0)
        bench.policy.actions = [.use(variant: 2)]
        let tracker = bench.tracker()
        bench.context.useVariant = { _ in
            tracker.unfollow()
            tracker.follow()
            return true
        }
        tracker.follow()
        bench.run(for: 10)
        let count = bench.loader.requests.count
        #expect(tracker.isStuck)
        bench.run(for: 10)
        #expect(bench.loader.requests.count <= count + 10)
        tracker.close()
    }

    @Test("a server that restarts its numbering has news: its playlist is not stuck any more")
    func restarted() throws {
        let bench = try Bench()
        bench.put(100)
        let tracker = bench.tracker()
        tracker.follow()
        bench.run(for: 10)
        #expect(tracker.isStuck && tracker.epoch == 0)
        bench.put(0, 3)
        bench.run(for: 1.5)
        #expect(!tracker.isStuck && tracker.epoch == 1 && tracker.anchor == .seconds(10))
        #expect(tracker.lastChange > .zero + .seconds(9))
        tracker.close()
    }

    @Test("a live playlist that has not started is empty, and is reloaded until it starts")
    func notStarted() throws {
        let bench = try Bench()
        bench.put(0, 0)
        let tracker = bench.tracker()
        tracker.follow()
        bench.run(for: 1)
        #expect(tracker.isLive && tracker.failure == nil && tracker.end == .zero && tracker.index(at: .seconds(4)) == 0)
        bench.put(0, 2)
        bench.run(for: 3)
        #expect(tracker.playlist?.segments.count == 2 && tracker.end == .seconds(4))
        tracker.close()
    }

    @Test("a playlist that is left during a reload and followed again is reloaded again")
    func followedAgain() throws {
        let bench = try Bench()
        bench.put(0)
        let tracker = bench.tracker()
        tracker.follow()
        bench.run(for: 0.5)
        bench.loader.setLatency(.seconds(5))
        bench.put(3)
        bench.run(for: 2)
        #expect(bench.loader.requests.count == 2)
        tracker.unfollow()
        bench.run(for: 10)
        // The reload was ended.
        #expect(tracker.playlist?.mediaSequence == 0)
        bench.loader.setLatency(.zero)
        tracker.follow()
        bench.run(for: 0.5)
        #expect(bench.loader.requests.count == 3 && tracker.playlist?.mediaSequence == 3)
        tracker.close()
    }

    @Test("a playlist that is left before it has been loaded is loaded all the same, and not reloaded")
    func leftEarly() throws {
        let bench = try Bench()
        bench.loader.setLatency(.seconds(1))
        bench.put(0)
        let tracker = bench.tracker()
        tracker.follow()
        tracker.unfollow()
        bench.run(for: 20)
        #expect(tracker.playlist != nil && bench.loader.requests.count == 1)
    }

    @Test("references are relative to the address without the directives (6.2.5)")
    func directives() throws {
        let bench = try Bench()
        bench.put(0, head: "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES\n")
        let tracker = bench.tracker()
        tracker.follow()
        bench.run(for: 0.1)
        #expect(bench.loader.requests.last == "http://h/list.m3u8?_HLS_msn=5")
        bench.put(
            "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:1\n" + (1...5).map { "#EXTINF:2,\n\($0).ts\n" }.joined(),
            at: "http://h/list.m3u8?_HLS_msn=5")
        tracker.close()
    }
}

@Suite("The walk from segment to segment", .serialized)
@MainActor
struct SegmentWalkTests {
    private func tracker(_ text: String) throws -> MediaPlaylistTracker {
        let bench = try Bench()
        let tracker = bench.tracker()
        try tracker.adopt(
            ByteResponse(
                bytes: Array(("#EXTM3U\n#EXT-X-VERSION:9\n#EXT-X-TARGETDURATION:4\n" + text).utf8), url: "http://h/list.m3u8",
                status: 200, contentType: nil,
                timeToFirstByte: .zero, transferDuration: .zero))
        return tracker
    }

    private static let segments = "#EXT-X-MEDIA-SEQUENCE:10\n#EXTINF:4,\na.ts\n#EXT-X-GAP\n#EXTINF:4,\nb.ts\n#EXTINF:4,\nc.ts\n"
    private static let parts =
        "#EXT-X-PART-INF:PART-TARGET=1\n" + segments
        + "#EXT-X-PART:DURATION=1,URI=\"p0\",INDEPENDENT=YES\n#EXT-X-PART:DURATION=1,URI=\"p1\"\n#EXT-X-PART:DURATION=1,URI=\"p2\",INDEPENDENT=YES,GAP=YES\n"

    private func words(_ step: SegmentWalk.Step) -> String {
        switch step {
        case .fetch(let piece):
            "\(piece.uri) \(piece.start.milliseconds / 1000)-\(piece.end.milliseconds / 1000)\(piece.isPart ? " part" : "") then \(piece.next.mediaSequence).\(piece.next.part)"
        case .skip(let cursor, let end):
            "skip to \(cursor.mediaSequence).\(cursor.part) at \(end.map { "\($0.milliseconds / 1000)" } ?? "-")"
        case .wait: "wait"
        case .behind: "behind"
        case .end: "end"
        }
    }

    private func step(
        _ tracker: MediaPlaylistTracker, _ sequence: Int64, part: Int = 0, epoch: Int64 = 0, position: MediaTime = .zero
    ) -> String {
        words(SegmentWalk.step(from: .init(mediaSequence: sequence, part: part, epoch: epoch), in: tracker, position: position))
    }

    @Test("segments are fetched in order, gaps are skipped, and a live reader waits at the end")
    func segments() throws {
        let live = try tracker(Self.segments), ended = try tracker(Self.segments + "#EXT-X-ENDLIST\n")
        #expect(
            step(live, 10) == "a.ts 0-4 then 11.0" && step(live, 11) == "skip to 12.0 at 8"
                && step(live, 12) == "c.ts 8-12 then 13.0")
        #expect(step(live, 13) == "wait" && step(ended, 13) == "end" && step(live, 12, epoch: 1) == "skip to 10.0 at -")
        // Removed segments: a short way is stepped over, a long one must be asked about.
        #expect(step(live, 9, position: .seconds(-8)) == "skip to 10.0 at 0" && step(live, 7, position: .seconds(-9)) == "behind")
    }

    @Test("parts follow the last segment, with their own gaps")
    func parts() throws {
        let live = try tracker(Self.parts)
        #expect(step(live, 13) == "p0 12-13 part then 13.1" && step(live, 13, part: 1) == "p1 13-14 part then 13.2")
        #expect(step(live, 13, part: 2) == "skip to 13.3 at 15" && step(live, 13, part: 3) == "wait" && step(live, 14) == "wait")
    }

    @Test("of a segment that is whole now only the parts that are missing are fetched")
    func wholeNow() throws {
        let live = try tracker(
            "#EXT-X-PART-INF:PART-TARGET=2\n#EXT-X-MEDIA-SEQUENCE:10\n#EXT-X-PART:DURATION=2,URI=\"p0\"\n#EXT-X-PART:DURATION=2,URI=\"p1\"\n#EXTINF:4,\na.ts\n"
        )
        #expect(
            step(live, 10) == "a.ts 0-4 then 11.0" && step(live, 10, part: 1) == "p1 2-4 part then 10.2"
                && step(live, 10, part: 2) == "skip to 11.0 at 4")
    }

    @Test("reading begins with the segment at the position, near the edge with a part that can be decoded by itself")
    func cursors() throws {
        func cursor(_ tracker: MediaPlaylistTracker, _ milliseconds: Int64, isFirst: Bool = true) -> String {
            let cursor = SegmentWalk.cursor(at: .milliseconds(milliseconds), isFirst: isFirst, in: tracker)
            return "\(cursor.mediaSequence).\(cursor.part)"
        }
        let live = try tracker(Self.parts), plain = try tracker(Self.segments),
            ended = try tracker(Self.segments + "#EXT-X-ENDLIST\n")
        #expect([-1000, 0, 3999, 4000, 11_999].map { cursor(live, $0) } == ["10.0", "10.0", "10.0", "11.0", "12.0"])
        #expect([12_000, 13_999, 14_000, 99_000].map { cursor(live, $0) } == ["13.0", "13.0", "13.2", "13.2"])
        #expect(cursor(plain, 12_000) == "12.0" && cursor(ended, 12_000) == "12.0")
        // When a reader continues from another variant, less than a frame before a boundary counts as after it.
        #expect(
            cursor(plain, 3980, isFirst: false) == "11.0" && cursor(plain, 3979, isFirst: false) == "10.0"
                && cursor(plain, 4000, isFirst: false) == "11.0")
        #expect(
            cursor(live, 12_900, isFirst: false) == "13.1" && cursor(live, 14_900, isFirst: false) == "13.3"
                && cursor(plain, 12_000, isFirst: false) == "13.0")
        #expect(cursor(ended, 12_000, isFirst: false) == "13.0")
    }

    @Test("a hinted part is fetched when it is the next one and its length is known")
    func hints() throws {
        func hint(_ attributes: String, sequence: Int64 = 13, part: Int = 3) throws -> String? {
            let tracker = try tracker(Self.parts + "#EXT-X-PRELOAD-HINT:\(attributes)\n")
            return SegmentWalk.hintedPiece(
                .init(mediaSequence: sequence, part: part, epoch: 0), in: tracker, position: .seconds(15)
            ).map {
                "\($0.uri) \($0.start.milliseconds / 1000)-\($0.end.milliseconds / 1000) then \($0.next.mediaSequence).\($0.next.part) \($0.range.map { "\($0.offset)+\($0.length)" } ?? "")"
            }
        }
        #expect(try hint("TYPE=PART,URI=\"p3\"") == "p3 15-16 then 13.4 ")
        #expect(try hint("TYPE=PART,URI=\"p3\",BYTERANGE-START=7,BYTERANGE-LENGTH=5") == "p3 15-16 then 13.4 7+5")
        #expect(try hint("TYPE=PART,URI=\"p3\",BYTERANGE-START=7") == nil && hint("TYPE=MAP,URI=\"m\"") == nil)
        #expect(try hint("TYPE=PART,URI=\"p3\"", part: 2) == nil && hint("TYPE=PART,URI=\"p3\"", sequence: 12) == nil)
    }
}
