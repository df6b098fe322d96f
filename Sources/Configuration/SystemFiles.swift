import Glibc
import LinuxSupport
import WireFormats

/// The configuration files of the system's services for `[network]`, `[box] name` and `[api] announce`. A value: paths below one folder, and their
/// texts.
package struct SystemFiles: Sendable, Hashable {
    /// A file to write.
    package struct File: Sendable, Hashable {
        /// Relative to the folder.
        package var path: String
        package var text: String
        /// Whether only its owner may read it.
        package var isSecret = false
    }

    /// The files, ordered by path.
    package let files: [File]

    /// The files for a configuration.
    ///
    /// - Parameter serial: the machine's serial number, which may be part of the name.
    package init(_ configuration: Configuration, serial: String?) {
        var files = [File(path: "hostname", text: configuration.name(serial: serial) + "\n")]
        let announcement = PageAnnouncement(configuration, serial: serial)
        files.append(
            File(path: "network/10-marquee.network", text: Self.network(configuration, hasMulticastDNS: announcement != nil)))
        if let announcement {
            files.append(File(path: "dnssd/marquee.dnssd", text: announcement.serviceFile))
            // Drop-ins apply in the order of their names: this one changes what the image's marquee.conf sets.
            files.append(File(path: "resolved.conf.d/multicast.conf", text: "[Resolve]\nMulticastDNS=yes\n"))
        }
        let times = configuration.list("network.ntp")
        if !times.isEmpty {
            files.append(File(path: "timesyncd.conf.d/marquee.conf", text: "[Time]\nNTP=\(times.joined(separator: " "))\n"))
        }
        if let country = configuration.text("network.wifi_country") {
            // Without a country this file is missing, and the radio stays off.
            files.append(File(path: "iwd/main.conf", text: Self.radio(country: country)))
            if let name = configuration.text("network.wifi_ssid") {
                files.append(Self.wireless(name, password: configuration.text("network.wifi_password")))
            }
        }
        self.files = files.sorted { $0.path < $1.path }
    }

    /// iwd.config(5). Addresses are those of systemd-networkd. An access point that did not answer is avoided for 20 s at most: by default iwd avoids it
    /// for a minute, after further failures for up to a day, and the only one of a home would be lost for that long after a power cut.
    private static func radio(country: String) -> String {
        """
        [General]
        Country=\(country)
        EnableNetworkConfiguration=false

        [Network]
        NameResolvingService=none

        [Blacklist]
        InitialTimeout=5
        Multiplier=2
        MaximumTimeout=20

        """
    }

    /// A remark about wireless keys without a country, with which the radio stays off.
    package static func radioRemark(_ configuration: Configuration) -> String? {
        guard configuration.text("network.wifi_ssid") != nil, configuration.text("network.wifi_country") == nil else {
            return nil
        }
        return "Wi-Fi is off until a country is set. Add [network] wifi_country, for example \"FR\"."
    }

    /// systemd.network(5), for wired and wireless links.
    private static func network(_ configuration: Configuration, hasMulticastDNS: Bool) -> String {
        var lines = ["[Match]", "Type=ether wlan", "Name=en* eth* wl*", "", "[Network]"]
        if let fixed = configuration.text("network.address").flatMap({ StaticAddress($0) }) {
            lines.append("Address=\(fixed.address)")
            if let gateway = fixed.gateway { lines.append("Gateway=\(gateway)") }
        } else {
            lines.append("DHCP=yes")
        }
        lines.append("IPv6AcceptRA=yes")
        lines += configuration.list("network.dns").map { "DNS=\($0)" }
        lines += configuration.list("network.ntp").map { "NTP=\($0)" }
        lines += ["LLMNR=no", "MulticastDNS=\(hasMulticastDNS ? "yes" : "no")", "", "[DHCPv4]", "UseHostname=no"]
        if !configuration.list("network.dns").isEmpty { lines.append("UseDNS=no") }
        // Sites may use option 224 (RFC 3942): it carries the address of the feed. In option 43 a phone says that it is metered.
        lines.append("RequestOptions=43 224")
        return lines.joined(separator: "\n") + "\n"
    }

    /// iwd.network(5): names with characters other than letters, digits, spaces, hyphens and underscores are written as
    /// hexadecimal digits after "=".
    private static func wireless(_ name: String, password: String?) -> File {
        let isPlain = name.utf8.allSatisfy { $0.isASCIILetterOrDigit || " -_".utf8.contains($0) }
        let file = "iwd/" + (isPlain ? name : "=\(name.utf8.hexadecimal)")
        guard let password else { return File(path: file + ".open", text: "[Settings]\nAutoConnect=true\n") }
        let isKey = password.utf8.count == 64
        return File(
            path: file + ".psk",
            text:
                "[Security]\n\(isKey ? "PreSharedKey=\(password.lowercased())" : "Passphrase=\(escaped(password))")\n\n[Settings]\nAutoConnect=true\n",
            isSecret: true)
    }

    /// A value of iwd's files: blanks around it would be lost, and a backslash begins an escape.
    private static func escaped(_ text: String) -> String {
        let text = text.replacing("\\", with: "\\\\")
        let leading = text.prefix { $0 == " " }.count
        let trailing = leading == text.count ? 0 : text.reversed().prefix { $0 == " " }.count
        return String(repeating: "\\s", count: leading) + text.dropFirst(leading).dropLast(trailing)
            + String(repeating: "\\s", count: trailing)
    }

    /// The folders whose files are for keys that may be absent.
    private static let optional = ["iwd", "timesyncd.conf.d", "dnssd", "resolved.conf.d"]

    /// Writes the files; those of keys that are absent now are removed.
    ///
    /// - Throws: `ConfigurationError` naming the file that could not be written.
    package func write(below folder: String) throws(ConfigurationError) {
        for name in ["", "/network"] + Self.optional.map({ "/" + $0 }) { try Self.makeOpenFolder(folder + name) }
        let wanted = Set(files.map(\.path))
        for path in Self.optional.flatMap({ sub in Folder.names("\(folder)/\(sub)").map { "\(sub)/\($0)" } })
        where !wanted.contains(path) { unlink("\(folder)/\(path)") }
        for file in files { try SmallFile.write(file.text, to: "\(folder)/\(file.path)", mode: file.isSecret ? 0o600 : 0o644) }
    }

    private static func makeOpenFolder(_ path: String) throws(ConfigurationError) {
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw SmallFile.failure("make", path) }
    }
}
