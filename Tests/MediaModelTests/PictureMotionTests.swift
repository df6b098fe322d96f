import MediaTime
import Testing

@testable import MediaModel

@Suite("Movement of a still picture")
struct PictureMotionTests {
    private func place(_ motion: PictureMotion, at milliseconds: Int64, width: Int = 1600, height: Int = 900) -> PicturePlacement?
    {
        motion.placement(width: width, height: height, at: .milliseconds(milliseconds))
    }

    @Test("a zoom shows less and less of the picture, linearly, round the same middle; before and behind its time it stands")
    func zoom() {
        let motion = PictureMotion(to: .init(zoom: 2000, x: 500, y: 500), duration: .seconds(10))
        #expect(place(motion, at: 0) == nil && place(motion, at: -500) == nil)
        let half = place(motion, at: 5000)
        #expect(half?.source == PixelRect(x: 267, y: 150, width: 1067, height: 600) && half?.alpha == 255)
        #expect(half?.destination == PixelRect(x: 0, y: 0, width: 1600, height: 900) && half?.width == 1600)
        #expect(place(motion, at: 10_000)?.source == PixelRect(x: 400, y: 225, width: 800, height: 450))
        #expect(place(motion, at: 99_000) == place(motion, at: 10_000))
        var last = 1601
        for time in stride(from: Int64(0), through: 10_000, by: 20) {
            let width = place(motion, at: time)?.source.width ?? 1600
            #expect(width <= last && last - width <= 5)
            last = width
        }
    }

    @Test("a pan moves the part that is seen, which never leaves the picture")
    func pan() {
        let motion = PictureMotion(
            from: .init(zoom: 2000, x: 0, y: 0), to: .init(zoom: 2000, x: 1000, y: 500), duration: .seconds(10))
        #expect(place(motion, at: 0)?.source == PixelRect(x: 0, y: 0, width: 800, height: 450))
        #expect(place(motion, at: 5000)?.source == PixelRect(x: 400, y: 0, width: 800, height: 450))
        #expect(place(motion, at: 10_000)?.source == PixelRect(x: 800, y: 225, width: 800, height: 450))
        for time in stride(from: Int64(0), through: 10_000, by: 40) {
            guard let source = place(motion, at: time, width: 7, height: 3)?.source else { continue }
            #expect(source.x >= 0 && source.y >= 0 && source.width > 0 && source.height > 0)
            #expect(source.x + source.width <= 7 && source.y + source.height <= 3)
        }
    }

    @Test("fades begin and end with the picture; between them it is opaque, and has no place of its own")
    func fades() {
        let motion = PictureMotion(fadeIn: .seconds(2), fadeOut: .seconds(1), duration: .seconds(10))
        #expect([0, 1000, 1999].map { place(motion, at: $0)?.alpha } == [1, 127, 254])
        #expect(place(motion, at: 2000) == nil && place(motion, at: 8990) == nil)
        #expect([9500, 9999, 10_000, 12_000].map { place(motion, at: $0)?.alpha } == [127, 1, 1, 1])
        #expect(place(motion, at: 1000)?.source == PixelRect(x: 0, y: 0, width: 1600, height: 900))
        // Without a fade at the end it stays.
        #expect(place(PictureMotion(fadeIn: .seconds(2), duration: .seconds(10)), at: 20_000) == nil)
    }

    @Test("no length, and the largest one, do no harm")
    func bounds() {
        let motion = PictureMotion(to: .init(zoom: 8000, x: 1000, y: 1000))
        #expect(place(motion, at: 0) == nil && place(motion, at: 5) == nil)
        let long = PictureMotion(to: .init(zoom: 8000, x: 1000, y: 1000), duration: .seconds(100_000_000))
        #expect(long.placement(width: 16_384, height: 16_384, at: .seconds(100_000_000))?.source.x == 16_384 - 2048)
    }
}
