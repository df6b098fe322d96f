import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import Testing

@testable import HLSStreaming

/// Variants from literal EXT-X-STREAM-INF attributes, one address each: `0.m3u8`, `1.m3u8` …
func variants(_ attributes: [String], others: String = "") throws -> MultivariantPlaylist {
    let lines = attributes.enumerated().map { "#EXT-X-STREAM-INF:\($1)\n\($0).m3u8\n" }
    guard case .multivariant(let playlist) = PlaylistParser().parse("#EXTM3U\n" + others + lines.joined()).playlist else {
        throw MediaError(.sourceFormat, "The playlist of the test is not one of variants.")
    }
    return playlist
}

private let avc = "CODECS=\"avc1.64001f,mp4a.40.2\""

@Suite("The choice of the first variant")
struct VariantSelectionTests {
    private func selection(_ width: Int = 1920, _ height: Int = 1080, lowest: Bool = false) -> VariantSelection {
        VariantSelection(width: width, height: height, takesLowest: lowest) {
            $0.hasPrefix("hvc1") ? false : $0.hasPrefix("xxxx") ? nil : true
        }
    }

    @Test("the highest bandwidth that the screen can show and the box can decode")
    func best() throws {
        let list = try variants([
            "BANDWIDTH=1000000,RESOLUTION=640x360,\(avc)", "BANDWIDTH=9000000,RESOLUTION=3840x2160,\(avc)",
            "BANDWIDTH=5000000,RESOLUTION=1920x1080,\(avc)",
            "BANDWIDTH=6000000,RESOLUTION=1920x1080,CODECS=\"hvc1.1.6.L93.B0,mp4a.40.2\"",
            "BANDWIDTH=3000000,RESOLUTION=1280x720,\(avc)",
        ]).variants
        #expect(selection().choose(from: list) == 2)
        #expect(selection(1920, 1079).choose(from: list) == 4 && selection(1919, 1080).choose(from: list) == 4)
        #expect(selection(3840, 2160).choose(from: list) == 1)
        // All are larger than the screen: the smallest.
        #expect(selection(320, 180).choose(from: list) == 0)
        #expect(selection(lowest: true).choose(from: list) == 0)
        #expect(selection().allows(list[2]) && !selection().allows(list[1]) && !selection().allows(list[3]))
    }

    @Test("sound alone is for when there are no pictures, also where the lowest is wanted")
    func soundOnly() throws {
        let list = try variants([
            "BANDWIDTH=9000000,CODECS=\"mp4a.40.2\"", "BANDWIDTH=400000,\(avc)", "BANDWIDTH=900000,RESOLUTION=640x360,\(avc)",
        ]).variants
        #expect(selection().choose(from: list) == 2 && selection(lowest: true).choose(from: list) == 1)
        #expect(selection().choose(from: [list[0]]) == 0 && selection(lowest: true).choose(from: [list[0]]) == 0)
    }

    @Test("of variants alike the first in the playlist is used")
    func alike() throws {
        let alike = "BANDWIDTH=2,RESOLUTION=640x360,\(avc)"
        let list = try variants(["BANDWIDTH=1,RESOLUTION=640x360,\(avc)", alike, alike]).variants
        #expect(selection().choose(from: list) == 1 && selection(320, 180).choose(from: list) == 0)
        #expect(selection(lowest: true).choose(from: Array(list.dropFirst())) == 0)
    }

    @Test("a screen without HDR gets SDR; HLG and then PQ only where there is nothing else")
    func range() throws {
        let list = try variants([
            "BANDWIDTH=1000000,RESOLUTION=640x360,VIDEO-RANGE=SDR,\(avc)", "BANDWIDTH=2000000,RESOLUTION=1280x720,\(avc)",
            "BANDWIDTH=8000000,RESOLUTION=1920x1080,VIDEO-RANGE=PQ,\(avc)",
            "BANDWIDTH=7000000,RESOLUTION=1920x1080,VIDEO-RANGE=HLG,\(avc)",
            "BANDWIDTH=3000000,RESOLUTION=1280x720,VIDEO-RANGE=PQ,\(avc)",
        ]).variants
        #expect(selection().choose(from: list) == 1 && selection(lowest: true).choose(from: list) == 0)
        #expect(selection().choose(from: Array(list.dropFirst(2))) == 1)
        #expect(selection().choose(from: [list[2], list[4]]) == 0 && selection(1280, 720).choose(from: [list[2], list[4]]) == 1)
        #expect(selection().allows(list[1]) && !selection().allows(list[2]) && !selection().allows(list[3]))
        // Among themselves they are a ladder.
        #expect(VariantLadder([list[2], list[4]], selection: selection()).rungs.map(\.variants) == [[1], [0]])
        #expect(VariantLadder(list, selection: selection()).rungs.map(\.variants) == [[0], [1]])
    }

