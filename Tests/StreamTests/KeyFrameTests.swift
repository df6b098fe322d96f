import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import HLSStreaming
@testable import Playback

/// Selects another variant from a position on.
@MainActor
private final class OneSwitch: StreamPolicy {
    private let place: MediaTime

    init(at place: MediaTime) { self.place = place }

    func firstVariant() -> Int? { 0 }
    func variant(for question: VariantQuestion) -> Int { question.startTime >= place ? 1 : 0 }
    func action(after failure: StreamFailure) -> FailureAction { .fail }
}

/// One drawn stream, and what is done with it.
private struct KeyFrameDraw: CustomStringConvertible {
    enum Deed: CaseIterable { case start, seek, liveJoin, variantSwitch, replay }
    /// Seconds from one key frame to the next.
    var group: Int
    /// The length of a segment in seconds.
    var segment: Int
    /// How much later than the pictures the sound begins, in seconds.
    var sound: Int
    var deed: Deed
    /// Where to, in frames of the pictures.
    var place: Int

    static let frames = 40 * 25
    var description: String { "group \(group) s, segment \(segment) s, sound \(sound) s later, \(deed) \(place)" }
    /// The first picture, in frames of asset time.
    var pictures: Range<Int> { max(-sound, 0) * 25..<max(-sound, 0) * 25 + Self.frames }
    var sounds: Range<Int> { max(sound, 0) * 25..<max(sound, 0) * 25 + Self.frames }
    var length: Int { max(pictures.upperBound, sounds.upperBound) }

    /// All combinations, with a place for each.
    static var all: [KeyFrameDraw] {
        var random = SplitMix(seed: 35)
        return (1...12).flatMap { group in
            (1...6).flatMap { segment in
                (-5...20).flatMap { sound in
                    Deed.allCases.map { deed in
                        KeyFrameDraw(
                            group: group, segment: segment, sound: sound, deed: deed,
                            place: Int(random.next() % UInt64(frames - 60)))
                    }
                }
            }
        }
    }

    static var drawn: [KeyFrameDraw] {
        let all = all
        if Fixtures.variable("MARQUEE_LONG") != nil { return all }
        return stride(from: 0, to: all.count, by: 787).map { all[$0] }
    }
}

private struct SplitMix {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }
}

@Suite("Key frames rarer than segments, and pictures that begin before or after the sound", .serialized)
@MainActor
struct KeyFrameTests {
    private static func put(_ name: String, _ draw: KeyFrameDraw, into rig: StreamRig) {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:\(draw.segment)\n"
        let frames = draw.segment * 25
        for (number, first) in stride(from: 0, to: draw.length, by: frames).enumerated() {
            let count = min(frames, draw.length - first)
            text += "#EXTINF:\(Double(count) / 25),\n\(name)-\(number).ts\n"
            // Key frames are counted from the first picture.
            let shift = (draw.group * 25 - draw.pictures.lowerBound % (draw.group * 25)) % (draw.group * 25)
            rig.script.put(
                FakeSegment.bytes(
                    kinds: "va", start: 900_000 + Int64(first) * 3600, count: count, keyEvery: draw.group * 25,
                    first: first + shift
                ) { kind, number in (kind == "v" ? draw.pictures : draw.sounds).contains(number - shift) },
                at: "http://test/\(name)-\(number).ts")
        }
        rig.script.put(text + "#EXT-X-ENDLIST\n", at: "http://test/\(name).m3u8")
    }

    private static func frame(_ number: Int) -> MediaTime { MediaTime(Int64(number), 25) }

