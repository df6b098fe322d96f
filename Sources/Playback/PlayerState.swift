import Captions
import MediaModel
import MediaTime

/// Whether time advances and, if not, why; AVFoundation's `AVPlayer.TimeControlStatus`.
package enum TimeControlStatus: Sendable, Hashable {
    /// On request, or because the item has ended.
    case paused
    /// Playback was requested and has to wait.
    case waitingToPlayAtSpecifiedRate(WaitingReason)
    /// Time advances.
    case playing
}

/// Why a player waits; AVFoundation's `AVPlayer.WaitingReason`.
package enum WaitingReason: String, Sendable, Hashable {
    /// The item is being opened.
    case evaluatingBufferingRate
    /// The first picture of a position is being loaded and decoded.
    case seeking
    /// The buffer is empty.
    case toMinimizeStalls
}

/// A player's state: an immutable snapshot. Observers compare two of them.
package struct PlayerState: Sendable, Equatable {
    /// Whether the item can be played; nil without an item.
    package var itemStatus: PlayerItem.Status?
    /// Whether time advances.
    package var timeControlStatus = TimeControlStatus.paused
    /// The requested rate, which is kept while the player waits.
    package var rate = Ratio.zero
    /// Whether the item has played to its end.
    package var isAtEnd = false
    /// Whether the first picture of the item is, or was, on the screen.
    package var isReadyForDisplay = false
    /// The number of stalls.
    package var stallCount = 0
    /// Increases whenever the seekable range has changed because a live window has moved.
    package var seekableRevision = 0
}

/// An event of a player, in order.
package enum PlayerEvent: Sendable {
    /// The state has changed.
    case state(PlayerState)
    /// A frame was shown for the first time.
    case frame(FrameRecord)
    /// A frame of an asset that is played instead of the item, as an interstitial, was shown for the first time.
    case interstitialFrame(FrameRecord)
    /// Sound of this asset time is next in the queue, after silence, a seek or a splice.
    case audioRun(MediaTime)
    /// The position of an item without video, twenty times a second.
    case position(MediaTime)
    /// A seek has completed: its picture is on the screen, or a later seek replaced it.
    case seekCompleted(landed: MediaTime, finished: Bool)
    /// Playback has reached the forward boundary and is held before it.
    case reachedBoundary(MediaTime)
    /// The item has played to its end; sent once each time.
    case didPlayToEnd
    /// Another item is current, or none; sent before any other event of it.
    case currentItem(PlayerItem?)
    /// An item of the queue cannot be played and was removed.
    case itemSkipped(PlayerItem, MediaError)
    /// A period of playback has ended: its entry in the access log is final.
    case newAccessLogEntry(AccessLogEvent)
    /// An error occurred, also if playback continues.
    case newErrorLogEntry(ErrorLogEvent)
    /// Something was measured. Sent when it happened, without regard to what is shown.
    case metric(MetricEvent)
    /// Other captions are visible, in layout order; empty for none.
    case captions([CaptionCue])
    /// Selected captions are unavailable, or incomplete; sent once for each selection. Every failure is in the error log.
    case captionsFailed(MediaError)
    /// A selected audio track is unavailable; another one continues, which is in another language or was selected before.
    case soundChangeFailed(MediaError)
    /// None of the item's sound can be decoded, or loaded: the pictures play without it.
    case playsWithoutSound(MediaError)
    /// An item was removed: this is its complete log.
    case sessionEnded(PlaybackLog)
    /// The screen was lost (nil) or has returned.
    case display(DisplayMode?)
    /// Interstitials became known, began, continued or ended.
    case interstitial(InterstitialChange)
    /// A stream reported a description of itself, or other metadata applies than before.
    case metadata(MetadataChange)
    /// Decoders hang repeatedly. What they hold is lost to this process, which should be restarted at its position. The text gives the reason in one sentence.
    case restartNeeded(String)
}
