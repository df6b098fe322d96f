import LinuxSupport
import MediaModel

/// What a display supports, what of it is used, and why not more: for `marquee doctor` and the log.
package struct DisplayProbe: Sendable, Hashable, CustomStringConvertible {
    package enum Purpose: String, Sendable, Hashable { case video, interface }

    /// A kind of picture memory that was tried.
    package struct Memory: Sendable, Hashable {
        package var purpose: Purpose
        /// E.g. `dma-heap`, `dumb`.
        package var name: String
        /// How fast the CPU read a megabyte of it; nil when it was not measured.
        package var readBytesPerSecond: Int?
        /// Whether it is used, or why not.
        package var remark: String
    }

    /// What the display is, e.g. `kms:card0 HDMI-A-1`, `headless`.
    package var display: String
    /// The kernel's driver; nil without a card.
    package var driver: String?
    package var mode: DisplayMode
    /// The number of planes of the screen's CRTC, without cursors.
    package var planes: Int
    /// How many of them can show YUV.
    package var planesForVideo: Int
    /// How far pictures are turned.
    package var rotation = DisplayRotation.none
    /// How many planes turn pictures by that.
    package var planesThatTurn = 0
    /// The high dynamic ranges that the card can signal to the screen.
    package var ranges: Set<HighDynamicRange> = []
    /// The peak that the screen states, in cd/m².
    package var peak: Double?
    /// Whether the card can read back its composed screen.
    package var canReadBack: Bool
    /// The kinds of memory that were tried, in that order.
    package var memory: [Memory]
    /// The rungs of the ladder used so far.
    package var rungs: [LadderRung]
    /// Why there is no better display; empty when nothing is missing.
    package var remarks: [String]

    /// The facts about the card and its screen, one per line, without the memory.
    package var cardFacts: [String] {
        var lines = ["display \(display) \(mode)" + (driver.map { ", driver \($0)" } ?? "")]
        if rotation != .none { lines.append("rotation \(rotation.rawValue): \(turning)") }
        if driver != nil {
            lines.append("planes \(planes), \(planesForVideo) of them for video; reading back \(canReadBack ? "yes" : "no")")
            let names = ["SDR"] + HighDynamicRange.allCases.filter(ranges.contains).map { $0 == .pq ? "HDR10" : "HLG" }
            let light = ranges.isEmpty ? "" : peak.map { "; up to \(Int($0.rounded())) cd/m²" } ?? ""
            lines.append("dynamic range " + names.joined(separator: ", ") + light)
            for rung in rungs { lines.append("shown by \(rung)") }
        }
        return lines
    }

    /// What turns pictures.
    private var turning: String {
        guard driver != nil else { return "pictures of a screen in memory are upright" }
        return switch planesThatTurn {
        case planes: "planes turn the picture"
        case 0: "no plane turns by that: the CPU turns the picture"
        default: "\(planesThatTurn) of \(planes) planes turn the picture, the CPU does it for the others"
        }
    }

    /// Each kind of memory that was tried at the start, and why it is used or not.
    package var memoryFacts: [(name: String, words: String)] {
        memory.map { kind in
            let speed = kind.readBytesPerSecond.map { ", read at \($0 >> 20) MiB/s" } ?? ""
            return ("\(kind.purpose.rawValue) memory \(kind.name)", kind.remark + speed)
        }
    }

    /// One fact per line.
    package var description: String {
        (cardFacts + memoryFacts.map { "\($0.name): \($0.words)" } + remarks).joined(separator: "\n")
    }
}
