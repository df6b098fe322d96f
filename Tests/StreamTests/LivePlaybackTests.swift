import LinuxSupport
import MediaModel
import MediaTime
import Playback
import TestSupport
import Testing

/// Live streams as seen through a player.
@Suite("Live in a player", .serialized)
@MainActor
struct LivePlaybackTests {
    private static let noon: Int64 = 1_772_366_400_000_000_000

    private func isGapless(_ times: some Collection<MediaTime>) -> Bool {
        zip(times, times.dropFirst()).allSatisfy { $1 - $0 == .milliseconds(40) }
    }

    @Test("playback starts behind the edge and follows the window, every frame once")
    func follows() throws {
        let rig = try StreamRig(live: .init())
        defer { rig.close() }
        let item = rig.play("http://live/main.m3u8")
        rig.run(for: .seconds(60))
        #expect(item.isLive && item.duration == .live && rig.error == nil)
        #expect(rig.times.first == .seconds(4))
        #expect(rig.times.count > 55 * 25 && isGapless(rig.times))
        #expect(rig.player.state.stallCount == 0)
        let window = try #require(item.seekableTimeRanges.first)
        #expect(window.start > .seconds(48) && rig.player.currentTime <= window.end + .seconds(2))
    }

    @Test("a list that states VOD is played from its beginning to its end, also without EXT-X-ENDLIST", arguments: [4, 40])
    func onDemandWithoutEnd(seconds: Int) throws {
        let rig = try StreamRig()
        defer { rig.close() }
        rig.put("main", seconds: seconds)
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-PLAYLIST-TYPE:VOD\n"
        for number in 0..<seconds / 2 { text += "#EXTINF:2,\nmain-\(number).ts\n" }
        rig.script.put(text, at: "http://test/main.m3u8")
        let item = rig.play()
        #expect(rig.run(within: .seconds(seconds + 5)) { rig.hasEnded || rig.error != nil })
        #expect(rig.error == nil && !item.isLive && item.duration == .finite(.seconds(Int64(seconds))))
        #expect(rig.times == (0..<seconds * 25).map { MediaTime(Int64($0), 25) })
        #expect(item.log?.errorEvents.isEmpty == true && rig.requestCount(of: "http://test/main.m3u8") < 7)
    }

    @Test("a list that states VOD and grows is played from its beginning to the end that it has then")
    func onDemandThatGrows() throws {
        let rig = try StreamRig(live: .init(window: 1000, first: 3, last: 20, header: "#EXT-X-PLAYLIST-TYPE:VOD\n"))
        defer { rig.close() }
        let item = rig.play("http://live/main.m3u8")
        #expect(rig.run(within: .seconds(60)) { rig.hasEnded || rig.error != nil })
        #expect(rig.error == nil && rig.times == (0..<42 * 25).map { MediaTime(Int64($0), 25) })
        #expect(item.duration == .finite(.seconds(42)) && rig.player.state.stallCount == 0)
    }

    @Test("a live programme whose list states VOD is played on: its segments leave the list")
    func liveThatStatesOnDemand() throws {
        let rig = try StreamRig(live: .init(header: "#EXT-X-PLAYLIST-TYPE:VOD\n"))
        defer { rig.close() }
        let item = rig.play("http://live/main.m3u8")
        rig.run(for: .seconds(90))
        #expect(rig.error == nil && item.isLive && rig.times.first == .zero)
        #expect(try #require(rig.times.last) > .seconds(78))
    }

    /// Encoders write 1, or 2, whatever their segments have.
    @Test("segments longer than the target duration stall nothing, and no playlist counts as stuck", arguments: [1, 2, 7])
    func targetTooShort(target: Int) throws {
        var plan = LiveOrigin.Plan(frames: 200, window: 4)
        plan.writtenTarget = target
        let rig = try StreamRig(live: plan)
        defer { rig.close() }
        let item = rig.play("http://live/main.m3u8")
        rig.run(for: .seconds(90))
        #expect(rig.error == nil && rig.player.state.stallCount == 0)
        #expect(rig.times.count > 85 * 25 && isGapless(rig.times))
        #expect(item.log?.errorEvents.isEmpty == true)
        // Once for each segment, and twice before it is there.
        #expect(try #require(rig.live).reloads().count < 40)
    }

    @Test("segments whose EXTINF is -1 have the target duration", arguments: [true, false])
    func unknownDurations(isDated: Bool) throws {
        var plan = LiveOrigin.Plan(hasDates: isDated)
        plan.writtenDuration = "-1"
        let rig = try StreamRig(live: plan)
        defer { rig.close() }
        rig.play("http://live/main.m3u8")
        rig.run(for: .seconds(60))
        #expect(rig.error == nil && rig.player.state.stallCount == 0)
        #expect(rig.times.count > 55 * 25 && isGapless(rig.times))
    }

