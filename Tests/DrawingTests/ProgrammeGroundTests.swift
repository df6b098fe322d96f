import LinuxSupport
import MediaModel
import Screens
import Testing

@testable import Drawing

@Suite("What is around the video of a programme", .serialized)
@MainActor
struct ProgrammeGroundTests {
    private let box = PixelRect(x: 480, y: 54, width: 1344, height: 756)

    private func state(_ frame: ScreenFrame, dim: Int = 0) -> PresentationState {
        PresentationState(screen: .player) {
            $0.video = VideoPlacement(of: frame)
            $0.video.dimPercent = dim
        }
    }

    /// Whether a pixel has these values, within 2 of 255.
    private func isNear(_ pixel: [UInt8], _ wanted: [UInt8]) -> Bool {
        zip(pixel, wanted).allSatisfy { abs(Int($0) - Int($1)) <= 2 }
    }

    /// Blue, green, red and alpha.
    private func pixel(_ pixels: PixelBuffer, _ x: Int, _ y: Int) -> [UInt8] {
        pixels.withBytes { bytes in
            let place = pixels.planes[0].offset + y * pixels.planes[0].stride + x * 4
            return (0..<4).map { bytes[place + $0] }
        }
    }

    @Test(
        "its colour covers every pixel beside the video's place and none in it, on screens of every shape",
        arguments: [(1920, 1080, 0), (1280, 720, 0), (1024, 768, 0), (540, 960, 0), (1920, 1080, 5)])
    func colour(width: Int, height: Int, overscan: Int) throws {
        let easel = try Easel(width: width, height: height, appearance: Appearance(overscanPercent: overscan))
        defer { easel.stop() }
        let layers = easel.show(state(ScreenFrame(box: box, colour: OpaqueColour(red: 0x20, green: 0x40, blue: 0x60))))
        let ground = try #require(layers.first)
        #expect(layers.count == 1 && ground.id == "ground" && ground.presence == nil)
        #expect(ground.destination == PixelRect(x: 0, y: 0, width: width, height: height))
        let video = Scale(width: width, height: height, overscanPercent: overscan).video(box, isOfProgramme: true)
        var wrong = 0
        for y in 0..<height {
            for x in 0..<width {
                let isInside = video.x..<video.x + video.width ~= x && video.y..<video.y + video.height ~= y
                if !isNear(pixel(ground.pixels, x, y), isInside ? [0, 0, 0, 0] : [0x60, 0x40, 0x20, 0xFF]) { wrong += 1 }
            }
        }
        #expect(wrong == 0)
    }

    @Test("its picture fills the screen around the video; one that is missing leaves the colour")
    func picture() throws {
        let easel = try Easel(width: 640, height: 360)
        defer { easel.stop() }
        let layers = easel.show(state(ScreenFrame(box: box, background: "wall")))
        let ground = try #require(layers.first { $0.id == "ground" })
        let wall = try #require(Artist.paint("wall", width: 640, height: 360))
        for (x, y) in [(0, 0), (100, 50), (159, 200), (300, 17), (300, 271), (639, 359)] {
            #expect(isNear(pixel(ground.pixels, x, y), pixel(wall, x, y)), "\(x), \(y)")
        }
        #expect(pixel(ground.pixels, 160, 18) == [0, 0, 0, 0] && pixel(ground.pixels, 607, 269) == [0, 0, 0, 0])
        #expect(easel.show(state(ScreenFrame(box: box, background: "missing"))).isEmpty)
        let red = OpaqueColour(red: 255, green: 0, blue: 0)
        let left = easel.show(state(ScreenFrame(box: box, colour: red, background: "missing")))
        #expect(left.first.map { isNear(pixel($0.pixels, 0, 0), [0, 0, 255, 255]) } == true)
    }

    @Test("around the video it is as dark as the video in a long pause, and black has no layer")
    func dimmed() throws {
        let easel = try Easel(width: 640, height: 360)
        defer { easel.stop() }
        let layers = easel.show(state(ScreenFrame(box: box), dim: 60))
        #expect(layers.map(\.id) == ["dim"])
        #expect(layers.first?.destination == PixelRect(x: 0, y: 0, width: 640, height: 360))
    }
}
