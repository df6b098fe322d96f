import Testing

@testable import Screens

@Suite struct MetricsTests {
    @Test func scaleTakesTwoThirdsAt720Lines() {
        #expect(Metrics.Scale(height: 720).rectangle(Metrics.Bar.frame) == .init(x: 64, y: 627, width: 1152, height: 5))
        #expect(Metrics.Scale(height: 2160).pixels(8) == 16)
        #expect(Metrics.Scale(height: 720).pixels(1) == 1)
    }
}
