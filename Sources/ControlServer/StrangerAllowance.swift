import LinuxSupport

/// How often strangers may have something that costs the processor: the signature of a TLS handshake, the answer to a request. Everyone on the network
/// may ask for them.
///
/// Each machine has an allowance, and all of them together have one, so that neither one machine nor many take the processor from the picture. A machine
/// that has sent a token gets its allowance back with each request, and takes nothing from that of all.
struct StrangerAllowance {
    /// How many may be had at once, and how many a second are added to them.
    struct Rate: Sendable {
        var burst: Double
        var perSecond: Double
    }

    /// The allowances.
    struct Rates: Sendable {
        /// Of each machine.
        var machine: Rate
        /// Of all that have sent no token, together.
        var everyone: Rate
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

    /// Machines that are remembered.
    private static let mostMachines = 256

    private let rates: Rates
    private var machines: [String: Bucket] = [:]
    private var all: Bucket

    init(_ rates: Rates) {
        self.rates = rates
        all = Bucket(left: rates.everyone.burst, since: .zero)
    }

    /// A machine wants one.
    ///
    /// - Returns: whether it may.
    mutating func take(_ machine: String, at now: HostTime) -> Bool {
        var own = machines[machine] ?? Bucket(left: rates.machine.burst, since: now)
        own.fill(rates.machine, at: now)
        all.fill(rates.everyone, at: now)
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
        machines[machine] = Bucket(left: rates.machine.burst, since: now, isKnown: true)
    }
}
