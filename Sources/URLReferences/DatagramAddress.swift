/// The address of a stream in datagrams: MPEG-TS over UDP, bare or in RTP (RFC 2250), to a group of receivers or to this machine.
///
/// `udp://@239.1.1.1:5000` and `udp://239.1.1.1:5000` are the same; `udp://10.0.0.9@232.1.1.1:5000` is only what that sender sends (RFC 4607);
/// `udp://@:5000` is what is sent to this machine. `sources` and `localaddr` in the query mean what they mean to FFmpeg.
package struct DatagramAddress: Sendable, Hashable, CustomStringConvertible {
    /// Why an address cannot be used: the end of a sentence that begins with the address, and what to do.
    package struct Fault: Error, Sendable, Hashable {
        package let reason: String
        package let remedy: String
    }

    /// Whether it is said to be RTP.
    package let isRTP: Bool
    /// The group, or an address of this machine or of the sender; nil for any address of this machine.
    package let host: NumericAddress?
    /// The interface on which the group is joined, by its name: the zone of an address (RFC 6874).
    package let zone: String?
    package let port: UInt16
    /// Whose datagrams are taken; empty for anybody's.
    package let senders: [NumericAddress]
    /// The interface on which the group is joined, by its address.
    package let localAddress: NumericAddress?

    package var isMulticast: Bool { host?.isMulticast ?? false }

    /// Whether an address has a scheme of these.
    package static func isScheme(_ scheme: String) -> Bool { ["udp", "rtp"].contains(scheme.lowercased()) }

    /// More senders than a host may name for a group by default (`igmp_max_msf`).
    private static let mostSenders = 10

    /// - Throws: `Fault`, whose sentence does not repeat the part before the @.
    package init(_ url: URLReference) throws(Fault) {
        isRTP = url.scheme?.lowercased() == "rtp"
        guard let port = url.port, port > 0 else {
            throw Fault(reason: "has no port", remedy: "Write one such as udp://@239.1.1.1:5000.")
        }
        self.port = port
        var name = URLReference.percentDecoded(url.host ?? "")
        var zone: String?
        if name.hasPrefix("["), name.hasSuffix("]") {
            name = String(name.dropFirst().dropLast())
            if let mark = name.firstIndex(of: "%") {
                zone = String(name[name.index(after: mark)...])
                name = String(name[..<mark])
            }
        }
        self.zone = zone
        if name == "localhost" { name = "127.0.0.1" }
        host = NumericAddress(name)
        guard name.isEmpty || host != nil else {
            throw Fault(
                reason: "has a name where the numbers of a group or of a machine must stand", remedy: "Write its numeric address."
            )
        }
        let query = Self.options(url.query ?? "")
        let user = url.authority.flatMap { authority in authority.lastIndex(of: "@").map { String(authority[..<$0]) } } ?? ""
        let names =
            (user.isEmpty ? [] : [URLReference.percentDecoded(user)])
            + (query["sources"] ?? "").split(separator: ",").map(String.init)
        var senders: [NumericAddress] = []
        for name in names {
            let bare = name.hasPrefix("[") ? String(name.dropFirst().prefix { $0 != "]" }) : name
            guard let sender = NumericAddress(bare), !sender.isMulticast, senders.count < Self.mostSenders else {
                throw Fault(
                    reason: "names a sender that is not the numeric address of a machine",
                    remedy: "Write the sender before the @ as numbers, or nothing.")
            }
            senders.append(sender)
        }
        self.senders = senders
        localAddress = query["localaddr"].flatMap { NumericAddress($0) }
    }

    private static func options(_ query: String) -> [String: String] {
        var options: [String: String] = [:]
        for part in query.split(separator: "&").prefix(16) {
            let pair = part.split(separator: "=", maxSplits: 1)
            if pair.count == 2 { options[pair[0].lowercased()] = URLReference.percentDecoded(pair[1]) }
        }
        return options
    }

    /// As the address is named in logs.
    package var description: String {
        let host = host.map { $0.isIPv4 ? "\($0)" : "[\($0)\(zone.map { "%25\($0)" } ?? "")]" } ?? ""
        let sender = senders.count == 1 ? "\(senders[0])" : ""
        return "\(isRTP ? "rtp" : "udp")://\(sender)@\(host):\(port)"
    }
}
