import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import HLSStreaming

/// Live playlists whose numbers say little or the wrong thing about where their segments are.
@Suite("The place of live segments", .serialized)
@MainActor
struct LivePlaceTests {
    // MARK: Discontinuity sequence numbers

    @Test("discontinuities that leave the window of a playlist that does not count them lose no frame")
    func uncounted() throws {
        var plan = LiveOrigin.Plan(hasDates: false, splices: [14, 18, 19, 30])
        plan.countsDiscontinuities = false
        let rig = try LiveRig(plan)
        defer { rig.close() }
        _ = rig.prepare()
        rig.read([0, 1])
        rig.run(for: .seconds(90))
        for track in [0, 1] {
            #expect(isGapless(rig.presented(track)))
            #expect(try #require(rig.presented(track).last) > .seconds(90))
        }
        #expect(Set(rig.delivery(0).samples.map(\.run)) == [0, 1, 2, 3, 4])
        let segments = rig.origin.requests.map(\.url).filter { $0.hasSuffix(".ts") }
        #expect(segments.count == Set(segments).count)
    }

    @Test("after an outage longer than the window, timestamps that belong to an unseen discontinuity are placed in the window")
    func unseenDiscontinuity() throws {
        var plan = LiveOrigin.Plan(hasDates: false, splices: [25])
        plan.countsDiscontinuities = false
        plan.faults = [.init("main.m3u8", 404, during: 10..<70)]
        let rig = try LiveRig(plan)
        defer { rig.close() }
        _ = rig.prepare()
        let buffer = rig.read([0])
        rig.run(for: .seconds(80))
        #expect(rig.source.liveStatus?.isBehindWindow == true)
        buffer.cancel()
        rig.run(for: .milliseconds(1))
        let window = try #require(rig.source.liveStatus).seekableTimeRange
        rig.read([0], at: window.end)
        rig.run(for: .seconds(20))
        let times = rig.presented(0)
        #expect(try #require(times.first) >= window.start && isGapless(times))
        let edge = try #require(rig.source.liveStatus).edge
        #expect(edge - times.last! < .seconds(4))
    }

    private func live(_ first: Int, _ count: Int = 5, number: Int = 0, splices: Set<Int> = [], name: String = "") throws
        -> MediaPlaylist
    {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
        if number > 0 { text += "#EXT-X-DISCONTINUITY-SEQUENCE:\(number)\n" }
        for index in first..<first + count {
            if splices.contains(index) { text += "#EXT-X-DISCONTINUITY\n" }
            text += "#EXTINF:2,\n\(name)\(index).ts?token=\(first)\n"
        }
        return try #require(PlaylistParser().parse(text).playlist?.media)
    }

    /// The id of the segment with a media sequence number.
    private func id(_ sequence: Int64, of playlist: MediaPlaylist, _ placement: PlaylistPlacement) throws -> Int64 {
        let index = try #require(playlist.segments.index(ofMediaSequence: sequence))
        return placement.timelineSequence(playlist.segments[index].discontinuitySequence)
    }

    @Test("a segment keeps the id of its discontinuity sequence in every reload, counted or not")
    func sharedSegments() throws {
        for isCounted in [true, false] {
            var placement = PlaylistPlacement()
            var previous: MediaPlaylist?
            var ids: [Int64: Int64] = [:]
            for first in 10..<40 {
                let splices: Set<Int> = [12, 13, 22, 30]
                let number = isCounted ? splices.filter { $0 <= first }.count - (splices.contains(first) ? 1 : 0) : 0
                let playlist = try live(first, number: number, splices: splices)
                _ = placement.take(playlist, after: previous, reference: { nil })
                for segment in playlist.segments {
                    let id = try id(segment.mediaSequence, of: playlist, placement)
                    #expect(ids[segment.mediaSequence] ?? id == id, "\(segment.mediaSequence)")
                    ids[segment.mediaSequence] = id
                }
                previous = playlist
            }
            #expect(ids[11] == 0 && ids[12] == 1 && ids[13] == 2 && ids[22] == 3 && ids[43] == 4)
        }
    }

