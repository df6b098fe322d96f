import Glibc

/// Whether the network says of itself that it is paid for by the byte.
package enum MeteredLink {
    /// Looks at the leases of systemd-networkd and the machine's links: a telephone that shares its own connection says so in DHCP's option 43, and a
    /// modem's link is named `ww…`.
    ///
    /// - Parameters:
    ///   - leases: the folder of the leases, a file a link.
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

    /// Option 43 as systemd-networkd keeps it: hexadecimal digits. Android's word is in it.
    static func isMetered(lease text: String) -> Bool {
        let word = "ANDROID_METERED".utf8.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        return text.split(separator: "\n").contains { $0.hasPrefix("VENDOR_SPECIFIC=") && $0.lowercased().contains(word) }
    }
}
