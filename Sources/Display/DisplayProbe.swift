import LinuxSupport
import MediaModel

/// What was found of a display and what of it is used, and why not better: for `marquee doctor` and the log.
package struct DisplayProbe: Sendable, Hashable, CustomStringConvertible {
    /// What memory is for.
    package enum Purpose: String, Sendable, Hashable { case video, interface }

    /// A kind of picture memory that was tried.
    package struct Memory: Sendable, Hashable {
        /// What for.
        package var purpose: Purpose
        /// E.g. `dma-heap`, `dumb`.
        package var name: String
        /// How fast the CPU read a megabyte of it; nil where it was not tried.
        package var readBytesPerSecond: Int?
        /// Whether it is used, or why not.
        package var remark: String
    }

    /// What the display is, e.g. `kms:card0 HDMI-A-1`, `headless`.
    package var display: String
    /// The kernel's driver; nil without a card.
    package var driver: String?
    /// The mode in force.
    package var mode: DisplayMode
    /// How many planes the screen's CRTC has, cursors not counted.
    package var planes: Int
    /// How many of them show YUV.
    package var planesForVideo: Int
    /// Whether the card reads back what it composed.
    package var canReadBack: Bool
    /// The memory that was tried, in that order.
    package var memory: [Memory]
    /// Rungs of the ladder that were used so far.
    package var rungs: [LadderRung]
    /// Why there is no better display; empty where it is as good as it gets.
    package var remarks: [String]

    /// What is known of the card and its screen, one line a fact, without the memory.
    package var cardFacts: [String] {
        var lines = ["display \(display) \(mode)" + (driver.map { ", driver \($0)" } ?? "")]
        if driver != nil {
            lines.append("planes \(planes), \(planesForVideo) of them for video; reading back \(canReadBack ? "yes" : "no")")
            for rung in rungs { lines.append("shown by \(rung)") }
        }
        return lines
    }

    /// Each kind of memory that was tried at the start, and why it is used or not.
    package var memoryFacts: [(name: String, words: String)] {
        memory.map { kind in
            let speed = kind.readBytesPerSecond.map { ", read at \($0 >> 20) MiB/s" } ?? ""
            return ("\(kind.purpose.rawValue) memory \(kind.name)", kind.remark + speed)
        }
    }

    /// One line a fact.
    package var description: String {
        (cardFacts + memoryFacts.map { "\($0.name): \($0.words)" } + remarks).joined(separator: "\n")
    }
}
