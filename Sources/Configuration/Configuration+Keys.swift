/// The settings used by the program. A key that is absent, or was never valid, has its default.
extension Configuration {
    func text(_ name: String) -> String? { if case .text(let text) = values[name], !text.isEmpty { text } else { nil } }
    func number(_ name: String) -> Int? { if case .number(let number) = values[name] { number } else { nil } }
    func truth(_ name: String) -> Bool? { if case .truth(let truth) = values[name] { truth } else { nil } }
    func list(_ name: String) -> [String] { if case .list(let list) = values[name] { list } else { [] } }
    func table(_ name: String) -> [String: String] { if case .table(let table) = values[name] { table } else { [:] } }

    /// `[box] name` as written, `{serial}` not replaced.
    package var boxName: String? { text("box.name") }
    /// `[box] group`.
    package var group: String? { text("box.group") }
    /// `[box] language`.
    package var language: String? { text("box.language") }
    /// `[box] timezone`: a name of the time zone database.
    package var timeZone: String? { text("box.timezone") }
    /// `[box] kiosk`.
    package var isKiosk: Bool { truth("box.kiosk") ?? false }
    /// `[box] keep_secrets`.
    package var keepsSecrets: Bool { truth("box.keep_secrets") ?? false }
    /// `[feed] url` as written, `{group}` and `{box}` not replaced.
    package var feedURL: String? { text("feed.url") }
    /// `[feed] file`.
    package var feedFile: String? { text("feed.file") }
    /// `[feed] allow_http`: hosts for which plain http is accepted.
    package var plainHTTPHosts: Set<String> { Set(list("feed.allow_http")) }
    /// `[feed] headers` as request header lines, ordered by name. Secret.
    package var feedHeaders: [String] { table("feed.headers").sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" } }

    /// The header lines of each feed request: `feedHeaders` and `identityHeaders`.
    package func feedRequestHeaders(serial: String?) -> [String] { feedHeaders + identityHeaders(serial: serial) }

    /// The header lines that identify the box to operators' servers: its name, and its group if it has one.
    package func identityHeaders(serial: String?) -> [String] {
        ["X-Marquee-Box: \(name(serial: serial))"] + (group.map { ["X-Marquee-Group: \($0)"] } ?? [])
    }
    /// `[feed] public_keys`, as written: `NAME:BASE64`.
    package var publicKeys: [String] { list("feed.public_keys") }
    /// `[feed] allow_rollback`.
    package var allowsRollback: Bool { truth("feed.allow_rollback") ?? false }
    /// `[feed] allow_usb`.
    package var allowsUSB: Bool { truth("feed.allow_usb") ?? false }
    /// `[feed] allow_discovery`.
    package var allowsDiscovery: Bool { truth("feed.allow_discovery") ?? false }
    /// `[network] ca_file`: the name of a file next to this one.
    package var authorityFile: String? { text("network.ca_file") }
    /// `[network] metered`: true and false are the operator's choice, nil is detected automatically.
    package var isMetered: Bool? { text("network.metered").flatMap { $0 == "auto" ? nil : $0 == "yes" } }
    /// `[audio] passthrough`.
    package var passesSoundThrough: Bool { truth("audio.passthrough") ?? false }
    /// `[audio] delay_ms`: how much later than the picture the sound plays; negative: earlier.
    package var soundDelay: Duration { .milliseconds(number("audio.delay_ms") ?? 0) }
    /// `[remote] keymap`: the name of a file next to this one.
    package var keyMapFile: String? { text("remote.keymap") }
    /// `[api] token_sha256` in lower case; nil: other machines have no access. Secret.
    package var tokenDigest: String? { text("api.token_sha256")?.lowercased() }
    /// `[network] proxy`.
    package var proxy: String? { text("network.proxy") }
    /// `[display] mode`, e.g. `1280x720@50`; nil is automatic.
    package var displayMode: String? { text("display.mode").flatMap { $0 == "auto" ? nil : $0 } }
    /// `[display] refresh_matching`: whether the refresh rate follows the frame rate of the content.
    package var matchesRefresh: Bool { truth("display.refresh_matching") ?? true }
    /// `[display] overscan` in percent.
    package var overscanPercent: Int { number("display.overscan") ?? 0 }
    /// `[audio] output`: an ALSA device; nil is automatic.
    package var audioOutput: String? { text("audio.output").flatMap { $0 == "auto" ? nil : $0 } }
    /// `[parental] pin_sha256` in lower case. Secret.
    package var pinDigest: String? { text("parental.pin_sha256")?.lowercased() }
    /// `[parental] limit` as written.
    package var parentalLimit: String? { text("parental.limit") }

    /// `[report] url`: where the box sends its status reports; nil: nowhere.
    package var reportURL: String? { text("report.url") }
    /// `[report] interval`.
    package var reportInterval: Duration { .seconds(number("report.interval") ?? 900) }

    /// Whether this box was never configured.
    package var isEmpty: Bool { values.isEmpty }

    /// Whether this box was given a feed.
    package var namesFeed: Bool { feedURL != nil || feedFile != nil }

    /// The name of this box: `[box] name` with its serial number, otherwise `marquee-` and the end of the serial number.
    package func name(serial: String?) -> String {
        let serial = (serial ?? "").filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.lowercased()
        guard let boxName else { return serial.isEmpty ? "marquee" : "marquee-\(serial.suffix(6))" }
        return String(boxName.replacing("{serial}", with: serial.isEmpty ? "0" : serial).prefix(63))
    }

    /// `[feed] url` with `{group}` and `{box}` replaced; `feedFile` when there is no address.
    package func feedAddress(serial: String?) -> String? {
        feedURL.map { $0.replacing("{group}", with: group ?? "default").replacing("{box}", with: name(serial: serial)) }
            ?? feedFile
    }

    /// The documentation of every key in `marquee provision --check` and `docs/provisioning.md`: its name, its value and its
    /// default.
    package static var reference: [(name: String, takes: String, standard: String, isSecret: Bool)] {
        ConfigurationKey.all.map { key in
            let takes: String
            switch key.kind {
            case .text(let rule), .list(let rule): takes = rule.remedy
            case .wholeNumber(let range): takes = "write a whole number from \(range.lowerBound) to \(range.upperBound)"
            case .truth: takes = "write true or false"
            case .table: takes = "write a table of texts, such as { Authorization = \"Bearer …\" }"
            }
            return (key.name, takes, key.standard ?? "nothing", key.isSecret)
        }
    }
}
