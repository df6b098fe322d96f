import Glibc

/// The numeric address of a machine or of a group of receivers. One of IPv4 is kept as IPv4-mapped (RFC 4291, 2.5.5.2).
package struct NumericAddress: Sendable, Hashable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64

    /// - Parameter text: four numbers with dots, or an address of IPv6 without brackets and zone.
    package init?(_ text: String) {
        var plain = in_addr()
        var wide = in6_addr()
        if inet_pton(AF_INET, text, &plain) == 1 {
            self.init(plain)
        } else if inet_pton(AF_INET6, text, &wide) == 1 {
            self.init(wide)
        } else {
            return nil
        }
    }

    package init(_ address: in_addr) {
        high = 0
        low = 0xffff << 32 | UInt64(UInt32(bigEndian: address.s_addr))
    }

    package init(_ address: in6_addr) {
        let bytes = withUnsafeBytes(of: address) { Array($0) }
        high = bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }
    }

    package var isIPv4: Bool { high == 0 && low >> 32 == 0xffff }

    /// Whether it is a group of receivers: 224.0.0.0/4 (RFC 5771) or ff00::/8 (RFC 4291, 2.7).
    package var isMulticast: Bool { isIPv4 ? low >> 28 & 0xf == 0xe : high >> 56 == 0xff }

    /// For calls of IPv4; only if it is one.
    package var plain: in_addr { in_addr(s_addr: UInt32(truncatingIfNeeded: low).bigEndian) }

    /// For calls of IPv6.
    package var wide: in6_addr {
        var address = in6_addr()
        withUnsafeMutableBytes(of: &address) { bytes in
            bytes.storeBytes(of: high.bigEndian, as: UInt64.self)
            bytes.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        return address
    }

    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        if isIPv4 {
            var address = plain
            inet_ntop(AF_INET, &address, &text, socklen_t(text.count))
        } else {
            var address = wide
            inet_ntop(AF_INET6, &address, &text, socklen_t(text.count))
        }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
