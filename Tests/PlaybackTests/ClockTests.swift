import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Playback

@Suite("The media clock is linear")
struct MediaClockTests {
    private func instant(_ milliseconds: Int64) -> HostTime { HostTime(nanoseconds: milliseconds * 1_000_000) }

    @Test("it is stopped before its anchor, runs after it, and never passes its limit")
    func line() {
        let clock = MediaClock(anchorHost: instant(1000), anchorTime: seconds(20), rate: .one, limit: seconds(22))
        #expect(clock.time(at: instant(0)) == seconds(20))
        #expect(clock.time(at: instant(1000)) == seconds(20))
        #expect(clock.time(at: instant(1500)) == seconds(20, 500))
        #expect(clock.time(at: instant(9000)) == seconds(22))
        #expect(clock.instant(of: seconds(21)) == instant(2000))
    }

    @Test("a stopped clock has no instant for a time")
    func standing() {
        let clock = MediaClock(anchorHost: instant(0), anchorTime: seconds(3), rate: .zero)
        #expect(clock.time(at: instant(5000)) == seconds(3))
        #expect(clock.instant(of: seconds(4)) == nil)
    }

    @Test(
        "times and instants are inverse at every rate",
        arguments: [Ratio(1), Ratio(1, 2), Ratio(2), Ratio(1001, 1000)])
    func inverse(_ rate: Ratio) throws {
        let clock = MediaClock(anchorHost: instant(7), anchorTime: seconds(1), rate: rate)
        for step in 1...50 {
            let time = seconds(1) + .milliseconds(Int64(step) * 40)
            let back = clock.time(at: try #require(clock.instant(of: time)))
            #expect((back - time).magnitude <= .nanoseconds(4))
        }
    }
}

@Suite("Video gravity places pictures")
struct VideoGravityTests {
    private func frame(_ width: Int, _ height: Int, aspect: Ratio = .one, turns: Int = 0) throws -> VideoFrame {
        VideoFrame(
            pixels: try MemoryAllocator().makeBuffer(format: .yuv420p, width: width, height: height), time: .zero,
            duration: .milliseconds(40), colour: ColourDescription(matrix: .bt709, isFullRange: false), sampleAspect: aspect,
            quarterTurns: turns)
    }
    private let screen = PixelRect(x: 0, y: 0, width: 1920, height: 1080)

    @Test("aspect keeps the shape and centres it between bars")
    func aspect() throws {
        let same = VideoGravity.resizeAspect.place(try frame(1280, 720), in: screen)
        #expect(same.destination == screen)
        let narrow = VideoGravity.resizeAspect.place(try frame(640, 480), in: screen)
        #expect(narrow.destination == PixelRect(x: 240, y: 0, width: 1440, height: 1080))
        let wide = VideoGravity.resizeAspect.place(try frame(2400, 1000), in: screen)
        #expect(wide.destination == PixelRect(x: 0, y: 140, width: 1920, height: 800))
        #expect(wide.source == PixelRect(x: 0, y: 0, width: 2400, height: 1000))
    }

    @Test("pictures with other pixel aspect ratios and rotations are shown in their true shape")
    func shapes() throws {
        let anamorphic = VideoGravity.resizeAspect.place(try frame(720, 576, aspect: Ratio(64, 45)), in: screen)
        #expect(anamorphic.destination == screen)
        let turned = VideoGravity.resizeAspect.place(try frame(1080, 1920, turns: 1), in: screen)
        #expect(turned.destination == screen)
    }

    @Test("fill crops the picture and leaves no bar; stretch uses the whole picture and the whole screen")
    func fillAndStretch() throws {
        let fill = VideoGravity.resizeAspectFill.place(try frame(640, 480), in: screen)
        #expect(fill.destination == screen)
        #expect(fill.source == PixelRect(x: 0, y: 60, width: 640, height: 360))
        let stretch = VideoGravity.resize.place(try frame(640, 480), in: screen)
        #expect(stretch.destination == screen && stretch.source == PixelRect(x: 0, y: 0, width: 640, height: 480))
    }

    @Test("a smaller rectangle is filled at its position")
    func inside() throws {
        let rect = PixelRect(x: 480, y: 0, width: 960, height: 540)
        #expect(VideoGravity.resizeAspect.place(try frame(1280, 720), in: rect).destination == rect)
    }
}
