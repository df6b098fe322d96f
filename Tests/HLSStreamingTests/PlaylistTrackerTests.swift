import HLSPlaylist
import LinuxSupport
import MediaSources
import MediaTime
import TestSupport
import Testing

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

    @Test("a reload that fails is repeated as long as the playlist is followed, without delivery directives")
    func failedReload() throws {
        let bench = try Bench()
        bench.put(0, head: "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES\n")
        let tracker = bench.tracker()
        tracker.follow()
        // No answer exists for the address with directives.
        bench.run(for: 20)
        #expect(bench.loader.requests.dropFirst().first == "http://h/list.m3u8?_HLS_msn=5")
        #expect(bench.loader.requests.dropFirst(2).first == "http://h/list.m3u8")
        #expect((10...25).contains(bench.loader.requests.count) && tracker.failure == nil && tracker.isStuck)
        bench.put(3)
        bench.run(for: 4)
        #expect(tracker.playlist?.mediaSequence == 3 && !tracker.isStuck)
        tracker.unfollow()
        let count = bench.loader.requests.count
        bench.run(for: 20)
        #expect(bench.loader.requests.count == count)
    }

    @Test("a page of an error instead of the playlist is stuck after a while: the policy may choose another variant")
    func brokenForLong() throws {
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
        bench.run(for: 0.5)
        bench.put("<html>", at: "http://h/list.m3u8")
        bench.run(for: 10)
        #expect(tracker.isStuck && used == [2])
        tracker.close()
    }

    /// Puts a delta update of a playlist with ten segments, of which it has the last ones.
    private func putDelta(_ bench: Bench, first: Int, skipped: Int, listed: Int) {
        var text = "#EXTM3U\n#EXT-X-VERSION:9\n#EXT-X-TARGETDURATION:2\n#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=12\n"
        text += "#EXT-X-MEDIA-SEQUENCE:\(first)\n#EXT-X-SKIP:SKIPPED-SEGMENTS=\(skipped)\n"
        for index in 0..<listed { text += "#EXTINF:2,\n\(first + skipped + index).ts\n" }
        bench.put(text, at: "http://h/list.m3u8")
    }

    @Test(
        "a delta update that nobody asked for is played as far as it is known; requests keep their pace, and the log is told once"
    )
    func unaskedDelta() throws {
        let bench = try Bench()
        var told: [String] = []
        bench.context.tell = { told.append("\($0): \($1.sentence)") }
        putDelta(bench, first: 0, skipped: 5, listed: 5)
        let tracker = bench.tracker()
        tracker.follow()
        bench.run(for: 0.5)
        #expect(tracker.playlist?.segments.map(\.mediaSequence) == [5, 6, 7, 8, 9])
        for step in 1...10 {
            putDelta(bench, first: step, skipped: 5, listed: 5)
            bench.run(for: 2)
        }
        #expect(tracker.playlist?.segments.map(\.mediaSequence) == (10...19).map { $0 } && !tracker.isStuck)
        #expect(bench.loader.requests.count <= 21 && bench.loader.requests.allSatisfy { !$0.contains("_HLS_skip") })
        #expect(told.count == 1 && told[0].contains("EXT-X-SKIP") && bench.policy.failures.isEmpty)
        tracker.close()
    }

    @Test("delta updates without anything that is known do not make a storm of requests, and are told after a bound")
    func deltasOfNothing() throws {
        let bench = try Bench()
        bench.put(0)
        let tracker = bench.tracker()
        tracker.follow()
        bench.run(for: 0.5)
        putDelta(bench, first: 100, skipped: 5, listed: 0)
        bench.run(for: 20)
        #expect((10...22).contains(bench.loader.requests.count) && tracker.isStuck)
        #expect(bench.policy.failures.first?.error.sentence.contains("EXT-X-SKIP") == true)
        bench.put(3)
        bench.run(for: 2)
        #expect(tracker.playlist?.mediaSequence == 3 && !tracker.isStuck)
        tracker.close()
    }

    @Test("a playlist whose target duration is nothing is not asked for without a pause")
    func noDuration() throws {
        let bench = try Bench()
        bench.put("#EXTM3U\n#EXT-X-TARGETDURATION:0\n#EXTINF:0.1,\na.ts\n", at: "http://h/list.m3u8")
        let tracker = bench.tracker()
        tracker.follow()
        bench.run(for: 10)
        #expect(bench.loader.requests.count <= 41)
        tracker.close()
    }

    @Test("a playlist that could not be loaded is unavailable for half a minute")
    func unavailable() throws {
        let bench = try Bench()
        let tracker = bench.tracker()
        #expect(!tracker.isUnavailable)
        tracker.load()
        bench.run(for: 1)
        #expect(tracker.isUnavailable)
        bench.run(for: 30)
        #expect(!tracker.isUnavailable)
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

    @Test(
        "a stuck live playlist is reported after 3.5 target durations and then once a minute, and the policy may choose another variant"
    )
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
        #expect(bench.policy.failures.count == 1 && bench.policy.failures.first?.isStuck == true)
        bench.run(for: 60)
        #expect(bench.policy.failures.count == 2)
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
