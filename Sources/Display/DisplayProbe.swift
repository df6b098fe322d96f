import LinuxSupport
import MediaModel

/// What was found of a display and what of it is used, and why not better: for `marquee doctor` and the log.
public struct DisplayProbe: Sendable, Hashable, CustomStringConvertible {
    /// What memory is for.
    public enum Purpose: String, Sendable, Hashable { case video, interface }

    /// A kind of picture memory that was tried.
    public struct Memory: Sendable, Hashable {
        /// What for.
        public var purpose: Purpose
        /// E.g. `dma-heap`, `dumb`.
        public var name: String
        /// How fast the CPU read a megabyte of it; nil where it was not tried.
        public var readBytesPerSecond: Int?
        /// Whether it is used, or why not.
        public var remark: String
    }

    /// What the display is, e.g. `kms:card0 HDMI-A-1`, `headless`.
    public var display: String
    /// The kernel's driver; nil without a card.
    public var driver: String?
    /// The mode in force.
    public var mode: DisplayMode
    /// How many planes the screen's CRTC has, cursors not counted.
    public var planes: Int
    /// How many of them show YUV.
    public var planesForVideo: Int
    /// Whether the card reads back what it composed.
    public var canReadBack: Bool
    /// The memory that was tried, in that order.
    public var memory: [Memory]
    /// Rungs of the ladder that were used so far.
    public var rungs: [LadderRung]
    /// Why there is no better display; empty where it is as good as it gets.
    public var remarks: [String]

    /// What is known of the card and its screen, one line a fact, without the memory.
    public var cardFacts: [String] {
        var lines = ["display \(display) \(mode)" + (driver.map { ", driver \($0)" } ?? "")]
        if driver != nil {
            lines.append("planes \(planes), \(planesForVideo) of them for video; reading back \(canReadBack ? "yes" : "no")")
            for rung in rungs { lines.append("shown by \(rung)") }
        }
        return lines
    }

    /// Each kind of memory that was tried at the start, and why it is used or not.
    public var memoryFacts: [(name: String, words: String)] {
        memory.map { kind in
            let speed = kind.readBytesPerSecond.map { ", read at \($0 >> 20) MiB/s" } ?? ""
            return ("\(kind.purpose.rawValue) memory \(kind.name)", kind.remark + speed)
        }
    }

    /// One line a fact.
    public var description: String {
        (cardFacts + memoryFacts.map { "\($0.name): \($0.words)" } + remarks).joined(separator: "\n")
    }
}
