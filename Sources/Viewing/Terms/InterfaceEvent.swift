import BoxModel
import LinuxSupport
import MediaModel
import MediaTime
import Screens

/// The events of the interface.
package enum InterfaceEvent: Sendable {
    /// A key of a remote. Exactly one `.answer` is among the effects.
    case key(RemoteEvent)
    /// An external command, with its origin. Exactly one `.answer` is among the effects.
    case command(RemoteCommand, origin: String)
    /// The settings of the operator or of the box have changed. The texts stay in the viewer's language.
    case policyChanged(InterfacePolicy)
    /// A timer has fired.
    case timer(InterfaceTimer)
    /// Another item is in the player; nil for none.
    case itemChanged(ItemPresentation?)
    /// More is known about the current item (its own metadata, chapters of the stream, its duration). Position and screen stay. An item with another
    /// id is ignored: what the viewer's choice did to the player, while the next item was not open yet, may have told more about the previous one.
    case itemUpdated(ItemPresentation)
    /// A frame was shown, or the player's state has changed.
    case playback(PlaybackSnapshot)
    /// A seek has completed: where it landed, in asset time, and whether it was carried out (false if another replaced it). Seeks that the machine
    /// did not request have the id `SeekID.programmatic`.
    case seekCompleted(SeekID, landed: MediaTime, finished: Bool)
    /// The frame before the forward boundary stays on the screen: the player holds there, neither paused nor waiting, until it seeks or the boundary
    /// is removed.
    case reachedBoundary(MediaTime)
    /// The separately fetched interstitial that the player presented has ended.
    case interstitialEnded(id: String, how: InterstitialOutcome)
    /// The contents of Home have changed.
    case homeChanged(HomeContent)
    /// The answer to `describe`; nil if there is nothing with this id any more.
    case described(id: String, Details?)
    /// The wall clock: seconds since local midnight, at `now`, the changes of clocks around today, and the day in days since the start of 1970, if it is known.
    /// Without it no clock times are shown.
    case wallClock(secondsSinceMidnight: Int, changes: ClockChanges = ClockChanges(), day: Int64? = nil)
    /// The queue that was told to advance has no next item.
    case queueIsOver
    /// The machine has a network again, after it had none, or has none any more. Without this event there is one.
    case connectionChanged(isConnected: Bool)
    /// A message for the viewer, shown for four seconds.
    case toast(String)
    /// The same, with the text for an error.
    case notify(ErrorCode)
    /// The schedule has changed.
    case guideChanged(GuideContent)
    /// The stored settings of the viewer, once, at the start.
    case settingsRestored(ViewerSettings)
    /// The stored recent searches, the newest first, once, at the start. A kiosk has none.
    case searchesRestored([String])
    /// The stored number of failed PIN tries, once, at the start.
    case pinFailuresRestored(Int)
    /// The answer to `checkPIN`.
    case pinChecked(Bool)
    /// The item to open needs the PIN first; with its rating if it has one.
    case locked(HomeContent.Entry, rating: String?)
    /// The answer to `readFacts`.
    case factsChanged(BoxFacts)
    /// The wireless networks, or the state of the radio, have changed.
    case wirelessChanged(WirelessStatus)
    /// A screen of the box leads to the Wi-Fi page. In a kiosk the PIN is asked for first.
    case wirelessAsked
    /// The first run begins with these facts, or has others to show.
    case firstRunChanged(FirstRunFacts)
    /// The viewer has pressed a key on a screen of the box.
    case viewerIsActive
    /// The answer to `readSignal`.
    case signalChanged(SignalFacts)
    /// The new volume in percent, which is shown for a moment.
    case volumeChanged(percent: Int, isMuted: Bool)
    /// Why the box holds playback; nil when it no longer does.
    case held(HoldReason?)
    /// The opening hours: whether they are on (nil without hours, or while the date is not known), and when they begin or end next.
    case openingHours(isOpen: Bool?, change: HostTime?)
    /// The queue advances before the end of its item: its schedule says so.
    case queueAdvances
    /// A phone sends what the text of the page is to be. Exactly one `.answer` is among the effects.
    case typed(String)
    /// What the code for phones has: the address of the page for them, with the secret of the pairing; nil for no code.
    case phoneCode(String?)
}

/// Identifies a seek, so that its completion is not taken for another's.
package struct SeekID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Counts from 1.
    package let number: UInt64

    /// A seek that the machine did not request.
    package static let programmatic = SeekID(0)

    package init(_ number: UInt64) { self.number = number }

    package static func < (left: SeekID, right: SeekID) -> Bool { left.number < right.number }

    package var description: String { "seek \(number)" }
}

/// Why the box has paused playback.
package enum HoldReason: String, Sendable, Hashable, CaseIterable {
    /// An announcement.
    case announcement
    /// The television shows another input.
    case otherInput
    /// There is no screen.
    case display
    /// The sound device was lost.
    case sound
    /// The box is too hot.
    case heat
    /// An emergency message is on the screen.
    case emergency

    /// One sentence on why nothing plays.
    func notice(in strings: StringCatalogue) -> String {
        switch self {
        case .announcement, .emergency: strings.text(.heldAnnouncement)
        case .otherInput: strings.text(.heldOtherInput)
        case .display: strings.text(.heldDisplay)
        case .sound: strings.text(.heldSound)
        case .heat: strings.text(.heldHeat)
        }
    }
}

/// The machine's timers. At most one of each runs; arming a running one moves it.
package enum InterfaceTimer: String, Sendable, Hashable, CaseIterable {
    /// A key has been down long enough for a hold.
    case hold
    /// The hold of a device without releases ends.
    case holdEnds
    /// The bar hides.
    case autoHide
    /// A step of a scan, or of a scrub with a held key.
    case scanStep
    /// Back no longer undoes.
    case undoEnds
    /// Back no longer turns the sound on again.
    case soundUndoEnds
    /// The contextual action takes focus.
    case actionFocus
    /// The next stage of the loading or buffering message.
    case waiting
    /// The card retries automatically, or its countdown advances.
    case retry
    /// The countdown of a proposal advances, or it is accepted.
    case proposal
    /// The toast disappears.
    case toast
    /// The message of a refused key disappears.
    case refusal
    /// A long pause.
    case paused
    /// A typed number is complete.
    case digits
    /// The channel banner disappears.
    case banner
    /// The volume level disappears.
    case volume
    /// The wait after too many wrong PINs advances.
    case pin
    /// A programme of which the viewer wants to be reminded begins.
    case reminder
    /// The sleep timer ends, or announces its end.
    case sleep
    /// The viewer has been idle for long.
    case idle
    /// A time shown by the bar, the guide or the banner has changed.
    case minute
    /// The screen saver appears, or moves.
    case screenSaver
    /// The card of audio-only playback moves.
    case burnIn
    /// Keys of a kiosk's operator were held.
    case operatorKeys
    /// A typed place is complete.
    case place
}
