import MediaModel
import MediaTime
import Playback
import TestSupport
import Testing

/// Streams of which some segments have no sound, or no pictures: advertisements and breaks that were made otherwise.
@Suite("Segments that lack a track", .serialized)
@MainActor
struct MissingTrackTests {
    /// A minute in segments of two seconds, of which those from 20 to 40 s have only some of the tracks.
    ///
    /// - Parameters:
    ///   - isListed: whether their program still lists all tracks.
    ///   - isSplit: whether there are discontinuities around them.
    private func put(_ kinds: String, from first: Int = 10, isListed: Bool, isSplit: Bool, on rig: StreamRig) {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n"
        for number in 0..<30 {
            if isSplit, number == first || number == 20 { text += "#EXT-X-DISCONTINUITY\n" }
            text += "#EXTINF:2,\nmain-\(number).ts\n"
            let own = (first..<20).contains(number) ? kinds : "va"
            let start = 900_000 + Int64(number) * 180_000
            var bytes = FakeSegment.bytes(kinds: own, start: start, count: 50)
            if isListed {
                bytes = FakeSegment.bytes(kinds: "va", start: start, count: 0) + bytes.dropFirst(FakeSegment.packetSize)
            }
            rig.script.put(bytes, at: "http://test/main-\(number).ts")
        }
        rig.script.put(text + "#EXT-X-ENDLIST\n", at: "http://test/main.m3u8")
    }

    /// The samples of the sink that differ from those of the stream, where `silent` seconds have none.
    private func differences(_ rig: StreamRig, silent: Range<Int>) -> Int {
        let samples = rig.sink.enqueued.prefix(60 * 48_000)
        guard samples.count == 60 * 48_000 else { return .max }
        let quiet = silent.lowerBound * 48_000..<silent.upperBound * 48_000
        return samples.indices.count { samples[$0] != (quiet.contains($0) ? 0 : Float($0)) }
    }

    @Test("without sound the pictures go on, and the sound is back at its place", arguments: [false, true], [false, true])
    func withoutSound(isListed: Bool, isSplit: Bool) throws {
        let rig = try StreamRig()
        defer { rig.close() }
        put("v", isListed: isListed, isSplit: isSplit, on: rig)
        let item = rig.play()
        #expect(rig.run { rig.hasEnded || rig.error != nil })
        #expect(rig.error == nil && rig.player.state.stallCount == 0)
        #expect(rig.times == (0..<60 * 25).map { MediaTime(Int64($0), 25) })
        #expect(differences(rig, silent: 20..<40) == 0)
        #expect(item.log?.errorEvents.contains { $0.errorComment?.contains("have no sound") == true } == true)
    }

    @Test("sound that begins with a later part of a programme is heard")
    func soundComesLater() throws {
        let rig = try StreamRig()
        defer { rig.close() }
        put("v", from: 0, isListed: false, isSplit: true, on: rig)
        rig.play()
        #expect(rig.run { rig.hasEnded || rig.error != nil })
        #expect(rig.error == nil && rig.player.state.stallCount == 0)
        #expect(rig.times == (0..<60 * 25).map { MediaTime(Int64($0), 25) })
        #expect(differences(rig, silent: 0..<40) == 0)
    }

    /// The first table lists one of the tracks only: a playlist without variants tells nothing of the others.
    @Test("a track that only later segments have is seen and heard from its first sample", arguments: ["v", "a"])
    func trackComesLater(kinds: String) throws {
        let rig = try StreamRig()
        defer { rig.close() }
        put(kinds, from: 0, isListed: false, isSplit: false, on: rig)
        let item = rig.play()
        #expect(rig.run { rig.hasEnded || rig.error != nil })
        #expect(rig.error == nil && rig.player.state.stallCount == 0)
        let first: Int64 = kinds == "v" ? 0 : 1000
        #expect(rig.times == (first..<1500).map { MediaTime($0, 25) })
        #expect(differences(rig, silent: kinds == "v" ? 0..<40 : 0..<0) == 0)
        #expect(item.log?.errorEvents.isEmpty == true, "it is no fault of the segments before it")
        // Back to where it is not.
        #expect(rig.seek(to: .seconds(10)) && rig.seek(to: .seconds(45)))
        #expect(rig.error == nil)
    }

