import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import HLSStreaming

@Suite("Live presentations", .serialized)
@MainActor
struct LiveTests {
    @Test("playback starts three target durations behind the edge, where the seekable range ends")
    func joins() throws {
        let rig = try LiveRig(.init())
        defer { rig.close() }
        let description = try #require(rig.prepare()).get()
        #expect(description.duration == .live)
        #expect(description.preferredStart == .seconds(4))
        #expect(description.seekableTimeRanges == [TimeRange(start: .zero, end: .seconds(4))])
        #expect(rig.source.liveStatus?.recommendedTimeOffsetFromLive == .seconds(6))
    }

    @Test("pictures and sound continue without a gap while the window moves for ten minutes")
    func slides() throws {
        let rig = try LiveRig(.init())
        defer { rig.close() }
        _ = rig.prepare()
        rig.read([0, 1])
        rig.run(for: .seconds(600))
        for track in [0, 1] {
            let times = rig.delivery(track).times
            #expect(times.first == .seconds(4))
            #expect(times.count > 590 * 25)
            #expect(isGapless(times))
        }
        let window = try #require(rig.source.liveStatus).seekableTimeRange
        #expect(window.start >= .seconds(596) && window.end > window.start)
    }

    @Test("a playlist that has changed is reloaded after a target duration, an unchanged one after half of it")
    func reloads() throws {
        let rig = try LiveRig(.init(outage: 4..<12))
        defer { rig.close() }
        _ = rig.prepare()
        rig.read([0])
        rig.run(for: .seconds(20))
        let instants = rig.origin.reloads().map(\.at)
        let intervals = zip(instants, instants.dropFirst()).map { $1 - $0 }
        #expect(intervals.allSatisfy { $0 >= .seconds(1) })
        #expect(intervals.contains(.seconds(2)))
        // During the outage nothing changes.
        let silent = zip(instants, intervals).filter { $0.0 > .seconds(5) && $0.0 < .seconds(10) }
        #expect(!silent.isEmpty && silent.allSatisfy { $0.1 == .seconds(1) })
    }

    @Test("an encoder that stops is stuck after three and a half target durations, and playback continues when it is back")
    func stuck() throws {
        let rig = try LiveRig(.init(window: 8, outage: 4..<14))
        defer { rig.close() }
        _ = rig.prepare()
        rig.read([0])
        rig.run(for: .seconds(13))
        #expect(rig.source.liveStatus?.isStuck == true)
        rig.run(for: .seconds(40))
        #expect(rig.source.liveStatus?.isStuck == false)
        #expect(isGapless(rig.delivery(0).times))
        #expect(rig.delivery(0).times.last! > .seconds(40))
        #expect(rig.delivery(0).error == nil)
    }

    @Test("a server that restarts its numbering is not stuck: its new segments follow the old ones")
    func reset() throws {
        let rig = try LiveRig(.init(hasDates: false, splices: [15], reset: 15))
        defer { rig.close() }
        _ = rig.prepare()
        rig.read([0])
        rig.run(for: .seconds(60))
        let times = rig.delivery(0).times
        #expect(times.last! > .seconds(50))
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        #expect(rig.source.liveStatus?.isStuck == false)
        #expect(rig.delivery(0).error == nil)
    }

    @Test("an EVENT playlist keeps everything from its start, and has a duration once it ends")
    func event() throws {
        let rig = try LiveRig(.init(window: nil, last: 20))
        defer { rig.close() }
        _ = rig.prepare()
        rig.read([0], at: .zero)
        rig.run(for: .seconds(10))
        #expect(rig.source.liveStatus?.isLive == true)
        #expect(rig.source.liveStatus?.seekableTimeRange.start == .zero)
        rig.run(for: .seconds(30))
        #expect(rig.source.liveStatus?.isLive == false)
        #expect(rig.source.liveStatus?.duration == .finite(.seconds(42)))
        #expect(rig.delivery(0).times == frames(0..<21 * 50))
        let count = rig.origin.requests.count
        rig.run(for: .seconds(30))
        #expect(rig.origin.requests.count == count)
    }

