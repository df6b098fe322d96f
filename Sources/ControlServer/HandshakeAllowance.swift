import LinuxSupport

/// How often strangers may begin TLS: each handshake costs the processor a signature, and everyone on the network may ask for one.
///
/// Each machine has an allowance, and all of them together have one, so that neither one machine nor many take the processor from the picture. A machine
/// that has sent a token gets its allowance back with each request, and takes nothing from that of all.
struct HandshakeAllowance {
    /// Handshakes that may be begun at once, and how many a second are added to them.
    struct Rate {
        var burst: Double
        var perSecond: Double
    }

    private struct Bucket {
        var left: Double
        var since: HostTime
        /// Whether the machine has sent a token.
        var isKnown = false

        mutating func fill(_ rate: Rate, at now: HostTime) {
            let elapsed = Double(max(0, (now - since).wholeNanoseconds)) / 1e9
            left = min(rate.burst, left + elapsed * rate.perSecond)
            since = now
        }
    }

    private static let machine = Rate(burst: 32, perSecond: 8)
    private static let everyone = Rate(burst: 64, perSecond: 16)
    /// Machines that are remembered.
    private static let mostMachines = 256

    private var machines: [String: Bucket] = [:]
    private var all = Bucket(left: everyone.burst, since: .zero)

    /// A machine wants to begin TLS.
    ///
    /// - Returns: whether it may.
    mutating func take(_ machine: String, at now: HostTime) -> Bool {
        var own = machines[machine] ?? Bucket(left: Self.machine.burst, since: now)
        own.fill(Self.machine, at: now)
        all.fill(Self.everyone, at: now)
        let isAllowed = own.left >= 1 && (own.isKnown || all.left >= 1)
        if isAllowed {
            own.left -= 1
            if !own.isKnown { all.left -= 1 }
        }
        machines[machine] = own
        if machines.count > Self.mostMachines, let oldest = machines.min(by: { $0.value.since < $1.value.since })?.key {
            machines[oldest] = nil
        }
        return isAllowed
    }

    /// A machine has sent a token.
    mutating func recognize(_ machine: String, at now: HostTime) {
        machines[machine] = Bucket(left: Self.machine.burst, since: now, isKnown: true)
    }
}