    @Test("a screen that shows a range gets it in the size of the best picture, and never a smaller picture for it")
    func shownRange() throws {
        let list = try variants([
            "BANDWIDTH=9000000,RESOLUTION=1920x1080,\(avc)", "BANDWIDTH=3000000,RESOLUTION=1280x720,VIDEO-RANGE=SDR,\(avc)",
            "BANDWIDTH=8000000,RESOLUTION=1920x1080,VIDEO-RANGE=PQ,\(avc)",
            "BANDWIDTH=20000000,RESOLUTION=1280x720,VIDEO-RANGE=PQ,\(avc)",
            "BANDWIDTH=7000000,RESOLUTION=1920x1080,VIDEO-RANGE=HLG,\(avc)",
        ]).variants
        func choice(_ list: [Variant], _ ranges: Set<String>, width: Int = 1920, height: Int = 1080) -> Int? {
            VariantSelection(width: width, height: height, shownRanges: ranges) { _ in true }.choose(from: list)
        }
        #expect(choice(list, []) == 0 && choice(list, ["HLG"]) == 4)
        #expect(choice([list[0], list[2]], ["PQ"]) == 1 && choice([list[0], list[2]], ["HLG"]) == 0)
        #expect(choice([list[0], list[3]], ["PQ"]) == 0, "a larger picture is better")
        #expect(choice([list[1], list[3]], ["PQ"], width: 1280, height: 720) == 1)
        let selection = VariantSelection(width: 1920, height: 1080, shownRanges: ["PQ"]) { _ in true }
        #expect(VariantLadder([list[0], list[1], list[2]], selection: selection).rungs.map(\.variants) == [[2]])
        #expect(selection.allows(list[2]) && !selection.allows(list[4]))
    }

    @Test(
        "the range is that of the layer that is decoded: Dolby Vision's brands tell it",
        arguments: [
            ("db1p", "PQ"), ("db4h", "HLG"), ("db2g", "SDR"), ("zzzz", "PQ"),
        ])
    func supplemental(brand: String, range: String) throws {
        let list = try variants([
            "BANDWIDTH=2,RESOLUTION=16x9,VIDEO-RANGE=PQ,SUPPLEMENTAL-CODECS=\"dvh1.08.07/\(brand)\",\(avc)",
            "BANDWIDTH=1,RESOLUTION=16x9,\(avc)",
        ]).variants
        #expect(list[0].baseRange == range && list[1].baseRange == nil)
        for shown in ["PQ", "HLG"] {
            let selection = VariantSelection(width: 16, height: 9, shownRanges: [shown]) { _ in true }
            #expect(selection.choose(from: list) == (range == shown || range == "SDR" ? 0 : 1))
        }
    }

    @Test("variants that require HDCP are not played, those for certain content protection only where there is nothing else")
    func protection() throws {
        let list = try variants([
            "BANDWIDTH=1,RESOLUTION=16x9,HDCP-LEVEL=NONE,\(avc)", "BANDWIDTH=2,RESOLUTION=16x9,HDCP-LEVEL=TYPE-0,\(avc)",
            "BANDWIDTH=3,RESOLUTION=16x9,HDCP-LEVEL=TYPE-1,\(avc)",
            "BANDWIDTH=4,RESOLUTION=16x9,ALLOWED-CPC=\"com.example.drm1:SMART-TV/PC\",\(avc)",
        ]).variants
        #expect(selection().choose(from: list) == 0 && selection().choose(from: Array(list.dropFirst())) == 2)
        #expect(selection().choose(from: [list[1], list[2]]) == nil)
        #expect(list.map { selection().allows($0) } == [true, false, false, false])
        #expect(VariantLadder(list, selection: selection()).rungs.map(\.variants) == [[0]])
    }

