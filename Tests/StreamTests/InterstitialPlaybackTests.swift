import MediaModel
import MediaTime
import Playback
import TestSupport
import Testing

/// Interstitials of date ranges, from the playlist to the reports and the screen.
@Suite("Interstitials in a player", .serialized)
@MainActor
struct InterstitialPlaybackTests {
    /// Half a minute that started at noon, with these date ranges, and advertisements of four seconds named a, b and c.
    private func makeRig(_ ranges: String..., seconds: Int = 30) throws -> StreamRig {
        let rig = try StreamRig()
        rig.put("main", seconds: seconds, header: ranges.joined(), isDated: true)
        for name in ["a", "b", "c"] { rig.put(name, seconds: 4) }
        rig.script.put(#"{"ASSETS":[{"URI":"a.m3u8","DURATION":4},{"URI":"b.m3u8","DURATION":4}]}"#, at: "http://test/list.json")
        return rig
    }

    private static func line(at second: Double = 20, _ attributes: String) -> String { line("x", at: second, attributes) }

    private static func line(_ id: String, at second: Double, _ attributes: String) -> String {
        StreamRig.interstitial(id, at: second, attributes)
    }

    @Test(
        "an asset list is requested ahead of its position, its assets play one after another, and the presentation resumes where it was left"
    )
    func list() throws {
        let rig = try makeRig(Self.line("X-ASSET-LIST=\"list.json\",X-RESUME-OFFSET=0"))
        defer { rig.close() }
        rig.play()
        #expect(rig.run { rig.hasEnded })
        #expect(rig.interstitials == ["begin x 1/2", "begin x 2/2", "end x completed"])
        #expect(rig.times.count == 30 * 25, "no frame is lost or repeated")
        #expect(zip(rig.times, rig.times.dropFirst()).allSatisfy { $0 < $1 })
        let asked = try #require(rig.instant(of: "http://test/list.json"))
        #expect(asked > .seconds(5) && asked < .seconds(12))
        #expect(try #require(rig.instant(of: "http://test/a.m3u8")) < .seconds(12))
        #expect(rig.script.requests.filter { $0.url == "http://test/list.json" }.count == 1)
        let last = try #require(rig.statuses.last)
        #expect(last.duration == .seconds(8) && last.asset == 1 && last.assetDuration == .seconds(4))
        #expect(rig.statuses.map(\.elapsed) == rig.statuses.map(\.elapsed).sorted())
        let length = MediaTime.nanoseconds(rig.loop.clock.now.nanoseconds)
        #expect(length > .seconds(38) && length < .seconds(40))
    }

    @Test(
        "without an offset the presentation resumes later by the interstitial's duration; with one, by that; X-SNAP=IN moves it to an edge"
    )
    func resumption() throws {
        for (attributes, hole) in [
            ("", (20, 24)), (",X-RESUME-OFFSET=7", (20, 27)), (",X-RESUME-OFFSET=5.2,X-SNAP=\"IN\"", (20, 26)),
        ] {
            let rig = try makeRig(Self.line("X-ASSET-URI=\"a.m3u8\"" + attributes))
            defer { rig.close() }
            rig.play()
            #expect(rig.run { rig.hasEnded })
            #expect(!rig.saw(Int64(hole.0), Int64(hole.1)), "\(attributes)")
            let next = try #require(rig.times.first { $0 >= .seconds(20) })
            // Measured durations are accurate to a frame or two.
            #expect((next - .seconds(Int64(hole.1))).magnitude < .milliseconds(150), "\(attributes)")
        }
    }

    @Test("X-PLAYOUT-LIMIT ends it, X-SNAP=OUT starts it at a segment boundary")
    func limits() throws {
        let rig = try makeRig(
            Self.line(at: 18.7, "X-ASSET-LIST=\"list.json\",X-RESUME-OFFSET=0,X-PLAYOUT-LIMIT=5,X-SNAP=\"OUT\""))
        defer { rig.close() }
        rig.play()
        #expect(rig.run { rig.hasEnded })
        #expect(rig.interstitials == ["begin x 1/2", "begin x 2/2", "end x completed"])
        #expect(rig.statuses.allSatisfy { $0.duration == .seconds(5) && $0.elapsed <= .milliseconds(5040) })
        #expect(rig.statuses.first?.interstitial.time == .seconds(18))
        let length = MediaTime.nanoseconds(rig.loop.clock.now.nanoseconds)
        #expect(length > .seconds(35) && length < .seconds(37))
    }

    @Test("X-RESTRICT=JUMP: a jump over it plays it first, then goes straight to the target; a jump back does not")
    func jump() throws {
        let rig = try makeRig(Self.line(at: 10, "X-ASSET-URI=\"a.m3u8\",X-RESUME-OFFSET=0,X-RESTRICT=\"JUMP\""))
        defer { rig.close() }
        rig.play()
        rig.run(for: .seconds(3))
        rig.forgetFrames()
        var finished: Bool?
        rig.player.seek(to: .seconds(25), toleranceBefore: .zero, toleranceAfter: .zero) { finished = $0 }
        #expect(rig.run { rig.interstitials.contains("end x completed") })
        #expect(finished == true)
        #expect(rig.statuses.first?.target == .seconds(25))
        #expect(rig.run { rig.saw(25, 26) })
        #expect(!rig.saw(5, 25))
        rig.player.seek(to: .seconds(5), toleranceBefore: .zero, toleranceAfter: .zero)
        #expect(rig.run { rig.saw(5, 6) })
        #expect(rig.interstitials == ["begin x 1/1", "end x completed"])
    }

    @Test("during scrubbing an interstitial is played only where the viewer stops")
    func previews() throws {
        let rig = try makeRig(Self.line(at: 10, "X-ASSET-URI=\"a.m3u8\",X-RESUME-OFFSET=0,X-RESTRICT=\"JUMP\""))
        defer { rig.close() }
        rig.play()
        rig.run(for: .seconds(3))
        rig.player.pause()
        for second in [8, 14, 22] {
            var isDone = false
            rig.player.seek(to: .seconds(Int64(second)), toleranceBefore: nil, toleranceAfter: nil) { _ in isDone = true }
            rig.run { isDone }
        }
        #expect(rig.interstitials.isEmpty)
        rig.player.seek(to: .seconds(22), toleranceBefore: .zero, toleranceAfter: .zero)
        rig.player.play()
        #expect(rig.run { rig.interstitials == ["begin x 1/1", "end x completed"] })
        rig.forgetFrames()
        #expect(rig.run { rig.saw(22, 23) })
    }

    @Test("X-RESTRICT=SKIP: only its skip control, shown from its offset on, ends it early")
    func skip() throws {
        let rig = try makeRig(
            Self.line(
                at: 10,
                "X-ASSET-URI=\"a.m3u8\",X-RESUME-OFFSET=0,X-RESTRICT=\"SKIP\",X-SKIP-CONTROL-OFFSET=2,X-SKIP-CONTROL-DURATION=1"))
        defer { rig.close() }
        rig.play()
        #expect(rig.run { rig.player.interstitialStatus?.elapsed ?? .zero > .seconds(1) })
        var finished: Bool?
        rig.player.seek(to: .seconds(25), toleranceBefore: .zero, toleranceAfter: .zero) { finished = $0 }
        #expect(finished == false)
        finished = nil
        rig.player.seek(to: .seconds(1), toleranceBefore: .zero, toleranceAfter: .zero) { finished = $0 }
        #expect(finished == false)
        #expect(!rig.player.setRate(Ratio(2)))
        #expect(!rig.player.skipInterstitial())
        #expect(rig.player.currentTime == .seconds(10), "the published position of the presentation does not move")
        #expect(rig.run { rig.player.interstitialStatus?.offersSkip == true })
        #expect(rig.player.skipInterstitial())
        #expect(rig.interstitials.last == "end x skipped")
        #expect(rig.run { rig.saw(11, 12) })
        #expect(rig.times.count { $0 >= .seconds(9) && $0 < .seconds(11) } == 50)
    }

    @Test("the skip control disappears again, and an asset list may define its own")
    func skipOfList() throws {
        let rig = try makeRig(Self.line(at: 4, "X-ASSET-LIST=\"own.json\""))
        rig.script.put(
            #"{"ASSETS":[{"URI":"a.m3u8","DURATION":4}],"SKIP-CONTROL":{"OFFSET":1,"DURATION":2}}"#, at: "http://test/own.json")
        defer { rig.close() }
        rig.play()
        #expect(rig.run { rig.hasEnded })
        for status in rig.statuses {
            #expect(status.offersSkip == (status.elapsed >= .seconds(1) && status.elapsed < .seconds(3)))
        }
        #expect(rig.statuses.contains { $0.offersSkip })
    }

    @Test("without restrictions the viewer may leave it for another position")
    func leave() throws {
        let rig = try makeRig(Self.line(at: 10, "X-ASSET-URI=\"a.m3u8\",X-RESUME-OFFSET=0"))
        defer { rig.close() }
        rig.play()
        #expect(rig.run { rig.player.interstitialStatus?.elapsed ?? .zero > .seconds(1) })
        rig.forgetFrames()
        rig.player.seek(to: .seconds(26), toleranceBefore: .zero, toleranceAfter: .zero)
        #expect(rig.interstitials.last == "end x abandoned")
        #expect(rig.run { rig.hasEnded })
        #expect(!rig.saw(0, 26) && rig.saw(26, 27))
    }

    @Test("PRE plays before the first frame wherever playback starts, POST after the last, and ONCE only once")
    func cues() throws {
        let rig = try makeRig(
            Self.line("pre", at: 0, "CUE=\"PRE\",X-ASSET-LIST=\"list.json\",X-RESUME-OFFSET=0"),
            Self.line("once", at: 10, "CUE=\"ONCE\",X-ASSET-URI=\"b.m3u8\",X-RESUME-OFFSET=0"),
            Self.line("again", at: 12, "X-ASSET-URI=\"b.m3u8\",X-RESUME-OFFSET=0"),
            Self.line("post", at: 0, "CUE=\"POST\",X-ASSET-URI=\"c.m3u8\""), seconds: 16)
        defer { rig.close() }
        rig.play { $0.startTime = .seconds(8) }
        #expect(rig.run { rig.saw(13, 14) })
        #expect(rig.times.first == .seconds(8) && rig.framesBefore == 0, "no frame is shown before it")
        #expect(
            rig.interstitials == [
                "begin pre 1/2", "begin pre 2/2", "end pre completed", "begin once 1/1", "end once completed", "begin again 1/1",
                "end again completed",
            ])
        rig.player.seek(to: .seconds(9), toleranceBefore: .zero, toleranceAfter: .zero)
        #expect(rig.run { rig.hasEnded })
        #expect(
            rig.interstitials.dropFirst(7) == ["begin again 1/1", "end again completed", "begin post 1/1", "end post completed"])
    }