    @Test("a list on demand whose durations are all zero is played whole")
    func zeroDurations() throws {
        let rig = try StreamRig()
        defer { rig.close() }
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n"
        for number in 0..<5 {
            text += "#EXTINF:0,\nmain-\(number).ts\n"
            rig.script.put(
                FakeSegment.bytes(kinds: "va", start: 900_000 + Int64(number) * 180_000, count: 50),
                at: "http://test/main-\(number).ts")
        }
        rig.script.put(text + "#EXT-X-ENDLIST\n", at: "http://test/main.m3u8")
        rig.play()
        #expect(rig.run { rig.hasEnded }, "no end")
        #expect(rig.times.count == 250 && isGapless(rig.times) && rig.error == nil)
    }

    /// RFC 8216, 4.2: up to 2^64-1. Nanoseconds since 1970 are in use.
    @Test(
        "a channel with any numbers of segments goes on", arguments: [1 << 53, 1_772_366_400_000_000_000, Int.max - 20, -1000],
        [0, 5])
    func largeNumbers(first: Int, parts: Int) throws {
        var plan = LiveOrigin.Plan(parts: parts, canBlock: parts > 0, canSkipUntil: parts > 0 ? 12 : nil)
        plan.renditions = ["main": ("va", first)]
        let rig = try StreamRig(live: plan)
        defer { rig.close() }
        rig.play("http://live/main.m3u8")
        rig.run(for: .seconds(60))
        #expect(rig.error == nil && rig.player.state.stallCount == 0)
        #expect(rig.times.count > 55 * 25 && isGapless(rig.times))
    }

    @Test("a paused position that has left the window resumes at its start; one that followed the edge resumes there")
    func rejoins() throws {
        let rig = try StreamRig(live: .init(window: 20, first: 30))
        defer { rig.close() }
        let item = rig.play("http://live/main.m3u8")
        rig.run(for: .seconds(5))
        // To the start of the window, paused for longer than the window.
        let start = try #require(item.seekableTimeRanges.first).start
        rig.player.seek(to: start + .seconds(3), toleranceBefore: .zero, toleranceAfter: .zero)
        rig.run(for: .seconds(2))
        rig.player.pause()
        rig.run(for: .seconds(60))
        rig.forgetFrames()
        rig.player.play()
        #expect(rig.run(within: .seconds(20)) { rig.times.count > 50 })
        let window = try #require(item.seekableTimeRanges.first)
        let first = try #require(rig.times.first { $0 > .seconds(40) })
        #expect(first >= window.start - .seconds(4) && first < window.start + .seconds(8))
        #expect(rig.error == nil)
        // The same from the edge.
        rig.player.seekToLiveEdge()
        rig.run(for: .seconds(3))
        rig.player.pause()
        rig.run(for: .seconds(60))
        rig.forgetFrames()
        rig.player.play()
        rig.run(for: .seconds(10))
        let edge = try #require(item.seekableTimeRanges.first).end
        #expect(edge - rig.player.currentTime < .seconds(4))
        #expect(rig.error == nil)
    }

