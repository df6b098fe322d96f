import Configuration
import Glibc
import LinuxSupport
import SystemServices

/// What a version that is on trial must have before its slot is the good one (`docs/updates.md`). A value: what was found at one moment.
package struct SlotHealth: Sendable, Equatable {
    /// What the running player says of itself (`GET /v1/health`).
    package struct Player: Sendable, Equatable, Decodable {
        /// Names of `BoxHealth.Fault`.
        package var faults: [String]
        /// Completed page flips since it was started.
        package var flips: UInt64

        package init(faults: [String], flips: UInt64) {
            self.faults = faults
            self.flips = flips
        }
    }
    /// One thing that is missing. The raw values are stored in the record of the time before a trial.
    package enum Shortcoming: String, Sendable, CaseIterable {
        case player
        case picture
        case safeMode
        case sound
        case channels
        case units
        case date
        case data

        /// Whether it says nothing about a version if the version before it had it too.
        package var canBeExcused: Bool {
            switch self {
            // The record of the version before is on the data partition.
            case .player, .picture, .safeMode, .data: false
            case .sound, .channels, .units, .date: true
            }
        }

        /// A part of a sentence.
        package var words: String {
            switch self {
            case .player: "the player does not answer"
            case .picture: "a screen is connected, and fewer than \(SlotHealth.wantedFlips) pictures were shown"
            case .safeMode: "the player is in safe mode after crashes"
            case .sound: "there is a sound card, and the player cannot open it"
            case .channels: "there are no channels, not even those of the last good feed"
            case .units: "a service has failed"
            case .date: "there is a network, and no time server has set the date"
            case .data: "the data partition cannot be read and written"
            }
        }
    }
    /// A part of the machine that a version can lose, for lack of a driver. The raw values are stored in the record of the time before a trial.
    package enum Part: String, Sendable, CaseIterable {
        case display = "has-display"
        case soundCard = "has-sound-card"
        case networkDevice = "has-network-device"

        /// A part of a sentence: the version before had it.
        package var wordsWhenLost: String {
            switch self {
            case .display: "the version before had a display, and this one finds none"
            case .soundCard: "the version before had a sound card, and this one finds none"
            case .networkDevice: "the version before had a network device, and this one finds none"
            }
        }
    }

    /// A slot on trial has to show this many pictures; an unchanged one counts each time that it is shown.
    package static let wantedFlips: UInt64 = 300

    /// Nil if it does not answer.
    package var player: Player?
    package var hasScreen: Bool
    package var hasSoundCard: Bool
    /// Whether the settings name a feed.
    package var namesFeed: Bool
    package var failedUnits: Int
    package var isDateKnown: Bool
    package var hasNetwork: Bool
    /// Whether the data partition is mounted and can be written.
    package var hasData: Bool
    /// What the machine has, whether it is connected or not.
    package var parts: Set<Part>

    /// What is missing, in the order of the cases. What the machine does not have, such as a screen, is not missing.
    package var shortcomings: [Shortcoming] {
        guard let player else { return [.player] + Shortcoming.allCases.filter { machineLacks($0) } }
        return Shortcoming.allCases.filter { shortcoming in
            switch shortcoming {
            case .player: false
            case .picture: hasScreen && player.flips < Self.wantedFlips
            case .safeMode: player.faults.contains("safeMode")
            case .sound: hasSoundCard && player.faults.contains("noSound")
            case .channels: namesFeed && player.faults.contains("noChannels")
            case .units, .date, .data: machineLacks(shortcoming)
            }
        }
    }

    private func machineLacks(_ shortcoming: Shortcoming) -> Bool {
        switch shortcoming {
        case .units: failedUnits > 0
        case .date: !isDateKnown && hasNetwork
        case .data: !hasData
        case .player, .picture, .safeMode, .sound, .channels: false
        }
    }

    /// Looks at the machine. It runs `systemctl` and takes its time: not on a main loop that shows pictures.
    ///
    /// - Parameters:
    ///   - player: what the player has said.
    ///   - namesFeed: whether the settings name a feed.
    package static func read(player: Player?, namesFeed: Bool) -> SlotHealth {
        let failed = UnitFacts.show([], properties: ["NFailedUnits"])?.first?["NFailedUnits"].flatMap { Int($0) }
        return SlotHealth(
            player: player, hasScreen: hasScreen(), hasSoundCard: hasSoundCard(), namesFeed: namesFeed, failedUnits: failed ?? 0,
            isDateKnown: MachineDate.isTrusted(), hasNetwork: MachineFacts.address != nil, hasData: hasData(), parts: parts())
    }

    /// What the kernel has drivers for.
    ///
    /// - Parameter root: replaces `/`.
    static func parts(root: String = "") -> Set<Part> {
        let (drm, net) = (root + "/sys/class/drm", root + "/sys/class/net")
        var parts: Set<Part> = []
        if Folder.names(drm).contains(where: { access("\(drm)/\($0)/status", F_OK) == 0 }) { parts.insert(.display) }
        if hasSoundCard(root: root) { parts.insert(.soundCard) }
        // Loopback, bridges and the like have no device.
        if Folder.names(net).contains(where: { access("\(net)/\($0)/device", F_OK) == 0 }) { parts.insert(.networkDevice) }
        return parts
    }

    /// Whether the data partition is mounted for writing (proc_mounts(5): device, folder, type, options).
    ///
    /// - Parameter root: replaces `/`.
    static func hasData(root: String = "") -> Bool {
        let text = WholeFile.read(root + "/proc/self/mounts").map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.split(separator: "\n").contains { line in
            let words = line.split(separator: " ")
            return words.count > 3 && words[1] == "/data" && words[3].split(separator: ",").first == "rw"
        }
    }

    /// Whether a connector has a screen, or cannot tell (`/sys/class/drm/*/status`).
    ///
    /// - Parameter root: replaces `/`.
    static func hasScreen(root: String = "") -> Bool {
        let folder = root + "/sys/class/drm"
        return Folder.names(folder).contains { name in
            guard let status = WholeFile.read("\(folder)/\(name)/status") else { return false }
            return !String(decoding: status, as: UTF8.self).hasPrefix("disconnected")
        }
    }

    /// Whether the kernel has a sound card (`/proc/asound/cards`: lines that begin with its number).
    ///
    /// - Parameter root: replaces `/`.
    static func hasSoundCard(root: String = "") -> Bool {
        let text = WholeFile.read(root + "/proc/asound/cards").map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.split(separator: "\n").contains { $0.drop { $0 == " " }.first?.isNumber == true }
    }
}