    @Test("asset times have dates, and dates have positions")
    func dates() throws {
        let rig = try LiveRig(.init())
        defer { rig.close() }
        _ = rig.prepare()
        // The window starts with segment 5, which is ten seconds after noon.
        let status = try #require(rig.source.liveStatus)
        let noon = try #require(WallClockTime(iso8601: "2026-03-01T12:00:00Z")).nanosecondsSinceEpoch
        #expect(status.date(at: .seconds(3)) == noon + 13_000_000_000)
        #expect(status.time(ofDate: noon + 13_500_000_000) == .milliseconds(3500))
        rig.run(for: .seconds(60))
        #expect(rig.source.liveStatus?.date(at: .seconds(60)) == noon + 70_000_000_000)
    }

    @Test("a reader that falls behind the window is told, and can continue at its start")
    func behind() throws {
        let rig = try LiveRig(.init())
        defer { rig.close() }
        _ = rig.prepare()
        let buffer = rig.fallBehind()
        #expect(rig.source.liveStatus?.isBehindWindow == true)
        buffer.cancel()
        let start = try #require(rig.source.liveStatus).seekableTimeRange.start
        #expect(start > .seconds(60))
        rig.read([0], at: .seconds(4))
        rig.run(for: .seconds(10))
        // A position that has left the window becomes its start.
        #expect(rig.delivery(0).times.first! >= start)
        #expect(rig.delivery(0).error == nil)
    }

    @Test("delta updates are requested and completed: nothing is missing")
    func delta() throws {
        let rig = try LiveRig(.init(window: 40, first: 50, canSkipUntil: 12))
        defer { rig.close() }
        _ = rig.prepare()
        rig.read([0])
        rig.run(for: .seconds(60))
        #expect(rig.origin.reloads().dropFirst().allSatisfy { $0.url.contains("_HLS_skip=YES") })
        #expect(rig.source.liveStatus.map { $0.edge - $0.seekableTimeRange.start } == .seconds(80))
        #expect(isGapless(rig.delivery(0).times))
        #expect(rig.delivery(0).times.last! > .seconds(130))
    }

    @Test(
        "a delta update that does not fit is replaced by the full playlist after a pause, and no other delta update is requested")
    func deltaThatDoesNotFit() throws {
        let rig = try LiveRig(.init(window: 40, first: 50, canSkipUntil: 12))
        defer { rig.close() }
        _ = rig.prepare()
        rig.read([0])
        rig.run(for: .seconds(20))
        rig.origin.change { $0.excessSkip = 100 }
        let before = rig.origin.reloads().count
        rig.run(for: .seconds(40))
        let after = rig.origin.reloads().dropFirst(before)
        #expect(after.first?.url.contains("_HLS_skip=YES") == true)
        #expect(after.count > 15 && after.dropFirst().allSatisfy { !$0.url.contains("_HLS_skip") })
        let instants = after.prefix(2).map(\.at)
        let pause = instants.last! - instants.first!
        #expect(pause >= .milliseconds(500) && pause <= .milliseconds(1100), "half a target duration")
        #expect(rig.source.liveStatus.map { $0.edge - $0.seekableTimeRange.start } == .seconds(80))
        #expect(isGapless(rig.delivery(0).times))
        #expect(rig.delivery(0).times.last! > .seconds(130))
    }

    @Test("discontinuities in a live stream lose no frame, and are reported")
    func splices() throws {
        let rig = try LiveRig(.init(splices: [14, 18]))
        defer { rig.close() }
        _ = rig.prepare()
        rig.read([0, 1])
        rig.run(for: .seconds(24))
        #expect(isGapless(rig.delivery(0).times) && isGapless(rig.delivery(1).times))
        #expect(Set(rig.delivery(0).samples.map(\.run)) == [0, 1, 2])
        #expect(rig.delivery(0).times.last! > .seconds(26))
    }

