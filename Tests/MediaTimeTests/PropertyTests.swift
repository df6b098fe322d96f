import LinuxSupport
import Testing

@testable import MediaTime

extension SeededGenerator {
    /// Numbers of any width whose sums do not overflow.
    fileprivate mutating func anyTime() -> MediaTime {
        let value = Int64(bitPattern: next()) >> Int64.random(in: 33...62, using: &self)
        return MediaTime(value, Int32.random(in: 1...(.max >> Int32.random(in: 0...30, using: &self)), using: &self))
    }

    /// A time within about a day, in one of the common timescales.
    fileprivate mutating func time() -> MediaTime {
        let scales: [Int32] = [1, 24, 25, 30, 50, 600, 1000, 12_800, 30_000, 44_100, 48_000, 90_000]
        let scale = scales.randomElement(using: &self)!
        return MediaTime(
            Int64.random(in: -100_000...100_000, using: &self) * Int64(scale) + Int64.random(in: 0..<Int64(scale), using: &self),
            scale)
    }
}

@Suite("Laws of MediaTime")
struct MediaTimeLaws {
    private static let rounds = 3000

    @Test("sums do not depend on order or grouping, and addition preserves order")
    func sums() {
        var chance = SeededGenerator(seed: 1)
        for _ in 0..<Self.rounds {
            let (one, two, three) = (chance.time(), chance.time(), chance.time())
            #expect(one + two == two + one)
            #expect((one + two) + three == one + (two + three))
            #expect(one - one == .zero && one + .zero == one && -(-one) == one)
            #expect(one + two - two == one && (one < two) == (two - one > .zero))
            #expect((one < two) == (one + three < two + three))
            #expect((one < two) != (two <= one) && (one > two) == (two < one) && (one >= two) == !(one < two))
            #expect(
                one + two
                    == MediaTime(
                        numerator: Int128(one.value) * Int128(two.timescale) + Int128(two.value) * Int128(one.timescale),
                        denominator: Int128(one.timescale) * Int128(two.timescale)))
            #expect((one + two).magnitude <= one.magnitude + two.magnitude)
        }
    }

    @Test("sums, order and units are those of the fractions, whatever the width of the numbers")
    func widths() {
        var chance = SeededGenerator(seed: 7)
        for _ in 0..<Self.rounds {
            let (one, two) = (chance.anyTime(), chance.anyTime())
            let (top, bottom) = (Int128(one.value), Int128(one.timescale))
            let (otherTop, otherBottom) = (Int128(two.value), Int128(two.timescale))
            #expect(one + two == MediaTime(numerator: top * otherBottom + otherTop * bottom, denominator: bottom * otherBottom))
            #expect((one < two) == (top * otherBottom < otherTop * bottom))
            #expect(one.scaled(by: .one) == one)
            #expect(Int128(one.units(of: one.timescale)) == top)
        }
    }

    @Test("the binary common divisor equals Euclid's")
    func divisors() {
        var chance = SeededGenerator(seed: 8)
        let edges: [UInt64] = [0, 1, 2, 3, 6, 1 << 31, 1 << 63, .max, .max - 1, 1_000_000_000]
        for one in edges {
            for two in edges {
                #expect(MediaTime.commonDivisor(one, two) == MediaTime.greatestCommonDivisor(one, two))
            }
        }
        for _ in 0..<Self.rounds {
            let common = chance.next() >> UInt64.random(in: 32...63, using: &chance)
            let one = common &* (chance.next() >> UInt64.random(in: 32...63, using: &chance))
            let two = common &* (chance.next() >> UInt64.random(in: 32...63, using: &chance))
            #expect(MediaTime.commonDivisor(one, two) == MediaTime.greatestCommonDivisor(one, two))
        }
    }

    @Test("equal times have equal hashes, however they were written")
    func hashes() {
        var chance = SeededGenerator(seed: 2)
        for _ in 0..<Self.rounds {
            let time = chance.time()
            let factor = Int32.random(in: 1...1000, using: &chance)
            let same = MediaTime(time.value * Int64(factor), time.timescale * factor)
            #expect(same == time && same.hashValue == time.hashValue)
            #expect(!(same < time) && !(time < same))
        }
    }

    @Test("a time lies in the step with its number, and in no other")
    func steps() {
        var chance = SeededGenerator(seed: 3)
        let frames = [
            MediaTime(1001, 30_000), MediaTime(1001, 24_000), MediaTime(1, 25), MediaTime(1024, 48_000), MediaTime(1152, 44_100),
        ]
        for _ in 0..<Self.rounds {
            let (time, frame) = (chance.time(), frames.randomElement(using: &chance)!)
            let number = time.wholeSteps(of: frame)
            #expect(frame * Int(number) <= time && time < frame * Int(number + 1))
            #expect((frame * Int(number)).wholeSteps(of: frame) == number)
        }
    }

    @Test("units of another timescale are the nearest, and those rounded down lie at or before")
    func units() {
        var chance = SeededGenerator(seed: 4)
        for _ in 0..<Self.rounds {
            let time = chance.time()
            let scale = [Int32(1), 25, 1000, 48_000, 90_000, 1_000_000_000].randomElement(using: &chance)!
            #expect((MediaTime(time.units(of: scale), scale) - time).magnitude <= MediaTime(1, scale) / 2)
            let below = MediaTime(time.unitsRoundedDown(of: scale), scale)
            #expect(below <= time && time < below + MediaTime(1, scale))
            #expect(MediaTime(time.units(of: time.timescale), time.timescale) == time)
        }
    }

    @Test("a rate and its inverse undo each other, and scaling keeps the order")
    func scaling() {
        var chance = SeededGenerator(seed: 5)
        let rates = [Ratio(1, 2), Ratio(3, 2), Ratio(2), Ratio(-1), Ratio(21, 20), Ratio(1001, 1000), Ratio(-60)]
        for _ in 0..<Self.rounds {
            let (one, two, rate) = (chance.time(), chance.time(), rates.randomElement(using: &chance)!)
            #expect(one.scaled(by: rate).scaled(by: Ratio(rate.denominator, rate.numerator)) == one)
            if one != two { #expect((one.scaled(by: rate) < two.scaled(by: rate)) == (rate > .zero ? one < two : two < one)) }
        }
    }

    @Test("formatted times parse to the same value, to the nanosecond")
    func text() {
        var chance = SeededGenerator(seed: 6)
        for _ in 0..<Self.rounds {
            let time = chance.time().magnitude
            let again = MediaTime(decimalSeconds: time.description)
            #expect(again.map { ($0 - time).magnitude <= .nanoseconds(1) } == true, "\(time)")
        }
    }

    @Test(
        "decimal seconds beyond 64 bits are none",
        arguments: ["9999999999.999999999", "9223372036.854775808", "10000000000", "1.0000000001"])
    func tooLarge(text: String) { #expect(MediaTime(decimalSeconds: text) == nil) }

    @Test("the longest decimal seconds are exact")
    func longest() {
        #expect(MediaTime(decimalSeconds: "9223372036.854775807") == MediaTime(.max, 1_000_000_000))
        #expect(MediaTime(decimalSeconds: "9999999999.99999999") == MediaTime(999_999_999_999_999_999, 100_000_000))
    }

    @Test("an intersection is inside both ranges, and a union is not smaller than either")
    func ranges() {
        var chance = SeededGenerator(seed: 7)
        for _ in 0..<Self.rounds {
            let times = [chance.time(), chance.time(), chance.time(), chance.time()]
            let one = TimeRange(start: min(times[0], times[1]), end: max(times[0], times[1]))
            let two = TimeRange(start: min(times[2], times[3]), end: max(times[2], times[3]))
            #expect(one.union(two).contains(one) && one.union(two).contains(two))
            if let common = one.intersection(two) {
                #expect(one.contains(common) && two.contains(common))
            } else {
                #expect(one.end <= two.start || two.end <= one.start)
            }
            for time in times { #expect(one.union(two).contains(time) || time == one.union(two).end) }
        }
    }
}

@Suite("Laws of AssetTimeline")
struct AssetTimelineLaws {
    private struct Case {
        var timeline: AssetTimeline
        var total: MediaTime
    }

    private static func make(_ chance: inout SeededGenerator) -> Case {
        let total = MediaTime(Int64.random(in: 0...4000, using: &chance), 7)
        let ranges = (0..<Int.random(in: 0...6, using: &chance)).map { _ -> TimeRange in
            let start = MediaTime(Int64.random(in: 0...total.unitsRoundedDown(of: 100), using: &chance), 100)
            return TimeRange(start: start, end: min(total, start + MediaTime(Int64.random(in: 0...6000, using: &chance), 100)))
        }
        return Case(timeline: AssetTimeline(interstitials: ranges), total: total)
    }

    @Test("ranges given in any order, touching or overlapping, become disjoint and sorted")
    func order() {
        var chance = SeededGenerator(seed: 8)
        for _ in 0..<500 {
            let ranges = Self.make(&chance).timeline.interstitials
            for (one, next) in zip(ranges, ranges.dropFirst()) { #expect(one.end <= next.start) }
            #expect(AssetTimeline(interstitials: ranges.shuffled(using: &chance)) == AssetTimeline(interstitials: ranges))
        }
    }

    @Test("content time is monotone, does not advance in interstitials, and its total is the total minus their sum")
    func contentTime() {
        var chance = SeededGenerator(seed: 11)
        for _ in 0..<500 {
            let one = Self.make(&chance)
            let sum = one.timeline.interstitials.reduce(MediaTime.zero) { $0 + $1.duration }
            #expect(one.timeline.contentTime(at: one.total) == one.total - sum)
            var last = MediaTime.zero
            for step in 0...50 {
                let asset = one.total * step / 50
                let content = one.timeline.contentTime(at: asset)
                #expect(content >= last)
                if let range = one.timeline.interstitial(at: asset) {
                    #expect(content == one.timeline.contentTime(at: range.start))
                }
                last = content
            }
        }
    }

    @Test("both mappings and the lookup agree with a walk over all interstitials")
    func walked() {
        var chance = SeededGenerator(seed: 12)
        for _ in 0..<500 {
            let one = Self.make(&chance)
            let ranges = one.timeline.interstitials
            for time in ranges.flatMap({ [$0.start, $0.end] }) + (0...20).map({ one.total * $0 / 20 }) {
                let before = ranges.filter { $0.start < time }
                let skipped = before.reduce(MediaTime.zero) { $0 + min($1.end, time) - $1.start }
                #expect(one.timeline.contentTime(at: time) == time - skipped)
                #expect(one.timeline.interstitial(at: time) == ranges.first { $0.contains(time) })
                var asset = time
                for range in ranges where range.start <= asset { asset += range.duration }
                #expect(one.timeline.assetTime(ofContent: time) == asset)
            }
        }
    }

    @Test("content time advances with asset time outside of interstitials, and not inside")
    func speed() {
        var chance = SeededGenerator(seed: 9)
        for _ in 0..<500 {
            let one = Self.make(&chance)
            let (first, second) = (
                one.total * Int.random(in: 0...1000, using: &chance) / 1000,
                one.total * Int.random(in: 0...1000, using: &chance) / 1000
            )
            let (start, end) = (min(first, second), max(first, second))
            let inside = one.timeline.interstitials.compactMap { $0.intersection(TimeRange(start: start, end: end))?.duration }
                .reduce(.zero, +)
            #expect(one.timeline.contentTime(at: end) - one.timeline.contentTime(at: start) == end - start - inside)
        }
    }

    @Test("a content position maps back to itself, outside of interstitials, and order is kept")
    func inverse() {
        var chance = SeededGenerator(seed: 10)
        for _ in 0..<500 {
            let one = Self.make(&chance)
            let length = one.timeline.contentTime(at: one.total)
            var last: MediaTime?
            for step in 0...20 {
                let content = length * step / 20
                let asset = one.timeline.assetTime(ofContent: content)
                #expect(one.timeline.contentTime(at: asset) == content)
                #expect(one.timeline.interstitial(at: asset) == nil)
                if let last { #expect(asset >= last) }
                last = asset
            }
        }
    }
}
