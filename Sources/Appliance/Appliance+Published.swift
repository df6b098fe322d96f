import LinuxSupport
import MediaModel
import Playback
import StatusModel

/// What other machines and the local page read.
extension Appliance {
    package var nowPlaying: NowPlaying {
        var now = published.nowPlaying
        if isInStandby { now.state = .standby }
        now.isScreenOff = isScreenOff
        return now
    }

    /// The emergency message on the screen; nil if there is none.
    package var emergencyText: String? { emergency.text }
    /// The volume of the box itself, in percent; that of an amplifier or a television is its own.
    package var volumePercent: Int { Int((parts.player.volume * 100).rounded()) }
    package var isMuted: Bool { parts.player.isMuted }
    /// The log of the current item; nil if nothing plays.
    package var currentLog: PlaybackLog? { logs.current }
    /// The last act of a viewer; nil before the first.
    package var lastPress: HostTime? { machine.lastPress }
    package func playbackLog(errors: Bool, session: String?) -> LazyText? { logs.text(errors: errors, session: session) }
    package func lastErrors(_ count: Int) -> [PlaybackFault] { logs.lastErrors(count) }
    package func logTail(_ count: Int) -> [String] { parts.log.tail(count) }

    package func readScreen(_ then: @escaping @MainActor @Sendable (ScreenPicture?) -> Void) {
        parts.services.display.readScreen(then)
    }
}
