import MediaTime
import Testing

@testable import MediaSources

@Suite("BufferingPolicy")
struct BufferingPolicyTests {
    @Test("a decoder refills the lower half of its queue in one piece, and with a level of one every free place at once")
    func refill() {
        var policy = BufferingPolicy.standard
        #expect([4, 8, 9].map(policy.resumeCount) == [2, 4, 4])
        #expect([1, 2, 3].map(policy.resumeCount) == [2, 2, 2])
        policy.refillLevel = .one
        #expect([3, 8].map(policy.resumeCount) == [3, 8])
    }

    @Test("stretches start at whole multiples of their length, also before zero, and are at most a quarter of the limit")
    func limit() {
        var policy = BufferingPolicy.standard
        policy.durationLimit = .seconds(10)
        #expect(policy.limit(from: MediaTime(39, 10), isHeldBack: false) == .seconds(13))
        #expect(policy.limit(from: .seconds(4), isHeldBack: false) == .seconds(14))
        #expect(policy.limit(from: MediaTime(-1, 10), isHeldBack: false) == .seconds(9))
        #expect(policy.limit(from: MediaTime(39, 10), isHeldBack: true) == MediaTime(55, 10))
        policy.stretch = .zero
        #expect(policy.limit(from: MediaTime(39, 10), isHeldBack: false) == MediaTime(139, 10))
    }
}
