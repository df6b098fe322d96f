import Playback

/// Whether time advances and, if not, why. The counterpart of `AVPlayer.TimeControlStatus`.
public enum TimeControlStatus: Sendable, Hashable {
    /// Why a player waits. The counterpart of `AVPlayer.WaitingReason`.
    public enum WaitingReason: Sendable, Hashable {
        /// The item is being opened.
        case evaluatingBufferingRate
        /// The first picture of a position is being loaded and decoded.
        case seeking
        /// The buffer is empty.
        case toMinimizeStalls
    }

    /// On request, or because the item has ended.
    case paused
    /// Playback was requested and has to wait.
    case waitingToPlayAtSpecifiedRate(WaitingReason)
    /// Time advances.
    case playing

    init(_ status: Playback.TimeControlStatus) {
        switch status {
        case .paused: self = .paused
        case .playing: self = .playing
        case .waitingToPlayAtSpecifiedRate(.evaluatingBufferingRate):
            self = .waitingToPlayAtSpecifiedRate(.evaluatingBufferingRate)
        case .waitingToPlayAtSpecifiedRate(.seeking): self = .waitingToPlayAtSpecifiedRate(.seeking)
        case .waitingToPlayAtSpecifiedRate(.toMinimizeStalls): self = .waitingToPlayAtSpecifiedRate(.toMinimizeStalls)
        }
    }
}

/// A player's state: a snapshot, without contradictions.
public struct PlayerState: Sendable, Hashable {
    /// Whether the current item can be played; nil without an item.
    public let itemStatus: PlayerItem.Status?
    /// Whether time advances.
    public let timeControlStatus: TimeControlStatus
    /// The requested rate, which is kept while the player waits.
    public let rate: PlaybackRate
    /// Whether the item has played to its end.
    public let isAtEnd: Bool
    /// Whether the first picture of the item is, or was, on the screen.
    public let isReadyForDisplay: Bool

    /// That of a player that is closed.
    init() { (itemStatus, timeControlStatus, rate, isAtEnd, isReadyForDisplay) = (nil, .paused, 0, false, false) }

    init(_ state: Playback.PlayerState) {
        itemStatus = state.itemStatus.map { PlayerItem.Status($0) }
        timeControlStatus = TimeControlStatus(state.timeControlStatus)
        rate = PlaybackRate(state.rate)
        isAtEnd = state.isAtEnd
        isReadyForDisplay = state.isReadyForDisplay
    }
}

/// What happens at the end of an item. The counterpart of `AVPlayer.ActionAtItemEnd`.
public enum ActionAtItemEnd: Sendable, Hashable {
    /// The next item of the queue plays; without one the player pauses.
    case advance
    /// It pauses: the rate is zero.
    case pause
    /// The rate stays: playback goes on after a seek.
    case none

    var exact: Playback.ActionAtItemEnd {
        switch self {
        case .advance: .advance
        case .pause: .pause
        case .none: .none
        }
    }
}

/// What happened to a player, in order.
public enum PlayerEvent: Sendable {
    /// Another item is current, or none; told before anything else of it.
    case currentItem(PlayerItem?)
    /// A seek has ended: its picture is on the screen, or another seek replaced it.
    case seekCompleted(landed: MediaTime, finished: Bool)
    /// The item has played to its end; once each time, after the boundaries before it.
    case didPlayToEnd
    /// An item of the queue cannot be played and was removed.
    case itemSkipped(PlayerItem, PlaybackError)
    /// A period of playback has ended: its entry in the access log is final.
    case newAccessLogEntry(AccessLogEvent)
    /// An error occurred, also if playback goes on.
    case newErrorLogEntry(ErrorLogEvent)
}
