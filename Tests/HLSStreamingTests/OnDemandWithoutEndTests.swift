import HLSPlaylist
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import HLSStreaming

@Suite("Playlists on demand without an end", .serialized)
@MainActor
struct OnDemandWithoutEndTests {
    private static let onDemand = "#EXT-X-PLAYLIST-TYPE:VOD\n"

    @Test("VOD without an end is on demand; it is asked for again for two target durations, and then complete")
    func onDemandWithoutEnd() throws {
        let bench = try Bench()
        bench.put(0, head: Self.onDemand)
        let tracker = bench.tracker()
        var changes = 0
        _ = tracker.observe { changes += 1 }
        tracker.follow()
        bench.run(for: 0.5)
        #expect(!tracker.isLive && tracker.mayGrow && tracker.end == .seconds(10))
        bench.run(for: 5)
        #expect(!tracker.mayGrow && !tracker.isStuck && bench.policy.failures.isEmpty)
        let (count, told) = (bench.loader.requests.count, changes)
        #expect((3...5).contains(count))
        bench.run(for: 60)
        #expect(bench.loader.requests.count == count && changes == told)
        tracker.close()
    }

    @Test("VOD that is still being written grows until its end, and a reload that fails does not make it live")
    func onDemandThatGrows() throws {
        let bench = try Bench()
        bench.put(0, head: Self.onDemand)
        let tracker = bench.tracker()
        tracker.follow()
        for count in 6...10 {
            bench.run(for: 3)
            bench.put(0, count, head: Self.onDemand)
        }
        bench.run(for: 1.5)
        #expect(!tracker.isLive && tracker.mayGrow && tracker.end == .seconds(20))
        bench.put("<html>", at: "http://h/list.m3u8")
        bench.run(for: 20)
        #expect(!tracker.isLive && !tracker.mayGrow && !tracker.isStuck && tracker.end == .seconds(20))
        tracker.close()
    }

    @Test("VOD whose segments leave it is live, whatever it states")
    func onDemandThatSlides() throws {
        let bench = try Bench()
        bench.put(3, head: Self.onDemand)
        let tracker = bench.tracker()
        tracker.follow()
        bench.run(for: 0.5)
        #expect(!tracker.isLive)
        bench.put(4, head: Self.onDemand)
        bench.run(for: 2)
        #expect(tracker.isLive && tracker.slides && tracker.anchor == .seconds(2))
        bench.put(4, head: Self.onDemand, tail: "#EXT-X-ENDLIST\n")
        bench.run(for: 4)
        #expect(!tracker.isLive && !tracker.mayGrow)
        tracker.close()
    }
}
