import LinuxSupport
import MediaModel
import MediaTime
import Playback
import TestSupport
import Testing

/// Captions of encoders that were restarted, and of recordings that were joined, without EXT-X-DISCONTINUITY.
@Suite("Captions where time stamps jump", .serialized)
@MainActor
struct CaptionJumpTests {
    private static let master = """
        #EXTM3U
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",AUTOSELECT=YES,URI="text.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=100000,CODECS="avc1.4d401e,mp4a.40.2",SUBTITLES="s"
        main.m3u8
        """

    /// A segment of captions with one cue of two seconds, its number, at a stamp.
    private static func text(_ number: Int, at stamp: Int64) -> String {
        "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:\(stamp & (1 << 33 - 1)),LOCAL:00:00:00.000\n\n00:00.000 --> 00:02.000\n\(number)\n"
    }

    /// The captions of a player, and the picture that was on the screen when each appeared.
    @MainActor
    private final class Watch {
        private(set) var seen: [(time: MediaTime, text: String)] = []
        private var listening: Subscription?

        init(_ rig: StreamRig) {
            listening = rig.player.events.listen { [weak self, weak rig] in
                guard case .captions(let cues) = $0, let rig else { return }
                self?.seen.append((rig.player.currentTime, cues.map(\.plainText).joined(separator: "+")))
            }
        }

        func forget() { seen = [] }

        /// Whether every caption appeared with its picture, and how many there were.
        func count(ofSegmentsFrom first: Int) -> Int? {
            let shown = seen.filter { !$0.text.isEmpty }
            let isRight = shown.dropFirst().allSatisfy { shown in
                guard let number = Int(shown.text) else { return false }
                return (shown.time - .seconds(Int64(number - first) * 2)).magnitude < .milliseconds(50)
            }
            return isRight ? shown.count : nil
        }
    }

    private func selectCaptions(_ rig: StreamRig, _ item: PlayerItem) throws {
        #expect(rig.run(within: .seconds(10)) { item.status == .readyToPlay })
        let group = try #require(item.selection.group(.legible))
        item.selection.select(group.options.first, in: group)
    }

    @Test("live: each stays with its picture", arguments: [-20, -2, 12, 5000], [false, true])
    func live(seconds: Int64, hasDiscontinuity: Bool) throws {
        var plan = LiveOrigin.Plan(splices: [14, 18, 19])
        plan.jump = seconds * 90_000
        plan.marksDiscontinuities = hasDiscontinuity
        plan.renditions = ["main": ("va", 0), "text": ("v", 0)]
        plan.documents["all.m3u8"] = Self.master
        for number in 0..<60 {
            let jumps = Int64(plan.splices.filter { $0 <= number }.count)
            plan.documents["text-\(number).ts"] = Self.text(number, at: 900_000 + jumps * plan.jump + Int64(number) * 180_000)
        }
        let rig = try StreamRig(live: plan)
        defer { rig.close() }
        let watch = Watch(rig)
        try selectCaptions(rig, rig.play("http://live/all.m3u8"))
        rig.run(for: .seconds(35))
        #expect(rig.error == nil && rig.player.state.stallCount == 0)
        #expect((watch.count(ofSegmentsFrom: 5) ?? 0) >= 16, "\(watch.seen)")
    }

    /// A film of forty seconds whose stamps jump after twenty.
    private func film(_ seconds: Int64) throws -> StreamRig {
        let rig = try StreamRig()
        rig.put("main", seconds: 40)
        var list = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n"
        for number in 0..<20 {
            let stamp = 900_000 + Int64(number) * 180_000 + (number < 10 ? 0 : seconds * 90_000)
            if number >= 10 {
                rig.script.put(FakeSegment.bytes(kinds: "va", start: stamp, count: 50), at: "http://test/main-\(number).ts")
            }
            rig.script.put(Self.text(number, at: stamp), at: "http://test/text-\(number).vtt")
            list += "#EXTINF:2,\ntext-\(number).vtt\n"
        }
        rig.script.put(list + "#EXT-X-ENDLIST\n", at: "http://test/text.m3u8")
        rig.script.put(Self.master, at: "http://test/all.m3u8")
        return rig
    }

    @Test("film: each stays with its picture, also after seeks to both sides of the jump", arguments: [-20, 3000])
    func film(seconds: Int64) throws {
        let rig = try film(seconds)
        defer { rig.close() }
        let watch = Watch(rig)
        try selectCaptions(rig, rig.play("http://test/all.m3u8"))
        rig.run(for: .seconds(5))
        // To behind the jump before it was met, back, and over it.
        for second in [30, 4, 16] as [Int64] {
            watch.forget()
            #expect(rig.seek(to: .seconds(second)))
            rig.run(for: .seconds(8))
            #expect((watch.count(ofSegmentsFrom: 0) ?? 0) >= 4, "\(second): \(watch.seen)")
        }
    }
}
