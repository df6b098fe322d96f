import Testing

@testable import MediaTime

@Suite("MediaTime")
struct MediaTimeTests {
    @Test("equal times are equal values whatever their timescale")
    func lowestTerms() {
        #expect(MediaTime(90_000, 90_000) == MediaTime(1, 1))
        #expect(MediaTime(-3, 6) == MediaTime(-1, 2))
    }

    @Test("ten hours of 1001/30000 frames end exactly where multiplication says")
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

    @Test("random sums and differences undo each other")
    func inverse() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let scales: [Int32] = [1, 25, 1000, 48_000, 44_100, 90_000, 30_000]
            let first = MediaTime(
                Int64.random(in: -1_000_000_000...1_000_000_000, using: &random), scales.randomElement(using: &random)!)
            let second = MediaTime(
                Int64.random(in: -1_000_000_000...1_000_000_000, using: &random), scales.randomElement(using: &random)!)
            #expect(first + second - second == first)
            #expect((first < second) == (second - first > .zero))
        }
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

@Suite("AssetTimeline")
struct AssetTimelineTests {
    static func randomTimeline() -> (AssetTimeline, total: MediaTime) {
        let total = MediaTime(Int64.random(in: 0...4_000), 7)
        let ranges = (0..<Int.random(in: 0...6)).map { _ in
            let start = MediaTime(Int64.random(in: 0...total.units(of: 100)), 100)
            return TimeRange(start: start, end: min(total, start + MediaTime(Int64.random(in: 0...6000), 100)))
        }.filter { _ in total > .zero }
        return (AssetTimeline(interstitials: ranges), total)
    }

    @Test("content time is monotone, stands still in interstitials, and its total is the total less their sum")
    func contentTime() {
        for _ in 0..<300 {
            let (timeline, total) = Self.randomTimeline()
            let sum = timeline.interstitials.reduce(MediaTime.zero) { $0 + $1.duration }
            #expect(timeline.contentTime(at: total) == total - sum)
            var last = MediaTime.zero
            for step in 0...50 {
                let asset = total * step / 50
                let content = timeline.contentTime(at: asset)
                #expect(content >= last)
                if let range = timeline.interstitial(at: asset) { #expect(content == timeline.contentTime(at: range.start)) }
                last = content
            }
        }
    }

    @Test("the way back never lands in an interstitial, and both ways agree outside")
    func inverse() {
        for _ in 0..<300 {
            let (timeline, total) = Self.randomTimeline()
            for step in 0...50 {
                let content = timeline.contentTime(at: total) * step / 50
                let asset = timeline.assetTime(ofContent: content)
                #expect(timeline.interstitial(at: asset) == nil)
                #expect(timeline.contentTime(at: asset) == content)
            }
        }
    }
}
