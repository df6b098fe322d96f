import LinuxSupport

/// The files through which player and system speak about updates: lines of `NAME=VALUE` (`docs/updates.md`). The player has no rights to write a system;
/// a service does it.
package enum InstallerFiles {
    /// What the player asks for: a folder of the runtime folder.
    package static let folder = "update"
    /// Names a version and its bundle.
    package static let request = "request"
    package static let cancel = "cancel"
    package static let restart = "restart"
    /// The course of the installation.
    package static let state = "state"
    /// The running system, and the versions that were refused.
    package static let slots = "slots"

    /// The largest file that is read, in bytes.
    package static let longest = 64 << 10
    private static let longestText = 300

    /// The request for an installation.
    package static func request(version: String, bundle: String) -> String { "version=\(version)\nbundle=\(bundle)\n" }

    /// The lines of a file. Control characters become spaces.
    fileprivate static func lines(_ bytes: [UInt8]) -> [(name: Substring, value: String)] {
        String(decoding: bytes.prefix(longest), as: UTF8.self).split(whereSeparator: \.isNewline).compactMap { line in
            guard let equals = line.firstIndex(of: "=") else { return nil }
            let value = line[line.index(after: equals)...].prefix(longestText).unicodeScalars.map {
                $0.value < 0x20 || $0.value == 0x7F ? " " : Character($0)
            }
            return (line[..<equals], String(value))
        }
    }
}

/// What the installer has reported last: the file `state`. A value.
package struct InstallerState: Sendable, Hashable {
    package let version: String
    package let report: UpdateMachine.Report

    /// Nil if the text has no version, or a state that is unknown.
    package init?(_ bytes: [UInt8]) {
        var values: [Substring: String] = [:]
        for (name, value) in InstallerFiles.lines(bytes) { values[name] = value }
        guard let version = values["version"], !version.isEmpty else { return nil }
        self.version = version
        switch values["state"] {
        case "installing": report = .progress(percent: min(max(values["percent"].flatMap { Int($0) } ?? 0, 0), 100))
        case "installed": report = .installed
        case "failed":
            let message = values["message"] ?? ""
            report = .failed(message.isEmpty ? "the installer gives no reason" : message)
        default: return nil
        }
    }
}

/// What the system says of itself: the file `slots`. A value.
package struct SlotFacts: Sendable, Hashable {
    /// `a` or `b`.
    package let running: String
    package let version: ReleaseVersion
    /// Whether the running system is on trial.
    package let isOnTrial: Bool
    package let refused: [ReleaseVersion: String]

    /// Nil if the text does not name a slot and a semantic version.
    package init?(_ bytes: [UInt8]) {
        var (running, version, isOnTrial, refused) = ("", ReleaseVersion?.none, false, [ReleaseVersion: String]())
        for (name, value) in InstallerFiles.lines(bytes) {
            switch name {
            case "running": running = value
            case "version": version = ReleaseVersion(value)
            case "trial": isOnTrial = value == "yes"
            case "refused":
                let words = value.split(separator: " ", maxSplits: 1)
                guard let first = words.first, let tried = ReleaseVersion(String(first)) else { continue }
                refused[tried] = words.count > 1 ? String(words[1]) : "no reason is known"
            default: continue
            }
        }
        guard ["a", "b"].contains(running), let version else { return nil }
        (self.running, self.version, self.isOnTrial, self.refused) = (running, version, isOnTrial, refused)
    }
}
