import MediaTime

/// Refusals of playback.
package enum PlaybackError: Error, Sendable, Equatable, CustomStringConvertible {
    /// There is no item.
    case noItem
    /// The item cannot be played at a rate, with the reason.
    case rateNotSupported(Ratio, because: String)

    package var description: String {
        switch self {
        case .noItem: "Changing the rate failed: the player has no item; set one."
        case .rateNotSupported(let rate, let reason): "Playing at rate \(rate) was refused: \(reason)."
        }
    }
}
