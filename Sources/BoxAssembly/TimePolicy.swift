import LinuxSupport

/// The parts of a run that depend on its kind of time. In simulated time two runs with the same input give the same result: nothing is used whose rate
/// or timing is decided outside of the program.
package struct TimePolicy {
    let time: MainLoop.Time
    /// Whether sound cards are opened. They play at their own rate.
    let opensSoundCards: Bool
    /// Whether the box has a voice. It speaks at its own rate.
    let hasVoice: Bool
    /// Whether scrubbing shows thumbnails. They come from a second reading, so that the instants at which they arrive differ between runs.
    let readsThumbnails: Bool
    /// Whether entries of playback logs have a date.
    let datesLogs: Bool
    /// See `HeadlessDisplay`.
    let asksAhead: Bool
    /// Whether the player wakes at fixed instants and counts its sessions; see `PlaybackServices.repeatable`.
    let isRepeatable: Bool
    /// Whether a main loop that does not come round is aborted (`ProcessGuard`). Simulated time may wait as long as it needs.
    package let watchesLoop: Bool

    static let real = TimePolicy(
        time: .real, opensSoundCards: true, hasVoice: true, readsThumbnails: true, datesLogs: true, asksAhead: false,
        isRepeatable: false, watchesLoop: true)
    static let simulated = TimePolicy(
        time: .simulated, opensSoundCards: false, hasVoice: false, readsThumbnails: false, datesLogs: false, asksAhead: true,
        isRepeatable: true, watchesLoop: false)
}
