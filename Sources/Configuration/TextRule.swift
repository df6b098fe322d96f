import ChannelFeed
import CivilTime
import Cryptography
import Glibc
import Languages
import LinuxSupport
import WireFormats

/// The rule for a text of the file, and the remedy for a violation.
struct TextRule: Sendable {
    /// What would be valid, in words.
    let remedy: String
    /// What a text that is not valid needs, in words; nil for one that is.
    let fault: @Sendable (String) -> String?

    init(remedy: String, fault: @escaping @Sendable (String) -> String?) {
        self.remedy = remedy
        self.fault = fault
    }

    init(remedy: String, allows: @escaping @Sendable (String) -> Bool) {
        self.init(remedy: remedy, fault: { allows($0) ? nil : remedy })
    }

    /// A text that must not begin otherwise, and has a rule of its own behind that.
    private init(remedy: String, beginnings: [String], mayBeEmpty: Bool, rule: AddressRule) {
        self.init(remedy: remedy) { text in
            guard !text.isEmpty else { return mayBeEmpty ? nil : remedy }
            guard beginnings.contains(where: text.hasPrefix) else { return remedy }
            return rule.fault(of: text)
        }
    }

    func allows(_ text: String) -> Bool { fault(text) == nil }

    static let any = TextRule(remedy: "write text in quotes, such as \"news\"") { _ in true }

    /// `[box] name`: the characters allowed in a host name and in an address.
    static let boxName = TextRule(
        remedy: "write 1 to 63 letters, digits and hyphens, or {serial}, such as \"room-214\""
    ) { text in
        let plain = text.replacing("{serial}", with: "0")
        return (1...63).contains(plain.utf8.count) && plain.utf8.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") }
            && plain.first != "-" && plain.last != "-"
    }

    /// `[box] group`: it becomes part of addresses.
    static let group = TextRule(remedy: "write 1 to 64 letters, digits, dots, hyphens and underscores, such as \"canary\"") {
        PlainName.isOne($0)
    }

    /// `[box] start`: an id of the feed.
    static let identifier = TextRule(remedy: "write the id of a channel, series or item of the feed, without spaces") { text in
        (1...256).contains(text.utf8.count) && text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
    }

    static let language = TextRule(remedy: "write a language tag, such as \"en\" or \"zh-Hant\"") { LanguageTag.isWellFormed($0) }

