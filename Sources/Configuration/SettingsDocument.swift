import ChannelFeed
import CivilTime
import WireFormats

/// Settings that an operator sends to its boxes: the signed document at `[settings] url` (`docs/provisioning.md`). A value.
package struct SettingsDocument: Sendable, Hashable {
    /// The version of the format that is read.
    package static let form = 1
    /// The largest document, in bytes.
    package static let longest = 64 << 10
    /// What every program reads exactly, also one whose numbers are binary floating point.
    static let revisions = 1...9_007_199_254_740_991
    /// The most keys of a list.
    static let mostKeys = 8

    package let revision: Int
    /// The groups and the boxes that are meant; nil for all.
    package let groups: Set<String>?
    package let boxes: Set<String>?
    /// Whether its trial begins even while somebody watches.
    package let isCritical: Bool
    /// From when on no box takes it any more; nil: never. What was taken before stays.
    package let expires: FeedDate?
    /// The keys that sign documents from now on; nil: those so far.
    package let publicKeys: [String]?
    /// The spare keys from now on; nil: those so far.
    package let spareKeys: [String]?
    /// The values by `section.key`.
    let values: [String: Configuration.Value]

    /// Why it is for others than this box, as the end of a sentence; nil if it is for it.
    package func exclusion(box: String, group: String?) -> String? {
        if let groups, !groups.contains(group ?? "default") {
            return "it is for other groups than “\(group ?? "default")”"
        }
        if let boxes, !boxes.contains(box) { return "it is for other boxes than “\(box)”" }
        return nil
    }

    /// Why it is not taken any more, as a sentence without its capital letter and its end; nil if it is.
    ///
    /// - Parameter date: nil: it is not known.
    package func lateness(at date: FeedDate?) -> String? {
        guard let expires, let date, date >= expires else { return nil }
        return "the document has expired at \(expires)"
    }

    /// Why a box takes it from none that signs with this key, as the end of a sentence; nil if it may.
    ///
    /// - Parameters:
    ///   - signer: `NAME:BASE64`, as boxes pin it.
    ///   - isOfSpare: whether it is one of their spare keys.
    package func objection(to signer: String, isOfSpare: Bool) -> String? {
        guard spareKeys == nil || isOfSpare else { return "spareKeys is only for documents that a spare key has signed" }
        guard let left = isOfSpare ? spareKeys : publicKeys, !left.contains(signer) else { return nil }
        return "the key that has signed it is not among its \(isOfSpare ? "spareKeys" : "publicKeys"); another key takes it away"
    }

    /// The names of the keys that it sets, sorted.
    package var keys: [String] { values.keys.sorted() }
}

extension SettingsDocument {
    /// Reads a document.
    ///
    /// - Parameter isStored: whether the box has accepted it before, perhaps a newer version of the program: what cannot be understood is then left out.
    /// - Throws: `DocumentFault`: the first one found.
    package init(_ bytes: [UInt8], isStored: Bool = false) throws(DocumentFault) {
        let members = try DocumentMembers(bytes, what: "the document", longest: Self.longest, depth: 8)
        try members.checkForm("settingsVersion", is: Self.form)
        // First, since a slip in one name is another that is missing.
        if !isStored, let unknown = members.object.members.first(where: { !Self.members.contains($0.key) }) {
            throw Self.unknown(unknown.key, at: "/\(unknown.key)", "member", among: Self.members)
        }
        revision = try members.number("revision", in: Self.revisions)
        groups = members.has("groups") ? try members.names("groups") : nil
        boxes = members.has("boxes") ? try members.names("boxes") : nil
        isCritical = try members.truth("critical")
        expires = try Self.date(members, "expires", isStored: isStored)
        // The record of the box has those of a stored one.
        publicKeys = isStored ? nil : try Self.keys(members, "publicKeys", least: 0)
        spareKeys = isStored ? nil : try Self.keys(members, "spareKeys", least: 1)
        guard case .object(let sections) = members.object["settings"]?.value else {
            throw DocumentFault(
                pointer: "/settings", reason: "write an object of sections, such as {\"sound\": {\"max_volume\": 60}}")
        }
        var values: [String: Configuration.Value] = [:]
        for section in sections.members {
            let place = "/settings/\(section.key)"
            guard isStored || ConfigurationKey.sections.contains(section.key) else {
                guard ConfigurationKey.byName[section.key] == nil else {
                    throw DocumentFault(
                        pointer: place, reason: "write the key within its section, as {\"sound\": {\"max_volume\": 60}}")
                }
                throw Self.unknown(section.key, at: place, "section", among: ConfigurationKey.sections)
            }
            guard case .object(let keys) = section.node.value else {
                throw DocumentFault(
                    pointer: place, reason: "write an object of the keys of this section, as {\"sound\": {\"max_volume\": 60}}")
            }
            for member in keys.members {
                do throws(DocumentFault) {
                    let (name, value) = try Self.read(section.key, member)
                    values[name] = value
                } catch {
                    guard isStored else { throw error }
                }
            }
        }
        self.values = values
        if !isStored { try checkWhole() }
    }

