import LinuxSupport
import MediaSources
import Testing

@Suite("Whether a decoder keeps up")
struct DecodingPaceTests {
    @Test("a window with more than a fifth of its frames missed is too slow", arguments: [(0, false), (1, false), (2, true)])
    func windows(_ missedOfFive: Int, _ isTooSlow: Bool) {
        var pace = DecodingPace()
        var answers: [Bool] = []
        for number in 0..<300 {
            let now = HostTime(nanoseconds: Int64(number) * 40_000_000)
            answers.append(pace.take(missed: number % 5 == 0 ? missedOfFive : 0, at: now))
        }
        #expect(answers.contains(true) == isTooSlow)
        // One answer per window: twelve seconds have two.
        #expect(answers.filter { $0 }.count == (isTooSlow ? 2 : 0))
    }
}
