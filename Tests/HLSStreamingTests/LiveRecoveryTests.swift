import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaTime
import Testing
import TestSupport

@testable import HLSStreaming

/// Live origins that fail for a while: the stream continues when they are back, without help from outside.
@Suite("Live streams recover", .serialized)
@MainActor
struct LiveRecoveryTests {
    /// A live plan with faults. The window is long enough that nothing leaves it during them.
    private func plan(
        _ faults: [LiveOrigin.Plan.Fault], renditions: [String: (kinds: String, shift: Int)] = ["main": ("va", 0)]
    ) -> LiveOrigin.Plan {
        var plan = LiveOrigin.Plan(window: 40, first: 50, renditions: renditions)
        plan.faults = faults
        return plan
    }

    /// Pictures and sound went on for the 90 seconds, and nothing is missing.
    private func expectWhole(_ rig: LiveRig, _ location: SourceLocation = #_sourceLocation) {
        for track in [0, 1] {
            #expect(rig.delivery(track).error == nil && isGapless(rig.presented(track)), sourceLocation: location)
            #expect(rig.delivery(track).times.last! > .seconds(165), sourceLocation: location)
        }
    }

    @Test(
        "a stream without variants is reloaded until its server answers again, and nothing is missing",
        arguments: [(404, 10..<11), (404, 10..<40), (403, 10..<40), (503, 10..<35), (500, 0..<3)])
    func plainPlaylist(_ status: Int, _ during: Range<Int>) throws {
        let rig = try LiveRig(plan([]))
        defer { rig.close() }
        _ = rig.prepare()
        let faults = [LiveOrigin.Plan.Fault("main.m3u8", status, during: during)]
        rig.origin.change { $0.faults = faults }
        rig.read([0, 1])
        rig.run(for: .seconds(90))
        expectWhole(rig)
    }

    @Test("a separate sound playlist that is missing for half a minute continues where it was")
    func soundPlaylist() throws {
        let rig = try LiveRig(plan([.init("en.m3u8", 404, during: 10..<40)], renditions: ["main": ("v", 0), "en": ("a", 0)]))
        defer { rig.close() }
        _ = rig.prepare(multivariant: LiveRig.separateSound)
        rig.read([0, 1])
        rig.run(for: .seconds(90))
        expectWhole(rig)
    }

    @Test("when the playlists of all variants fail for 25 seconds the stream continues with the first that answers")
    func allVariants() throws {
        let rig = try LiveRig(
            plan(
                [.init("main.m3u8", 503, during: 10..<35), .init("high.m3u8", 503, during: 10..<35)],
                renditions: ["main": ("va", 0), "high": ("va", 0)]))
        defer { rig.close() }
        _ = rig.prepare(multivariant: LiveRig.twoVariants)
        rig.read([0, 1])
        rig.run(for: .seconds(90))
        expectWhole(rig)
    }

    @Test("a variant whose encoder stops while another one works is left for that one, and nothing is missing")
    func stoppedEncoder() throws {
        var plan = plan([], renditions: ["main": ("va", 0), "high": ("va", 0)])
        plan.stops = ["high": 10..<70]
        let rig = try LiveRig(plan)
        defer { rig.close() }
        _ = rig.prepare(multivariant: LiveRig.twoVariants)
        rig.read([0, 1])
        rig.run(for: .seconds(90))
        #expect(rig.origin.requests.contains { $0.at < .seconds(12) && $0.url.contains("/high-") })
        expectWhole(rig)
    }