    @Test("an unavailable asset is skipped; if none is available, the presentation continues where it was left")
    func failures() throws {
        let rig = try makeRig(
            Self.line("one", at: 4, "X-ASSET-LIST=\"list.json\",X-RESUME-OFFSET=0"),
            Self.line("none", at: 10, "X-ASSET-URI=\"missing.m3u8\",X-RESUME-OFFSET=5"),
            Self.line("gone", at: 16, "X-ASSET-LIST=\"missing.json\",X-RESUME-OFFSET=5"),
            Self.line("empty", at: 22, "X-ASSET-LIST=\"empty.json\",X-RESUME-OFFSET=4"))
        rig.script.put(#"{"ASSETS":[]}"#, at: "http://test/empty.json")
        rig.script.fail("http://test/a.m3u8", with: .status(404))
        defer { rig.close() }
        rig.play()
        #expect(rig.run { rig.hasEnded })
        #expect(rig.error == nil)
        #expect(
            rig.interstitials.filter { !$0.hasPrefix("begin one 1") } == [
                "begin one 2/2", "end one completed", "begin none 1/1", "end none failed",
            ])
        #expect(rig.saw(10, 15) && rig.saw(16, 21))
        // An empty list is not a failure: its offset applies.
        #expect(!rig.saw(22, 26) && rig.saw(26, 27))
        #expect(rig.times.count == 26 * 25)
    }

