import BoxModel
import LinuxSupport

/// Makes one press of several that one finger caused on the power key: worn buttons bounce, and a press may arrive both by infrared and over HDMI-CEC.
/// Without it the box would enter standby and wake at once.
///
/// A value: events in, and whether they pass.
struct PowerGuard {
    /// A second press within this time of the one that passed is the same one.
    static let interval: Duration = .milliseconds(500)

    /// When the last press that passed was made.
    private var last: HostTime?
    /// The devices whose press did not pass. Their repeats and their release do not pass either.
    private var refused: Set<String> = []

    /// Whether an event is to be passed on. Other keys always are.
    mutating func passes(_ event: RemoteEvent) -> Bool {
        guard event.key == .power else { return true }
        switch event.phase {
        case .press:
            // Two devices may be read in another order than the kernel's timestamps, so a press may also be older.
            if let last, event.time - last < Self.interval {
                refused.insert(event.device)
                return false
            }
            last = event.time
            refused.remove(event.device)
            return true
        case .repeat: return !refused.contains(event.device)
        case .release: return refused.remove(event.device) == nil
        case .motion: return true
        }
    }
}
