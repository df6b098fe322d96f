/// Where a broker is: `mqtts://broker.example:8883`, or `mqtt://` without TLS.
package struct BrokerAddress: Sendable, Equatable {
    package let host: String
    package let port: UInt16
    package let isSecure: Bool

    /// - Returns: nil for anything but a scheme, a host and a port; without a port that of the scheme (IANA: 8883 and 1883).
    package init?(_ text: String) {
        let schemes = [("mqtts://", true, UInt16(8883)), ("mqtt://", false, 1883)]
        guard let (scheme, isSecure, standard) = schemes.first(where: { text.lowercased().hasPrefix($0.0) }) else { return nil }
        var rest = text.dropFirst(scheme.count)
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        var portText: Substring?
        if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
            let behind = rest[rest.index(after: end)...]
            guard behind.isEmpty || behind.hasPrefix(":") else { return nil }
            host = String(rest[rest.index(after: rest.startIndex)..<end])
            portText = behind.isEmpty ? nil : behind.dropFirst()
            guard host.utf8.allSatisfy({ Self.digits.contains($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }) else {
                return nil
            }
        } else {
            let parts = rest.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            host = String(parts[0])
            portText = parts.count > 1 ? parts[1] : nil
            guard host.utf8.allSatisfy({ Self.letters.contains($0) }) else { return nil }
        }
        guard (1...253).contains(host.utf8.count) else { return nil }
        if let portText {
            guard let number = UInt16(portText), number > 0, portText.utf8.allSatisfy({ $0 != UInt8(ascii: "+") }) else {
                return nil
            }
            port = number
        } else {
            port = standard
        }
        self.isSecure = isSecure
    }

    private static let digits = Set("0123456789abcdefABCDEF".utf8)
    private static let letters = Set("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-_".utf8)
}
