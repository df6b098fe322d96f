/// Every key of `marquee.toml`: its name, the kind of its value, and its default. One row per key; the reader, `applied.txt` and
/// the documentation are all made from this table.
struct ConfigurationKey: Sendable {
    /// The kind of a value.
    enum Kind: Sendable {
        case text(TextRule)
        case wholeNumber(ClosedRange<Int>)
        case truth
        case list(TextRule)
        /// Texts by name.
        case table
    }

    /// `section.key`.
    let name: String
    let kind: Kind
    /// The default, in words; nil: there is none.
    let standard: String?
    /// Whether its value is never shown, is kept on the data partition and is wiped from the file.
    var isSecret = false
    /// Whether the value names a file that must be next to the settings.
    var namesFile: Bool { ["network.ca_file", "remote.keymap"].contains(name) }
    /// What this version of the box lacks to apply it; nil: it is applied.
    var waitsFor: String?

    static let all: [ConfigurationKey] = [
        .init("box.name", .text(.boxName), "marquee- and the end of the serial number"),
        .init("box.group", .text(.group), nil),
        .init("box.language", .text(.language), "\"en\""),
        .init("box.timezone", .text(.timeZone), "\"UTC\""),
        .init("box.kiosk", .truth, "false"),
        .init("box.keep_secrets", .truth, "false"),
        .init("feed.url", .text(.feedAddress), nil),
        .init("feed.file", .text(.path), nil),
        .init("feed.public_keys", .list(.publicKey), "[]"),
        .init("feed.allow_rollback", .truth, "false"),
        .init("feed.allow_http", .list(.host), "[]"),
        .init("feed.allow_usb", .truth, "false"),
        .init("feed.allow_discovery", .truth, "false"),
        .init("feed.headers", .table, nil, isSecret: true),
        .init("network.wifi_ssid", .text(.networkName), nil),
        .init("network.wifi_password", .text(.networkPassword), nil, isSecret: true),
        .init("network.wifi_country", .text(.country), nil),
        .init("network.address", .text(.wiredAddress), "\"dhcp\""),
        .init("network.dns", .list(.internetAddress), "[]"),
        .init("network.ntp", .list(.host), "[]"),
        .init("network.proxy", .text(.proxy), nil),
        .init("network.ca_file", .text(.fileName), nil),
        .init("network.metered", .text(.oneOf(["auto", "yes", "no"])), "\"auto\""),
        .init("display.mode", .text(.displayMode), "\"auto\""),
        .init("display.refresh_matching", .truth, "true"),
        .init("display.overscan", .wholeNumber(0...5), "0"),
        .init("audio.output", .text(.audioOutput), "\"auto\""),
        .init("audio.passthrough", .truth, "false"),
        .init("audio.delay_ms", .wholeNumber(-1000...1000), "0"),
        .init("remote.keymap", .text(.fileName), nil),
        .init("api.token_sha256", .text(.digest), nil, isSecret: true),
        .init("parental.pin_sha256", .text(.digest), nil, isSecret: true),
        .init("parental.limit", .text(.rating), nil),
        .init("update.url", .text(.webAddress), nil, waitsFor: "updates"),
        .init("update.window", .text(.window), "\"02:00-05:00\"", waitsFor: "updates"),
        .init("report.url", .text(.webAddress), nil),
        .init("report.interval", .wholeNumber(60...86400), "900"),
        .init("download.window", .text(.window), "\"01:00-06:00\"", waitsFor: "downloads"),
        .init("download.max_kbit", .wholeNumber(1...1_000_000), "4000", waitsFor: "downloads"),
        .init("download.keep_free_mib", .wholeNumber(0...1_000_000), "512", waitsFor: "downloads"),
    ]

    private init(_ name: String, _ kind: Kind, _ standard: String?, isSecret: Bool = false, waitsFor: String? = nil) {
        self.name = name
        self.kind = kind
        self.standard = standard
        self.isSecret = isSecret
        self.waitsFor = waitsFor
    }

    static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    static let sections = Set(all.map { String($0.name.prefix { $0 != "." }) })

    /// The known key nearest to a wrong one, if it is near enough to be meant.
    static func nearest(to name: String) -> String? {
        let near = all.map { ($0.name, distance(name, $0.name)) }.min { ($0.1, $0.0) < ($1.1, $1.0) }
        return near.flatMap { $0.1 <= 3 ? $0.0 : nil }
    }

    /// The Levenshtein distance.
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
