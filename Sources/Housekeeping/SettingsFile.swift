import Configuration
import Glibc
import LinuxSupport

/// The file in which a box keeps the settings that it gets from afar, and its second copy. Any thread; blocks on the disk.
package struct SettingsFile: Sendable {
    private let path: String
    private var copy: String { path + ".copy" }

    /// - Parameter folder: the player's own, on the data partition.
    package init(in folder: String) { path = folder + "/settings.json" }

    /// What is kept for these keys of `marquee.toml`.
    package func read(pinned: SettingsKeys) -> SettingsRecord {
        guard !pinned.isEmpty, let record = Self.record(Self.bytes(path)) ?? Self.record(Self.bytes(copy)) else {
            return SettingsRecord(pinned: pinned)
        }
        return record.pinning(pinned)
    }

    /// The settings in use: those of the card, and over them those of the document in force.
    package func standing(for card: Provisioning) -> Provisioning {
        card.replacing(by: read(pinned: card.configuration.settingsKeys).inForce)
    }

    /// - Returns: whether it is on the disk. A power cut leaves the record before or this one.
    func write(_ record: SettingsRecord) -> Bool {
        let bytes = Self.sealed(record.bytes)
        guard WholeFile.write(bytes, to: path, mode: 0o600) else { return false }
        // The first file is what counts; a copy that the disk did not take is written at the next start.
        WholeFile.write(bytes, to: copy, mode: 0o600)
        return true
    }

    /// Reads it, and makes both copies the same again: the first counts where it is whole.
    ///
    /// - Returns: as of `read`; and what was lost or saved, as a sentence without its capital letter and its end, nil if nothing was.
    func readMending(pinned: SettingsKeys) -> (record: SettingsRecord, damage: String?) {
        guard !pinned.isEmpty else { return (SettingsRecord(pinned: pinned), nil) }
        let (first, second) = (Self.bytes(path), Self.bytes(copy))
        if let first, let record = Self.record(first) {
            if first != second { WholeFile.write(first, to: copy, mode: 0o600) }
            return (record.pinning(pinned), nil)
        }
        if let second, let record = Self.record(second) {
            WholeFile.write(second, to: path, mode: 0o600)
            return (record.pinning(pinned), "settings.json was damaged or lost; its second copy is used")
        }
        let isThere = access(path, F_OK) == 0 || access(copy, F_OK) == 0
        let words =
            "settings.json and its second copy are damaged; the settings are those of marquee.toml alone, and keys and documents of earlier days count again"
        return (SettingsRecord(pinned: pinned), isThere ? words : nil)
    }

    private static func bytes(_ path: String) -> [UInt8]? { WholeFile.read(path, most: SettingsRecord.longest) }

    // MARK: The seal

    /// The last member of the file. JSON that a flipped bit leaves readable could have another revision or another key.
    private static let seal = #","sum":""#
    private static let end = "\"}"

    private static func sealed(_ bytes: [UInt8]) -> [UInt8] {
        let content = bytes.dropLast()
        return Array(content) + (seal + FeedCopy.mark(content) + end).utf8
    }

    /// Nil for one that is damaged. One of an earlier version has no seal.
    private static func record(_ bytes: [UInt8]?) -> SettingsRecord? {
        guard let bytes, let comma = bytes.lastIndex(of: UInt8(ascii: ",")) else { return nil }
        let tail = String(decoding: bytes[comma...], as: UTF8.self)
        guard !tail.hasPrefix(seal) || tail == seal + FeedCopy.mark(bytes[..<comma]) + end else { return nil }
        return SettingsRecord(bytes)
    }
}
