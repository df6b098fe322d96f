import MediaTime

/// The viewer's speed. It also applies to a next item that starts automatically.
package struct PlaybackSpeed: Sendable {
    package private(set) var chosen = Ratio.one
    /// The speed that was sent to the player.
    private var inForce = Ratio.one
    /// Whether the next item keeps the viewer's speed.
    private var goesAlong = false

    mutating func choose(_ speed: Ratio) { chosen = speed }

    /// The next item starts automatically.
    package mutating func goAlong() { goesAlong = true }

    /// An item starts, at normal speed.
    ///
    /// - Parameter remembered: the stored speed for it.
    package mutating func begin(remembered: Ratio?) {
        if !goesAlong { chosen = remembered ?? .one }
        goesAlong = false
        inForce = .one
    }

    /// An advertisement plays at normal speed; after it the viewer's speed applies again.
    mutating func settle(isLinear: Bool) -> InterfaceEffect? {
        let wanted = isLinear ? Ratio.one : chosen
        guard wanted != inForce else { return nil }
        inForce = wanted
        return .setSpeed(wanted)
    }
}
