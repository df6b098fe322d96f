import LinuxSupport
import MediaTime

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

/// Commands to the box from outside, independent of the transport, named after MPRemoteCommandCenter.
package enum RemoteCommand: Sendable, Hashable {
    case play
    case pause
    /// Switches between the two.
    case togglePlayPause
    /// Leave the player.
    case stop
    /// Seek to a position in content time.
    case changePlaybackPosition(MediaTime)
    /// Seek forward (or, negative, back) by this much content time.
    case skip(MediaTime)
    /// Play from the start.
    case restart
    /// Play an item or channel of the feed by its id.
    case open(id: String)
    /// Press and release a key.
    case key(RemoteKey)
    /// An announcement begins: playback makes room for it.
    case beginAnnouncement
    /// It has ended; whether playback may resume automatically.
    case endAnnouncement(shouldResume: Bool)
    /// Leave standby. Nothing happens to a box that is awake.
    case wake
    /// Stop, and switch the screen off. Nothing happens to a box that is in standby.
    case standby
    /// Set the volume of the box in percent; outside the operator's limits the nearest of them. It unmutes.
    case setVolume(percent: Int)
    case setMuted(Bool)
    /// Hear an option of `NowPlaying.selections`.
    case selectAudio(id: String)
    /// Show an option of `NowPlaying.selections`.
    case selectSubtitles(id: String)
    /// Show captions, those in the viewer's language if there are any, or none.
    case setCaptions(Bool)
    /// Play at this speed; 1 is normal.
    case changePlaybackRate(Ratio)
    /// Seek to the newest part of a live stream.
    case goLive
    /// Show a message over everything for a number of seconds.
    case showMessage(String, seconds: Int)
    /// Ask for the feed now.
    case refreshFeed
    /// End the player and start it again; it goes on with what it plays.
    case restartPlayer
    /// Start the machine again.
    case reboot
    /// See an option of `NowPlaying.selections`.
    case selectAngle(id: String)
    /// Seek in a live stream to what was sent at this time of day, in seconds since local midnight; the last such time.
    case goToTimeOfDay(Int)
    /// A guest has left: go to standby, and forget what viewers have left and set. What the operator has set stays.
    case checkOut
    /// Greet the guest with this name now, and whenever the box wakes or starts, until `checkOut`; nil: no guest is greeted any more.
    case setWelcome(name: String?)
    /// Show a text instead of everything else, also in standby and after a restart, until `endEmergency`. Nothing is heard, and no key does anything.
    case showEmergency(String)
    case endEmergency
    /// Ask for the operator's update now, and install it without waiting for its hours.
    case updateNow
    /// Make a support bundle, and post it to an address.
    case sendSupportBundle(to: String)

    /// Whether it asks for a state, so that a box that has it already (`CommandFailure.noChange`) has done what was asked.
    package var asksForState: Bool {
        switch self {
        case .play, .pause, .wake, .standby, .setVolume, .setMuted, .selectAudio, .selectSubtitles, .selectAngle, .setCaptions,
            .changePlaybackRate, .checkOut, .setWelcome, .showEmergency, .endEmergency:
            true
        case .togglePlayPause, .stop, .changePlaybackPosition, .skip, .restart, .open, .key, .beginAnnouncement, .endAnnouncement,
            .goLive, .goToTimeOfDay, .showMessage, .refreshFeed, .restartPlayer, .reboot, .updateNow, .sendSupportBundle:
            false
        }
    }
}

/// Why a command was refused.
package enum CommandFailure: String, Sendable, Hashable {
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
    case failed(CommandFailure)

    package var description: String {
        switch self {
        case .success: "success"
        case .failed(let reason): "failed(\(reason.rawValue))"
        }
    }

    /// The result as the sender of a command is told it: what asked for a state that was there already is done.
    package func told(of command: RemoteCommand) -> CommandResult {
        self == .failed(.noChange) && command.asksForState ? .success : self
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
