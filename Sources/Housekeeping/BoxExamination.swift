import Configuration
import LinuxSupport
import URLReferences
import Updates

/// The output of `marquee doctor` about a box, apart from its devices: slot, network, feed, settings.
package enum BoxExamination {
    /// A heading and its line.
    package typealias Fact = (String, String)

    /// The running system's slot and the state of the other; nothing on a machine without slots.
    package static func slot(commandLine: String = "/proc/cmdline", file: String = "/firmware/slot.txt") -> [Fact] {
        guard let bytes = WholeFile.read(commandLine) else { return [] }
        let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard let running = words.first(where: { $0.hasPrefix("marquee.slot=") })?.dropFirst("marquee.slot=".count) else {
            return []
        }
        var values: [String: String] = [:]
        for line in String(decoding: WholeFile.read(file) ?? [], as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 2 { values[parts[0]] = parts[1] }
        }
        let good = values["slot"].map { "; good is \($0)" } ?? ""
        let trial = values["try"].map { "; \($0) is on trial, \(values["left"] ?? "0") starts left" } ?? ""
        return [("slot", "\(running)\(good)\(trial)")]
    }

    /// What the system says about updates: the running version, whether it is on trial, and the versions that were given up here. Nothing before it has said
    /// so, and on a machine without slots.
    package static func updates(slots: String = "/run/marquee/update/slots") -> [Fact] {
        guard let facts = WholeFile.read(slots, most: InstallerFiles.longest).flatMap(SlotFacts.init) else { return [] }
        var words = ["\(facts.version) runs from slot \(facts.running)", facts.isOnTrial ? "on trial" : "not on trial"]
        words += facts.refused.sorted { $0.key.description < $1.key.description }.map { "\($0.key) was given up: \($0.value)" }
        return [("updates", words.joined(separator: "; "))]
    }

    /// How long the image is supported, and where a vulnerability is reported, if its vendor has stated that (os-release(5)).
    package static func support(release: String = "/usr/lib/os-release") -> [Fact] {
        guard let bytes = WholeFile.read(release, most: 1 << 16) else { return [] }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard lines.contains("ID=marquee") else { return [] }
        func value(_ name: String) -> String? {
            lines.first { $0.hasPrefix(name + "=") }.map { $0.dropFirst(name.count + 1).filter { $0 != "\"" } }
        }
        let words = [value("SUPPORT_END").map { "until \($0)" }, value("BUG_REPORT_URL").map { "vulnerabilities to \($0)" }]
        guard words.contains(where: { $0 != nil }) else { return [("support", "the vendor states no end and no contact")] }
        return [("support", words.compactMap(\.self).joined(separator: "; "))]
    }

    /// The machine's addresses, and what may be loaded.
    package static func network(_ configuration: Configuration, serial: String?) -> [Fact] {
        let isMetered = configuration.isMetered ?? MeteredLink.isAnnounced()
        var words = [MachineFacts.address ?? "no address"]
        if isMetered { words.append("metered") }
        if let proxy = configuration.proxy { words.append("through the proxy \(Redaction.withoutSecrets(proxy))") }
        if let file = configuration.authorityFile { words.append("also trusts \(file)") }
        if let remark = SystemFiles.radioRemark(configuration) { words.append(remark) }
        if let announcement = PageAnnouncement(configuration, serial: serial) { words.append("announced as \(announcement)") }
        if let remark = PageAnnouncement.remark(configuration) { words.append(remark) }
        return [("network", words.joined(separator: "; "))]
    }

    /// The source of channels, and the stored copy.
    package static func feed(_ provisioning: Provisioning, stateFolder: String?, serial: String?) -> [Fact] {
        let standing = AdoptedSettings.standing(for: provisioning, in: stateFolder).configuration
        let isAdopted = !provisioning.configuration.namesFeed && standing.namesFeed
        guard let address = standing.feedAddress(serial: serial) else {
            return [("feed", "no source: [feed] url is not set, and no found feed was confirmed")]
        }
        var words = [Redaction.withoutSecrets(address)]
        if isAdopted { words.append("found and confirmed with OK") }
        let count = standing.publicKeys.count
        words.append(count == 0 ? "no signature needed" : "signed by one of \(count) pinned keys")
        if standing.allowsUSB, count > 0 { words.append("or from a disk, signed by them") }
        if let folder = stateFolder, let kept = FeedCopy(folder: folder + "/feed", address: address).read() {
            let pages = kept.count > 1 ? " on \(kept.count) pages" : ""
            words.append("last good feed kept, \(kept.reduce(0) { $0 + $1.bytes.count }) bytes\(pages)")
        } else {
            words.append("no last good feed")
        }
        return [("feed", words.joined(separator: "; "))]
    }

    /// The key with which plays are signed; nothing where they are not.
    package static func plays(stateFolder: String?) -> [Fact] {
        guard let signer = stateFolder.flatMap({ PlayFile(in: $0).signer }) else { return [] }
        return [("plays", "signed as \(signer.box) with the key \(signer.publicKey)")]
    }

    /// The verdicts on the settings, as in `applied.txt`.
    package static func settings(_ provisioning: Result<Provisioning, ConfigurationError>) -> [Fact] {
        switch provisioning {
        case .failure(let error): [("settings", error.description)]
        case .success(let provisioning):
            [("settings", provisioning.summary)] + provisioning.configuration.verdicts.map { ("setting", $0.description) }
        }
    }
}
