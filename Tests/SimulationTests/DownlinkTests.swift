import LinuxSupport
import Testing

@testable import Simulation

@Suite struct DownlinkTests {
    private static func link(_ slow: (start: Int, length: Int, rate: Int)...) -> Downlink {
        Downlink(
            slow.enumerated().map {
                Fault(
                    number: $0.offset, kind: .slowLink($0.element.rate), start: .seconds($0.element.start),
                    length: .seconds($0.element.length))
            })
    }

    @Test func usualSpeed() {
        #expect(Self.link().arrival(of: 250_000, from: .seconds(3)) == .seconds(4))
        #expect(Self.link((10, 5, 2000)).arrival(of: 250_000, from: .seconds(3)) == .seconds(4))
    }

    @Test("a transfer that began on a slow link recovers with it")
    func recovers() {
        // 8 s at 2,000 bit/s and the rest at once: 16,000 of 2,016,000 bits.
        #expect(Self.link((0, 10, 2000)).arrival(of: 252_000, from: .seconds(2)) == .seconds(11))
    }

    @Test("a transfer becomes slow with its link, and passes over a whole slow time")
    func crosses() {
        // One second at 2,000,000, two at 8,000, and half a second more.
        #expect(
            Self.link((4, 2, 8000)).arrival(of: (2_000_000 + 16_000 + 1_000_000) / 8, from: .seconds(3)) == .milliseconds(6500))
    }

    @Test("of two that overlap the later one counts")
    func overlap() {
        #expect(Self.link((0, 10, 8000), (2, 3, 2000)).arrival(of: (16_000 + 6_000 + 8_000) / 8, from: .zero) == .seconds(6))
    }

    @Test("a body in parts arrives when it does whole", arguments: [1, 999, 65_537])
    func parts(_ bytes: Int) {
        let link = Self.link((1, 3, 2000), (20, 600, 20_000), (30, 5, 8000))
        let whole = link.arrival(of: bytes, from: .milliseconds(900))
        let half = link.arrival(of: bytes / 2, from: .milliseconds(900))
        let rest = link.arrival(of: bytes - bytes / 2, from: half)
        // Times are rounded down to nanoseconds.
        #expect(rest <= whole && whole - rest < .nanoseconds(5))
    }
}
