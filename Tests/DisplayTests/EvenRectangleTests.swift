import MediaModel
import MediaTime
import Testing

@testable import Display

@Suite("Rectangles of subsampled video")
struct EvenRectangleTests {
    private func even(_ source: PixelRect, _ destination: PixelRect) throws -> (source: PixelRect, destination: PixelRect) {
        let pixels = try TestPictures.slopes(.nv12, width: 64, height: 48)
        return VideoLayer(frame: TestPictures.frame(pixels, time: .zero), source: source, destination: destination).evenRectangles
    }

    @Test("odd edges and lengths are rounded down to the next even number; even ones stay")
    func odd() throws {
        let (source, destination) = try even(
            PixelRect(x: 3, y: 5, width: 31, height: 21), PixelRect(x: 101, y: 7, width: 639, height: 361))
        #expect(source == PixelRect(x: 2, y: 4, width: 30, height: 20))
        #expect(destination == PixelRect(x: 100, y: 6, width: 638, height: 360))
        let (same, there) = try even(
            PixelRect(x: 2, y: 4, width: 30, height: 20), PixelRect(x: 100, y: 6, width: 638, height: 360))
        #expect(same == PixelRect(x: 2, y: 4, width: 30, height: 20))
        #expect(there == PixelRect(x: 100, y: 6, width: 638, height: 360))
    }

    @Test("each edge and each length is rounded separately", arguments: 0..<4)
    func one(_ which: Int) throws {
        var numbers = [10, 12, 30, 20]
        numbers[which] += 1
        let rect = PixelRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        let (source, destination) = try even(rect, rect)
        #expect(source == PixelRect(x: 10, y: 12, width: 30, height: 20))
        #expect(destination == PixelRect(x: 10, y: 12, width: 30, height: 20))
    }

    @Test("an edge outside the screen is rounded down too")
    func negative() throws {
        let (_, destination) = try even(
            PixelRect(x: 0, y: 0, width: 64, height: 48), PixelRect(x: -3, y: -1, width: 65, height: 49))
        #expect(destination == PixelRect(x: -4, y: -2, width: 64, height: 48))
    }

    @Test("no length becomes smaller than one chroma sample")
    func smallest() throws {
        let (_, destination) = try even(
            PixelRect(x: 0, y: 0, width: 64, height: 48), PixelRect(x: 9, y: 9, width: 1, height: 1))
        #expect(destination == PixelRect(x: 8, y: 8, width: 2, height: 2))
    }

    @Test("a picture that is shown at its own size is not scaled by one line")
    func unscaled() throws {
        let (source, destination) = try even(
            PixelRect(x: 0, y: 0, width: 63, height: 47), PixelRect(x: 0, y: 0, width: 63, height: 47))
        #expect(source.width == destination.width && source.height == destination.height)
    }
}
