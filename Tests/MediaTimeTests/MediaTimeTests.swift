import Testing

@testable import MediaTime

@Suite("MediaTime")
struct MediaTimeTests {
    @Test("equal times are equal values whatever their timescale")
    func lowestTerms() {
        #expect(MediaTime(90_000, 90_000) == MediaTime(1, 1))
        #expect(MediaTime(-3, 6) == MediaTime(-1, 2))
    }

    @Test("ten hours of 1001/30000 frames end exactly at the product")
    func noDrift() {
        let frame = MediaTime(1001, 30_000)
        var sum = MediaTime.zero
        let frames = 10 * 3600 * 30
        for _ in 0..<frames { sum += frame }
        #expect(sum == frame * frames)
        #expect(sum == MediaTime(Int64(frames) * 1001, 30_000))
    }

    @Test("order is exact where floating point is not")
    func exactOrder() {
        let big = MediaTime(9_007_199_254_740_993, 1)
        #expect(big > MediaTime(9_007_199_254_740_992, 1))
        #expect(MediaTime(1, 3) < MediaTime(333_333_334, 1_000_000_000))
    }

    @Test(
        "times read as decimal seconds",
        arguments: [
            (MediaTime(1, 3), "0.333333333"), (MediaTime(-5, 2), "-2.500"), (MediaTime(312, 25), "12.480"), (.zero, "0.000"),
        ])
    func text(time: MediaTime, expected: String) {
        #expect(time.description == expected)
    }

    @Test("steps round down on both sides of zero")
    func steps() {
        #expect(MediaTime(99, 100).wholeSteps(of: MediaTime(1, 25)) == 24)
        #expect(MediaTime(-1, 100).wholeSteps(of: MediaTime(1, 25)) == -1)
    }
}