    /// A name of the time zone database; checked against the machine's own, if it has one.
    static let timeZone = TextRule(remedy: "write a name of the time zone database, such as \"Europe/Paris\"") { text in
        let isShaped =
            !text.isEmpty && text.first != "/" && !text.contains("..")
            && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || "/_+-".utf8.contains($0) }
        let folder = "/usr/share/zoneinfo"
        guard isShaped, access(folder + "/UTC", R_OK) == 0 else { return isShaped }
        // The folder has other files and folders too, with which glibc would use UTC without a word.
        return WholeFile.read("\(folder)/\(text)", most: 1 << 20)?.starts(with: Array("TZif".utf8)) == true
    }

    /// `[box] hours`.
    static let hours = TextRule(
        remedy: "write a list of days and times of day, such as [\"mon-fri 08:00-18:00\", \"2026-12-25 closed\"]"
    ) { (try? Recurrence($0, mayBeClosed: true)) != nil }

    /// `[mqtt] url`.
    static let broker = TextRule(remedy: "write mqtts://HOST or mqtts://HOST:PORT, or nothing") {
        $0.isEmpty || BrokerAddress($0) != nil
    }

    /// `[mqtt] topic`: the beginning of topics, without wildcards (MQTT 5.0, 4.7).
    static let topic = TextRule(
        remedy: "write 1 to 100 letters, digits, dots, hyphens, underscores and slashes, such as \"hotel/floor-2\""
    ) {
        (1...100).contains($0.utf8.count) && $0.utf8.allSatisfy { $0.isASCIILetterOrDigit || ".-_/".utf8.contains($0) }
            && !$0.hasPrefix("/") && !$0.hasSuffix("/") && !$0.contains("//")
    }

    /// An address to fetch; plain http is allowed where the feed's rules allow it.
    static let webAddress = TextRule(
        remedy: "write an address that begins with https://", beginnings: schemes, mayBeEmpty: true, rule: AddressRule())

    /// `[report] url`.
    static let reportAddress = TextRule(
        remedy: "write an address that begins with https://", beginnings: schemes, mayBeEmpty: true,
        rule: AddressRule(placeholders: [], headers: "report.headers"))

    static let feedAddress = TextRule(
        remedy: "write an address that begins with https://, such as \"https://cdn.example/feeds/{group}/{box}.json\"",
        beginnings: schemes, mayBeEmpty: false, rule: AddressRule())

    static let proxy = TextRule(
        remedy: "write http://HOST:PORT, or nothing", beginnings: ["http://"], mayBeEmpty: true,
        rule: AddressRule(placeholders: []))

    private static let schemes = ["https://", "http://"]

    /// A file next to `marquee.toml`.
    static let fileName = TextRule(remedy: "write the name of a file in the folder of this one") {
        $0.isEmpty || !$0.contains("/") && $0 != "." && $0 != ".." && $0.utf8.count <= 255
    }

    /// `[feed] file`: a path, or a name next to `marquee.toml`.
    static let path = TextRule(remedy: "write the path of a file") { !$0.isEmpty && !$0.utf8.contains(0) }

    static let host = TextRule(
        remedy: "write names or addresses of hosts alone, without https:// and port, such as [\"10.0.0.5\"]"
    ) { isHost($0) }

    static let internetAddress = TextRule(remedy: "write addresses in numbers, such as [\"10.0.0.1\"]") { isInternetAddress($0) }

    static let publicKey = TextRule(remedy: keyRemedy) { text in
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, Ed25519.publicKey(base64: parts[1]) != nil else { return keyRemedy }
        return PlainName.isOne(parts[0])
            ? nil : "write a name of 1 to 64 letters, digits, dots, underscores and hyphens in front of the key"
    }

    private static let keyRemedy = "write keys as NAME:BASE64 of the 32 bytes of an Ed25519 key"

    /// `[network] address`.
    static let wiredAddress = TextRule(remedy: "write \"dhcp\", or an address such as \"10.0.0.20/24 via 10.0.0.1\"") { text in
        text == "dhcp" || StaticAddress(text) != nil
    }

    static let country = TextRule(remedy: "write the two letters of a country, such as \"FR\"") {
        $0.isEmpty || $0.utf8.count == 2 && $0.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }

    /// 802.11: at most 32 bytes.
    static let networkName = TextRule(remedy: "write the network's name, at most 32 bytes long") { text in
        let count = text.utf8.count
        guard count > 32 else { return nil }
        return
            "write the network's name, at most 32 bytes long; this one has \(count)\(text.utf8.allSatisfy { $0 < 0x80 } ? "" : ", since a letter beyond ASCII has two or more")"
    }

    /// WPA: 8 to 63 characters, or the 64 hexadecimal digits of the key itself.
    static let networkPassword = TextRule(remedy: passwordRemedy) { text in
        guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            return
                "write letters, digits and signs of ASCII only; for a password with others, the 64 hexadecimal digits of its key"
        }
        return text.isEmpty || (8...63).contains(text.utf8.count) || isDigest(text) ? nil : passwordRemedy
    }

    private static let passwordRemedy = "write 8 to 63 characters, or the 64 hexadecimal digits of the key"

    static let displayMode = TextRule(remedy: "write \"auto\", or a mode such as \"1920x1080@50\"") { text in
        guard text != "auto" else { return true }
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        let sides = parts[0].split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        let rate = parts.count == 2 ? Double(parts[1]) : 60
        return parts.count <= 2 && sides.count == 2 && sides.allSatisfy { (16...16384).contains($0 ?? 0) }
            && (1...480).contains(rate ?? 0)
    }

    static let audioOutput = TextRule(remedy: "write \"auto\", or the name of an ALSA device, such as \"hdmi:CARD=vc4hdmi0\"") {
        !$0.isEmpty && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    static let rating = TextRule(remedy: "write a rating such as \"PG-13\", or an age such as \"12\"") {
        $0.isEmpty || ParentalLimit(value: $0) != nil
    }

    /// Two times of day.
    static let window = TextRule(remedy: "write two times of day, such as \"02:00-05:00\"") { text in
        let times = text.split(separator: "-", omittingEmptySubsequences: false)
        return times.count == 2
            && times.allSatisfy { time in
                let parts = time.split(separator: ":", omittingEmptySubsequences: false)
                guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }), let hour = Int(parts[0]),
                    let minute = Int(parts[1])
                else { return false }
                return (0..<24).contains(hour) && (0..<60).contains(minute)
            }
    }

    static let digest = TextRule(remedy: "write the 64 hexadecimal digits of a SHA-256, or nothing") {
        $0.isEmpty || isDigest($0)
    }

    /// `[feed] headers`: `ConfigurationKey` checks what every table needs.
    static let header = TextRule(remedy: "write a table of texts, such as { Authorization = \"Bearer …\" }") { _ in true }

    /// `[api] tokens`.
    static let accessToken = TextRule(
        remedy: "write a table of RIGHT:SHA256 by name, such as { prometheus = \"look:9f86…\" }, with look, steer or configure"
    ) { AccessToken(name: "", $0) != nil }

    static func oneOf(_ words: [String]) -> TextRule {
        TextRule(remedy: "write one of \(words.map { "\"\($0)\"" }.joined(separator: ", "))") { words.contains($0) }
    }
}

