import LinuxSupport
import MediaModel
import MediaTime
import Testing
import TestSupport

@testable import Playback

@Suite("Seeking while paused needs little decoding", .serialized)
@MainActor
struct LookingAroundTests {
    private func makeRig(_ film: FakeMedia = FakeMedia()) throws -> PlayerRig {
        let rig = try PlayerRig()
        rig.open(film)
        rig.run(until: { !rig.frames.isEmpty })
        rig.run(for: .seconds(1))
        return rig
    }

    @Test("the cache keeps frames by their intervals within its size, and drops the oldest first")
    func cache() throws {
        let allocator = MemoryAllocator()
        func frame(_ number: Int64) throws -> VideoFrame {
            VideoFrame(
                pixels: try allocator.makeBuffer(format: .yuv420p, width: 16, height: 16), time: .milliseconds(40 * number),
                duration: .milliseconds(40), colour: ColourDescription(matrix: .bt709, isFullRange: false))
        }
        let size = try frame(0).byteCount
        let cache = FrameCache(byteLimit: 3 * size)
        for number in [Int64(5), 3, 4] { cache.insert(try frame(number)) }
        #expect(cache.frame(at: .milliseconds(120))?.time == .milliseconds(120))
        #expect(cache.frame(at: .milliseconds(159))?.time == .milliseconds(120))
        #expect(cache.frame(at: .milliseconds(119)) == nil && cache.frame(at: .milliseconds(240)) == nil)
        #expect(cache.frame(before: .milliseconds(200))?.time == .milliseconds(160))
        #expect(cache.frame(before: .milliseconds(120)) == nil)
        cache.insert(try frame(9))
        #expect(cache.frame(at: .milliseconds(200)) == nil && cache.byteCount == 3 * size)
        // A frame that is cached again counts as new.
        cache.insert(try frame(3))
        cache.insert(try frame(10))
        #expect(cache.frame(at: .milliseconds(160)) == nil && cache.frame(at: .milliseconds(120)) != nil)
        cache.byteLimit = size
        #expect(cache.byteCount == size && cache.frame(at: .milliseconds(400)) != nil)
        cache.removeAll()
        #expect(cache.byteCount == 0)
    }

    @Test(
        "a recently decoded position is on the screen at the next blank, and a burst of such seeks decodes only the last"
    )
    func cached() throws {
        let rig = try makeRig()
        defer { rig.close() }
        #expect(rig.seek(to: seconds(5, 240)) == true)
        #expect(rig.seek(to: seconds(5, 200)) == true)
        rig.run(for: .seconds(1))
        let before = rig.codecs.counts
        rig.forget()
        for number in [124, 127, 125, 130, 129, 132] {
            #expect(rig.seek(to: FakeMedia().time(of: number)) == true)
            #expect(rig.frames.last?.time == FakeMedia().time(of: number))
        }
        #expect(rig.codecs.counts == before)
        rig.run(for: .seconds(1))
        #expect(rig.codecs.counts.reads == before.reads + 1)
        rig.forget()
        rig.player.play()
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(firstDifference(rig.frames.map(\.time), (133..<250).map { FakeMedia().time(of: $0) }) == nil)
        #expect(rig.player.state.stallCount == 0)
    }

    @Test("playback right after a cached seek loses or repeats no frame, with its sound")
    func playsOn() throws {
        let rig = try makeRig()
        defer { rig.close() }
        _ = rig.seek(to: seconds(5))
        rig.run(for: .seconds(1))
        rig.forget()
        #expect(rig.seek(to: seconds(5, 80)) == true)
        rig.player.play()
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(firstDifference(rig.frames.map(\.time), (127..<250).map { FakeMedia().time(of: $0) }) == nil)
        #expect(rig.sink.enqueued.first == Float(seconds(5, 80).units(of: 48_000)))
    }

    @Test("an exact seek far away skips non-reference frames and still shows the requested frame")
    func hasty() throws {
        let rig = try makeRig()
        defer { rig.close() }
        #expect(rig.seek(to: seconds(8, 400)) == true)
        #expect(rig.frames.last?.time == seconds(8, 400))
        #expect(rig.codecs.counts.hastyPictures > 0)
        let hasty = rig.codecs.counts.hastyPictures
        #expect(rig.seek(to: seconds(8)) == true)
        #expect(rig.codecs.counts.hastyPictures == hasty)
    }

    @Test("steps go by single frames in both directions, across groups, and stop at the first and the last frame")
    func steps() throws {
        let rig = try makeRig()
        defer { rig.close() }
        #expect(rig.seek(to: seconds(2)) == true)
        func step(_ count: Int) -> MediaTime? {
            var answer: Bool?
            rig.player.step(byCount: count) { answer = $0 }
            rig.run(until: { answer != nil })
            return answer == true ? rig.frames.last?.time : nil
        }
        for number in [51, 52, 53] { #expect(step(1) == FakeMedia().time(of: number)) }
        for number in (43..<53).reversed() { #expect(step(-1) == FakeMedia().time(of: number)) }
        #expect(step(7) == FakeMedia().time(of: 50))
        #expect(step(-20) == FakeMedia().time(of: 30))
        #expect(step(-100) == .zero)
        #expect(step(-1) == .zero)
        #expect(rig.seek(to: seconds(9, 960)) == true)
        #expect(step(1) == FakeMedia().time(of: 249))
        #expect(rig.player.state.rate == .zero)
    }

    @Test("scrubbing while paused decodes one picture each and no sound, and does not oscillate")
    func previews() throws {
        let rig = try makeRig(FakeMedia(frameCount: 2500, syncInterval: 100, soundDuration: .seconds(100)))
        defer { rig.close() }
        let before = rig.codecs.counts
        rig.forget()
        for number in 1...20 { #expect(rig.seek(to: .milliseconds(500 * Int64(number)), before: nil, after: nil) == true) }
        #expect(rig.frames.map(\.time) == [seconds(4), seconds(8), seconds(12)])
        #expect(rig.codecs.counts.decodedPictures == before.decodedPictures + 3)
        #expect(rig.codecs.counts.decodedSounds == before.decodedSounds)
        rig.forget()
        rig.player.play()
        #expect(rig.run(until: { rig.player.currentTime >= seconds(14) }))
        #expect(firstDifference(rig.frames.prefix(20).map(\.time), (300..<320).map { FakeMedia().time(of: $0) }) == nil)
    }
}
