import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Playback

@Suite("Placement of pictures on the screen, and gaps between pictures")
struct PicturePlacementTests {
    private func frame(
        _ width: Int, _ height: Int, aspect: Ratio = .one, quarterTurns: Int = 0, at time: MediaTime = .zero,
        duration: MediaTime = .milliseconds(40)
    ) throws -> VideoFrame {
        var frame = VideoFrame(
            pixels: try MemoryAllocator().makeBuffer(format: .yuv420p, width: width, height: height), time: time,
            duration: duration, colour: ColourDescription(matrix: .bt709, isFullRange: false))
        frame.sampleAspect = aspect
        frame.quarterTurns = quarterTurns
        return frame
    }

    private let screen = PixelRect(x: 10, y: 20, width: 160, height: 90)

    @Test("aspect keeps the shape, with bars beside or above; sample aspect and rotation count")
    func aspect() throws {
        func place(_ frame: VideoFrame) -> PixelRect { VideoGravity.resizeAspect.place(frame, in: screen).destination }
        #expect(place(try frame(64, 36)) == screen)
        #expect(place(try frame(40, 30)) == PixelRect(x: 30, y: 20, width: 120, height: 90))
        #expect(place(try frame(64, 18)) == PixelRect(x: 10, y: 42, width: 160, height: 45))
        #expect(place(try frame(32, 36, aspect: Ratio(2))) == screen)
        #expect(place(try frame(90, 90, quarterTurns: 1)) == PixelRect(x: 45, y: 20, width: 90, height: 90))
        #expect(place(try frame(90, 44, quarterTurns: 1)) == PixelRect(x: 68, y: 20, width: 44, height: 90))
    }

    @Test("fill crops what is too wide or too high from the middle of the picture, also of a turned one")
    func fill() throws {
        func crop(_ frame: VideoFrame) -> PixelRect {
            let layer = VideoGravity.resizeAspectFill.place(frame, in: screen)
            #expect(layer.destination == screen)
            return layer.source
        }
        #expect(crop(try frame(64, 36)) == PixelRect(x: 0, y: 0, width: 64, height: 36))
        #expect(crop(try frame(128, 36)) == PixelRect(x: 32, y: 0, width: 64, height: 36))
        #expect(crop(try frame(64, 72)) == PixelRect(x: 0, y: 18, width: 64, height: 36))
        #expect(crop(try frame(72, 64, quarterTurns: 1)) == PixelRect(x: 18, y: 0, width: 36, height: 64))
        #expect(crop(try frame(36, 128, quarterTurns: 3)) == PixelRect(x: 0, y: 32, width: 36, height: 64))
    }

    @Test("without an aspect to keep, the whole picture fills the rectangle")
    func resize() throws {
        let layer = VideoGravity.resize.place(try frame(40, 30), in: screen)
        #expect(layer.destination == screen && layer.source == PixelRect(x: 0, y: 0, width: 40, height: 30))
    }

    @Test("the scene has the picture on the whole screen, in a rectangle, or not at all")
    func scene() throws {
        var layout = ScreenLayout(width: 128, height: 72)
        let picture = try frame(64, 36)
        #expect(layout.makeScene(of: picture, for: .zero).video?.destination == PixelRect(x: 0, y: 0, width: 128, height: 72))
        layout.setInterface([], video: screen, background: .black)
        #expect(layout.needsScene)
        #expect(layout.makeScene(of: picture, for: .zero).video?.destination == screen)
        #expect(!layout.needsScene)
        layout.setInterface([], video: nil, background: .black)
        #expect(layout.makeScene(of: picture, for: .zero).video == nil)
    }

    @Test("a picture lasts until the next one if that follows within a tenth of a second")
    func bridge() throws {
        let kind = TrackKind<VideoFrame>.video(codecs: FakeCodecs(), allocator: MemoryAllocator(), cache: FrameCache())
        let bridged = try #require(kind.bridged)
        let first = try frame(16, 16)
        #expect(bridged(first, try frame(16, 16, at: .milliseconds(60)))?.end == .milliseconds(60))
        #expect(bridged(first, try frame(16, 16, at: .milliseconds(140)))?.end == .milliseconds(140))
        #expect(bridged(first, try frame(16, 16, at: .milliseconds(141))) == nil)
        #expect(bridged(first, try frame(16, 16, at: .milliseconds(40))) == nil)
    }
}
