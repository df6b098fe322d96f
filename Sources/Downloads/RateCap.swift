import LinuxSupport

/// Keeps downloads below a bit rate. A value: bytes and instants go in, the next permitted start comes out.
///
/// A request runs as fast as the network, and the next one begins when the mean rate is below the cap again. After a pause nothing is saved up.
package struct RateCap: Sendable, Hashable {
    /// In bits per second; nil for no cap.
    package let bitRate: Int64?
    /// When the bytes so far would have arrived at the cap.
    private var paidUntil = HostTime.zero

    package init(bitRate: Int64?) { self.bitRate = bitRate.map { max($0, 1) } }

    /// When the next request may begin.
    package func start(at now: HostTime) -> HostTime { bitRate == nil ? now : max(now, paidUntil) }

    /// Bytes have arrived.
    package mutating func take(_ bytes: Int64, at now: HostTime) {
        guard let bitRate, bytes > 0 else { return }
        let (bits, overflow) = bytes.multipliedReportingOverflow(by: 8)
        let seconds = Double(overflow ? .max : bits) / Double(bitRate)
        paidUntil = max(paidUntil, now) + .nanoseconds(Int64(min(seconds, 1e9) * 1e9))
    }
}
