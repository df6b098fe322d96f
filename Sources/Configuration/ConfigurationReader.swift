import CivilTime
import MediaModel
import URLReferences
import WireFormats

/// A parsed `marquee.toml`. A value; `Provisioning` connects it to files.
package struct Configuration: Sendable {
    /// The applied values by `section.key`.
    private(set) var values: [String: Value] = [:]
    /// The verdict on each key, in the order of the file.
    package private(set) var verdicts: [KeyVerdict] = []

    enum Value: Sendable, Hashable {
        case text(String)
        case number(Int)
        case truth(Bool)
        case list([String])
        case table([String: String])
    }

    /// The names of the keys that have another value than in an earlier configuration, sorted.
    package func changes(since earlier: Configuration) -> [String] {
        Set(values.keys).union(earlier.values.keys).filter { values[$0] != earlier.values[$0] }.sorted()
    }

    /// Replaces a secret that was removed from the file: the value is the one stored on the box.
    package static let storedMark = "(stored)"

    /// An empty configuration: every key has its default.
    package init() {}

    /// Parses the text of a file.
    ///
    /// - Parameters:
    ///   - text: the file.
    ///   - previous: the previously applied configuration: an invalid key keeps its value, and a secret given as `(stored)` is
    ///     taken from it.
    ///   - isBeside: whether a file of this name is next to the settings, for keys that name one.
    /// - Throws: `ConfigurationError` when it is not TOML. A single invalid key is a verdict, not an error.
    package init(
        _ text: String, previous: Configuration = Configuration(), isBeside: (String) -> Bool = { _ in true }
    ) throws(ConfigurationError) {
        let root: TOMLTable
        do {
            root = try TOMLTable(text)
        } catch {
            throw .syntax(line: error.line, column: error.column, reason: error.reason)
        }
        var verdicts: [KeyVerdict] = []
        // The names that do not exist, each with the place of its verdict.
        var unknown: [(name: String, verdict: Int)] = []
        for section in root.members {
            guard let table = section.value.table, ConfigurationKey.sections.contains(section.name) else {
                let names =
                    section.value.tables.map { $0.flatMap(\.members).map { "\(section.name).\($0.name)" } } ?? [section.name]
                unknown += names.map { ($0, verdicts.count) }
                verdicts.append(KeyVerdict(noSection: section))
                continue
            }
            for member in table.members {
                let verdict = apply("\(section.name).\(member.name)", member.value, member.line, previous, isBeside)
                if verdict.outcome == .ignored { unknown.append((verdict.name, verdicts.count)) }
                verdicts.append(verdict)
            }
        }
        guardAgainst(unknown, &verdicts, previous)
        guardWireless(unknown.map(\.name), &verdicts, previous)
        doubtAddresses(&verdicts)
        doubtKeys(&verdicts)
        self.verdicts = verdicts.sorted { ($0.line ?? .max, $0.name) < ($1.line ?? .max, $1.name) }
    }

    /// Guarded keys that are not in the file, but may be meant by a name that does not exist.
    private mutating func guardAgainst(
        _ unknown: [(name: String, verdict: Int)], _ verdicts: inout [KeyVerdict], _ previous: Configuration
    ) {
        let written = Set(verdicts.map(\.name))
        for (name, index) in unknown {
            for key in GuardedKey.meant(by: name) where !written.contains(key.name) {
                guard let strictest = key.strictest else { continue }
                let old = previous.values[key.name]
                values[key.name] = old ?? strictest
                verdicts[index].add(old == nil ? key.words : "until then \(key.name) keeps its previous value")
            }
        }
    }

    /// A network that would be open, or get the password of another, because of a mistake is not joined.
    private mutating func guardWireless(_ unknown: [String], _ verdicts: inout [KeyVerdict], _ previous: Configuration) {
        if verdicts.contains(where: { $0.name == WirelessPair.name && $0.outcome == .wrong }) {
            // The password in the file belongs to a network that is not known.
            for name in [WirelessPair.name, WirelessPair.password] { values[name] = previous.values[name] }
            return
        }
        let isWrong = verdicts.contains { $0.name == WirelessPair.password && $0.outcome == .wrong }
        let isWritten = verdicts.contains { $0.name == WirelessPair.password }
        let isMeant = unknown.contains { GuardedKey.meant(by: $0).contains { $0.name == WirelessPair.password } }
        guard isWrong || !isWritten && isMeant else { return }
        var written = WirelessPair(values)
        guard written.name != nil else { return }
        if !isWritten {
            written = WirelessPair(values.merging(previous.values.filter { $0.key == WirelessPair.password }) { $1 })
        }
        let pair = WirelessPair(written: written, previous: WirelessPair(previous.values))
        (values[WirelessPair.name], values[WirelessPair.password]) = (pair.name, pair.password)
        guard let index = verdicts.firstIndex(where: { $0.name == WirelessPair.name && $0.outcome == .applied }),
            pair.name != written.name
        else { return }
        let before = pair.name == nil ? "no network is joined" : "the network that was applied before is joined"
        verdicts[index] = KeyVerdict(
            name: WirelessPair.name, outcome: .wrong, line: verdicts[index].line,
            remark:
                "its password was not understood, and without one the network would be open; until that is corrected \(before). Write wifi_password = \"\" if it is open"
        )
    }

    /// Addresses that the player does not use as they are written. They stay, so that the screen names what it refuses.
    private func doubtAddresses(_ verdicts: inout [KeyVerdict]) {
        for address in RefusedAddress.all(in: self, serial: nil) {
            doubt(
                address.name,
                "\(address.fault) is refused from this host; write \(address.remedy), or add \"\(address.host)\" to [feed] allow_http",
                &verdicts)
        }
        if text("update.url") != nil, updateKeys.isEmpty {
            doubt("update.url", "no updates are made, since neither [update] nor [feed] public_keys has a key", &verdicts)
        }
        if text("settings.url") != nil, settingsKeys.isEmpty {
            doubt(
                "settings.url", "no settings are asked for, since neither of [settings] public_keys and spare_keys has a key",
                &verdicts)
        }
    }

    /// Keys of one name, of which one counts, and keys of settings with which every document would be refused.
    private func doubtKeys(_ verdicts: inout [KeyVerdict]) {
        for name in ["feed.public_keys", "update.public_keys"] where SettingsKeys(working: Array(Set(list(name)))).hasNameTwice {
            doubt(name, "two keys have one name, and only the last of them counts; give each its own", &verdicts)
        }
        let keys = settingsKeys
        for (name, list) in [("settings.public_keys", keys.working), ("settings.spare_keys", keys.spare)]
        where list.count > SettingsDocument.mostKeys {
            doubt(
                name,
                "write at most \(SettingsDocument.mostKeys) keys: no document can name more, so that the first one that changes them takes keys away",
                &verdicts)
        }
        guard keys.hasNameTwice || keys.hasKeyTwice else { return }
        let words = keys.hasKeyTwice ? "one key is there twice in [settings]" : "two keys in [settings] have one name"
        let name = keys.spare.isEmpty ? "settings.public_keys" : "settings.spare_keys"
        doubt(name, "\(words), with which every document is refused; write each key once, with a name of its own", &verdicts)
    }

    /// Turns what is written as it should be into what is of no use.
    private func doubt(_ name: String, _ remark: String, _ verdicts: inout [KeyVerdict]) {
        guard let index = verdicts.firstIndex(where: { $0.name == name && $0.outcome == .applied }) else { return }
        verdicts[index] = KeyVerdict(name: name, outcome: .wrong, line: verdicts[index].line, remark: remark)
    }

    /// The same configuration with what a trial of its files found.
    ///
    /// - Parameter remarks: sentences about keys that cannot be used as written; those that begin with the name of an applied key and a colon become its
    ///   verdict.
    package func refusing(_ remarks: [String]) -> Configuration {
        var copy = self
        for remark in remarks {
            guard let index = copy.verdicts.firstIndex(where: { $0.outcome == .applied && remark.hasPrefix($0.name + ": ") })
            else { continue }
            let old = copy.verdicts[index]
            let words = remark.dropFirst(old.name.count + 2)
            copy.verdicts[index] = KeyVerdict(
                name: old.name, outcome: .wrong, line: old.line, remark: String(words.hasSuffix(".") ? words.dropLast() : words))
        }
        return copy
    }

    private mutating func apply(
        _ name: String, _ value: TOMLValue, _ line: Int, _ previous: Configuration, _ isBeside: (String) -> Bool
    ) -> KeyVerdict {
        func verdict(_ outcome: KeyVerdict.Outcome, _ remark: String) -> KeyVerdict {
            KeyVerdict(name: name, outcome: outcome, line: line, remark: remark)
        }
        guard let key = ConfigurationKey.byName[name] else {
            let hint = ConfigurationKey.nearest(to: name).map { "did you mean \($0)?" } ?? "see docs/provisioning.md for all keys"
            return verdict(.ignored, "there is no such key; \(hint)")
        }
        let old = previous.values[name]
        switch Self.read(key, value, old) {
        case .success(let read):
            if key.namesFile, case .text(let file) = read, !file.isEmpty, !isBeside(file) {
                return verdict(.wrong, "there is no file \(file) in the folder of this one; put it there, or remove the key")
            }
            values[name] = read
            return verdict(.applied, key.isSecret ? "(secret)" : Redaction.inText(read.words))
        case .failure(let wrong):
            let guarded = GuardedKey.byName[name]
            values[name] = old ?? guarded?.strictest
            if old != nil { return verdict(.wrong, "\(wrong.remedy); until then the previous value is used") }
            guard let guarded, guarded.strictest != nil else { return verdict(.wrong, wrong.remedy) }
            return verdict(.wrong, "\(wrong.remedy); \(guarded.words)")
        }
    }

    private static func read(
        _ key: ConfigurationKey, _ value: TOMLValue, _ old: Value?
    ) -> Result<Value, WrongValue> {
        let missing = Result<Value, WrongValue>.failure(WrongValue(remedy: "the box has no stored value: write the value itself"))
        guard key.isSecret else { return key.kind.read(value) }
        if value.text == storedMark { return old.map { .success($0) } ?? missing }
        guard case .success(.table(var table)) = key.kind.read(value) else { return key.kind.read(value) }
        for (name, text) in table where text == storedMark {
            guard case .table(let before) = old, let kept = before[name] else { return missing }
            table[name] = kept
        }
        return .success(.table(table))
    }

    mutating func take(_ values: [String: Value]) { self.values = values }

    /// The keys that are not applied as written.
    package var problems: [KeyVerdict] { verdicts.filter { $0.outcome == .ignored || $0.outcome == .wrong } }

    /// The report written next to the file, which shows the integrator how the box understood it.
    package var report: String { verdicts.map(\.description).joined(separator: "\n") + (verdicts.isEmpty ? "" : "\n") }
}

