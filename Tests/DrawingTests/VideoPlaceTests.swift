import MediaModel
import Screens
import Testing

@Suite("The place of the video on a screen")
struct VideoPlaceTests {
    @Test(
        "the film has the whole screen, whatever its shape and whatever a television crops",
        arguments: [(1280, 720), (1024, 768), (1080, 1920)])
    func film(width: Int, height: Int) {
        let whole = PixelRect(x: 0, y: 0, width: width, height: height)
        #expect(Scale(width: width, height: height, overscanPercent: 5).video(Metrics.screen) == whole)
    }

    @Test(
        "in the corner it is where the interface leaves it room: as large as fits, in the middle, within what a television crops")
    func corner() {
        let frame = Metrics.Video.cornerFrame(isRightToLeft: false)
        #expect(Scale(width: 1280, height: 720).video(frame) == PixelRect(x: 896, y: 40, width: 320, height: 180))
        #expect(Scale(width: 1024, height: 768).video(frame) == PixelRect(x: 716, y: 128, width: 257, height: 144))
        #expect(Scale(width: 1080, height: 1920).video(frame) == PixelRect(x: 756, y: 690, width: 270, height: 152))
        let cropped = Scale(width: 1920, height: 1080, overscanPercent: 5)
        #expect(cropped.video(frame) == PixelRect(x: 1305, y: 108, width: 433, height: 243))
    }

    @Test("in the frame of a programme it has the same share of every screen, within what a television crops")
    func frame() {
        let frame = PixelRect(x: 480, y: 0, width: 1440, height: 810)
        func place(_ width: Int, _ height: Int, overscan: Int = 0) -> PixelRect {
            Scale(width: width, height: height, overscanPercent: overscan).video(frame, isOfProgramme: true)
        }
        #expect(place(1280, 720) == PixelRect(x: 320, y: 0, width: 960, height: 540))
        #expect(place(1024, 768) == PixelRect(x: 256, y: 0, width: 768, height: 576))
        #expect(place(1080, 1920) == PixelRect(x: 270, y: 0, width: 810, height: 1440))
        #expect(place(1920, 1080, overscan: 5) == PixelRect(x: 528, y: 54, width: 1296, height: 729))
        #expect(Scale(width: 1080, height: 1920).video(Metrics.screen, isOfProgramme: true).height == 1920)
    }
}
