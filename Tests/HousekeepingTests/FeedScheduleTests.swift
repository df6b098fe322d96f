import MediaModel
import Screens
import Testing

@testable import Housekeeping

@Suite("When a feed is refreshed")
struct FeedScheduleTests {
    @Test("after a good answer at the feed's interval with jitter, which differs between boxes")
    func interval() {
        var waits: Set<Duration> = []
        for seed in 0..<50 as Range<UInt64> {
            var schedule = FeedSchedule(seed: seed)
            let wait = schedule.wait(after: .good, interval: .seconds(900), jitterPercent: 20, hasFeed: true)
            #expect((Duration.seconds(720)...Duration.seconds(1080)).contains(wait))
            waits.insert(wait)
        }
        #expect(waits.count > 30)
        var exact = FeedSchedule(seed: 1)
        #expect(exact.wait(after: .good, interval: .seconds(60), jitterPercent: 0, hasFeed: true) == .seconds(60))
        #expect(
            exact.wait(after: .refused, interval: .zero, jitterPercent: 0, hasFeed: true) == .seconds(5),
            "there is always a minimum pause")
    }

    @Test("after failures 5 s, doubled up to 15 min, and reset after a good answer")
    func backoff() {
        var schedule = FeedSchedule(seed: 3)
        let waits = (0..<12).map { _ in schedule.wait(after: .failed, interval: .seconds(900), jitterPercent: 0, hasFeed: true) }
        for (wait, middle) in zip(waits, [5, 10, 20, 40, 80, 160, 320, 640, 900, 900, 900, 900]) {
            #expect((Duration.seconds(middle) * 0.8...Duration.seconds(middle) * 1.2).contains(wait), "\(wait) for \(middle) s")
        }
        _ = schedule.wait(after: .good, interval: .seconds(900), jitterPercent: 0, hasFeed: true)
        #expect(schedule.wait(after: .failed, interval: .seconds(900), jitterPercent: 0, hasFeed: true) <= .seconds(6))
    }

    @Test(
        "a box without a feed asks again within 24 s however often it has failed or was refused",
        arguments: [FeedSchedule.Outcome.failed, .refused])
    func withoutFeed(_ outcome: FeedSchedule.Outcome) {
        var schedule = FeedSchedule(seed: 3)
        let waits = (0..<12).map { _ in
            schedule.wait(after: outcome, interval: .seconds(900), jitterPercent: 0, hasFeed: false)
        }
        #expect(waits.allSatisfy { $0 <= .seconds(24) }, "\(waits)")
    }

    @Test(
        "after a start a box that has a feed waits for some part of the interval, at most an hour; which part differs between boxes"
    )
    func first() {
        func firsts(_ interval: Duration) -> [Duration] {
            (0..<200 as Range<UInt64>).map { seed in
                var schedule = FeedSchedule(seed: seed)
                return schedule.first(interval: interval)
            }
        }
        for (interval, longest) in [(900, 900), (86_400, 3600), (0, 0), (-5, 0)] {
            let waits = firsts(.seconds(interval))
            #expect(waits.allSatisfy { (.zero ... .seconds(longest)).contains($0) }, "\(interval)")
            #expect(Set(waits).count > (longest == 0 ? 0 : 150), "\(interval)")
        }
    }
}