    @Test("a variant with an unknown codec is no rung beside known ones; captions need no decoder")
    func unknownCodecs() throws {
        let list = try variants([
            "BANDWIDTH=1,CODECS=\"avc1.64001f,mp4a.40.2,xxxx.text\",RESOLUTION=16x9",
            "BANDWIDTH=2,CODECS=\"avc1.64001f\",RESOLUTION=16x9",
        ]).variants
        #expect(selection().choose(from: list) == 1 && !selection().allows(list[0]))
        for captions in ["stpp.ttml.im1t", "wvtt"] {
            let selection = VariantSelection(width: 1920, height: 1080) { $0 == captions ? nil : true }
            let list = try variants([
                "BANDWIDTH=1,CODECS=\"avc1.64001f,\(captions)\"", "BANDWIDTH=2,CODECS=\"avc1.64001f,\(captions)\"",
            ])
            #expect(list.variants.allSatisfy { selection.allows($0) } && selection.choose(from: list.variants) == 1)
        }
    }

    @Test("unknown codecs are tried, those that cannot be decoded are not")
    func codecs() throws {
        let list = try variants([
            "BANDWIDTH=2,CODECS=\"xxxx.1\",RESOLUTION=16x9", "BANDWIDTH=3,CODECS=\"avc1.1,hvc1.1\",RESOLUTION=16x9",
        ]).variants
        #expect(
            selection().choose(from: list) == 0 && selection().choose(from: [list[1]]) == nil
                && selection().choose(from: []) == nil)
    }

    @Test(
        "codecs are those of pictures or of sound (RFC 6381)",
        arguments: [
            ("avc1.64001f", true, false), ("hev1.1", true, false), ("dvh1.05", true, false), ("mp4a.40.2", false, true),
            ("ec-3", false, true), ("Opus", false, true), ("stpp.ttml", false, false), ("mp4v.20", true, false),
        ])
    func kinds(_ codec: String, _ isVideo: Bool, _ isAudio: Bool) {
        #expect(CodecKind.isVideo(codec) == isVideo && CodecKind.isAudio(codec) == isAudio)
    }
}

@Suite("The ladder of rungs")
struct VariantLadderTests {
    private func ladder(_ attributes: [String], width: Int = 1920) throws -> VariantLadder {
        VariantLadder(try variants(attributes).variants, selection: VariantSelection(width: width, height: 1080) { _ in true })
    }

    @Test("rungs are ordered by mean bit rate, which is four fifths of the peak where only that is stated")
    func order() throws {
        let ladder = try ladder([
            "BANDWIDTH=5000000,\(avc)", "BANDWIDTH=1000000,AVERAGE-BANDWIDTH=700000,\(avc)", "BANDWIDTH=2000000,\(avc)",
            "BANDWIDTH=3000000,AVERAGE-BANDWIDTH=0,\(avc)",
        ])
        #expect(ladder.rungs.map(\.variants) == [[1], [2], [3], [0]])
        #expect(ladder.rungs.map(\.bitrate) == [700_000, 1_600_000, 2_400_000, 4_000_000])
        #expect(ladder.rung(of: 0) == 3 && ladder.rung(of: 1) == 0 && ladder.rung(of: 9) == nil)
    }

    @Test("variants of another codec, sound or range are on no rung, since a switch would be seen or heard")
    func families() throws {
        let range = "VIDEO-RANGE=PQ"
        let ladder = try ladder([
            "BANDWIDTH=6,\(avc)", "BANDWIDTH=5,CODECS=\"avc3.64001f,mp4a.40.5\"", "BANDWIDTH=4,CODECS=\"hvc1.1,mp4a.40.2\"",
            "BANDWIDTH=3,CODECS=\"avc1.1,ec-3\"", "BANDWIDTH=2,\(range),\(avc)", "BANDWIDTH=1,CODECS=\"avc1.1\"",
        ])
        #expect(ladder.rungs.map(\.variants) == [[1], [0]])
        let hevc = try self.ladder(["BANDWIDTH=2,CODECS=\"hvc1.1\"", "BANDWIDTH=1,CODECS=\"hev1.1\""])
        #expect(hevc.rungs.map(\.variants) == [[1], [0]])
        #expect(try self.ladder(["BANDWIDTH=2", "BANDWIDTH=1,RESOLUTION=16x9"]).rungs.count == 2)
    }

    @Test("variants that differ only in their address share a rung, others do not")
    func alike() throws {
        let base = "BANDWIDTH=9,AVERAGE-BANDWIDTH=8,RESOLUTION=16x9,FRAME-RATE=25,\(avc)"
        let ladder = try ladder([
            base, base + ",PATHWAY-ID=\"B\"", base.replacing("16x9", with: "32x18"), base.replacing("25", with: "50"),
            base.replacing("BANDWIDTH=8", with: "BANDWIDTH=7"), base.replacing("=9,A", with: "=10,A"),
        ])
        #expect(ladder.rungs.map(\.variants).sorted { $0[0] < $1[0] } == [[0, 1], [2], [3], [4], [5]])
        var grown = ladder
        grown.add(6, beside: 1)
        grown.add(7, beside: 99)
        #expect(grown.rung(of: 6) == ladder.rung(of: 0) && grown.rung(of: 7) == nil)
    }