    /// Every picture is shown at its time by the sound, none is missing from the first one on.
    private func expectWhole(_ rig: StreamRig, from first: Int, through last: Int, _ draw: KeyFrameDraw) {
        let expected = first <= last ? (first...last).map(Self.frame) : []
        let wrong = zip(rig.times, expected).first { $0 != $1 }
        #expect(
            wrong == nil && rig.times.count >= expected.count,
            "\(draw): \(rig.times.count) of \(expected.count) pictures from \(rig.times.first.map { "\($0)" } ?? "none"), \(wrong.map { "\($0.0) for \($0.1)" } ?? "")"
        )
        let late = rig.frames.dropFirst().first { ($0.soundDelay ?? .zero).magnitude > .milliseconds(100) }
        #expect(late == nil, "\(draw): \(late.map { "\($0.time) at \($0.mediaTimeAtFlip)" } ?? "")")
        #expect(rig.error == nil && rig.player.state.stallCount == 0, "\(draw): \(rig.player.state.stallCount) stalls")
    }

    @Test("the picture and the clock are within half a second of what is there")
    func all() throws {
        for draw in KeyFrameDraw.drawn {
            switch draw.deed {
            case .start: try start(draw, replays: false)
            case .replay: try start(draw, replays: true)
            case .seek: try seek(draw)
            case .variantSwitch: try variantSwitch(draw)
            case .liveJoin: try liveJoin(draw)
            }
        }
    }

    private func start(_ draw: KeyFrameDraw, replays: Bool) throws {
        let rig = try StreamRig()
        defer { rig.close() }
        Self.put("main", draw, into: rig)
        rig.play()
        #expect(rig.run { rig.hasEnded }, "\(draw): no end")
        expectWhole(rig, from: draw.pictures.lowerBound, through: draw.pictures.upperBound - 1, draw)
        guard replays else { return }
        rig.forgetFrames()
        #expect(rig.seek(to: .zero), "\(draw): no replay")
        rig.player.play()
        rig.run(for: .seconds(30))
        #expect(
            rig.player.currentTime >= .seconds(29) && rig.player.currentTime <= .seconds(31), "\(draw): \(rig.player.currentTime)"
        )
        expectWhole(rig, from: draw.pictures.lowerBound, through: draw.pictures.lowerBound + 9 * 25, draw)
    }

    private func seek(_ draw: KeyFrameDraw) throws {
        let rig = try StreamRig()
        defer { rig.close() }
        Self.put("main", draw, into: rig)
        rig.play()
        #expect(rig.run { rig.player.currentTime >= .seconds(1) }, "\(draw): no start")
        rig.forgetFrames()
        let place = draw.place
        #expect(rig.seek(to: Self.frame(place) + .milliseconds(17)), "\(draw): no landing")
        let landing = rig.player.currentTime
        let isThere = draw.pictures.contains(place)
        #expect(
            (landing - Self.frame(place)).magnitude <= .milliseconds(isThere ? 40 : 500), "\(draw): landed at \(landing)")
        rig.run(for: .seconds(2))
        #expect(
            (rig.player.currentTime - landing - .seconds(2)).magnitude <= .milliseconds(500), "\(draw): \(rig.player.currentTime)"
        )
        expectWhole(rig, from: max(place, draw.pictures.lowerBound), through: place + 45, draw)
    }

    private func variantSwitch(_ draw: KeyFrameDraw) throws {
        let rig = try StreamRig(policy: OneSwitch(at: .seconds(20)))
        defer { rig.close() }
        for name in ["low", "high"] { Self.put(name, draw, into: rig) }
        rig.script.put(
            """
            #EXTM3U
            #EXT-X-STREAM-INF:BANDWIDTH=100000,CODECS="avc1.4d401e,mp4a.40.2"
            low.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=200000,CODECS="avc1.4d401e,mp4a.40.2"
            high.m3u8
            """, at: "http://test/all.m3u8")
        rig.play("http://test/all.m3u8")
        #expect(rig.run { rig.hasEnded }, "\(draw): no end")
        #expect(rig.script.requests.contains { $0.url.contains("high-") }, "\(draw): no switch")
        expectWhole(rig, from: draw.pictures.lowerBound, through: draw.pictures.upperBound - 1, draw)
    }

    /// The window holds half a minute, in which there is a key frame.
    private func liveJoin(_ draw: KeyFrameDraw) throws {
        var plan = LiveOrigin.Plan(
            frames: draw.segment * 25, window: 30 / draw.segment, first: 60 / draw.segment + draw.place % 30)
        plan.keyEvery = draw.group * 25
        let rig = try StreamRig(live: plan)
        defer { rig.close() }
        rig.play("http://live/main.m3u8")
        #expect(rig.run(within: .seconds(3)) { !rig.frames.isEmpty }, "\(draw): no picture")
        rig.run(for: .seconds(20))
        let first = rig.times.first.map { Int($0.units(of: 25)) } ?? 0
        expectWhole(rig, from: first, through: first + 19 * 25, draw)
    }

    @Test("a live window without a key frame starts with its sound, and the pictures come when they are there")
    func liveWithoutKeyFrame() throws {
        // Key frames at multiples of 12 s; the window holds five segments of a second, and begins 2 s after one.
        var plan = LiveOrigin.Plan(frames: 25, window: 5, first: 67)
        plan.keyEvery = 300
        let rig = try StreamRig(live: plan)
        defer { rig.close() }
        rig.play("http://live/main.m3u8")
        #expect(rig.run(within: .seconds(4)) { rig.player.currentTime > .zero && rig.player.state.timeControlStatus == .playing })
        #expect(rig.run(within: .seconds(15)) { !rig.frames.isEmpty })
        rig.run(for: .seconds(5))
        #expect(rig.frames.allSatisfy { ($0.soundDelay ?? .zero).magnitude <= .milliseconds(100) })
        #expect(rig.times.count > 100 && rig.player.state.stallCount == 0)
    }
}