    @Test("an interstitial that has not started after eight seconds is skipped")
    func silence() throws {
        let rig = try makeRig(Self.line(at: 4, "X-ASSET-URI=\"a.m3u8\",X-RESUME-OFFSET=0"))
        rig.script.fail("http://test/a-*", with: .stall(after: 0))
        defer { rig.close() }
        rig.play()
        #expect(rig.run { rig.saw(5, 6) })
        #expect(rig.interstitials.last == "end x failed")
        let waited = MediaTime.nanoseconds(rig.loop.clock.now.nanoseconds)
        #expect(waited > .seconds(12) && waited < .seconds(15))
    }

    @Test("an interstitial left before its end plays first at the next opening, then playback resumes where it was")
    func owed() throws {
        let rig = try makeRig(Self.line("ad", at: 10, "X-ASSET-URI=\"a.m3u8\",X-RESUME-OFFSET=0,X-RESTRICT=\"JUMP,SKIP\""))
        defer { rig.close() }
        rig.play {
            $0.startTime = .seconds(24)
            $0.owedInterstitial = "ad"
        }
        #expect(rig.run { rig.hasEnded })
        #expect(rig.interstitials == ["begin ad 1/1", "end ad completed"])
        #expect(rig.times.first == .seconds(24) && rig.times.count == 6 * 25)
    }