    @Test("a rung that costs more and is not better by SCORE is dropped, if all have one (RFC 8216bis, 4.4.6.2)")
    func scores() throws {
        let rates = [(1, "1"), (2, "2"), (3, "2"), (4, "1.5"), (5, "3")]
        #expect(try ladder(rates.map { "BANDWIDTH=\($0.0)000,SCORE=\($0.1),\(avc)" }).rungs.map(\.variants) == [[0], [1], [4]])
        let partly = rates.map { "BANDWIDTH=\($0.0)000,\($0.0 == 1 ? "" : "SCORE=\($0.1),")\(avc)" }
        #expect(try ladder(partly).rungs.count == 5)
    }

    @Test("variants larger than the screen are on no rung, unless there are no others")
    func screen() throws {
        let list = ["BANDWIDTH=1,RESOLUTION=1280x720,\(avc)", "BANDWIDTH=2,RESOLUTION=1920x1080,\(avc)"]
        #expect(try ladder(list, width: 1280).rungs.map(\.variants) == [[0]])
        #expect(try ladder(list, width: 640).rungs.map(\.variants) == [[0]])
        #expect(
            VariantLadder(try variants(list).variants, selection: VariantSelection(width: 1, height: 1) { _ in false }).rungs
                .isEmpty)
    }
}

@Suite("The shipped policy")
@MainActor
struct AdaptivePolicyTests {
    /// Rungs of 0.5, 1.5 and 4 megabits; the lowest at two places.
    private static let ladder = [
        "BANDWIDTH=500000,AVERAGE-BANDWIDTH=500000,PATHWAY-ID=\"A\",\(avc)",
        "BANDWIDTH=500000,AVERAGE-BANDWIDTH=500000,PATHWAY-ID=\"B\",\(avc)",
        "BANDWIDTH=1500000,AVERAGE-BANDWIDTH=1500000,PATHWAY-ID=\"A\",\(avc)",
        "BANDWIDTH=4000000,AVERAGE-BANDWIDTH=4000000,PATHWAY-ID=\"A\",\(avc)",
    ]

    private func policy(rate: Double? = nil, firstByte: Duration? = nil, isStored: Bool = false) throws -> AdaptivePolicy {
        let memory = NetworkMemory()
        memory.rate = rate
        return AdaptivePolicy(
            variants: try variants(Self.ladder).variants, selection: VariantSelection(width: 1920, height: 1080) { _ in true },
            memory: memory,
            answer: firstByte.map {
                var response = ByteResponse(
                    bytes: [], url: "u", status: 200, contentType: nil, timeToFirstByte: $0, transferDuration: .zero)
                response.isStored = isStored
                return response
            })
    }

    private func question(
        _ current: Int = 0, at seconds: Int64, buffered: Int64 = 15, hasDelivered: Bool = true, behind: MediaTime? = nil
    ) -> VariantQuestion {
        VariantQuestion(
            current: current, startTime: .seconds(seconds), duration: .seconds(4), byteCount: nil,
            state: ReadingState(bufferedDuration: .seconds(buffered), hasDelivered: hasDelivered, behindLive: behind))
    }

    private func load(
        _ policy: AdaptivePolicy, bits: Double, seconds: Double, times: Int = 10, kind: ResourceKind = .segment,
        role: RenditionRole = .variant(0),
        isBlocking: Bool = false, isStored: Bool = false
    ) {
        for _ in 0..<times {
            policy.didLoad(
                StreamLoad(
                    request: StreamRequest(kind: kind, role: role, url: "u", duration: .seconds(4), isBlocking: isBlocking),
                    byteCount: Int64(bits / 8),
                    timeToFirstByte: .zero, transferDuration: .nanoseconds(Int64(seconds * 1e9)), url: "u", serverAddress: nil,
                    isStored: isStored, state: ReadingState()))
        }
    }

