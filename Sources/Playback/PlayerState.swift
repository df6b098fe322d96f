import MediaModel
import MediaTime

/// Whether time moves and, if not, why; AVFoundation's `AVPlayer.TimeControlStatus`.
package enum TimeControlStatus: Sendable, Hashable {
    /// By somebody's wish, or because the item is over.
    case paused
    /// Play was asked for and cannot go on yet.
    case waitingToPlayAtSpecifiedRate(WaitingReason)
    /// Time moves.
    case playing
}

/// Why a player waits; AVFoundation's `AVPlayer.WaitingReason`.
package enum WaitingReason: String, Sendable, Hashable {
    /// The item is being opened.
    case evaluatingBufferingRate
    /// The first picture of a place is being fetched and decoded.
    case seeking
    /// What was buffered has been played, and more has not come.
    case toMinimizeStalls
}

/// What a player tells of itself: an immutable snapshot. Observers compare two of them.
package struct PlayerState: Sendable, Equatable {
    /// Whether the item can be played; nil without an item.
    package var itemStatus: PlayerItem.Status?
    /// Whether time moves.
    package var timeControlStatus = TimeControlStatus.paused
    /// The rate that was asked for: it stays while the player waits.
    package var rate = Ratio.zero
    /// Whether the item has played to its end and stands there.
    package var isAtEnd = false
    /// Whether the first picture of the item is (or has been) on the screen.
    package var isReadyForDisplay = false
    /// How often play had to wait for bytes.
    package var stallCount = 0
    /// Grows whenever what can be sought has changed: a live window has moved.
    package var seekableRevision = 0
}

/// Something that happened to a player, in the order in which it happened.
package enum PlayerEvent: Sendable {
    /// The state changed.
    case state(PlayerState)
    /// A frame was seen for the first time.
    case frame(FrameRecord)
    /// Sound of this asset time is next in the queue, after silence, a seek or a splice.
    case audioRun(MediaTime)
    /// Play is where it is for items without pictures: told twenty times a second.
    case position(MediaTime)
    /// A seek has ended: its picture is on the screen, or a later one took its place.
    case seekCompleted(landed: MediaTime, finished: Bool)
    /// Play has come to the forward boundary and is held before it.
    case reachedBoundary(MediaTime)
    /// The item has played to its end: told once each time.
    case didPlayToEnd
    /// Another item is the current one, or none: told before anything else of it.
    case currentItem(PlayerItem?)
    /// An item of the queue cannot be played and was taken out of it.
    case itemSkipped(PlayerItem, MediaError)
    /// A period of playing is over: its entry in the access log will not change any more.
    case newAccessLogEntry(AccessLogEvent)
    /// Something went wrong, also where play went on.
    case newErrorLogEntry(ErrorLogEvent)
    /// Captions that are selected cannot be had, or not all of them: told once for each choice, every failure is in the error log.
    case captionsFailed(MediaError)
    /// Another sound that was chosen cannot be had; what was heard before is chosen again, and is heard on.
    case soundChangeFailed(MediaError)
    /// An item was taken out: this is its whole log.
    case sessionEnded(PlaybackLog)
    /// The screen was lost (nil) or came back.
    case display(DisplayMode?)
    /// Interstitials became known, began, went on or ended.
    case interstitial(InterstitialChange)
    /// A stream told something of itself, or other metadata holds than before.
    case metadata(MetadataChange)
    /// Decoders hang again and again. What they hold is lost to this process, which should be restarted at its place. One sentence says why.
    case restartNeeded(String)
}
