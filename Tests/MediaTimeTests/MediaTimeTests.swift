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

    /// The values at which arithmetic of 64 bits overflows.
    private static let extremes: [MediaTime] = {
        let values: [Int64] = [.min, .min + 1, -(1 << 53), -1, 0, 1, 1 << 53, .max - 1, .max]
        let scales: [Int32] = [1, 7, 90_000, 1_000_000_000, .max - 1, .max]
        return values.flatMap { value in scales.map { MediaTime(value, $0) } }
    }()

    private static func seconds(_ time: MediaTime) -> Double { Double(time.value) / Double(time.timescale) }

    /// Whether a time is the sum of two numbers, to a second and the precision of floating point, or the end that it passes.
    private static func isNear(_ time: MediaTime, _ one: Double, _ other: Double) -> Bool {
        let sum = min(max(one + other, -0x1p63), 0x1p63)
        return abs(seconds(time) - sum) <= 1 + (abs(one) + abs(other)) * 0x1p-50
    }

    @Test("no arithmetic traps, order is kept, and what is too large stops at the end")
    func saturation() {
        for left in Self.extremes {
            #expect((-left < .zero) == (left > .zero) && left.magnitude >= .zero)
            if left >= .zero { #expect(left.unitsRoundedDown(of: 1) <= left.units(of: .max)) }
            #expect(!left.description.isEmpty && (left.nanoseconds < 0) == (left < MediaTime(-1, 2_000_000_000)))
            for right in Self.extremes {
                #expect(Self.isNear(left + right, Self.seconds(left), Self.seconds(right)), "\(left) + \(right)")
                #expect(Self.isNear(left - right, Self.seconds(left), -Self.seconds(right)), "\(left) - \(right)")
                if right > .zero { #expect((left.wholeSteps(of: right) < 0) == (left < .zero)) }
            }
            for factor in [Int.min, -1, 0, 1, 2, .max] {
                let isNegative = (left < .zero) != (factor < 0) && left != .zero && factor != 0
                #expect((left * factor < .zero) == isNegative)
                if factor != 0 { #expect((left / factor).magnitude <= left.magnitude) }
                for other in [Int64.min, -1, 1, .max] {
                    let ratio = Ratio(Int64(factor), other)
                    #expect(left.scaled(by: ratio).magnitude >= .zero)
                }
            }
        }
        #expect(MediaTime.seconds(.max) + .seconds(1) == .seconds(.max) && .seconds(.min) - .seconds(1) == .seconds(.min))
        #expect(MediaTime.nanoseconds(.max) + .nanoseconds(.max) == MediaTime(.max, 500_000_000))
        #expect(MediaTime.nanoseconds(.max) + .nanoseconds(.max - 1) == .seconds(18_446_744_074))
        #expect(MediaTime.seconds(.max).description == "9223372036854775807.000")
        #expect(MediaTime.seconds(.max).nanoseconds == .max && MediaTime.seconds(.min).milliseconds == .min)
    }

    @Test("floating point is rounded to nanoseconds, stops at the end, and has no time for what is not a number")
    func floatingPoint() {
        #expect(
            MediaTime(approximateSeconds: 0.1) == .milliseconds(100) && MediaTime(approximateSeconds: -2.5) == MediaTime(-5, 2))
        #expect(
            MediaTime(approximateSeconds: 1e10) == .seconds(10_000_000_000)
                && MediaTime(approximateSeconds: 1e300) == .seconds(.max))
        #expect(MediaTime(approximateSeconds: -1e300) == .seconds(.min))
        for none in [Double.nan, .infinity, -.infinity, .signalingNaN] { #expect(MediaTime(approximateSeconds: none) == nil) }
    }
}
