/// The local page as an instance of a service on the local network: DNS-SD over multicast DNS (RFC 6763, 6762). systemd-resolved
/// answers for it.
package struct PageAnnouncement: Sendable, Hashable, CustomStringConvertible {
    /// The type of the service.
    package static let service = "_marquee._tcp"

    /// The name of the box, which is also its host name.
    private let name: String
    private let isSecure: Bool
    private let port = Configuration.pagePort

    /// Nil when the configuration does not ask for it, and when other machines cannot reach the page.
    package init?(_ configuration: Configuration, serial: String?) {
        guard configuration.announcesPage, !configuration.tokens.isEmpty else { return nil }
        name = configuration.name(serial: serial)
        isSecure = !configuration.allowsPlainPage
    }

    /// Why there is none although the configuration asks for it.
    package static func remark(_ configuration: Configuration) -> String? {
        guard configuration.announcesPage, configuration.tokens.isEmpty else { return nil }
        return "The page is not announced, because no other machine can reach it. Add a token: [api] tokens."
    }

    /// systemd.dnssd(5). Names have no characters that it treats specially.
    var serviceFile: String {
        """
        [Service]
        Name=\(name)
        Type=\(Self.service)
        Port=\(port)
        TxtText=txtvers=1 scheme=\(isSecure ? "https" : "http") path=/

        """
    }

    package var description: String { "\(name).\(Self.service).local, \(isSecure ? "https" : "http"), port \(port)" }
}