    @Test("without a common segment ids do not decrease, and a believable number is believed")
    func withoutSharedSegments() throws {
        func step(_ old: MediaPlaylist, _ new: MediaPlaylist) throws -> Int64 {
            var placement = PlaylistPlacement()
            _ = placement.take(old, after: nil, reference: { nil })
            _ = placement.take(new, after: old, reference: { nil })
            return try id(new.mediaSequence, of: new, placement)
        }
        let old = try live(10, number: 3, splices: [12])
        #expect(try step(old, live(15, number: 4)) == 4 && step(old, live(15)) == 4 && step(old, live(15, splices: [15])) == 5)
        #expect(try step(old, live(15, number: 5)) == 5)
        #expect(try step(old, live(20, number: 4)) == 4 && step(old, live(20, number: 9)) == 9 && step(old, live(20)) == 5)
    }

    // MARK: Media sequence numbers

    @Test(
        "a media sequence that jumps is a restart: the new segments follow the old ones",
        arguments: [0, 3, 200, 1_000_000, 3_500_000_000, 1 << 53 - 1000])
    func jumps(_ number: Int) throws {
        for hasDates in [true, false] {
            var plan = LiveOrigin.Plan(hasDates: hasDates, splices: [15], reset: 15)
            plan.resetNumber = number
            let rig = try LiveRig(plan)
            defer { rig.close() }
            _ = rig.prepare()
            rig.read([0, 1])
            rig.run(for: .seconds(60))
            let times = rig.delivery(0).times
            #expect(times.last! > .seconds(50) && times.last! < .seconds(80))
            #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 } && rig.delivery(0).error == nil)
            let status = try #require(rig.source.liveStatus)
            #expect(!status.isStuck && status.edge < .seconds(80))
        }
    }

    @Test("a jump is a restart when an encoder cannot have made that many segments since the last change")
    func continuation() throws {
        let old = PlaylistAlignment.Placed(playlist: try live(10), anchor: .seconds(3))
        func step(_ first: Int, elapsed: Int64) throws -> PlaylistAlignment.Continuation {
            PlaylistAlignment.continue(old, with: try live(first), elapsed: .seconds(elapsed))
        }
        #expect(try step(45, elapsed: 2) == .moved(anchor: .seconds(73)))
        #expect(try step(60, elapsed: 2) == .reset(anchor: .seconds(13)))
        #expect(try step(60, elapsed: 90) == .moved(anchor: .seconds(103)))
        #expect(try step(1815, elapsed: 3600) == .moved(anchor: .seconds(3613)))
        #expect(try step(1 << 52, elapsed: 3600) == .reset(anchor: .seconds(13)))
    }

    @Test("lower numbers with other names are a restart, with the same names an older playlist")
    func names() throws {
        let old = PlaylistAlignment.Placed(playlist: try live(10), anchor: .seconds(3))
        #expect(PlaylistAlignment.continue(old, with: try live(8)) == .stale)
        #expect(PlaylistAlignment.continue(old, with: try live(8, name: "new")) == .reset(anchor: .seconds(13)))
    }

    // MARK: Variants

    @Test("a variant with other media sequence numbers and no dates loses no frame", arguments: [1, -1, 3, 0, 700])
    func otherNumbers(_ shift: Int) throws {
        let rig = try LiveRig(
            .init(window: 8, first: 20, hasDates: false, renditions: ["main": ("va", 0), "high": ("va", shift)]))
        defer { rig.close() }
        _ = rig.prepare(multivariant: LiveRig.twoVariants, policy: AlternatingVariants(length: .seconds(20)))
        rig.read([0, 1])
        rig.run(for: .seconds(120))
        for track in [0, 1] {
            #expect(isGapless(rig.presented(track)), "\(track)")
            #expect(try #require(rig.presented(track).last) > .seconds(120))
        }
        #expect(rig.origin.requests.contains { $0.url.contains("/high-") })
    }

    @Test("a switch back to a variant that was not reloaded for longer than its window loads no segment twice")
    func staleVariant() throws {
        let rig = try LiveRig(.init(window: 8, first: 20, renditions: ["main": ("va", 0), "high": ("va", 0)]))
        defer { rig.close() }
        _ = rig.prepare(multivariant: LiveRig.twoVariants, policy: AlternatingVariants(length: .seconds(30)))
        rig.read([0, 1])
        rig.run(for: .seconds(200))
        #expect(isGapless(rig.presented(0)) && rig.presented(0).last! > .seconds(200))
        let segments = rig.origin.requests.map(\.url).filter { $0.hasSuffix(".ts") }
        #expect(segments.contains { $0.contains("/high-") })
        #expect(segments.count == Set(segments).count)
    }

