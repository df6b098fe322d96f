import Glibc
import LinuxSupport

/// The wireless adapters that the kernel has, as its files show them. A look lists two small folders.
package struct WirelessAdapters: Sendable {
    private let classes: String

    /// - Parameter classes: the kernel's folder of device classes.
    package init(classes: String = "/sys/class") { self.classes = classes }

    /// Whether there is one: a radio (`ieee80211`), or a network interface whose driver has no radio there but says that it is wireless.
    package var isPresent: Bool {
        if !Folder.names(classes + "/ieee80211").isEmpty { return true }
        let net = classes + "/net"
        return Folder.names(net).contains { access("\(net)/\($0)/wireless", F_OK) == 0 }
    }
}
