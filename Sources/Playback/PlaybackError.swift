import MediaTime

/// What playback refuses.
package enum PlaybackError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Nothing is there to be played.
    case noItem
    /// The item cannot be played at a rate, and why.
    case rateNotSupported(Ratio, because: String)

    package var description: String {
        switch self {
        case .noItem: "Changing the rate failed: the player has no item; set one."
        case .rateNotSupported(let rate, let reason): "Playing at rate \(rate) was refused: \(reason)."
        }
    }
}
