import LinuxSupport

/// The keys of remotes, with the names of key scripts.
package enum RemoteKey: String, Sendable, Hashable, CaseIterable {
    case up, down, left, right, ok, back, home, play, pause, playpause, stop, ff, rw, next, prev
    case channelUp = "ch+"
    case channelDown = "ch-"
    case info, subtitle, audio, menu, power, mute
    /// The programme guide, and the previous channel.
    case guide, last
    case red, green, yellow, blue
    case volumeUp = "vol+"
    case volumeDown = "vol-"
    case digit0 = "0"
    case digit1 = "1"
    case digit2 = "2"
    case digit3 = "3"
    case digit4 = "4"
    case digit5 = "5"
    case digit6 = "6"
    case digit7 = "7"
    case digit8 = "8"
    case digit9 = "9"
}

/// The phase of a key press.
package enum KeyPhase: String, Sendable, Hashable {
    case press
    /// The device reports that it is still down (evdev value 2).
    case `repeat`
    case release
    /// A pointing device, such as an air mouse, was moved one step in the key's direction. It moves the focus and does nothing else: a hand that
    /// moves with the remote must not seek.
    case motion
}

/// One event of a remote.
package struct RemoteEvent: Sendable, Hashable {
    package var key: RemoteKey
    package var phase: KeyPhase
    /// The kernel's timestamp.
    package var time: HostTime
    /// The device, for rules that depend on it; e.g. `event3`, `script`, `web`.
    package var device: String
    /// Whether the device reports releases. On one that never did, each press is a tap.
    package var sendsReleases: Bool

    package init(key: RemoteKey, phase: KeyPhase, time: HostTime, device: String, sendsReleases: Bool = true) {
        self.key = key
        self.phase = phase
        self.time = time
        self.device = device
        self.sendsReleases = sendsReleases
    }
}

/// Why a command was refused.
package enum CommandRefusal: String, Sendable, Hashable {
    /// A linear range is playing.
    case linear
    /// Nothing is playing.
    case noItem
    /// The player is already in that state.
    case noChange
    /// There is no such item, channel or option.
    case unknownID
    /// This item does not support it (a live stream without a window, for example).
    case notSupported
    /// The player is not yet ready for it.
    case notReady
    /// The box is in standby.
    case standby
    /// An emergency message is on the screen.
    case emergency
    /// The stream does not have what was asked for, or has it no more.
    case outOfRange
}

/// The answer to a command.
package enum CommandResult: Sendable, Hashable, CustomStringConvertible {
    /// It is done or in progress.
    case success
    case failed(CommandRefusal)

    package var description: String {
        switch self {
        case .success: "success"
        case .failed(let reason): "failed(\(reason.rawValue))"
        }
    }

    /// The result as the sender of a command is told it: what asked for a state that was there already is done.
    package func told(of command: RemoteCommand) -> CommandResult {
        self == .failed(.noChange) && command.rule.traits.contains(.asksForState) ? .success : self
    }
}

/// The entry point for keys, CEC, the web page and MPRIS.
@MainActor
package protocol CommandDoor: AnyObject {
    /// A key went down, was repeated or went up.
    ///
    /// - Returns: the result of the key's action; a key without an action is `failed(notSupported)`.
    @discardableResult
    func handle(_ event: RemoteEvent) -> CommandResult
    /// A command, with its origin (`web`, `mpris`, `cec`).
    @discardableResult
    func perform(_ command: RemoteCommand, from origin: String) -> CommandResult
}
