/// How often the player is woken during undisturbed playback. A value chosen by the code that joins the engines.
package struct WakePolicy: Sendable, Hashable {
    /// The longest interval while nothing can happen; nil for the usual interval.
    package var longestTick: Duration?

    package init(longestTick: Duration?) { self.longestTick = longestTick }

    /// The shipped policy: a wake-up costs more than the work it does.
    package static let standard = WakePolicy(longestTick: .milliseconds(200))
    /// Equal intervals, with which every dump is identical.
    package static let steady = WakePolicy(longestTick: nil)
}
