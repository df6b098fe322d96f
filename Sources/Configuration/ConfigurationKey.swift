import MediaModel
import WireFormats

/// Every key of `marquee.toml`: its name, the kind of its value, and its default. One row per key; the reader, `applied.txt` and
/// the documentation are all made from this table.
struct ConfigurationKey: Sendable {
    /// The kind of a value.
    enum Kind: Sendable {
        case text(TextRule)
        case wholeNumber(ClosedRange<Int>)
        /// One of some numbers.
        case numberOf([Int])
        case truth
        case list(TextRule)
        /// Texts by name.
        case table(TextRule)
    }

    /// `section.key`.
    let name: String
    let kind: Kind
    /// The default, in words; nil: there is none.
    let standard: String?
    /// Whether its value is never shown, is kept on the data partition and is wiped from the file.
    var isSecret = false
    /// Whether the value names a file that must be next to the settings.
    var namesFile: Bool {
        ["network.ca_file", "remote.keymap", "api.certificate", "api.key", "mqtt.certificate", "mqtt.key"].contains(name)
    }

    /// Why no document sets it from afar (`SettingsDocument`), as the end of a sentence; nil if one may.
    var reasonAgainstDocuments: String? {
        switch name {
        case "box.name", "box.group": "documents find their boxes by it"
        case "box.keep_secrets": "it is about the file on the card"
        case "feed.file": "it names a file of the box"
        case "settings.public_keys", "settings.spare_keys": "keys rotate by publicKeys and spareKeys of a document"
        default: namesFile ? "it names a file on the card" : nil
        }
    }

    static let all: [ConfigurationKey] = [
        .init("box.name", .text(.boxName), "marquee- and the end of the serial number"),
        .init("box.group", .text(.group), nil),
        .init("box.language", .text(.language), "\"en\""),
        .init("box.timezone", .text(.timeZone), "\"UTC\""),
        .init("box.hours", .list(.hours), "the feed's, else always"),
        .init("box.start", .text(.identifier), "the feed's"),
        .init("box.kiosk", .truth, "false"),
        .init("box.keep_secrets", .truth, "false"),
        .init("feed.url", .text(.feedAddress), nil),
        .init("feed.file", .text(.path), nil),
        .init("feed.public_keys", .list(.publicKey), "[]"),
        .init("feed.allow_rollback", .truth, "false"),
        .init("feed.allow_http", .list(.host), "[]"),
        .init("feed.allow_usb", .truth, "false"),
        .init("feed.allow_discovery", .truth, "false"),
        .init("feed.headers", .table(.header), nil, isSecret: true),
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
        .init("display.rotation", .numberOf(DisplayRotation.allCases.map(\.rawValue)), "0"),
        .init("display.refresh_matching", .truth, "true"),
        .init("display.hdr", .text(.oneOf(["auto", "off"])), "\"auto\""),
        .init("display.overscan", .wholeNumber(0...5), "0"),
        .init("playback.hardware_decoding", .text(.oneOf(["auto", "off"])), "\"auto\""),
        .init("audio.output", .text(.audioOutput), "\"auto\""),
        .init("audio.passthrough", .truth, "false"),
        .init("audio.delay_ms", .wholeNumber(-1000...1000), "0"),
        .init("sound.start_volume", .wholeNumber(0...100), "sound.max_volume"),
        .init("sound.min_volume", .wholeNumber(0...100), "0"),
        .init("sound.max_volume", .wholeNumber(0...100), "100"),
        .init("remote.keymap", .text(.fileName), nil),
        .init("api.token_sha256", .text(.digest), nil, isSecret: true),
        .init("api.tokens", .table(.accessToken), nil, isSecret: true),
        .init("api.certificate", .text(.fileName), "the box's own"),
        .init("api.key", .text(.fileName), "the box's own"),
        .init("api.allow_http", .truth, "false"),
        .init("api.announce", .truth, "false"),
        .init("parental.pin_sha256", .text(.digest), nil, isSecret: true),
        .init("parental.limit", .text(.rating), nil),
        .init("update.url", .text(.webAddress), nil),
        .init("update.public_keys", .list(.publicKey), "feed.public_keys"),
        .init("update.window", .text(.window), "\"02:00-05:00\""),
        .init("report.url", .text(.reportAddress), nil),
        .init("report.interval", .wholeNumber(60...86400), "900"),
        .init("report.plays", .truth, "false"),
        .init("report.sign_plays", .truth, "false"),
        .init("report.headers", .table(.header), nil, isSecret: true),
        .init("settings.url", .text(.webAddress), nil),
        .init("settings.public_keys", .list(.publicKey), "[]"),
        .init("settings.spare_keys", .list(.publicKey), "[]"),
        .init("settings.trial_minutes", .wholeNumber(2...1440), "15"),
        .init("mqtt.url", .text(.broker), nil),
        .init("mqtt.user", .text(.any), nil),
        .init("mqtt.password", .text(.any), nil, isSecret: true),
        .init("mqtt.certificate", .text(.fileName), nil),
        .init("mqtt.key", .text(.fileName), nil),
        .init("mqtt.topic", .text(.topic), "\"marquee\""),
        .init("mqtt.discovery", .text(.topic), nil),
        .init("mqtt.allow", .text(.oneOf(["look", "steer", "configure"])), "\"steer\""),
        .init("download.window", .text(.window), "\"01:00-06:00\""),
        .init("download.max_kbit", .wholeNumber(1...1_000_000), "4000"),
        .init("download.keep_free_mib", .wholeNumber(0...1_000_000), "512"),
    ]