    @Test("an encoder that stops makes the stream stuck, not failed, and playback continues when it is back")
    func stuck() throws {
        let rig = try StreamRig(live: .init(window: 8, outage: 10..<40))
        defer { rig.close() }
        let item = rig.play("http://live/main.m3u8")
        #expect(rig.run { item.liveStatus?.isStuck == true })
        #expect(rig.error == nil)
        rig.run(for: .seconds(60))
        #expect(item.liveStatus?.isStuck == false && rig.error == nil)
        #expect(rig.player.state.stallCount >= 1)
        #expect(try #require(rig.times.last) > .seconds(60))
        #expect(zip(rig.times, rig.times.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test("of two caches one lags: its old playlists are ignored, and no frame is lost or repeated")
    func stale() throws {
        let rig = try StreamRig(live: .init(lag: .seconds(3)))
        defer { rig.close() }
        let item = rig.play("http://live/main.m3u8")
        rig.run(for: .seconds(60))
        #expect(rig.error == nil && item.liveStatus?.isStuck == false)
        #expect(rig.times.count > 55 * 25 && isGapless(rig.times))
        #expect(rig.player.state.stallCount == 0)
    }

    @Test("a restart of the server's numbering is detected: nothing is stuck, and time advances")
    func reset() throws {
        let rig = try StreamRig(live: .init(hasDates: false, splices: [15], reset: 15))
        defer { rig.close() }
        let item = rig.play("http://live/main.m3u8")
        var wasStuck = false
        rig.run(within: .seconds(60)) {
            if item.liveStatus?.isStuck == true { wasStuck = true }
            return false
        }
        #expect(!wasStuck && rig.error == nil)
        #expect(try #require(rig.times.last) > .seconds(50))
        #expect(zip(rig.times, rig.times.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test("a position has a date, and a date has a position")
    func dates() throws {
        let rig = try StreamRig(live: .init(window: 20, first: 30))
        defer { rig.close() }
        let item = rig.play("http://live/main.m3u8")
        rig.run(for: .seconds(10))
        // The window started with segment 10 of two seconds: twenty seconds after noon.
        let date = try #require(rig.player.currentDate)
        #expect(date == Self.noon + 20_000_000_000 + rig.player.currentTime.nanoseconds)
        let wanted = Self.noon + 45_500_000_000
        var finished: Bool?
        rig.forgetFrames()
        #expect(rig.player.seek(to: wanted) { finished = $0 })
        #expect(rig.run { finished != nil && !rig.times.isEmpty })
        #expect(finished == true && rig.times.first == .milliseconds(25_480), "the frame whose interval holds the date")
        #expect(!rig.player.seek(to: Self.noon - 1_000_000_000), "that has left the window")
        #expect(item.isLive)
    }

    @Test("an EVENT stream can be sought back to its start, gets its duration when it ends, and then ends")
    func event() throws {
        let rig = try StreamRig(live: .init(window: nil, last: 20))
        defer { rig.close() }
        let item = rig.play("http://live/main.m3u8") { $0.startTime = .zero }
        rig.run(for: .seconds(5))
        #expect(item.isLive && item.seekableTimeRanges.first?.start == .zero)
        #expect(rig.run { rig.hasEnded })
        #expect(!item.isLive && item.duration == .finite(.seconds(42)))
        #expect(rig.times.count == 21 * 50 && isGapless(rig.times))
    }

    private static let lowLatency = LiveOrigin.Plan(frames: 48, parts: 4, canBlock: true)

    @Test("low latency: playback stays close to the edge with parts and blocking reloads")
    func lowLatency() throws {
        let rig = try StreamRig(live: Self.lowLatency)
        defer { rig.close() }
        let item = rig.play("http://live/main.m3u8")
        rig.run(for: .seconds(60))
        #expect(rig.error == nil && rig.player.state.stallCount == 0)
        #expect(item.liveStatus?.isLowLatency == true && isGapless(rig.times))
        // Media was produced up to five segments before the clock's zero, where the playlist started.
        let edge = MediaTime.nanoseconds(rig.loop.clock.now.nanoseconds) + .milliseconds(5 * 1920)
        #expect(edge - rig.player.currentTime < .milliseconds(2500))
        let live = try #require(rig.live)
        #expect(live.reloads().dropFirst().allSatisfy { $0.url.contains("_HLS_msn=") && $0.url.contains("_HLS_part=") })
        #expect(live.requests.contains { $0.url.hasSuffix("-3.ts") })
    }

    @Test("playback that has fallen behind a low-latency edge catches up slightly faster, and then continues as before")
    func catchesUp() throws {
        let rig = try StreamRig(live: Self.lowLatency)
        defer { rig.close() }
        let item = rig.play("http://live/main.m3u8")
        rig.run(for: .seconds(20))
        let before = try #require(item.liveStatus).edge - rig.player.currentTime
        rig.player.pause()
        rig.run(for: .seconds(2))
        rig.player.play()
        #expect(rig.run(within: .seconds(20)) { rig.player.state.rate == Ratio(21, 20) })
        #expect(rig.run(within: .seconds(90)) { rig.player.state.rate == .one })
        rig.run(for: .seconds(2))
        let after = try #require(item.liveStatus).edge - rig.player.currentTime
        #expect((after - before).magnitude < .milliseconds(1000))
        #expect(rig.rates.suffix(2) == [Ratio(21, 20), .one])
        #expect(rig.error == nil)
    }

    @Test("delta updates are requested if the server supports them, and lose nothing")
    func deltas() throws {
        let rig = try StreamRig(live: .init(window: 40, first: 50, canSkipUntil: 12))
        defer { rig.close() }
        rig.play("http://live/main.m3u8")
        rig.run(for: .seconds(60))
        #expect(rig.times.count > 55 * 25 && isGapless(rig.times))
        #expect(try #require(rig.live).reloads().contains { $0.url.contains("_HLS_skip=YES") })
    }
}
