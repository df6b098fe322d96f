import Appliance
import Configuration
import Display
import Glibc
import LinuxSupport
import MediaModel
import Playback
import Sound
import URLReferences

/// What `marquee doctor` says of a box beside its parts: slot, network, feed, settings.
enum BoxExamination {
    typealias Fact = (String, String)

    /// The slot of the system that runs, and how the other stands; nothing on a machine without slots.
    static func slot(commandLine: String = "/proc/cmdline", file: String = "/firmware/slot.txt") -> [Fact] {
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

    /// How the machine is reached, and what may be loaded.
    static func network(_ configuration: Configuration) -> [Fact] {
        let isMetered = configuration.isMetered ?? MeteredLink.isAnnounced()
        var words = [MachineFacts.address ?? "no address"]
        if isMetered { words.append("metered") }
        if let proxy = configuration.proxy { words.append("through the proxy \(Redaction.withoutSecrets(proxy))") }
        if let file = configuration.authorityFile { words.append("also trusts \(file)") }
        if let remark = SystemFiles.radioRemark(configuration) { words.append(remark) }
        return [("network", words.joined(separator: "; "))]
    }

    /// Where channels come from, and what is kept of them.
    static func feed(_ provisioning: Provisioning, stateFolder: String?, serial: String?) -> [Fact] {
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
            words.append("last good feed kept, \(kept.bytes.count) bytes")
        } else {
            words.append("no last good feed")
        }
        return [("feed", words.joined(separator: "; "))]
    }

    /// What became of the settings, as `applied.txt` has it.
    static func settings(_ provisioning: Result<Provisioning, ConfigurationError>) -> [Fact] {
        switch provisioning {
        case .failure(let error): [("settings", error.description)]
        case .success(let provisioning):
            [("settings", provisioning.summary)] + provisioning.configuration.verdicts.map { ("setting", $0.description) }
        }
    }
}

/// What the running player has found, written for whoever asks while the card is its own.
@MainActor
enum FoundParts {
    private static var file: String { (RuntimeFolder.path ?? "/run/marquee") + "/parts" }

    /// What a box is made of.
    static func facts(of box: Box) -> [BoxExamination.Fact] {
        let display = box.display
        let probe = DisplayFactory.probe(display)
        return [
            ("display", display.name), ("mode", display.mode.description),
            ("video memory", describe(display.videoAllocator)), ("interface memory", describe(display.interfaceAllocator)),
            ("sound", sound(box)), ("passthrough", passthrough(box)),
            ("decoder threads", String(box.codecs.videoThreads)),
        ]
            + (probe?.memoryFacts.map { ($0.name, $0.words) } ?? [])
            + (probe.map { $0.cardFacts + $0.remarks } ?? []).map { ("found", $0) }
    }

    /// Writes it, where this is a service.
    static func write(of box: Box) {
        guard let folder = RuntimeFolder.path else { return }
        let text = facts(of: box).map { "\($0.0): \($0.1)\n" }.joined()
        WholeFile.write(Array(text.utf8), to: folder + "/parts")
    }

    /// What the player that runs on this machine has written; nil: none does.
    static func read() -> [BoxExamination.Fact]? {
        guard let bytes = WholeFile.read(file) else { return nil }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
        }
    }

    /// Where sound goes, in how many channels, and why.
    private static func sound(_ box: Box) -> String {
        let sink = box.player.services.sink
        let device = sink.name == "alsa:default" ? nil : String(sink.name.dropFirst(5))
        let words = "\(sink.name), \(sink.format.channels) channels"
        guard sink.name.hasPrefix("alsa:") else { return words }
        guard let output = SurroundOutput.find(for: device) else { return words + ": no screen reports more channels" }
        return words + ": \(output.screenName.isEmpty ? "the screen" : output.screenName) takes \(output.channels)"
    }

    /// Whether encoded sound leaves the box, and what for.
    private static func passthrough(_ box: Box) -> String {
        guard box.player.services.passesSoundThrough else { return "off (audio.passthrough)" }
        let name = box.player.services.sink.name
        guard name.hasPrefix("alsa:") else { return "on; \(name) decides" }
        return PassthroughOutput.find(for: name == "alsa:default" ? nil : String(name.dropFirst(5)))?.words
            ?? "on, but no HDMI or S/PDIF output accepts encoded sound: it is decoded here"
    }

    private static func describe(_ allocator: any FrameAllocator) -> String {
        "\(allocator.name), \(allocator.isCached ? "cached" : "uncached: decoders write elsewhere and pictures are copied")"
    }
}