    @Test("when both encoders stop, and the other one comes back first, the stream continues with it")
    func bothEncodersStop() throws {
        var plan = plan([], renditions: ["main": ("va", 0), "high": ("va", 0)])
        plan.stops = ["high": 10..<40, "main": 10..<400]
        let rig = try LiveRig(plan)
        defer { rig.close() }
        _ = rig.prepare(multivariant: LiveRig.twoVariants)
        rig.read([0, 1])
        rig.run(for: .seconds(120))
        for track in [0, 1] { #expect(rig.delivery(track).times.last! > .seconds(190) && rig.delivery(track).error == nil) }
    }

    @Test("past its patience the stream moves to the other variant, and later back to the first choice when that is well again")
    func failOver() throws {
        let rig = try LiveRig(
            plan(
                [.init("high.m3u8", 404, during: 10..<100), .init("main.m3u8", 404, during: 200..<400)],
                renditions: ["main": ("va", 0), "high": ("va", 0)]))
        defer { rig.close() }
        _ = rig.prepare(multivariant: LiveRig.twoVariants)
        rig.read([0])
        rig.run(for: .seconds(60))
        #expect(rig.delivery(0).times.last! > .seconds(135))
        rig.run(for: .seconds(180))
        #expect(rig.delivery(0).times.last! > .seconds(315))
        #expect(isGapless(rig.presented(0)) && rig.delivery(0).error == nil)
        #expect(rig.origin.requests.contains { $0.at > .seconds(200) && $0.url.contains("/high-") })
    }

    @Test(
        "playlists whose addresses have expired are found at their new ones, and nothing is missing", arguments: [401, 403, 410])
    func expiredAddresses(_ status: Int) throws {
        var plan = plan(
            [.init("main.m3u8", status, during: 10..<10_000), .init("en.m3u8", status, during: 10..<10_000)],
            renditions: ["main": ("v", 0), "en": ("a", 0), "next": ("v", 0), "sound": ("a", 0)])
        plan.documents["master.m3u8"] = LiveRig.separateSound
            .replacing("main.m3u8", with: "next.m3u8").replacing("en.m3u8", with: "sound.m3u8")
        let rig = try LiveRig(plan)
        defer { rig.close() }
        _ = rig.prepare(multivariant: LiveRig.separateSound)
        rig.read([0, 1])
        rig.run(for: .seconds(90))
        expectWhole(rig)
    }

    @Test(
        "the first playlist is looked up at a bounded rate while another one is refused, and another answer than before changes nothing"
    )
    func boundedLookups() throws {
        var plan = plan([.init("main.m3u8", 403, during: 10..<70)])
        plan.documents["master.m3u8"] = LiveRig.twoVariants
        let rig = try LiveRig(plan)
        defer { rig.close() }
        _ = rig.prepare(
            multivariant: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=300000,CODECS=\"avc1.64000d,mp4a.40.2\"\nmain.m3u8\n")
        rig.read([0])
        rig.run(for: .seconds(120))
        let lookups = rig.origin.reloads(of: "master").count
        #expect((1...7).contains(lookups))
        #expect(rig.delivery(0).error == nil && isGapless(rig.presented(0)))
        #expect(rig.delivery(0).times.last! > .seconds(195))
    }

    @Test("two variants that fail in turn are each tried again, every time")
    func inTurn() throws {
        var faults: [LiveOrigin.Plan.Fault] = []
        for start in [0, 600] {
            faults.append(.init("main.m3u8", 404, during: start + 100..<start + 250))
            faults.append(.init("high.m3u8", 404, during: start + 300..<start + 450))
        }
        let rig = try LiveRig(plan(faults, renditions: ["main": ("va", 0), "high": ("va", 0)]))
        defer { rig.close() }
        _ = rig.prepare(multivariant: LiveRig.twoVariants)
        rig.read([0])
        rig.run(for: .seconds(1200))
        #expect(isGapless(rig.presented(0)) && rig.delivery(0).error == nil)
        #expect(rig.delivery(0).times.last! > .seconds(1270))
    }

    @Test("live segments that fail while others are buffered are not missed", arguments: [404, 401, 429, 502])
    func segments(_ status: Int) throws {
        let rig = try LiveRig(plan([]))
        defer { rig.close() }
        _ = rig.prepare()
        rig.origin.change { $0.faults = [.init("main-40", status, during: 0..<8)] }
        let buffer = rig.source.startReading(at: .seconds(40), tracks: [TrackID(0)])
        buffer.readAhead()
        rig.run(for: .seconds(12))
        rig.take([0], from: buffer)
        rig.run(for: .seconds(20))
        #expect(isGapless(rig.presented(0)) && rig.delivery(0).error == nil)
        #expect(try #require(rig.presented(0).first) == .seconds(40) && rig.presented(0).last! > .seconds(90))
    }

    @Test(
        "segments that fail until they have left the window are not waited for: the viewer rejoins at the edge",
        arguments: [404, 503])
    func lostSegments(_ status: Int) throws {
        var lost = LiveOrigin.Plan(window: 8, first: 50)
        lost.faults = [.init("main-", status, during: 10..<80)]
        let rig = try LiveRig(lost)
        defer { rig.close() }
        _ = rig.prepare()
        let buffer = rig.read([0])
        rig.run(for: .seconds(81))
        #expect(rig.source.liveStatus?.isBehindWindow == true && rig.delivery(0).error == nil)
        let requests = rig.origin.requests.filter { $0.url.contains("main-") && $0.at > .seconds(10) && $0.at < .seconds(80) }
            .count
        #expect(requests < 60)
        buffer.cancel()
        let start = try #require(rig.source.liveStatus).seekableTimeRange.end
        rig.read([0], at: start)
        rig.run(for: .seconds(20))
        #expect(isGapless(rig.presented(0)) && rig.presented(0).first == start)
    }

    @Test("a server that is away for an hour is asked at a bounded rate, and the stream is found behind its window afterwards")
    func longOutage() throws {
        let rig = try LiveRig(plan([.init("main.m3u8", 404, during: 10..<3610)]))
        defer { rig.close() }
        _ = rig.prepare()
        rig.read([0])
        rig.run(for: .seconds(3600))
        let requests = rig.origin.reloads().filter { $0.at > .seconds(10) }.count
        #expect(requests > 300 && requests < 3600)
        rig.run(for: .seconds(60))
        #expect(rig.source.liveStatus?.isBehindWindow == true && rig.delivery(0).error == nil)
        let start = try #require(rig.source.liveStatus).seekableTimeRange.end
        rig.read([0], at: start)
        rig.run(for: .seconds(30))
        #expect(try #require(rig.delivery(0).times.last) > start + .seconds(20) && isGapless(rig.presented(0)))
    }
}
