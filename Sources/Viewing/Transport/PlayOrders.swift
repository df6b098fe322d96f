import MediaTime
import Screens

/// Whether the viewer wants the item to play, and which commands the player got.
package struct PlayOrders: Sendable {
    /// The viewer's intention: play or pause.
    package private(set) var wantsToPlay = false
    /// Why the box holds playback.
    private(set) var hold: HoldReason?
    /// A command that the player's state does not show yet: true for play.
    private var inFlight: Bool?

    /// The rate at which the picture moves while a key is held in a pause, negative for backward; nil if it stands.
    private(set) var slow: Ratio?

    /// Whether it plays as the viewer intends, and the player has confirmed it.
    var isAtRest: Bool { wantsToPlay && inFlight == nil && hold == nil }
    /// Whether the player was told to play and does not play yet.
    var awaitsPlay: Bool { wantsToPlay && inFlight == true }

    mutating func play() -> InterfaceEffect {
        (hold, slow) = (nil, nil)
        expectPlay()
        return .play
    }

    mutating func pause() -> InterfaceEffect {
        wantsToPlay = false
        (inFlight, slow) = (false, nil)
        return .pause
    }

    /// The picture moves slowly; for the viewer it is still a pause.
    mutating func moveSlowly(at rate: Ratio) -> InterfaceEffect {
        slow = rate
        return .scan(rate: rate)
    }

    /// The picture stands again.
    ///
    /// - Returns: nil if it does already.
    mutating func standStill() -> InterfaceEffect? {
        guard slow != nil else { return nil }
        (inFlight, slow) = (false, nil)
        return .scan(rate: nil)
    }

    /// The player plays automatically once the item is open again.
    mutating func expectPlay() {
        wantsToPlay = true
        inFlight = true
    }

    /// The item has ended: the player has stopped.
    mutating func end() { wantsToPlay = false }

    mutating func note(_ hold: HoldReason?) { self.hold = hold }

    /// Follows a player that others play and pause too. A command that the player has not carried out yet is not overridden.
    ///
    /// - Parameter isWatching: whether there is no search in progress.
    /// - Returns: whether another client has paused the player.
    mutating func follow(_ state: PlaybackSnapshot.State, isWatching: Bool) -> Bool {
        guard slow == nil else { return false }
        switch state {
        case .playing:
            if inFlight == true { inFlight = nil }
            if inFlight == nil, isWatching { wantsToPlay = true }
        case .paused:
            if inFlight == false { inFlight = nil }
            guard inFlight == nil, wantsToPlay, isWatching else { return false }
            wantsToPlay = false
            return true
        case .waiting: if inFlight == true { inFlight = nil }
        case .ready: if inFlight == false { inFlight = nil }
        case .loading, .ended, .failed: break
        }
        return false
    }
}