    @Test("a faster rate does not apply to an interstitial, and is restored after it")
    func rates() throws {
        let rig = try makeRig(Self.line(at: 10, "X-ASSET-URI=\"a.m3u8\",X-RESUME-OFFSET=0"))
        defer { rig.close() }
        rig.play()
        rig.run(for: .seconds(1))
        #expect(rig.player.setRate(Ratio(2)))
        #expect(rig.run { rig.player.interstitialStatus?.elapsed ?? .zero > .seconds(1) })
        #expect(rig.player.state.rate == .one)
        #expect(rig.run { rig.saw(11, 12) })
        #expect(rig.player.state.rate == Ratio(2))
    }

    @Test("a schedule adds date ranges by offsets and nested schedules; preloaded resources are not requested again")
    func schedules() throws {
        let rig = try makeRig(
            "#EXT-X-DATERANGE:ID=\"s\",CLASS=\"com.apple.hls.daterange-schedule\",START-DATE=\"\(LiveOrigin.date(4))\",X-URI=\"plan/one.json\"\n",
            "#EXT-X-DATERANGE:ID=\"p\",CLASS=\"com.apple.hls.preload\",START-DATE=\"\(LiveOrigin.date(0))\",X-URI=\"list.json\",X-TARGET-ID=\"second\"\n"
        )
        rig.script.put(
            #"""
            {"DATERANGES":[
              {"ID":"first","CLASS":"com.apple.hls.interstitial","X-SCHEDULE-OFFSET":2.0,"X-ASSET-URI":"../c.m3u8","X-RESUME-OFFSET":0},
              {"ID":"more","CLASS":"com.apple.hls.daterange-schedule","X-SCHEDULE-OFFSET":8,"X-URI":"two.json"},
              {"ID":"first","CLASS":"com.apple.hls.interstitial","X-SCHEDULE-OFFSET":3,"X-ASSET-URI":"../b.m3u8"},
              {"CLASS":"none"}]}
            """#, at: "http://test/plan/one.json")
        rig.script.put(
            #"{"DATERANGES":[{"ID":"second","CLASS":"com.apple.hls.interstitial","START-DATE":"2026-03-01T12:00:14Z","X-ASSET-LIST":"../list.json","X-RESUME-OFFSET":0}]}"#,
            at: "http://test/plan/two.json")
        defer { rig.close() }
        rig.play()
        #expect(rig.run { rig.hasEnded })
        #expect(
            rig.interstitials == [
                "begin first 1/1", "end first completed", "begin second 1/2", "begin second 2/2", "end second completed",
            ])
        #expect(rig.statuses.first?.interstitial.time == .seconds(6) && rig.statuses.last?.interstitial.time == .seconds(14))
        #expect(rig.script.requests.filter { $0.url == "http://test/list.json" }.count == 1)
        #expect(try #require(rig.instant(of: "http://test/list.json")) < .seconds(2))
    }

    /// A live programme with this date range, and advertisements of four seconds named a and b in a list of both.
    private func makeLiveRig(_ range: String) throws -> StreamRig {
        var plan = LiveOrigin.Plan()
        plan.header = range
        let rig = try StreamRig(live: plan)
        for name in ["a", "b"] { rig.put(name, seconds: 4) }
        return rig
    }

    private nonisolated static let both = #"{"ASSETS":[{"URI":"a.m3u8","DURATION":4},{"URI":"b.m3u8","DURATION":4}]}"#
    private nonisolated static let rest = #"{"ASSETS":[{"URI":"b.m3u8","DURATION":4}]}"#
    private nonisolated static let restUnknown = #"{"ASSETS":[{"URI":"b.m3u8"}]}"#

    /// The newest playlist ends 20 s after noon: playback would start at 14, which is asset time 4.
    @Test(
        "a viewer who joins live in the middle of an interstitial sees the rest of it, and then the programme where all others see it",
        arguments: [
            (9, "5.0", both, ["begin m 1/1", "end m completed"], 3),
            (9, "5.0", restUnknown, ["begin m 1/1", "end m completed"], 3),
            (12, "2.0", both, ["begin m 1/2", "begin m 2/2", "end m completed"], 6),
            (10, "4.0", rest, ["begin m 1/1", "end m completed"], 4),
        ])
    func joinedInTheMiddle(at second: Int, offset: String, list: String, expected: [String], left: Int) throws {
        let rig = try makeLiveRig(
            Self.line("m", at: Double(second), "DURATION=8,X-ASSET-LIST=\"http://test/list.json?x=1\",X-RESUME-OFFSET=8"))
        defer { rig.close() }
        rig.script.put(list, at: "http://test/list.json?x=1&_HLS_start_offset=\(offset)")
        let item = rig.play("http://live/main.m3u8")
        rig.run(for: .seconds(30))
        #expect(rig.error == nil && rig.interstitials == expected && rig.framesBefore == 0)
        #expect(rig.times.first == .seconds(4 + Int64(left)), "the others see this when it ends")
        #expect(rig.player.state.stallCount == 0)
        #expect(try #require(item.liveStatus).edge - rig.player.currentTime < .seconds(9))
    }

    @Test("what is over, inserted, on demand, or about to end when a viewer comes is not joined")
    func notJoined() throws {
        for (second, attributes) in [(6, "DURATION=8"), (12, "DURATION=8,X-RESUME-OFFSET=0"), (6, "DURATION=8.4")] {
            let rig = try makeLiveRig(Self.line("m", at: Double(second), "X-ASSET-LIST=\"http://test/list.json\"," + attributes))
            defer { rig.close() }
            rig.script.put(Self.both, at: "http://test/list.json")
            rig.play("http://live/main.m3u8")
            rig.run(for: .seconds(10))
            #expect(rig.error == nil && rig.interstitials.isEmpty && rig.times.first == .seconds(4))
        }
    }

    @Test(
        "behind what comes before a live programme the viewer is no further from the edge than without it",
        arguments: [true, false])
    func beforeLive(isAvailable: Bool) throws {
        let rig = try makeLiveRig(Self.line("p", at: 10, "X-ASSET-LIST=\"http://test/list.json\",CUE=\"PRE,ONCE\""))
        defer { rig.close() }
        if isAvailable { rig.script.put(Self.both, at: "http://test/list.json") }
        let item = rig.play("http://live/main.m3u8")
        rig.run(for: .seconds(30))
        #expect(rig.error == nil && rig.framesBefore == (isAvailable ? 0 : nil))
        #expect(try #require(item.liveStatus).edge - rig.player.currentTime < .seconds(9))
        let first = try #require(rig.times.first)
        #expect(isAvailable ? first >= .seconds(10) && first <= .seconds(14) : first < .seconds(6))
    }

    @Test("a viewer who comes to an interstitial of a live programme after another one sees the rest of it")
    func beforeTheMiddle() throws {
        let rig = try makeLiveRig(
            Self.line("p", at: 10, "X-ASSET-URI=\"http://test/a.m3u8\",CUE=\"PRE,ONCE\"")
                + Self.line("m", at: 14.5, "DURATION=8,X-ASSET-LIST=\"http://test/list.json\",X-RESUME-OFFSET=8"))
        defer { rig.close() }
        for tenths in 30...50 {
            rig.script.put(Self.both, at: "http://test/list.json?_HLS_start_offset=\(Double(tenths) / 10)")
        }
        rig.play("http://live/main.m3u8")
        rig.run(for: .seconds(30))
        #expect(rig.error == nil && rig.interstitials.first == "begin p 1/1" && rig.interstitials.last == "end m completed")
        #expect(rig.times.first.map { $0 >= .milliseconds(12_480) && $0 <= .milliseconds(12_520) } == true)
    }
}