    @Test("audio whose playlist is numbered differently is aligned with the pictures by its dates", arguments: [0, 7, -3])
    func aligned(_ shift: Int) throws {
        let rig = try LiveRig(.init(renditions: ["main": ("v", 0), "en": ("a", shift)]))
        defer { rig.close() }
        _ = rig.prepare(multivariant: LiveRig.separateSound)
        rig.read([0, 1])
        rig.run(for: .seconds(30))
        #expect(rig.delivery(0).times.first == .seconds(4))
        #expect(rig.delivery(1).times.first == .seconds(4))
        #expect(isGapless(rig.delivery(0).times) && isGapless(rig.delivery(1).times))
        #expect(rig.delivery(1).times.count > 25 * 25)
    }
}

@Suite("Low latency", .serialized)
@MainActor
struct LowLatencyTests {
    private static let plan = LiveOrigin.Plan(frames: 48, parts: 4, canBlock: true)

    @Test("playback starts three parts behind the edge and follows it by parts, without a gap")
    func follows() throws {
        let rig = try LiveRig(Self.plan)
        defer { rig.close() }
        let description = try #require(rig.prepare()).get()
        #expect(rig.source.liveStatus?.isLowLatency == true)
        #expect(description.preferredStart == .milliseconds(5 * 1920 - 1440))
        rig.read([0, 1])
        rig.run(for: .seconds(60))
        for track in [0, 1] {
            let times = rig.delivery(track).times
            #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == .milliseconds(40) })
            // The newest part is available within a part's duration and two round trips.
            let edge = MediaTime(rig.now) + .milliseconds(5 * 1920)
            #expect(edge - times.last! < .milliseconds(480 + 480))
        }
        #expect(rig.origin.requests.contains { $0.url.hasSuffix("-3.ts") })
    }

    @Test("reloads block at the server for the next part, and are not repeated before it answers")
    func blocks() throws {
        let rig = try LiveRig(Self.plan)
        defer { rig.close() }
        _ = rig.prepare()
        rig.read([0])
        rig.run(for: .seconds(30))
        let reloads = rig.origin.reloads().dropFirst()
        #expect(reloads.allSatisfy { $0.url.contains("_HLS_msn=") && $0.url.contains("_HLS_part=") })
        // One for each part, give or take the first.
        #expect((58...70).contains(reloads.count))
    }

    @Test(
        "a rendition report is used for the first request of that rendition, and the switch loses no frame"
    )
    func report() throws {
        var plan = Self.plan
        plan.renditions = ["main": ("va", 0), "high": ("va", 0)]
        let rig = try LiveRig(plan)
        defer { rig.close() }
        let master = """
            #EXTM3U
            #EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=320x180,CODECS="avc1.64000d,mp4a.40.2"
            main.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=600000,RESOLUTION=640x360,CODECS="avc1.64001e,mp4a.40.2"
            high.m3u8
            """
        _ = rig.prepare(multivariant: master, policy: SecondVariantLater(from: .seconds(20)))
        rig.read([0, 1])
        rig.run(for: .seconds(40))
        let first = try #require(rig.origin.reloads(of: "high").first)
        #expect(first.url.contains("_HLS_msn=") && first.url.contains("_HLS_part="))
        #expect(rig.origin.requests.contains { $0.url.contains("/high-") })
        for track in [0, 1] {
            let times = rig.delivery(track).times
            #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == .milliseconds(40) })
            #expect(times.last! > .seconds(45))
        }
    }

    @Test("a part announced by EXT-X-PRELOAD-HINT is requested before it is listed, and only once")
    func hints() throws {
        let rig = try LiveRig(Self.plan)
        defer { rig.close() }
        _ = rig.prepare()
        rig.read([0])
        rig.run(for: .seconds(20))
        let parts = rig.origin.requests.filter { $0.url.hasSuffix(".ts") && $0.url.split(separator: "-").count == 3 }.map(\.url)
        #expect(parts.count > 30)
        #expect(Set(parts).count == parts.count)
    }
}

/// The first variant, and from a position on the second.
@MainActor
private final class SecondVariantLater: StreamPolicy {
    private let from: MediaTime
    init(from: MediaTime) { self.from = from }
    func firstVariant() -> Int? { 0 }
    func variant(for question: VariantQuestion) -> Int { question.startTime < from ? 0 : 1 }
    func action(after failure: StreamFailure) -> FailureAction { .fail }
}