    @Test("a stretch of sound for which there is no decoder is silent, is in the error log, and what follows it is heard")
    func undecodableStretch() throws {
        let codecs = FakeCodecs()
        codecs.lack(["fake-b"])
        let rig = try StreamRig(codecs: codecs)
        defer { rig.close() }
        put("vb", isListed: false, isSplit: true, on: rig)
        let item = rig.play()
        #expect(rig.run { rig.hasEnded || rig.error != nil })
        #expect(rig.error == nil && rig.player.state.stallCount == 0 && rig.soundFailures.isEmpty)
        #expect(rig.times == (0..<60 * 25).map { MediaTime(Int64($0), 25) })
        #expect(differences(rig, silent: 20..<40) == 0)
        #expect(item.log?.errorEvents.compactMap(\.errorComment).filter { $0.contains("no decoder") }.count == 1)
        #expect(item.audioTrack != nil)
    }

    @Test("a programme that has one of them only ends when that ends", arguments: ["v", "a"])
    func trackNeverComes(kinds: String) throws {
        let rig = try StreamRig()
        defer { rig.close() }
        rig.put("main", seconds: 20, kinds: kinds)
        let item = rig.play()
        #expect(rig.run { rig.hasEnded || rig.error != nil })
        #expect(rig.error == nil && rig.player.state.stallCount == 0 && item.log?.errorEvents.isEmpty == true)
        let length = MediaTime.nanoseconds(rig.loop.clock.now.nanoseconds)
        #expect(length > .seconds(20) && length < .milliseconds(21_500))
        #expect(rig.times.count == (kinds == "v" ? 500 : 0))
    }

    @Test("without pictures the sound goes on, and the pictures are back at their place", arguments: [false, true])
    func withoutPictures(isListed: Bool) throws {
        let rig = try StreamRig()
        defer { rig.close() }
        put("a", isListed: isListed, isSplit: true, on: rig)
        rig.play()
        #expect(rig.run { rig.hasEnded || rig.error != nil })
        #expect(rig.error == nil && rig.player.state.stallCount == 0)
        let numbers: [Int64] = Array(0..<500) + Array(1000..<1500)
        let expected = numbers.map { MediaTime($0, 25) }
        #expect(rig.times == expected)
        #expect(differences(rig, silent: 0..<0) == 0)
    }

    @Test(
        "a live programme goes on where its segments have no sound, and where they have no pictures", arguments: ["v", "a"],
        [false, true])
    func live(_ kinds: String, isMarked: Bool) throws {
        var plan = LiveOrigin.Plan()
        plan.otherwise = (20..<30, kinds)
        // The packager says so, or the program only lists something else from there on.
        plan.splices = isMarked ? [20, 30] : []
        plan.jump = 0
        let rig = try StreamRig(live: plan)
        defer { rig.close() }
        let item = rig.play("http://live/main.m3u8")
        rig.run(for: .seconds(90))
        #expect(rig.error == nil && rig.player.state.stallCount == 0)
        #expect(item.log?.errorEvents.contains { $0.errorComment?.contains("have no") == true } == true)
        // Asset time begins with the fifth segment, which was the first of the window.
        let missing = kinds == "a" ? 15 * 50..<25 * 50 : 0..<0
        let first = try #require(rig.times.first)
        let last = try #require(rig.times.last)
        let numbers = Int(first.units(of: 25))...Int(last.units(of: 25))
        #expect(rig.times == numbers.filter { !missing.contains($0) }.map { MediaTime(Int64($0), 25) })
        #expect(last > .seconds(80))
        let heard = rig.sink.enqueued.suffix(48_000)
        #expect(heard.allSatisfy { $0 > 80 * 48_000 })
    }

    @Test("a live programme that is joined where it has no pictures begins with its sound, and shows pictures once it has them")
    func joinedWithoutPictures() throws {
        var plan = LiveOrigin.Plan()
        plan.otherwise = (0..<30, "a")
        plan.splices = [2, 30]
        plan.jump = 0
        let rig = try StreamRig(live: plan)
        defer { rig.close() }
        rig.play("http://live/main.m3u8")
        rig.run(for: .seconds(20))
        #expect(rig.error == nil && rig.player.state.stallCount == 0 && rig.frames.isEmpty)
        #expect(rig.sink.enqueued.contains { $0 > 15 * 48_000 })
        rig.run(for: .seconds(70))
        #expect(rig.error == nil && rig.player.state.stallCount == 0)
        let first = try #require(rig.times.first)
        let last = try #require(rig.times.last)
        #expect(first == .seconds(50) && last > .seconds(80))
        #expect(rig.times == (Int(first.units(of: 25))...Int(last.units(of: 25))).map { MediaTime(Int64($0), 25) })
    }
}
