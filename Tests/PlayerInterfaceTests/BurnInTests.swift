import LinuxSupport
import Testing

@testable import Screens

@Suite("What stands on a dark screen moves")
struct BurnInTests {
    @Test("it moves at each whole minute of two days, and the next move is always later")
    func everyMinute() {
        let start = HostTime(nanoseconds: 12_345_678_901)
        for minute in 0..<2880 {
            let due = start + Timing.burnIn * minute
            let before = HostTime(nanoseconds: due.nanoseconds - 1)
            #expect(BurnIn.moves(since: start, at: due) == minute)
            #expect(BurnIn.moves(since: start, at: before) == max(minute - 1, 0))
            #expect(BurnIn.nextMove(since: start, at: due) == due + Timing.burnIn)
        }
    }
}