    private static func unknown(_ name: String, at pointer: String, _ what: String, among known: Set<String>) -> DocumentFault {
        let hint = ConfigurationKey.nearest(to: name, among: known.sorted(), within: name.count / 3).map {
            "perhaps “\($0)” is meant"
        }
        return DocumentFault(
            pointer: pointer, reason: "there is no such \(what); \(hint ?? "there are \(known.sorted().joined(separator: ", "))")"
        )
    }

    private static let members: Set<String> = [
        "settingsVersion", "revision", "groups", "boxes", "critical", "expires", "publicKeys", "spareKeys", "settings",
    ]

    private static func date(_ members: DocumentMembers, _ name: String, isStored: Bool) throws(DocumentFault) -> FeedDate? {
        guard !isStored, members.has(name) else { return nil }
        guard case .string(let text)? = members.object[name]?.value, let date = FeedDate(text) else {
            throw DocumentFault(
                pointer: "/\(name)", reason: "write a date with its time and zone, such as \"2026-12-31T00:00:00Z\"")
        }
        return date
    }

    private static func keys(_ members: DocumentMembers, _ name: String, least: Int) throws(DocumentFault) -> [String]? {
        try members.texts(
            name, least...mostKeys, of: "keys", remedy: TextRule.publicKey.remedy, fault: TextRule.publicKey.fault)
    }

    private static func read(
        _ section: String, _ member: JSONObject.Member
    ) throws(DocumentFault) -> (name: String, value: Configuration.Value) {
        let name = "\(section).\(member.key)"
        let pointer = "/settings/\(section)/\(member.key)"
        guard let key = ConfigurationKey.byName[name] else {
            let hint = ConfigurationKey.nearest(to: name).map { "perhaps \($0) is meant" } ?? "marquee provision --keys has all"
            throw DocumentFault(pointer: pointer, reason: "there is no such key; \(hint)")
        }
        if let reason = key.reasonAgainstDocuments {
            throw DocumentFault(pointer: pointer, reason: "the key is not set from afar, because \(reason)")
        }
        let value = Self.value(member.node)
        guard !Self.hasStoredMark(value) else {
            throw DocumentFault(pointer: pointer, reason: "write the value itself, not \(Configuration.storedMark)")
        }
        switch key.kind.read(value) {
        case .success(let read): return (name, read)
        case .failure(let wrong): throw DocumentFault(pointer: pointer, reason: wrong.remedy)
        }
    }

    /// A value of JSON as TOML has it.
    private static func value(_ node: JSONNode) -> TOMLValue {
        switch node.value {
        case .string(let text): .text(text)
        case .number(let text): Int(text).map { .integer($0) } ?? .other
        case .boolean(let truth): .boolean(truth)
        case .array(let nodes): .array(nodes.map(value))
        case .object(let object):
            .table(TOMLTable(members: object.members.map { .init(name: $0.key, line: 0, value: value($0.node)) }))
        case .null: .other
        }
    }

    private static func hasStoredMark(_ value: TOMLValue) -> Bool {
        switch value {
        case .text(let text): text == Configuration.storedMark
        case .table(let table): table.members.contains { hasStoredMark($0.value) }
        case .array(let array): array.contains(where: hasStoredMark)
        case .integer, .boolean, .other: false
        }
    }

    /// What keys ask of each other.
    private func checkWhole() throws(DocumentFault) {
        // A password is not told to another network, and a network is not joined as an open one because its password was forgotten.
        guard (values[WirelessPair.name] == nil) == (values[WirelessPair.password] == nil) else {
            throw DocumentFault(
                pointer: "/settings/network",
                reason: "write wifi_ssid and wifi_password together; wifi_password is \"\" if it is open")
        }
        if case .list(let hours)? = values["box.hours"], (try? OpeningHours(hours)) == nil, !hours.isEmpty {
            throw DocumentFault(pointer: "/settings/box/hours", reason: "with these hours the screen would never be on")
        }
        guard !SettingsKeys().after(self).hasNameTwice else {
            throw DocumentFault(pointer: "/publicKeys", reason: "two keys have one name")
        }
        guard !SettingsKeys().after(self).hasKeyTwice else {
            throw DocumentFault(pointer: "/publicKeys", reason: "one key is there twice, under two names")
        }
    }
}