    private init(_ name: String, _ kind: Kind, _ standard: String?, isSecret: Bool = false) {
        self.name = name
        self.kind = kind
        self.standard = standard
        self.isSecret = isSecret
    }

    static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    static let sections = Set(all.map { String($0.name.prefix { $0 != "." }) })

    /// The known key nearest to a wrong one, if it is near enough to be meant.
    static func nearest(to name: String) -> String? { nearest(to: name, among: all.map(\.name), within: 3) }

    /// The known name nearest to a wrong one, if it differs by so many letters at most.
    static func nearest(to name: String, among known: [String], within most: Int) -> String? {
        let near = known.map { ($0, distance(name, $0)) }.min { ($0.1, $0.0) < ($1.1, $1.0) }
        return near.flatMap { $0.1 <= most ? $0.0 : nil }
    }

    /// Whether a name differs from that of a key by one letter, or by two letters in the other order.
    static func isSlip(_ name: String) -> Bool {
        all.contains { key in
            switch distance(name, key.name) {
            case 1: true
            case 2: name.sorted() == key.name.sorted()
            default: false
            }
        }
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

/// Why a value is not accepted.
struct WrongValue: Error, Sendable {
    /// What would be valid.
    let remedy: String
}

extension ConfigurationKey.Kind {
    /// The value if it is of this kind.
    func read(_ value: TOMLValue) -> Result<Configuration.Value, WrongValue> {
        switch self {
        case .text(let rule): readText(value, rule)
        case .truth: if case .boolean(let truth) = value { .success(.truth(truth)) } else { wrong("write true or false") }
        case .wholeNumber(let range): readNumber(value, range)
        case .numberOf(let numbers): readNumber(value, among: numbers)
        case .list(let rule): readList(value, rule)
        case .table(let rule): readTable(value, rule)
        }
    }

    /// No text of the settings has a use for another line, and one that turns a line of a report, or begins another, could say what the box did not.
    private static let oneLine = "write it on one line, without control characters"

    private func wrong(_ remedy: String) -> Result<Configuration.Value, WrongValue> { .failure(WrongValue(remedy: remedy)) }

    private func readNumber(_ value: TOMLValue, _ range: ClosedRange<Int>) -> Result<Configuration.Value, WrongValue> {
        guard case .integer(let number) = value, range.contains(number) else {
            return wrong("write a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return .success(.number(number))
    }

    private func readNumber(_ value: TOMLValue, among numbers: [Int]) -> Result<Configuration.Value, WrongValue> {
        guard case .integer(let number) = value, numbers.contains(number) else {
            return wrong(Self.remedy(among: numbers))
        }
        return .success(.number(number))
    }

    /// What to write instead of another number.
    static func remedy(among numbers: [Int]) -> String {
        "write one of the numbers " + numbers.map(String.init).joined(separator: ", ") + ", without quotes"
    }

    private func readList(_ value: TOMLValue, _ rule: TextRule) -> Result<Configuration.Value, WrongValue> {
        guard case .array(let array) = value else { return wrong(rule.remedy) }
        let texts = array.map(\.text)
        for text in texts {
            guard let text else { return wrong(rule.remedy) }
            guard JSONText.isOneLine(text) else { return wrong(Self.oneLine) }
            if let fault = rule.fault(text) { return wrong(fault) }
        }
        return .success(.list(texts.compactMap { $0 }))
    }

    private func readTable(_ value: TOMLValue, _ rule: TextRule) -> Result<Configuration.Value, WrongValue> {
        guard let table = value.table else { return wrong(rule.remedy) }
        var texts: [String: String] = [:]
        for member in table.members {
            let key = member.name
            guard let text = member.value.text else { return wrong("write text in quotes for \(JSONText.quoted(key))") }
            // It becomes a header line: no character may end the line or the name early.
            guard !key.isEmpty, key.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ":") }),
                JSONText.isOneLine(text)
            else { return wrong("write names without spaces and colons, and values on one line") }
            if text != Configuration.storedMark, let fault = rule.fault(text) { return wrong(fault) }
            texts[key] = text
        }
        return .success(.table(texts))
    }

    private func readText(_ value: TOMLValue, _ rule: TextRule) -> Result<Configuration.Value, WrongValue> {
        guard let text = value.text else { return wrong(rule.remedy) }
        guard JSONText.isOneLine(text) else { return wrong(Self.oneLine) }
        return rule.fault(text).map { wrong($0) } ?? .success(.text(text))
    }
}
