import MediaModel
import MediaSources
import MediaTime

/// What the session of an item needs from its owners.
@MainActor
protocol ItemSessionHost: InterstitialHost {
    /// The next item, as far as it is prepared.
    var next: Succession? { get }
    /// Whether a session owns the screen and the audio output.
    func isCurrent(_ session: ItemSession) -> Bool
    func tell(_ event: PlayerEvent)
    func tell(_ change: MetadataChange)
    /// A seek has ended: calls its completion in order with the events.
    func complete(_ completion: (@MainActor (Bool) -> Void)?, _ isFinished: Bool)
    /// A resource was skipped, and playback continues.
    func note(_ error: MediaError, of item: PlayerItem)
    /// Adds an event of the source.
    func take(_ entry: SourceLogEntry)
    /// Seeks to a position, unless an interstitial prevents it.
    func seek(
        to time: MediaTime, toleranceBefore: MediaTime?, toleranceAfter: MediaTime?, completion: (@MainActor (Bool) -> Void)?)
    @discardableResult func setRate(_ rate: Ratio) -> Bool
    /// Reading begins: decoders are in use.
    func readingBegins()
    /// Playback has begun after a start or a seek.
    func landed(at time: MediaTime)
    /// Playback has reached the end of the item.
    func reachedEnd()
    /// The item cannot be played any more; nothing of it is being read.
    func failed(_ session: ItemSession, _ error: MediaError)
}