    @Test(
        "a variant that was not loaded since its numbering restarted continues after what the other one had",
        arguments: [true, false])
    func restartOfStaleVariant(_ hasDates: Bool) throws {
        var plan = LiveOrigin.Plan(
            window: 8, first: 20, hasDates: hasDates, renditions: ["main": ("va", 0), "high": ("va", 0)], reset: 41)
        // Neither is loaded between the switch and the restart.
        plan.faults = [.init("main.m3u8", 403, during: 40..<45), .init("high.m3u8", 403, during: 43..<10_000)]
        let rig = try LiveRig(plan)
        defer { rig.close() }
        _ = rig.prepare(multivariant: LiveRig.twoVariants, policy: AlternatingVariants(length: .seconds(29), last: .seconds(58)))
        rig.read([0, 1])
        rig.run(for: .seconds(120))
        #expect(isGapless(rig.presented(0)) && rig.presented(0).last! > .seconds(120))
        #expect(rig.statuses.allSatisfy { $0.edge >= .seconds(16) && !$0.isBehindWindow })
        let status = try #require(rig.source.liveStatus)
        #expect((status.edge - rig.presented(0).last!).magnitude < .seconds(4))
    }

    @Test("rounded durations do not move the window away from the media", arguments: [46, 55])
    func roundedDurations(_ frames: Int) throws {
        var plan = LiveOrigin.Plan(
            frames: frames, window: 8, first: 20, hasDates: false, renditions: ["main": ("v", 0), "en": ("a", 0)])
        plan.roundsDurations = true
        let rig = try LiveRig(plan)
        defer { rig.close() }
        _ = rig.prepare(multivariant: LiveRig.separateSound)
        rig.read([0, 1])
        for _ in 0..<10 {
            rig.run(for: .seconds(90))
            let status = try #require(rig.source.liveStatus)
            for track in [0, 1] {
                #expect(isGapless(rig.presented(track)))
                let behind = status.edge - (try #require(rig.presented(track).last))
                #expect(behind.magnitude < .seconds(5), "\(rig.now)")
            }
        }
        let segments = rig.origin.requests.map(\.url).filter { $0.hasSuffix(".ts") }
        #expect(segments.count == Set(segments).count)
    }

    @Test("a difference in one segment alone is no drift")
    func drift() {
        var meter = DriftMeter()
        func take(_ difference: Int64) -> MediaTime? { meter.take(.milliseconds(difference), tolerance: .seconds(1)) }
        #expect(take(3000) == nil && take(500) == nil && take(-3000) == nil && take(3000) == nil)
        #expect(take(2000) == .seconds(2) && take(2000) == nil)
        #expect(take(1000) == nil && take(-1500) == nil && take(-1200) == .milliseconds(-1200))
    }

    @Test("separate sound with other media sequence numbers and no dates begins with the pictures", arguments: [2, -2, 0, 700])
    func otherNumbersOfSound(_ shift: Int) throws {
        let rig = try LiveRig(.init(window: 8, first: 20, hasDates: false, renditions: ["main": ("v", 0), "en": ("a", shift)]))
        defer { rig.close() }
        _ = rig.prepare(multivariant: LiveRig.separateSound)
        rig.read([0, 1])
        rig.run(for: .seconds(60))
        #expect(rig.presented(0).first == .seconds(10) && rig.presented(1).first == .seconds(10))
        for track in [0, 1] {
            #expect(isGapless(rig.presented(track)))
            #expect(try #require(rig.presented(track).last) > .seconds(60))
        }
    }
}

/// Changes the variant each time a length has been read.
@MainActor
private final class AlternatingVariants: StreamPolicy {
    private let length: MediaTime
    private let last: MediaTime?

    /// - Parameter last: the first variant stays from this time on.
    init(length: MediaTime, last: MediaTime? = nil) { (self.length, self.last) = (length, last) }
    func firstVariant() -> Int? { 0 }
    func variant(for question: VariantQuestion) -> Int {
        if let last, question.startTime >= last { return 0 }
        return Int(question.startTime.wholeSteps(of: length) % 2)
    }
    func action(after failure: StreamFailure) -> FailureAction { .skip }
}
