/// A key whose default allows more than the values that operators write: locks, signatures, the password of a network. A mistake in the file must not make
/// the box weaker, so such a key does not fall back to its default: it keeps its previous value, or has the strictest one until the file is corrected.
struct GuardedKey: Sendable {
    /// `section.key`.
    let name: String
    /// What it has without a previous value. Nil for the password of a network, which is then not joined (`WirelessPair`).
    let strictest: Configuration.Value?
    /// What that means, as the end of a sentence.
    let words: String
    /// Parts of the names of keys that do not exist by which this one may be meant, in any section: in lower case, without separators.
    let kin: [String]
    /// The same for keys in its own section only, where they count before those for any.
    let siblings: [String]
    /// Sections that have such a thing of their own, so that nothing in them means this one.
    var others: [String] = []

    private var section: Substring { name.prefix { $0 != "." } }

    static let all: [GuardedKey] = [
        .init(name: "box.kiosk", strictest: .truth(true), words: "until then the box is a kiosk", kin: ["kiosk"], siblings: []),
        // No key has this text, so that no signature matches.
        .init(
            name: "feed.public_keys", strictest: .list([""]), words: "until then no feed is accepted",
            kin: ["publickey", "pubkey", "ed25519"], siblings: ["key", "sign", "trust"], others: ["update", "settings"]),
        // Its default are the keys of the feed, whose holders may be others.
        .init(
            name: "update.public_keys", strictest: .list([""]), words: "until then no update is made", kin: [],
            siblings: ["key", "sign", "trust"]),
        // With no key, nobody can change settings from afar. Keys that were applied before stay in force.
        .init(
            name: "settings.public_keys", strictest: .list([]), words: "until then no such key counts", kin: [],
            siblings: ["key", "sign", "trust"]),
        .init(
            name: "settings.spare_keys", strictest: .list([]), words: "until then no spare key counts", kin: ["sparekey"],
            siblings: ["spare", "offline", "backup"]),
        .init(
            name: WirelessPair.password, strictest: nil, words: "",
            kin: ["wifi", "wlan", "wpa", "psk", "passphrase"], siblings: ["pass", "key", "secret"], others: ["mqtt"]),
        .init(
            name: "parental.limit", strictest: .text("0"), words: "until then the limit is 0",
            kin: ["parental"], siblings: ["limit", "rating", "age", "max", "level"]),
        // No PIN is known that has this digest.
        .init(
            name: "parental.pin_sha256", strictest: .text(String(repeating: "0", count: 64)), words: "until then no PIN is right",
            kin: ["parental", "pinsha"], siblings: ["pin", "code"]),
    ]
    static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// Those that a name that does not exist may mean: by a slip of the fingers, or as a word for the same thing.
    static func meant(by unknown: String) -> [GuardedKey] {
        if let guarded = ConfigurationKey.nearest(to: unknown).flatMap({ byName[$0] }) { return [guarded] }
        if ConfigurationKey.isSlip(unknown) { return [] }
        let parts = unknown.lowercased().split(separator: ".", maxSplits: 1)
        let bare = parts.joined().filter { $0.isLetter || $0.isNumber }
        let section = parts.count == 2 ? parts[0] : ""
        let siblings = all.filter { section.contains($0.section) && $0.siblings.contains(where: parts[1].contains) }
        let kin = all.filter { key in
            key.kin.contains(where: bare.contains) && !key.others.contains(where: section.contains)
                && !siblings.contains { $0.section == key.section }
        }
        let found = siblings + kin
        // A key above all sections, whose own is missing.
        return found.isEmpty && parts.count == 1 ? all.filter { $0.name.hasSuffix(".\(parts[0])") } : found
    }
}

/// The name of a wireless network and its password. They belong together: one without the other is an open network of that name, or the password of one
/// network that is told to another.
struct WirelessPair: Hashable {
    static let name = "network.wifi_ssid"
    static let password = "network.wifi_password"

    /// Nil: none is joined.
    private(set) var name: Configuration.Value?
    private(set) var password: Configuration.Value?

    init(_ values: [String: Configuration.Value]) {
        name = values[Self.name]
        password = values[Self.password]
    }

    private var isSecured: Bool {
        guard case .text(let text)? = password, name != nil else { return false }
        return !text.isEmpty
    }

    /// What is joined when one of the two was not understood.
    ///
    /// - Parameters:
    ///   - written: what was understood.
    ///   - previous: what was applied before.
    init(written: WirelessPair, previous: WirelessPair) {
        self = written
        guard !written.isSecured || written.name != previous.name else { return }
        (name, password) = previous.isSecured ? (previous.name, previous.password) : (nil, nil)
    }
}
