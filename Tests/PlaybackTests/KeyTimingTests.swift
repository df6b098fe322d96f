import Display
import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Playback

@Suite("How long keys take to the screen")
struct KeyTimingTests {
    private func at(_ milliseconds: Int64) -> HostTime { HostTime(nanoseconds: milliseconds * 1_000_000) }

    private func flip(_ time: Int64, wanted: Int64) -> Flip {
        Flip(time: at(time), sequence: 1, wantedTime: at(wanted), frameTime: nil)
    }

    @Test("the histogram gives upper edges of its classes, and its words")
    func words() {
        var timing = KeyTiming()
        #expect(timing.words == nil && timing.within(percent: 95) == nil)
        for milliseconds in Int64(1)...100 { timing.add(.milliseconds(milliseconds)) }
        #expect(timing.within(percent: 50) == 55 && timing.within(percent: 95) == 100)
        timing.add(.seconds(3))
        #expect(
            timing.words
                == "101 keys answered on the screen: half of them within 55 ms, 95 % within 100 ms, the slowest after 3000 ms")
        #expect(timing.within(percent: 100) == nil)
        timing.add(.seconds(-1))
        #expect(timing.within(percent: 1) == 5 && timing.count == 102)
    }

    @Test("a key counts from its own time to the first flip with its effect, once")
    func flips() {
        var keys = KeyFlips()
        keys.expect(at(100))
        // A flip of an earlier scene.
        keys.take(flip(110, wanted: 110))
        keys.made(for: at(120))
        keys.made(for: at(140))
        keys.take(flip(118, wanted: 118))
        #expect(keys.takeTiming().count == 0)
        keys.take(flip(137, wanted: 120))
        keys.take(flip(154, wanted: 140))
        let timing = keys.takeTiming()
        #expect(timing.count == 1 && timing.within(percent: 100) == 40)
        #expect(keys.takeTiming().count == 0)
    }

    @Test("of two keys before one scene the first counts; a scene that was dropped is answered by the next flip")
    func several() {
        var keys = KeyFlips()
        keys.expect(at(105))
        keys.expect(at(100))
        keys.made(for: at(120))
        keys.expect(at(130))
        keys.made(for: at(140))
        keys.take(flip(150, wanted: 140))
        let timing = keys.takeTiming()
        #expect(timing.count == 2 && timing.within(percent: 50) == 25 && timing.within(percent: 100) == 55)
    }

    @Test("without a screen they do not add up")
    func lost() {
        var keys = KeyFlips()
        for number in Int64(0)..<1000 {
            keys.expect(at(number))
            keys.made(for: at(number))
        }
        keys.take(flip(1000, wanted: 1000))
        #expect(keys.takeTiming().count == 16)
    }
}
