import LinuxSupport

/// The parts of a run that depend on its kind of time. In simulated time two runs with the same input give the same result: nothing is used whose rate
/// or timing is decided outside of the program.
package enum TimePolicy {
    case real, simulated

    var time: MainLoop.Time { self == .real ? .real : .simulated }
    /// Whether sound cards are opened. They play at their own rate.
    var opensSoundCards: Bool { self == .real }
    /// Whether the box has a voice. It speaks at its own rate.
    var hasVoice: Bool { self == .real }
    /// Whether scrubbing shows thumbnails. They come from a second reading, so that the instants at which they arrive differ between runs.
    var readsThumbnails: Bool { self == .real }
    /// Whether entries of playback logs have a date.
    var datesLogs: Bool { self == .real }
    /// See `HeadlessDisplay`.
    var asksAhead: Bool { self == .simulated }
    /// Whether the player wakes at fixed instants and counts its sessions; see `PlaybackServices.repeatable`.
    var isRepeatable: Bool { self == .simulated }
    /// Whether a main loop that does not come round is aborted (`ProcessGuard`). Simulated time may wait as long as it needs.
    package var watchesLoop: Bool { self == .real }
}
