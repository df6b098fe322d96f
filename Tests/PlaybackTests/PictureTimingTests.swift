import LinuxSupport
import MediaTime
import Testing

@testable import Playback

@Suite("When pictures are shown")
struct PictureTimingTests {
    /// A picture whose sound is heard some milliseconds later; nil: in a pause.
    private func record(delay: Int64?, afterBlank: Duration = .zero) -> FrameRecord {
        let blank = HostTime(nanoseconds: 5_000_000_000)
        let time = MediaTime.seconds(10)
        return FrameRecord(
            generation: 1, time: time, duration: MediaTime(1, 25), scheduled: blank, flip: blank + afterBlank,
            mediaTimeAtFlip: time - MediaTime.nanoseconds((delay ?? 0) * 1_000_000), isRunning: delay != nil)
    }

    private func timing(_ delays: [Int64?]) -> PictureTiming {
        delays.reduce(into: PictureTiming()) { $0.add(record(delay: $1)) }
    }

    @Test("nothing is said of a playback without pictures, and nothing of sound in a pause")
    func little() {
        #expect(PictureTiming().words == nil)
        #expect(timing([nil, nil]).words == "2 pictures shown, 0 of them late")
    }

    @Test("a picture is late when the kernel shows it after its blank, not when a clock is inexact")
    func late() {
        var timing = PictureTiming()
        for offset in [Duration.milliseconds(-16), .zero, .milliseconds(4), .milliseconds(5), .milliseconds(17)] {
            timing.add(record(delay: nil, afterBlank: offset))
        }
        #expect(timing.shown == 5 && timing.late == 2)
    }

    @Test("the average and the range of the delays, on both sides of zero")
    func delays() {
        let both = timing([-7, -3, 0, 4, 12])
        #expect(both.meanDelay == 1)
        #expect(both.usualDelays == -10...15)
        #expect(
            both.words == "5 pictures shown, 0 of them late; sound 1 ms behind the picture on average, 99 % within -10 to 15 ms")
        #expect(timing([0]).usualDelays == 0...5)
        #expect(timing([-1]).usualDelays == -5...0)
    }

    @Test("one picture in two hundred on each side does not count, one more does")
    func outliers() {
        let usual = [Int64?](repeating: 2, count: 396)
        #expect(timing(usual + [-150, 150, -150, 150]).usualDelays == 0...5)
        #expect(timing(usual + [-150, -150, -150, 150]).usualDelays == -150...5)
    }

    @Test(
        "delays of any size are in the outermost classes",
        arguments: [Int64(-1_000_000_000_000), -200, 199, 200, 1_000_000_000_000])
    func extremes(delay: Int64) {
        let timing = timing([delay])
        #expect(timing.usualDelays == (delay < 0 ? -200 ... -195 : 195...200))
    }
}
