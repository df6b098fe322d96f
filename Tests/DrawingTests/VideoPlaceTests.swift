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
}
