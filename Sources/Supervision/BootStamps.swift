import Glibc

/// When the player reached each step of its start in this boot, on `CLOCK_MONOTONIC`, for `marquee doctor --boot`. Written once per boot: a restarted
/// player does not change it.
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

    /// Parses a stamp file; lines that cannot be parsed are ignored.
    package init(_ text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 2, let step = Step(rawValue: String(words[0])), let time = Int64(words[1]) else { continue }
            nanoseconds[step] = time
        }
    }

    /// Records a step, if it was not recorded before.
    ///
    /// - Parameter instant: the time in nanoseconds of `CLOCK_MONOTONIC`; nil for now.
    package mutating func reach(_ step: Step, at instant: Int64? = nil) {
        guard nanoseconds[step] == nil else { return }
        if let instant { return nanoseconds[step] = instant }
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        nanoseconds[step] = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The text of the stamp file.
    package var text: String {
        Step.allCases.compactMap { step in nanoseconds[step].map { "\(step.rawValue) \($0)\n" } }.joined()
    }

    /// Writes the stamps, unless a player of this boot has already done so.
    package func write(to path: String) {
        let number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard number >= 0 else { return }
        _ = Array(text.utf8).withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
        close(number)
    }
}
