import Configuration
import Glibc
import LinuxSupport

/// Identification and address of the machine.
package enum MachineFacts {
    /// The serial number: of the device tree, otherwise of the firmware, otherwise the machine id; nil if none is readable.
    package static var serial: String? {
        for path in ["/proc/device-tree/serial-number", "/sys/class/dmi/id/product_serial", "/etc/machine-id"] {
            guard let bytes = WholeFile.read(path) else { continue }
            let text = String(decoding: bytes.prefix { $0 != 0 && $0 != 0x0A }, as: UTF8.self)
            if text.utf8.contains(where: { (0x30...0x7A).contains($0) }) { return text }
        }
        return nil
    }

    /// The board for which this system was made: `VARIANT_ID` of os-release(5); nil on other systems.
    package static var board: String? {
        guard let bytes = WholeFile.read("/usr/lib/os-release", most: 1 << 16) else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard lines.contains("ID=marquee") else { return nil }
        return lines.first { $0.hasPrefix("VARIANT_ID=") }.map { String($0.dropFirst("VARIANT_ID=".count)) }
    }

    /// Whether the running system was started on trial (the image's initramfs makes the file).
    package static var isSlotOnTrial: Bool { access("/run/marquee-disk/trial", F_OK) == 0 }

    /// The address at which others reach this machine: the first of a connected interface that is neither loopback nor link-local, IPv4 first.
    package static var address: String? { addresses.first?.text }

    /// Whether a link has an address at which others reach this machine.
    package static func hasAddress(link: String) -> Bool { addresses.contains { $0.link == link } }

    /// The addresses of connected interfaces, without loopback and link-local ones, IPv4 first.
    static var addresses: [(link: String, text: String)] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: [(family: Int32, link: String, text: String)] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let address = entry.ifa_addr, entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0,
                entry.ifa_flags & UInt32(IFF_UP) != 0, entry.ifa_flags & UInt32(IFF_RUNNING) != 0
            else { continue }
            let family = Int32(address.pointee.sa_family)
            guard family == AF_INET || family == AF_INET6 else { continue }
            let length = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
            var text = [CChar](repeating: 0, count: 64)
            guard getnameinfo(address, socklen_t(length), &text, 64, nil, 0, NI_NUMERICHOST) == 0 else { continue }
            let words = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if !words.hasPrefix("fe80:"), !words.hasPrefix("169.254.") {
                found.append((family, String(cString: entry.ifa_name), words))
            }
        }
        return (found.filter { $0.family == AF_INET } + found.filter { $0.family != AF_INET }).map { ($0.link, $0.text) }
    }
}
