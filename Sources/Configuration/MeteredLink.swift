import Glibc
import LinuxSupport
import WireFormats

/// Detects whether the network is metered.
package enum MeteredLink {
    /// Looks at the leases of systemd-networkd and the machine's links: a phone that shares its own connection says so in DHCP
    /// option 43, and a modem's link is named `ww…`.
    ///
    /// - Parameters:
    ///   - leases: the folder of the leases, one file per link.
    ///   - links: the folder of the kernel's links.
    package static func isAnnounced(
        leases: String = "/run/systemd/netif/leases", links: String = "/sys/class/net"
    ) -> Bool {
        let says = Folder.names(leases).contains { lease in
            guard let bytes = try? SmallFile.read("\(leases)/\(lease)") else { return false }
            return isMetered(lease: String(decoding: bytes, as: UTF8.self))
        }
        let carriers = Folder.names(links).filter { link in
            link != "lo" && (try? SmallFile.read("\(links)/\(link)/carrier")) == Array("1\n".utf8)
        }
        return says || !carriers.isEmpty && carriers.allSatisfy { $0.hasPrefix("ww") }
    }

    /// DHCP option 43 as stored by systemd-networkd: hexadecimal digits, which contain Android's keyword.
    static func isMetered(lease text: String) -> Bool {
        let word = "ANDROID_METERED".utf8.hexadecimal
        return text.split(separator: "\n").contains { $0.hasPrefix("VENDOR_SPECIFIC=") && $0.lowercased().contains(word) }
    }
}
