import LinuxSupport
import MediaModel
import Playback
import Screens
import Shell
import StatusModel
import Viewing

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
    /// The id of the output that the viewer has chosen.
    package var chosenOutput: String? { viewer.settings.soundOutput?.id }
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

    /// Whether a feed is applied.
    package var offersChannels: Bool { catalogue.feed != nil }

    /// The presentation state: what is on the screen apart from video.
    package var shown: PresentationState { screen.shown }

    /// The names of the visible states, the outermost layer first, for tours and tests. Several may apply.
    package var stateNames: [String] {
        StateNames.names(of: driver.machine.state, isLinear: driver.machine.requiresLinearPlayback)
    }

    package var strings: StringCatalogue { driver.strings }

    var machine: InterfaceMachine { driver.machine }

    /// The active interruptions, the oldest first.
    var interruptions: [HoldReason] { holds.interruptions }

    /// The schedule as the guide shows it.
    var guide: GuideContent { catalogue.guide }

    /// The options for audio and captions.
    var mediaOptions: MediaOptions { choices.offered }

    /// Whether the viewer has turned the sound of what plays off.
    package var isSoundOff: Bool { choices.isSoundOff }

    /// What Settings says about the box has changed.
    package func factsChanged() {
        var facts = viewer.facts(of: catalogue.feed, session: driver.policy.session)
        facts.pairedPhones = phones.count
        send(.factsChanged(facts))
    }
}
