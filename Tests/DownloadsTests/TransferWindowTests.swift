import LinuxSupport
import Testing

@testable import Downloads

@Suite("What may be under way at the same time")
struct TransferWindowTests {
    /// Resources of one size, each stored so long after the one before.
    private func window(_ bytes: Int64, every pause: Duration, count: Int = 20) -> TransferWindow {
        var window = TransferWindow()
        var now = HostTime.zero
        window.begin(at: now)
        for _ in 0..<count {
            now = now + pause
            window.take(bytes, at: now)
        }
        return window
    }

    @Test("nothing is beside the first resource")
    func first() {
        var window = TransferWindow()
        #expect(!window.allows(1, beside: [nil]))
        window.begin(at: .zero)
        #expect(!window.allows(1, beside: [1]))
    }

    @Test("a segment that takes half a second is alone, those that take a tenth of one are four")
    func segments() {
        #expect(!window(2_000_000, every: .milliseconds(500)).allows(2_000_000, beside: [2_000_000]))
        let fast = window(2_000_000, every: .milliseconds(95))
        #expect(fast.allows(2_000_000, beside: [2_000_000, 2_000_000, 2_000_000]))
        #expect(!fast.allows(2_000_000, beside: [2_000_000, 2_000_000, 2_000_000, 2_000_000]))
    }

    @Test("a resource of unknown size counts as the last one")
    func unknown() {
        let window = window(2_000_000, every: .milliseconds(150))
        #expect(window.allows(nil, beside: [nil]) && !window.allows(nil, beside: [nil, nil]))
        #expect(window.allows(1000, beside: [nil, 1000]))
    }

    @Test("four that end at the same instant are not taken for a network of four times the rate")
    func bursts() {
        var window = TransferWindow()
        var now = HostTime.zero
        window.begin(at: now)
        for _ in 0..<20 {
            now = now + .milliseconds(1200)
            for _ in 0..<4 { window.take(1_000_000, at: now) }
        }
        #expect(!window.allows(1_000_000, beside: [1_000_000, 1_000_000]))
    }

    @Test("a pause is not the network's")
    func pause() {
        var window = window(2_000_000, every: .milliseconds(95))
        let later = HostTime.zero + .seconds(3600)
        window.begin(at: later)
        window.take(2_000_000, at: later + .milliseconds(95))
        #expect(window.allows(2_000_000, beside: [2_000_000, 2_000_000, 2_000_000]))
    }

    @Test("extreme sizes and times do not trap")
    func extremes() {
        var window = TransferWindow()
        window.begin(at: .zero + .seconds(Int64.max / 2_000_000_000))
        window.take(.max, at: .zero)
        window.take(.max, at: .zero + .seconds(Int64.max / 2_000_000_000))
        _ = window.allows(.max, beside: [.max, nil, .min])
        window.take(0, at: .zero)
        #expect(window.allows(0, beside: []))
    }
}