    @Test("the first variant uses at most 70 % of the earlier sessions' rate, or of the rate guessed from the first response")
    func first() throws {
        // Four megabits need 5.72 of them.
        #expect(try policy(rate: 5_720_000).firstVariant() == 3 && policy(rate: 5_700_000).firstVariant() == 2)
        #expect(
            try policy(rate: 2_143_000).firstVariant() == 2 && policy(rate: 2_142_000).firstVariant() == 0
                && policy(rate: 1000).firstVariant() == 0)
        // Ten packets in a round trip: 20 ms are 5.85 megabits, a slow answer says less, none little.
        #expect(
            try policy(firstByte: .milliseconds(20)).firstVariant() == 3
                && policy(firstByte: .milliseconds(100)).firstVariant() == 0)
        #expect(try policy(firstByte: .seconds(1)).firstVariant() == 0 && policy().firstVariant() == 0)
    }

    @Test("while nothing is shown the rung goes by the rate; with a buffer it stays until a rate is known")
    func beginning() throws {
        let known = try policy(rate: 6_000_000)
        #expect(known.variant(for: question(0, at: 0, buffered: 0, hasDelivered: false)) == 3)
        #expect(known.variant(for: question(0, at: 4, buffered: 0)) == 3)
        #expect(known.variant(for: question(2, at: 8)) == 2)
        load(known, bits: 1_000_000, seconds: 1)
        #expect(known.variant(for: question(2, at: 12, buffered: 0)) == 0)
    }

    @Test("with a buffer the best that the network carries is loaded, and the same question has the same answer")
    func steady() throws {
        let policy = try policy()
        load(policy, bits: 12_000_000, seconds: 1)
        #expect(policy.variant(for: question(2, at: 0)) == 3)
        load(policy, bits: 700_000, seconds: 1, times: 30)
        #expect(policy.variant(for: question(3, at: 0)) == 3)
        #expect(policy.variant(for: question(3, at: 4)) == 0)
    }

    @Test("while only the lowest quality may be loaded every answer is the lowest rung, and the rule decides again afterwards")
    func lowest() throws {
        @MainActor
        final class Network {
            var isMetered = false
        }
        let network = Network()
        let memory = NetworkMemory(rate: 20_000_000)
        let policy = AdaptivePolicy(
            variants: try variants(Self.ladder).variants, selection: VariantSelection(width: 1920, height: 1080) { _ in true },
            memory: memory, takesLowest: { network.isMetered })
        load(policy, bits: 12_000_000, seconds: 1)
        #expect(policy.firstVariant() == 3 && policy.variant(for: question(3, at: 0)) == 3)
        network.isMetered = true
        #expect(policy.firstVariant() == 0)
        #expect(policy.variant(for: question(3, at: 0)) == 0, "also for a segment that was asked about before")
        #expect(policy.variant(for: question(0, at: 4)) == 0 && policy.variant(for: question(0, at: 8, buffered: 0)) == 0)
        network.isMetered = false
        #expect(policy.variant(for: question(0, at: 12)) == 3)
        // A list without variants has no rung.
        let empty = AdaptivePolicy(
            variants: [], selection: VariantSelection(width: 1920, height: 1080) { _ in true }, takesLowest: { true })
        #expect(empty.firstVariant() == nil && empty.variant(for: question(0, at: 0)) == 0)
    }

    @Test("only whole media of a variant is a measurement")
    func measurements() throws {
        for odd in [
            { (policy: AdaptivePolicy) in load(policy, bits: 8_000_000, seconds: 1, kind: .playlist) },
            { load($0, bits: 8_000_000, seconds: 1, kind: .key) },
            { load($0, bits: 8_000_000, seconds: 1, role: .audio(TrackID(1))) },
            { load($0, bits: 8_000_000, seconds: 1, isBlocking: true) },
            { load($0, bits: 8_000_000, seconds: 0, isStored: true) },
            { load($0, bits: Double(16 << 10) * 8 - 8, seconds: 0.01) },
        ] as [@MainActor (AdaptivePolicy) -> Void] {
            let policy = try policy()
            odd(policy)
            #expect(policy.variant(for: question(2, at: 0)) == 2)
        }
        let policy = try policy()
        load(policy, bits: Double(16 << 10) * 8, seconds: 0.01, times: 20, kind: .part)
        #expect(policy.variant(for: question(2, at: 0)) == 3)
    }

    @Test("what is read from the store says nothing about the network, which may be slow")
    func stored() throws {
        let slow = try policy()
        load(slow, bits: 700_000, seconds: 1, times: 30)
        load(slow, bits: 16_000_000, seconds: 0.001, times: 100, isStored: true)
        #expect(slow.variant(for: question(3, at: 4)) == 0)
        #expect(try policy(firstByte: .microseconds(20), isStored: true).firstVariant() == policy().firstVariant())
    }

    @Test("a rung that the box cannot decode in time is not used again, and neither are higher rungs")
    func slowDecoder() throws {
        let policy = try policy()
        load(policy, bits: 12_000_000, seconds: 1)
        policy.decoderFallsBehind(3)
        #expect(policy.variant(for: question(3, at: 0)) == 2)
        policy.decoderFallsBehind(2)
        policy.decoderFallsBehind(3)
        #expect(policy.variant(for: question(3, at: 4)) == 0)
        // Below the lowest there is nothing.
        policy.decoderFallsBehind(0)
        policy.decoderFallsBehind(77)
        #expect(policy.variant(for: question(0, at: 8)) == 0)
    }

    @Test("after a failure the ladder's variant is loaded next; an excluded variant is not chosen")
    func failures() throws {
        let policy = try policy()
        let failure = StreamFailure(
            request: StreamRequest(kind: .segment, role: .variant(0), url: "u", mediaSequence: 3),
            error: MediaError(.sourceMissing, "x", fault: .status(404)), attempts: 1, missedSegments: 0, hasMediaBehind: true,
            state: ReadingState(hasDelivered: true))
        #expect(policy.action(after: failure) == .use(variant: 1))
        #expect(policy.variant(for: question(0, at: 0)) == 1)
        #expect(policy.variant(for: question(0, at: 4, buffered: 0)) == 1)
    }

    @Test("instead of a variant whose playlist has no news another one is used; when none has any, they are tried in turn")
    func stuck() throws {
        let policy = try policy()
        func action(_ role: RenditionRole, _ seconds: Int) -> FailureAction {
            policy.action(
                after: StreamFailure(
                    request: StreamRequest(kind: .playlist, role: role, url: "u", isReload: true),
                    error: MediaError(.sourceTimeout, "x"), attempts: 2, missedSegments: 0, hasMediaBehind: false,
                    state: ReadingState(hasDelivered: true, now: HostTime.zero + .seconds(seconds)), isStuck: true))
        }
        #expect(action(.variant(3), 0) == .use(variant: 2) && action(.variant(2), 7) == .use(variant: 0))
        #expect(action(.variant(0), 14) == .use(variant: 1) && action(.variant(1), 21) == .skip)
        #expect(action(.audio(TrackID(1)), 21) == .skip)
        #expect(action(.variant(1), 81) == .use(variant: 2))
    }

    @Test("the pathway that steering prefers is taken on each rung, also a cloned one")
    func steering() throws {
        let policy = try policy()
        policy.setPathwayPriority(["B"])
        #expect(policy.firstVariant() == 1)
        policy.add([try variants(Self.ladder).variants[0].moved(to: "c.m3u8", pathwayID: "C")], standingFor: [0])
        policy.setPathwayPriority(["C", "B"])
        #expect(policy.firstVariant() == 4)
    }

    @Test("a segment that would arrive too late is loaded from a lower rung, once, and only segments are")
    func abandoned() throws {
        func progress(
            _ kind: ResourceKind = .segment, role: RenditionRole = .variant(3), duration: MediaTime? = .seconds(4),
            buffered: MediaTime = .seconds(2)
        ) -> StreamProgress {
            StreamProgress(
                request: StreamRequest(kind: kind, role: role, url: "u", duration: duration), received: 12_500,
                expected: 2_000_000, elapsed: .seconds(1),
                timeToFirstByte: .milliseconds(50), state: ReadingState(bufferedDuration: buffered, hasDelivered: true))
        }
        #expect(try policy().abandon(progress(.part)) == nil && policy().abandon(progress(role: .audio(TrackID(1)))) == nil)
        #expect(try policy().abandon(progress(duration: nil)) == nil && policy().abandon(progress(duration: .zero)) == nil)
        #expect(try policy().abandon(progress(buffered: .seconds(29))) == nil)
        let policy = try policy()
        #expect(policy.abandon(progress()) == 0)
        #expect(policy.variant(for: question(3, at: 0)) == 0)
    }

    @Test("the estimate is stored for the next session")
    func memory() throws {
        let memory = NetworkMemory()
        let policy = AdaptivePolicy(
            variants: try variants(Self.ladder).variants, selection: VariantSelection(width: 1920, height: 1080) { _ in true },
            memory: memory)
        load(policy, bits: 3_000_000, seconds: 1)
        #expect(abs((memory.rate ?? 0) - 3_000_000) < 1)
    }
}
