import LinuxSupport
import MediaTime

/// Whether a requested refresh rate is really shown. A value.
///
/// Some screens and cables list rates at which no picture appears: the mode is set without an error, but no flip comes. Such a rate is given up after 3 s or
/// five vain recoveries, and is not offered again until there is another screen.
struct RateTrial {
    private static let patience = Duration.seconds(3)
    private static let mostRecoveries = 5

    /// The rate that no flip has confirmed yet, and when it was set.
    private var unconfirmed: (rate: Ratio, since: HostTime)?
    private var dark: Set<Ratio> = []

    /// Another rate is being set.
    mutating func begin(_ rate: Ratio, at now: HostTime) { unconfirmed = (rate, now) }

    /// A flip has come: the rate is shown.
    mutating func flipped() { unconfirmed = nil }

    /// Whether the rate must be given up. Asked when a flip has not come in time.
    ///
    /// - Parameter recoveries: how often the mode was set again since the last flip.
    mutating func hasFailed(at now: HostTime, recoveries: Int) -> Bool {
        guard let (rate, since) = unconfirmed, recoveries >= Self.mostRecoveries || now - since >= Self.patience else {
            return false
        }
        dark.insert(rate)
        unconfirmed = nil
        return true
    }

    /// The rates of a screen that may be requested.
    func usable(of rates: [Ratio]) -> [Ratio] { rates.filter { !dark.contains($0) } }
}
