/// Decides when the service manager's watchdog is fed. A value that the main loop calls at regular intervals.
///
/// The sign of life is a flip that the main loop requested after the last feeding and that was reported by the kernel through the display's thread.
/// Completed flips feed the watchdog, also of an unchanged picture. It starves when either thread or the kernel's display hangs. While the screen is
/// lost there are no flips, and a reply of the display's thread counts instead.
package struct FlipPulse: Sendable, Hashable {
    /// What the main loop must do.
    package struct Beat: Sendable, Hashable {
        /// Notify the service manager.
        package var feeds: Bool
        /// The request to the display's thread for the next sign of life.
        package var asks: Question
    }
    /// A request to the display's thread.
    package enum Question: Sendable, Hashable {
        /// Show the current scene again.
        case flip
        /// Reply, without a picture.
        case answer
    }

    private var flips: UInt64?
    private var answers: UInt64 = 0

    package init() {}

    /// The interval between beats: four per watchdog interval.
    package static func interval(for watchdog: Duration) -> Duration { watchdog / 4 }

    /// Checks the flips and replies since the last beat. The first beat always feeds, because the main loop is running.
    ///
    /// - Parameters:
    ///   - flips: the number of completed flips so far.
    ///   - answers: the number of replies of the display's thread so far.
    ///   - isScreenLost: whether there is no screen now.
    package mutating func beat(flips: UInt64, answers: UInt64, isScreenLost: Bool) -> Beat {
        let isAlive = self.flips.map { flips > $0 || answers > self.answers } ?? true
        self.flips = flips
        self.answers = answers
        return Beat(feeds: isAlive, asks: isScreenLost ? .answer : .flip)
    }
}
