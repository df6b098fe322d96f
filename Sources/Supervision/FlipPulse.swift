/// Decides whether the service manager's watchdog is fed. A value, asked at regular times by the main loop.
///
/// The proof of life is a flip that the main loop asked for after the last feeding and that has come back from the kernel through the
/// display's thread: it is fed by
/// pages that were really turned, a still picture included, and starves when either thread or the kernel's display stands still. While the
/// screen is lost nothing flips; then an answer
/// of the display's thread is the proof.
package struct FlipPulse: Sendable, Hashable {
    /// What the main loop is to do.
    package struct Beat: Sendable, Hashable {
        /// Tell the manager that all is well.
        package var feeds: Bool
        /// What is asked of the display's thread as the next proof.
        package var asks: Question
    }
    /// A question to the display's thread.
    package enum Question: Sendable, Hashable {
        /// Show the scene that is there once more.
        case flip
        /// Answer, without a picture.
        case answer
    }

    private var flips: UInt64?
    private var answers: UInt64 = 0

    /// Begins.
    package init() {}

    /// How often to ask: four times in the manager's patience.
    package static func interval(for watchdog: Duration) -> Duration { watchdog / 4 }

    /// Looks at what has come back since the last beat. The first beat feeds: the main loop has got that far.
    ///
    /// - Parameters:
    ///   - flips: how many flips were told so far.
    ///   - answers: how many answers the display's thread gave so far.
    ///   - isScreenLost: whether there is no screen now.
    package mutating func beat(flips: UInt64, answers: UInt64, isScreenLost: Bool) -> Beat {
        let isAlive = self.flips.map { flips > $0 || answers > self.answers } ?? true
        self.flips = flips
        self.answers = answers
        return Beat(feeds: isAlive, asks: isScreenLost ? .answer : .flip)
    }
}
