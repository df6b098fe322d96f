/// Every key that `marquee.toml` may hold: its name, the kind of value it takes, and what it is without one. One row a key: the reader, `applied.txt` and
/// the documentation are all made from this table.
struct ConfigurationKey: Sendable {
    /// What a value may be.
    enum Kind: Sendable {
        case text
        case wholeNumber(ClosedRange<Int>)
        case truth
        case list
        case table
        /// One of these words.
        case word([String])
        /// `HH:MM-HH:MM`.
        case window
        /// 64 hexadecimal digits, or nothing.
        case digest
    }

    /// `section.key`.
    let name: String
    let kind: Kind
    /// Whether its value is shown to nobody.
    var isSecret = false

    static let all: [ConfigurationKey] = [
        .init(name: "box.name", kind: .text),
        .init(name: "box.group", kind: .text),
        .init(name: "box.language", kind: .text),
        .init(name: "box.timezone", kind: .text),
        .init(name: "box.kiosk", kind: .truth),
        .init(name: "box.keep_secrets", kind: .truth),
        .init(name: "feed.url", kind: .text),
        .init(name: "feed.file", kind: .text),
        .init(name: "feed.public_keys", kind: .list),
        .init(name: "feed.allow_rollback", kind: .truth),
        .init(name: "feed.allow_http", kind: .list),
        .init(name: "feed.allow_usb", kind: .truth),
        .init(name: "feed.allow_discovery", kind: .truth),
        .init(name: "feed.headers", kind: .table, isSecret: true),
        .init(name: "network.wifi_ssid", kind: .text),
        .init(name: "network.wifi_password", kind: .text, isSecret: true),
        .init(name: "network.wifi_country", kind: .text),
        .init(name: "network.address", kind: .text),
        .init(name: "network.dns", kind: .list),
        .init(name: "network.ntp", kind: .list),
        .init(name: "network.proxy", kind: .text),
        .init(name: "network.ca_file", kind: .text),
        .init(name: "network.metered", kind: .word(["auto", "yes", "no"])),
        .init(name: "display.mode", kind: .text),
        .init(name: "display.refresh_matching", kind: .truth),
        .init(name: "display.overscan", kind: .wholeNumber(0...5)),
        .init(name: "audio.output", kind: .text),
        .init(name: "audio.passthrough", kind: .truth),
        .init(name: "audio.delay_ms", kind: .wholeNumber(-1000...1000)),
        .init(name: "remote.keymap", kind: .text),
        .init(name: "api.token_sha256", kind: .digest, isSecret: true),
        .init(name: "parental.pin_sha256", kind: .digest, isSecret: true),
        .init(name: "parental.limit", kind: .text),
        .init(name: "update.url", kind: .text),
        .init(name: "update.window", kind: .window),
        .init(name: "report.url", kind: .text),
        .init(name: "report.interval", kind: .wholeNumber(60...86400)),
        .init(name: "download.window", kind: .window),
        .init(name: "download.max_kbit", kind: .wholeNumber(1...1_000_000)),
        .init(name: "download.keep_free_mib", kind: .wholeNumber(0...1_000_000)),
    ]

    static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    static let sections = Set(all.map { String($0.name.prefix { $0 != "." }) })

    /// The known key that is nearest to a wrong one, when it is near enough to be meant.
    static func nearest(to name: String) -> String? {
        let near = all.map { ($0.name, distance(name, $0.name)) }.min { ($0.1, $0.0) < ($1.1, $1.0) }
        return near.flatMap { $0.1 <= 3 ? $0.0 : nil }
    }

    /// Levenshtein's distance.
    private static func distance(_ first: String, _ second: String) -> Int {
        let second = Array(second)
        var row = Array(0...second.count)
        for (line, letter) in first.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for column in second.indices {
                let cost = diagonal + (letter == second[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(cost, row[column] + 1, diagonal + 1)
            }
        }
        return row[second.count]
    }
}
