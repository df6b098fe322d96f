import LinuxSupport
import MediaTime

/// The keys of remotes, named as key scripts name them.
package enum RemoteKey: String, Sendable, Hashable, CaseIterable {
    case up, down, left, right, ok, back, home, play, pause, playpause, stop, ff, rw, next, prev
    case channelUp = "ch+"
    case channelDown = "ch-"
    case info, subtitle, audio, menu, power, mute
    /// The programme guide, and the channel before this one.
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

/// What happened to a key.
package enum KeyPhase: String, Sendable, Hashable {
    /// It went down.
    case press
    /// The device says that it is still down (evdev value 2).
    case `repeat`
    /// It went up.
    case release
}

/// One event of a remote.
package struct RemoteEvent: Sendable, Hashable {
    /// Which key.
    package var key: RemoteKey
    /// What happened to it.
    package var phase: KeyPhase
    /// When, by the kernel's clock.
    package var time: HostTime
    /// Which device, for those rules that depend on it; e.g. `event3`, `script`, `web`.
    package var device: String
    /// Whether the device tells when keys go up. One that never did is a no-release device: each press is a tap.
    package var sendsReleases: Bool

    package init(key: RemoteKey, phase: KeyPhase, time: HostTime, device: String, sendsReleases: Bool = true) {
        self.key = key
        self.phase = phase
        self.time = time
        self.device = device
        self.sendsReleases = sendsReleases
    }
}

/// What can be asked of the box from outside, whatever the way in: the nouns of MPRemoteCommandCenter.
package enum RemoteCommand: Sendable, Hashable {
    /// Go on playing.
    case play
    /// Stop where it is.
    case pause
    /// The other of the two.
    case togglePlayPause
    /// Leave the player.
    case stop
    /// Go to a place in content time.
    case changePlaybackPosition(MediaTime)
    /// Go forward (or, negative, back) so many seconds of content time.
    case skip(MediaTime)
    /// Play from the beginning.
    case restart
    /// Play an item or channel of the feed by its id.
    case open(id: String)
    /// Press and let go of a key.
    case key(RemoteKey)
    /// An announcement begins: what plays makes room for it.
    case beginAnnouncement
    /// It is over; whether play may go on by itself.
    case endAnnouncement(shouldResume: Bool)
}

/// Why a command was not carried out.
package enum CommandFailure: String, Sendable, Hashable {
    /// A linear range is playing.
    case linear
    /// Nothing is playing.
    case noItem
    /// The player is already in that state.
    case noChange
    /// There is no such item or channel.
    case unknownID
    /// This item cannot do that (a live stream without a window, for one).
    case notSupported
    /// The player is not yet ready for it.
    case notReady
}

/// The answer to a command.
package enum CommandResult: Sendable, Hashable, CustomStringConvertible {
    /// It is done or under way.
    case success
    /// It was refused.
    case failed(CommandFailure)

    package var description: String {
        switch self {
        case .success: "success"
        case .failed(let reason): "failed(\(reason.rawValue))"
        }
    }
}

/// The one door at which keys, CEC, the web page and MPRIS enter.
@MainActor
package protocol CommandDoor: AnyObject {
    /// A key went down, was repeated or went up.
    ///
    /// - Returns: the answer to what the key meant; a key that means nothing here is `failed(notSupported)`.
    @discardableResult
    func handle(_ event: RemoteEvent) -> CommandResult
    /// A command, with a word for where it came from (`web`, `mpris`, `cec`).
    @discardableResult
    func perform(_ command: RemoteCommand, from origin: String) -> CommandResult
}

/// What is playing, for everybody outside: a snapshot that is made anew only when something changes. Readers extrapolate with `rate`.
package struct NowPlaying: Sendable, Equatable {
    /// What the box is doing.
    package enum State: String, Sendable { case home, loading, playing, paused, buffering, ended, failed }
    /// What the box is doing.
    package var state: State
    /// Id of the item or channel.
    package var id: String?
    /// Its title.
    package var title: String?
    /// A second line.
    package var subtitle: String?
    /// Content time at `hostTime`.
    package var elapsed: MediaTime?
    /// Total content time.
    package var duration: MediaTime?
    /// Asset time at `hostTime`.
    package var assetTime: MediaTime?
    /// The rate in force.
    package var rate: Ratio
    /// The words above the bar in an interstitial, e.g. `Ad 1 of 2 · 0:12`.
    package var interstitialLabel: String?
    /// Whether a linear range is playing.
    package var requiresLinearPlayback: Bool
    /// The code and sentence on the error card.
    package var error: MediaError?
    /// The instant of the snapshot.
    package var hostTime: HostTime

    package init(
        state: State, id: String? = nil, title: String? = nil, subtitle: String? = nil, elapsed: MediaTime? = nil,
        duration: MediaTime? = nil, assetTime: MediaTime? = nil, rate: Ratio = .zero, interstitialLabel: String? = nil,
        requiresLinearPlayback: Bool = false, error: MediaError? = nil, hostTime: HostTime
    ) {
        self.state = state
        self.id = id
        self.title = title
        self.subtitle = subtitle
        self.elapsed = elapsed
        self.duration = duration
        self.assetTime = assetTime
        self.rate = rate
        self.interstitialLabel = interstitialLabel
        self.requiresLinearPlayback = requiresLinearPlayback
        self.error = error
        self.hostTime = hostTime
    }
}

/// What the box publishes for its local page.
@MainActor
package protocol StatusPublishing: AnyObject {
    /// What is playing now.
    var nowPlaying: NowPlaying { get }
    /// The last lines of the log, oldest first.
    func logTail(_ count: Int) -> [String]
    /// The access (or error) log of the playbacks since the box was started, the one that is going on included, in the W3C Extended Log File Format.
    func playbackLog(errors: Bool) -> String
    /// The picture on the screen as composed now; nil where it cannot be read.
    func readScreen(_ then: @escaping @MainActor @Sendable (ScreenPicture?) -> Void)
}
