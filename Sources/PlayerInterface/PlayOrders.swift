/// Whether the viewer wants the item to play, and what the player was told of it.
struct PlayOrders: Sendable {
    /// What the viewer wants: play, or pause.
    private(set) var wantsToPlay = false
    /// Why the box itself holds what plays.
    private(set) var hold: HoldReason?
    /// An order to the player that its state does not show yet: true for play.
    private var inFlight: Bool?

    /// Whether it plays as the viewer wants it, and the player knows.
    var isAtRest: Bool { wantsToPlay && inFlight == nil && hold == nil }
    /// Whether the player was told to play and does not play yet.
    var awaitsPlay: Bool { wantsToPlay && inFlight == true }

    mutating func play() -> InterfaceEffect {
        hold = nil
        expectPlay()
        return .play
    }

    mutating func pause() -> InterfaceEffect {
        wantsToPlay = false
        inFlight = false
        return .pause
    }

    /// The player plays by itself once the item is open again.
    mutating func expectPlay() {
        wantsToPlay = true
        inFlight = true
    }

    /// The item is over: the player has stopped.
    mutating func end() { wantsToPlay = false }

    mutating func note(_ hold: HoldReason?) { self.hold = hold }

    /// Keeps what the viewer wants in step with a player that others play and pause too. An order that the player has not carried out yet is left alone.
    ///
    /// - Parameter isWatching: the viewer does not search for a place.
    /// - Returns: whether someone else has paused the player.
    mutating func follow(_ state: PlaybackSnapshot.State, isWatching: Bool) -> Bool {
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
