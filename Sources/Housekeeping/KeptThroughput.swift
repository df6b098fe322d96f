import LinuxSupport

/// The measured throughput of the network, stored so that the first programme after a start begins with a fitting variant. Main loop only.
@MainActor
package final class KeptThroughput {
    /// Rates outside of this range, in bits per second, are errors of measurement or damage.
    private static let plausible = 10_000.0...10_000_000_000.0
    /// The store is spared: it is written at most this often, and only when the rate has changed by a tenth.
    private static let interval = Duration.seconds(60)
    private static let leastChange = 0.1

    /// In bits per second; nil while unknown.
    package private(set) var rate: Double?
    private let clock: any HostClock
    private let store: @MainActor (String) -> Void
    private var written: HostTime?

    /// - Parameters:
    ///   - text: the stored text, if any.
    ///   - store: stores a text.
    package init(_ text: String?, clock: any HostClock, store: @escaping @MainActor (String) -> Void) {
        self.clock = clock
        self.store = store
        rate = text.flatMap { Double($0) }.flatMap { Self.plausible.contains($0) ? $0 : nil }
    }

    /// The throughput was measured.
    package func note(_ measured: Double) {
        guard Self.plausible.contains(measured) else { return }
        if let rate, abs(measured - rate) < rate * Self.leastChange { return }
        if let written, clock.now - written < Self.interval { return }
        rate = measured
        written = clock.now
        store("\(Int64(measured))")
    }
}
