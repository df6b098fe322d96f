import MediaTime

/// The speed that the viewer chose. It goes along to the next item where that begins by itself.
struct PlaybackSpeed: Sendable {
    private(set) var chosen = Ratio.one
    /// The speed that the player was told.
    private var inForce = Ratio.one
    /// Whether the next item is one that the viewer's speed goes along to.
    private var goesAlong = false

    mutating func choose(_ speed: Ratio) { chosen = speed }

    /// The next item begins by itself.
    mutating func goAlong() { goesAlong = true }

    /// An item begins, at the player's ordinary speed.
    ///
    /// - Parameter remembered: the speed that was chosen for it before.
    mutating func begin(remembered: Ratio?) {
        if !goesAlong { chosen = remembered ?? .one }
        goesAlong = false
        inForce = .one
    }

    /// An advertisement is heard at its own speed; after it the viewer's speed comes back.
    mutating func settle(isLinear: Bool) -> InterfaceEffect? {
        let wanted = isLinear ? Ratio.one : chosen
        guard wanted != inForce else { return nil }
        inForce = wanted
        return .setSpeed(wanted)
    }
}
