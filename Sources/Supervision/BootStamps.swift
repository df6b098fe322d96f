import Glibc

/// When the player got how far in this boot, on `CLOCK_MONOTONIC`, as `marquee doctor --boot` reads it. Written once a boot: a player that
/// was started again does not change it.
package struct BootStamps: Sendable, Hashable {
    /// A step of the start.
    package enum Step: String, Sendable, Hashable, CaseIterable {
        /// The first line of the program.
        case main
        /// The arguments and the configuration are read.
        case configured
        /// The display is open.
        case display
        /// All parts are joined.
        case joined
        /// The first flip.
        case flip
        /// The first frame of video.
        case frame
    }

    /// Nanoseconds of `CLOCK_MONOTONIC` by step.
    package private(set) var nanoseconds: [Step: Int64] = [:]

    /// No steps.
    package init() {}

    /// Reads what was written; lines that are not understood are left out.
    package init(_ text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 2, let step = Step(rawValue: String(words[0])), let time = Int64(words[1]) else { continue }
            nanoseconds[step] = time
        }
    }

    /// Notes a step that was reached, if it was not before.
    ///
    /// - Parameter instant: when, in nanoseconds of `CLOCK_MONOTONIC`; nil: now.
    package mutating func reach(_ step: Step, at instant: Int64? = nil) {
        guard nanoseconds[step] == nil else { return }
        if let instant { return nanoseconds[step] = instant }
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        nanoseconds[step] = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// As it is written.
    package var text: String {
        Step.allCases.compactMap { step in nanoseconds[step].map { "\(step.rawValue) \($0)\n" } }.joined()
    }

    /// Writes the stamps unless a player of this boot did so already.
    package func write(to path: String) {
        let number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard number >= 0 else { return }
        _ = Array(text.utf8).withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
        close(number)
    }
}