extension Configuration.Value {
    /// A readable form.
    var words: String {
        switch self {
        case .text, .number, .truth, .list: literal
        // Its values may be secrets.
        case .table(let table): "{" + table.keys.sorted().joined(separator: ", ") + "}"
        }
    }
}

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
    /// `[box] start`: the id of what plays at the start.
    package var start: String? { text("box.start") }
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
    package var feedHeaders: [String] { headers("feed.headers") }

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
    /// `[sound] start_volume`, in percent: that of a box on which none was set yet.
    package var startVolume: Int? { number("sound.start_volume") }
    /// `[sound] min_volume`, in percent.
    package var leastVolume: Int? { number("sound.min_volume") }
    /// `[sound] max_volume`, in percent.
    package var mostVolume: Int? { number("sound.max_volume") }
    /// `[remote] keymap`: the name of a file next to this one.
    package var keyMapFile: String? { text("remote.keymap") }
    /// `[api] tokens`, and `[api] token_sha256`, which allows everything; empty: other machines have no access. Secret.
    package var tokens: [AccessToken] {
        (text("api.token_sha256").map { [AccessToken(name: "token_sha256", right: .configure, digest: $0)] } ?? [])
            + table("api.tokens").sorted { $0.key < $1.key }.compactMap { AccessToken(name: $0.key, $0.value) }
    }
    /// `[api] certificate` and `[api] key`: the names of files next to this one. One that is named alone holds both.
    package var pageCertificate: (certificate: String, key: String)? {
        let (certificate, key) = (text("api.certificate"), text("api.key"))
        return (certificate ?? key).flatMap { first in (key ?? certificate).map { (first, $0) } }
    }
    /// `[api] allow_http`: whether other machines may use the page without TLS.
    package var allowsPlainPage: Bool { truth("api.allow_http") ?? false }
    /// `[api] announce`: whether the local network is told about the page.
    var announcesPage: Bool { truth("api.announce") ?? false }
    /// The port of the page where the command line names none.
    package static let pagePort: UInt16 = 8080
    /// `[network] proxy`.
    package var proxy: String? { text("network.proxy") }
    /// `[display] mode`, e.g. `1280x720@50`; nil is automatic.
    package var displayMode: String? { text("display.mode").flatMap { $0 == "auto" ? nil : $0 } }
    /// `[display] rotation`.
    package var rotation: DisplayRotation { number("display.rotation").flatMap { DisplayRotation(rawValue: $0) } ?? .none }
    /// `[display] refresh_matching`: whether the refresh rate follows the frame rate of the content.
    package var matchesRefresh: Bool { truth("display.refresh_matching") ?? true }
    /// `[display] hdr`: whether a high dynamic range is signalled to a screen that can show it.
    package var showsHighRange: Bool { text("display.hdr") != "off" }
    /// `[playback] hardware_decoding`: whether hardware decoders are tried first.
    package var decodesInHardware: Bool { text("playback.hardware_decoding") != "off" }
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
    /// `[report] headers` as request header lines, ordered by name. Secret.
    package var reportHeaders: [String] { headers("report.headers") }
    private func headers(_ key: String) -> [String] { table(key).sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" } }
    /// `[report] plays`: whether the operator is told what was played.
    package var reportsPlays: Bool { truth("report.plays") ?? false }
    /// `[report] sign_plays`: whether the box signs the plays that it tells.
    package var signsPlays: Bool { truth("report.sign_plays") ?? false }
    /// `[settings] public_keys` and `[settings] spare_keys`, as written: `NAME:BASE64`.
    package var settingsKeys: SettingsKeys { .init(working: list("settings.public_keys"), spare: list("settings.spare_keys")) }
    /// `[settings] trial_minutes`: how long settings from afar may take to reach everything.
    package var settingsTrial: Duration { .seconds(60 * (number("settings.trial_minutes") ?? 15)) }

    /// `[mqtt] url`: the operator's broker; nil: none.
    package var broker: BrokerAddress? { text("mqtt.url").flatMap { BrokerAddress($0) } }
    /// `[mqtt] user` and `[mqtt] password`. Secret.
    package var brokerAccount: (user: String?, password: String?) { (text("mqtt.user"), text("mqtt.password")) }
    /// `[mqtt] certificate` and `[mqtt] key`: the names of files next to this one, with which the box proves who it is. One that is named alone holds both.
    package var brokerCertificate: (certificate: String, key: String)? {
        let (certificate, key) = (text("mqtt.certificate"), text("mqtt.key"))
        return (certificate ?? key).flatMap { first in (key ?? certificate).map { (first, $0) } }
    }
    /// `[mqtt] topic`: the first part of all topics.
    package var brokerTopic: String { text("mqtt.topic") ?? "marquee" }
    /// `[mqtt] discovery`: the first part of the topics on which Home Assistant looks for devices; nil: it is told nothing.
    package var discoveryPrefix: String? { text("mqtt.discovery") }
    /// `[mqtt] allow`: what commands of the broker may do.
    package var brokerRight: String { text("mqtt.allow") ?? "steer" }

    /// `[update] url` as written, `{group}` and `{box}` not replaced: where the operator's notice of updates is.
    package var updateURL: String? { text("update.url") }
    /// `[update] public_keys`, as written: `NAME:BASE64`; those of the feed if there are none.
    package var updateKeys: [String] { values["update.public_keys"] == nil ? publicKeys : list("update.public_keys") }
    /// `[box] hours`: when the screen is on; nil: as the feed says.
    ///
    /// - Throws: `CivilFault` if it would never be.
    package func openingHours() throws(CivilFault) -> OpeningHours? { try OpeningHours(list("box.hours")) }

    /// `[update] window`: two times of day.
    package var updateWindow: String { text("update.window") ?? "02:00-05:00" }

    /// `[download] window`: two times of day.
    package var downloadWindow: String { text("download.window") ?? "01:00-06:00" }
    /// `[download] max_kbit` in bits per second.
    package var downloadBitRate: Int64 { Int64(number("download.max_kbit") ?? 4000) * 1000 }
    /// `[download] keep_free_mib` in bytes.
    package var downloadFreeBytes: Int64 { Int64(number("download.keep_free_mib") ?? 512) << 20 }

    /// Whether this box was never configured.
    package var isEmpty: Bool { values.isEmpty }

    /// Whether this box was given a feed.
    package var namesFeed: Bool { feedURL != nil || feedFile != nil }

    /// `[network] wifi_ssid`: the wireless network to join.
    package var wirelessName: String? { text("network.wifi_ssid") }
    /// `[network] wifi_country`: the country whose rules the radio obeys; nil if it stays off.
    package var wirelessCountry: String? { text("network.wifi_country") }

    /// The name of this box: `[box] name` with its serial number, otherwise `marquee-` and the end of the serial number.
    package func name(serial: String?) -> String {
        let serial = (serial ?? "").filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.lowercased()
        guard let boxName else { return serial.isEmpty ? "marquee" : "marquee-\(serial.suffix(6))" }
        return String(boxName.replacing("{serial}", with: serial.isEmpty ? "0" : serial).prefix(63))
    }

    /// `[feed] url` with `{group}` and `{box}` replaced; `feedFile` when there is no address.
    package func feedAddress(serial: String?) -> String? { feedURL.map { filledIn($0, serial: serial) } ?? feedFile }

    /// `[update] url` with `{group}` and `{box}` replaced.
    package func updateAddress(serial: String?) -> String? { updateURL.map { filledIn($0, serial: serial) } }

    /// `[settings] url` with `{group}` and `{box}` replaced.
    package func settingsAddress(serial: String?) -> String? { text("settings.url").map { filledIn($0, serial: serial) } }

    private func filledIn(_ address: String, serial: String?) -> String {
        address.replacing("{group}", with: group ?? "default").replacing("{box}", with: name(serial: serial))
    }

    /// The documentation of every key in `marquee provision --check` and `docs/provisioning.md`: its name, its value and its
    /// default.
    package static var reference: [(name: String, takes: String, standard: String, isSecret: Bool)] {
        ConfigurationKey.all.map { key in
            let takes: String
            switch key.kind {
            case .text(let rule), .list(let rule), .table(let rule): takes = rule.remedy
            case .wholeNumber(let range): takes = "write a whole number from \(range.lowerBound) to \(range.upperBound)"
            case .numberOf(let numbers): takes = ConfigurationKey.Kind.remedy(among: numbers)
            case .truth: takes = "write true or false"
            }
            return (key.name, takes, key.standard ?? "nothing", key.isSecret)
        }
    }
}

