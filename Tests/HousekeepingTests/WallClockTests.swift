import ChannelFeed
import Glibc
import LinuxSupport
import TestSupport
import Testing

@testable import Housekeeping

@Suite("The wall clock has the date of its source")
@MainActor
struct WallClockTests {
    private let start = FeedDate("2026-11-20T23:59:30Z")!

    @Test("a date that was given advances with the clock, and the time of day passes midnight")
    func given() throws {
        let loop = try MainLoop(time: .simulated)
        let clock = WallClock(clock: loop.clock, source: .starting(at: start, with: loop.clock))
        #expect(clock.now == start)
        var told: [Int] = []
        clock.tellTime { seconds, _ in told += [seconds].compactMap { $0 } }
        loop.run(within: .seconds(70), until: { false })
        #expect(told == [86_370, 0, 30])
        #expect(clock.now == FeedDate("2026-11-21T00:00:40Z"))
    }

    @Test("without a date there is no time")
    func unknown() throws {
        let loop = try MainLoop(time: .simulated)
        let clock = WallClock(clock: loop.clock, source: .unknown)
        var told: [Int] = []
        clock.tellTime { seconds, _ in told += [seconds].compactMap { $0 } }
        loop.run(within: .seconds(70), until: { false })
        #expect(clock.now == nil && told.isEmpty)
    }

    @Test("a date before the program was made is unknown, until a time server has set it")
    func unset() throws {
        let loop = try MainLoop(time: .simulated)
        let (unset, set) = (FeedDate("1970-01-01T00:00:10Z")!, start)
        let clock = WallClock(
            clock: loop.clock, source: .reported(by: { loop.clock.now < .zero + .seconds(45) ? unset : set }))
        #expect(clock.now == nil)
        var told: [Int] = []
        clock.tellTime { seconds, _ in told += [seconds].compactMap { $0 } }
        loop.run(within: .seconds(70), until: { false })
        #expect(told == [86_370] && clock.now == start)
    }

    @Test("the machine's date is that of time(2)")
    func machine() throws {
        let loop = try MainLoop(time: .simulated)
        let before = Int64(time(nil))
        let now = try #require(WallClock(clock: loop.clock, source: .machine { true }).now)
        #expect((before...Int64(time(nil))).contains(now.milliseconds / 1000))
    }

    @MainActor
    private final class TimeService {
        var hasSetClock = false
    }

    @Test("a date that is not trusted is unknown, and told within five seconds once it is; then it stays")
    func untrusted() throws {
        let loop = try MainLoop(time: .simulated)
        let service = TimeService()
        let clock = WallClock(clock: loop.clock, source: .machine { service.hasSetClock })
        var told: [HostTime] = []
        clock.tellTime { time, _ in if time != nil { told.append(loop.clock.now) } }
        loop.run(within: .seconds(3600), until: { false })
        #expect(clock.now == nil && told.isEmpty)
        service.hasSetClock = true
        loop.run(within: .seconds(5), until: { !told.isEmpty })
        #expect(told.count == 1)
        service.hasSetClock = false
        loop.run(within: .seconds(60), until: { false })
        #expect(clock.now != nil && told.count == 3)
    }
}
