import MediaTime
import Testing

@testable import MediaModel

@Suite("When a layer is on the screen, by the item's time")
struct LayerPresenceTests {
    private let whole = LayerPresence(start: .seconds(10), end: .seconds(20), fadeIn: .seconds(2), fadeOut: .seconds(1))

    @Test(
        "ramps are linear, and both edges exact",
        arguments: [
            (0, 0), (9_999, 0), (10_000, 0), (10_500, 63), (11_000, 127), (12_000, 255), (15_000, 255), (19_000, 255),
            (19_500, 127), (19_999, 0), (20_000, 0), (1_000_000, 0),
        ])
    func ramps(milliseconds: Int64, opacity: Int) {
        #expect(whole.opacity(at: .milliseconds(milliseconds)) == UInt8(opacity))
    }

    @Test("without edges it is always there, and fades without an edge do nothing")
    func always() {
        for time in [MediaTime.seconds(-5), .zero, .seconds(99_999_999)] {
            #expect(LayerPresence().opacity(at: time) == 255)
            #expect(LayerPresence(fadeIn: .seconds(5), fadeOut: .seconds(5)).opacity(at: time) == 255)
        }
    }

    @Test("fades that are longer than the layer meet below full opacity, and never overflow")
    func long() {
        let short = LayerPresence(start: .zero, end: .seconds(2), fadeIn: .seconds(99_999_999), fadeOut: .seconds(4))
        for step in 0...200 { #expect(short.opacity(at: .milliseconds(Int64(step) * 10)) == 0) }
        let meeting = LayerPresence(start: .zero, end: .seconds(2), fadeIn: .seconds(2), fadeOut: .seconds(2))
        #expect((0...20).map { meeting.opacity(at: .milliseconds(Int64($0) * 100)) }.max() == 127)
    }

    @Test("it grows while it fades in and shrinks while it fades out, at any pace of pictures", arguments: [24, 25, 30, 60])
    func monotone(rate: Int64) {
        let opacities = (0...(25 * rate)).map { whole.opacity(at: MediaTime($0, Int32(rate))) }
        let peak = opacities.firstIndex(of: 255)!
        #expect(opacities[...peak].elementsEqual(opacities[...peak].sorted()))
        #expect(opacities[peak...].elementsEqual(opacities[peak...].sorted(by: >)))
    }
}