/// Configurations as TOML: the box stores the last file that it could read in this form.
extension Configuration {
    /// The applied values as TOML, including secrets: for the data partition only. Equal configurations give equal texts.
    package var appliedText: String { text(hidingSecrets: false) }

    /// The same with `(stored)` in place of each secret.
    package func text(hidingSecrets: Bool) -> String {
        var text = ""
        for section in ConfigurationKey.sections.sorted() {
            var lines: [String] = []
            for key in ConfigurationKey.all where key.name.hasPrefix(section + ".") {
                guard var value = values[key.name] else { continue }
                if key.isSecret, hidingSecrets { value = value.withoutSecrets }
                lines.append("\(key.name.dropFirst(section.count + 1)) = \(value.literal)")
            }
            if !lines.isEmpty { text += (text.isEmpty ? "" : "\n") + "[\(section)]\n" + lines.joined(separator: "\n") + "\n" }
        }
        return text
    }

    /// Every applied secret that must be hidden.
    package var secretTexts: [String] {
        // The strictest value in place of a wrong one is known to everybody.
        ConfigurationKey.all.filter { $0.isSecret && values[$0.name] != GuardedKey.byName[$0.name]?.strictest }.flatMap {
            key -> [String] in
            switch values[key.name] {
            case .text(let text): [text]
            case .table(let table): table.values.sorted()
            case .list(let list): list
            case .number, .truth, nil: []
            }
        }.filter { !$0.isEmpty }
    }
}

extension Configuration.Value {
    /// As TOML.
    var literal: String {
        switch self {
        case .text(let text): Self.quoted(text)
        case .number(let number): "\(number)"
        case .truth(let truth): "\(truth)"
        case .list(let list): "[" + list.map(Self.quoted).joined(separator: ", ") + "]"
        case .table(let table):
            table.isEmpty
                ? "{}"
                : "{ " + table.keys.sorted().map { "\(Self.quoted($0)) = \(Self.quoted(table[$0]!))" }.joined(separator: ", ")
                    + " }"
        }
    }

    /// The same structure with the mark for stored secrets.
    var withoutSecrets: Configuration.Value {
        switch self {
        case .text(let text): .text(text.isEmpty ? "" : Configuration.storedMark)
        case .table(let table): .table(table.mapValues { $0.isEmpty ? "" : Configuration.storedMark })
        case .number, .truth, .list: self
        }
    }

    /// A basic string of TOML 1.0, whose escapes are those of JSON.
    private static func quoted(_ text: String) -> String { JSONText.quoted(text) }
}
