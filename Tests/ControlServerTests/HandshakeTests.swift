import LinuxSupport
import Testing

@testable import ControlServer

@Suite("How often strangers may begin TLS")
struct HandshakeTests {
    private let start = HostTime.zero + .seconds(1000)

    /// How many of so many tries are allowed.
    private func allowed(_ tries: Int, of allowance: inout StrangerAllowance, at now: HostTime, _ machine: (Int) -> String)
        -> Int
    {
        (0..<tries).count { allowance.take(machine($0), at: now) }
    }

    @Test("a machine may begin so many at once and then so many a second, and others are not kept out by it")
    func oneMachine() {
        var allowance = StrangerAllowance(ControlLimits().handshakes)
        let first = allowed(100, of: &allowance, at: start) { _ in "a" }
        #expect(first == 32)
        let other = allowed(100, of: &allowance, at: start) { _ in "b" }
        #expect(other == 32)
        let later = start + .seconds(2)
        let more = allowed(100, of: &allowance, at: later) { _ in "a" }
        #expect(more == 16)
        let isAllowed = allowance.take("b", at: later)
        #expect(isAllowed)
    }

    @Test("many machines have an allowance together, and one that has sent a token is let in all the same")
    func manyMachines() {
        var allowance = StrangerAllowance(ControlLimits().handshakes)
        allowance.recognize("operator", at: start)
        let strangers = allowed(10_000, of: &allowance, at: start) { "stranger \($0)" }
        #expect(strangers == 64)
        let isAllowed = allowance.take("another", at: start)
        #expect(!isAllowed)
        // With many strangers the operator is forgotten sooner or later, but not while it uses the page.
        for turn in 1...200 {
            let now = start + .milliseconds(10 * turn)
            allowance.recognize("operator", at: now)
            for number in 0..<100 { _ = allowance.take("stranger \(turn) \(number)", at: now) }
            let isAllowed = allowance.take("operator", at: now)
            #expect(isAllowed)
        }
        let more = allowed(10_000, of: &allowance, at: start + .seconds(3)) { "stranger \($0)" }
        #expect(more <= 17)
    }

    @Test("a clock that goes back gives nothing")
    func clock() {
        var allowance = StrangerAllowance(ControlLimits().handshakes)
        let first = allowed(100, of: &allowance, at: start) { _ in "a" }
        #expect(first == 32)
        let afterwards = allowance.take("a", at: .zero)
        #expect(!afterwards)
    }
}
