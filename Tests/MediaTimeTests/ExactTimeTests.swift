import Testing

@testable import MediaTime

@Suite("Exact arithmetic")
struct ExactTimeTests {
    private static let values: [Int64] = [0, 1, -1, 3, 25, 90_000, 1 << 31, 1 << 62, .max, .max - 1, .min, .min + 1]
    private static let scales: [Int32] = [1, 2, 3, 25, 1001, 30_000, 1_000_000_000, .max, .max - 1, 2_147_483_629]
    private static let times = values.flatMap { value in scales.map { MediaTime(value, $0) } }

    /// Whether a time is a fraction.
    private func isEqual(_ time: MediaTime?, _ top: Int128, _ bottom: Int128) -> Bool {
        guard let time else { return false }
        // Compared by whole and remainder, because a product of four factors may not fit.
        let (first, second) = (
            Int128(time.value).quotientAndRemainder(dividingBy: Int128(time.timescale)),
            top.quotientAndRemainder(dividingBy: bottom)
        )
        return first.quotient == second.quotient && first.remainder * bottom == second.remainder * Int128(time.timescale)
    }

    @Test("sums and differences are those of the fractions, or nil where a fraction does not fit")
    func sums() {
        var (exact, refused) = (0, 0)
        for one in Self.times {
            for two in Self.times {
                let bottom = Int128(one.timescale) * Int128(two.timescale)
                let (left, right) = (Int128(one.value) * Int128(two.timescale), Int128(two.value) * Int128(one.timescale))
                for (result, top) in [(one.adding(exactly: two), left + right), (one.subtracting(exactly: two), left - right)] {
                    let divisor = Int128(MediaTime.greatestCommonDivisor(top.magnitude, bottom.magnitude))
                    let fits = Int64(exactly: top / divisor) != nil && Int32(exactly: bottom / divisor) != nil
                    #expect(fits ? isEqual(result, top, bottom) : result == nil, "\(one) \(two)")
                    if fits { exact += 1 } else { refused += 1 }
                }
            }
        }
        #expect(exact > 1000 && refused > 1000)
    }

    @Test("a ratio of two times brings one to the other")
    func ratios() {
        var found = 0
        for one in Self.times {
            for two in Self.times {
                guard let ratio = Ratio(one, over: two) else { continue }
                found += 1
                #expect(two.scaled(exactlyBy: ratio) == one, "\(one) \(two)")
            }
        }
        #expect(found > 1000)
        #expect(Ratio(.seconds(3), over: .milliseconds(1500)) == Ratio(2))
        #expect(Ratio(.seconds(3), over: .zero) == nil)
        #expect(Ratio(MediaTime(.max, 1), over: MediaTime(1, .max)) == nil)
        #expect(MediaTime(.max, 1).scaled(exactlyBy: Ratio(2)) == nil)
        #expect(MediaTime(1, 3).scaled(exactlyBy: Ratio(1, 3)) == MediaTime(1, 9))
        #expect(MediaTime(1, .max).scaled(exactlyBy: Ratio(1, 2)) == nil)
    }
}
