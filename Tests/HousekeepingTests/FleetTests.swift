import Testing

@testable import Housekeeping

@Suite("The requests of many boxes")
struct FleetTests {
    /// The requests of one second each, of boxes that ask for their feed and report at the same interval.
    private struct Load {
        var requests: [Int]

        /// - Parameter starts: when box N starts, in seconds.
        init(boxes: Int, hours: Int, interval: Int, starts: (Int) -> Int) {
            requests = Array(repeating: 0, count: hours * 3600)
            for box in 0..<boxes {
                let seed = "marquee-\(box)".utf8.reduce(7 as UInt64) { $0 &* 31 &+ UInt64($1) }
                var feed = FeedSchedule(seed: seed)
                add(from: starts(box), first: feed.first(interval: .seconds(interval))) {
                    feed.wait(after: .good, interval: .seconds(interval), jitterPercent: 20, hasFeed: true)
                }
                var report = ReportSchedule(interval: .seconds(interval), seed: seed)
                add(from: starts(box), first: report.first()) { report.wait(failures: 0) }
            }
        }

        private mutating func add(from start: Int, first: Duration, next: () -> Duration) {
            var time = Duration.seconds(start) + first
            while case let second = Int(time / .seconds(1)), second < requests.count {
                requests[second] += 1
                time += next()
            }
        }

        /// The most requests in a second of an hour, relative to that hour's mean; the greatest of all hours.
        var worstPeak: Double {
            stride(from: 0, to: requests.count, by: 3600).map { start in
                let hour = requests[start..<start + 3600]
                return Double(hour.max() ?? 0) * 3600 / Double(hour.reduce(0, +))
            }.max() ?? 0
        }
    }

    @Test("after a power failure of a building with 10,000 boxes no second of an hour has three times the mean")
    func powerFailure() {
        let load = Load(boxes: 10_000, hours: 12, interval: 900) { _ in 0 }
        #expect(load.requests.reduce(0, +) > 900_000)
        #expect(load.worstPeak < 3, "\(load.worstPeak)")
    }

    // Fewer than some ten requests a second have such seconds by chance.
    @Test("nor when they start one after the other within two minutes, nor with a shorter interval", arguments: [900, 300])
    func slowStart(interval: Int) {
        let load = Load(boxes: 10_000, hours: 6, interval: interval) { $0 * 120 / 10_000 }
        #expect(load.worstPeak < 3, "\(load.worstPeak)")
    }
}