func isDigest(_ text: String) -> Bool { text.utf8.count == 64 && text.allSatisfy(\.isHexDigit) }

func isHost(_ text: String) -> Bool {
    isInternetAddress(text)
        || (1...253).contains(text.utf8.count)
            && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
                (1...63).contains(label.utf8.count) && label.first != "-"
                    && label.utf8.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") }
            }
}

func isInternetAddress(_ text: String) -> Bool {
    var bytes = (UInt64(0), UInt64(0))
    return inet_pton(AF_INET, text, &bytes) == 1 || inet_pton(AF_INET6, text, &bytes) == 1
}

/// An address that is not from DHCP: `ADDRESS/LENGTH`, and its gateway. One that the machine's network service would refuse cannot be made.
struct StaticAddress: Sendable, Hashable {
    /// Including the prefix length.
    let address: String
    let gateway: String?

    init?(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        guard words.count == 1 || words.count == 3 && words[1] == "via" else { return nil }
        let parts = words[0].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let own = InternetAddress(parts[0]), let length = Int(parts[1]), length >= 1,
            own.isHost(inPrefixOf: length)
        else { return nil }
        if words.count == 3 {
            // A gateway that is not in the network has no route. Routers of IPv6 have addresses of the link as well.
            guard let gateway = InternetAddress(words[2]), gateway != own,
                gateway.isHost(inPrefixOf: length) && gateway.hasSamePrefix(of: length, as: own)
                    || gateway.isOfLink && !own.isOfIPv4
            else { return nil }
        }
        address = words[0]
        gateway = words.count == 3 ? words[2] : nil
    }
}

/// A numeric address.
struct InternetAddress: Hashable {
    /// 4 or 16, in network order.
    private let bytes: [UInt8]

    init?(_ text: String) {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            guard inet_pton(family, text, &bytes) == 1 else { continue }
            self.bytes = bytes
            return
        }
        return nil
    }

    var isOfIPv4: Bool { bytes.count == 4 }
    /// fe80::/10.
    var isOfLink: Bool { !isOfIPv4 && bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 }

    private func bit(_ index: Int) -> Bool { bytes[index / 8] >> (7 - index % 8) & 1 == 1 }

    func hasSamePrefix(of length: Int, as other: InternetAddress) -> Bool {
        bytes.count == other.bytes.count && (0..<min(length, bytes.count * 8)).allSatisfy { bit($0) == other.bit($0) }
    }

    /// Whether one machine of a network with this prefix may have it: it is none of many machines, of none, or of this machine alone.
    func isHost(inPrefixOf length: Int) -> Bool {
        guard length <= bytes.count * 8 else { return false }
        guard isOfIPv4 else {
            return bytes[0] != 0xFF && bytes.contains { $0 != 0 } && bytes != Array(repeating: 0, count: 15) + [1]
        }
        guard bytes[0] != 0, bytes[0] != 127, bytes[0] < 224 else { return false }
        // RFC 3021: networks of two machines have no address for all.
        guard length < 31 else { return true }
        let rest = (length..<32).map(bit)
        return rest.contains(true) && rest.contains(false)
    }
}
