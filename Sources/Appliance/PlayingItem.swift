import MediaModel
import MediaTime

/// The current programme, or the one being opened. A value, which is replaced as a whole.
struct PlayingItem {
    var programme: Programme
    /// The index of its stream. Several streams are alternatives for fail-over, not qualities.
    var stream = 0
    /// Why it does not play.
    var error: MediaError?
    /// Its position; nil before its first frame or sound.
    var position: MediaTime?
    /// Whether its stream has been live since it was opened.
    var wasLive = false
    /// Whether it is only played again when its stream is live: it has ended before.
    var awaitsLive = false
    /// The speed at which it should play.
    var speed = Ratio.one

    /// Why a channel does not go on although its stream has ended like a film: a channel has no end, but an encoder that restarts writes one.
    ///
    /// - Parameters:
    ///   - isLive: whether the open stream is live.
    ///   - isAtEnd: whether it was played to its end.
    func end(isLive: Bool, isAtEnd: Bool) -> MediaError? {
        guard case .channel(let channel) = programme.subject, wasLive, !isLive, isAtEnd || awaitsLive else { return nil }
        return MediaError(
            .sourceMissing,
            "Playing the channel \(channel.id) stopped: its live stream has ended (EXT-X-ENDLIST); it is opened again until it is live."
        )
    }
}
