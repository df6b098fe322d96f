import LinuxSupport

/// The modes of each connector's last screen, for the time in which its EDID cannot be read. A value.
///
/// Without an EDID the kernel offers a few small modes. A receiver that switches over, or a television that wakes up, may hide its EDID for some seconds, and
/// some hide it until they are switched on again: the modes from before are then the better guess.
struct KnownScreens {
    /// How long an EDID is waited for. Receivers take up to six seconds.
    static let patience = Duration.seconds(6)

    private var modes: [UInt32: [KMSMode]] = [:]
    /// Since when the EDID of a connector has been missing.
    private var missing: [UInt32: HostTime] = [:]

    /// The modes to choose from.
    ///
    /// - Returns: nil while the EDID may still come.
    mutating func modes(of output: KMSOutput, at now: HostTime) -> [KMSMode]? {
        modes(of: output.connector.object, offered: output.modes, hasEDID: !output.edid.isEmpty, at: now)
    }

    /// - Parameters:
    ///   - connector: its id.
    ///   - offered: what the kernel lists now.
    mutating func modes(of connector: UInt32, offered: [KMSMode], hasEDID: Bool, at now: HostTime) -> [KMSMode]? {
        if hasEDID {
            modes[connector] = offered
            missing[connector] = nil
            return offered
        }
        // Virtual screens never have one.
        guard let known = modes[connector] else { return offered }
        let since = missing[connector] ?? now
        missing[connector] = since
        return now - since >= Self.patience ? known : nil
    }
}
