import LinuxSupport
import MediaModel
import MediaTime

/// All that the interface is told.
package enum InterfaceEvent: Sendable {
    /// A key of a remote. Exactly one `.answer` is among the effects.
    case key(RemoteEvent)
    /// A command from outside, with a word for where it came from. Exactly one `.answer` is among the effects.
    case command(RemoteCommand, origin: String)
    /// What the operator and the box have set has changed. The texts stay in the viewer's language.
    case policyChanged(InterfacePolicy)
    /// A timer that was armed has run out.
    case timer(InterfaceTimer)
    /// Another item is in the player; nil: none.
    case itemChanged(ItemPresentation?)
    /// More is known of the item that plays (its own metadata, chapters of the stream, its duration). Place and screen stay as they are.
    /// An item with another id is taken as `itemChanged`.
    case itemUpdated(ItemPresentation)
    /// A frame was shown, or the player changed.
    case playback(PlaybackSnapshot)
    /// A seek is over: where it landed, in asset time, and whether it was carried out (false: another took its place). Seeks that
    /// were not asked for by the machine (those of a program) are told with `SeekID.programmatic`.
    case seekCompleted(SeekID, landed: MediaTime, finished: Bool)
    /// The frame before the forward boundary stays on the screen: the player holds there, neither paused nor waiting, until it is
    /// sought or the boundary is taken away.
    case reachedBoundary(MediaTime)
    /// The interstitial that the player presented beside the stream is over.
    case interstitialEnded(id: String, how: InterstitialOutcome)
    /// What Home offers has changed.
    case homeChanged(HomeContent)
    /// The wall clock: seconds since midnight, local, at `now`. Until it is told, no clock times are shown.
    case wallClock(secondsSinceMidnight: Int)
    /// Nothing follows in the queue that was told to go on.
    case queueIsOver
    /// Something to tell the viewer for four seconds.
    case toast(String)
    /// The same, in the words for an error.
    case notify(ErrorCode)
    /// What is on when.
    case guideChanged(GuideContent)
    /// What the store kept of the viewer's settings, once, at the start.
    case settingsRestored(ViewerSettings)
    /// How many tries of the PIN were wrong before the power was cut, once, at the start.
    case pinFailuresRestored(Int)
    /// The answer to `checkPIN`.
    case pinChecked(Bool)
    /// What was to be opened needs the PIN first; its rating where it has one.
    case locked(HomeContent.Entry, rating: String?)
    /// The answer to `readFacts`.
    case factsChanged(BoxFacts)
    /// The loudness is this now, in percent; it is shown for a moment.
    case volumeChanged(percent: Int, isMuted: Bool)
    /// Why the box itself holds what plays; nil: it does not any more.
    case held(HoldReason?)
}

/// Names one seek, so that its end can be told from another's.
package struct SeekID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Counts from 1.
    package let number: UInt64

    /// The seek of a program, which the machine did not ask for.
    package static let programmatic = SeekID(0)

    package init(_ number: UInt64) { self.number = number }

    package static func < (left: SeekID, right: SeekID) -> Bool { left.number < right.number }

    package var description: String { "seek \(number)" }
}

/// Why the box itself has paused what plays.
package enum HoldReason: String, Sendable, Hashable, CaseIterable {
    /// An announcement is made.
    case announcement
    /// The television shows something else.
    case otherInput
    /// There is no screen.
    case display
    /// The sound device is gone.
    case sound
    /// The box is too hot.
    case heat
}

/// The machine's timers: at most one of each runs at a time; arming one that runs moves it.
package enum InterfaceTimer: String, Sendable, Hashable, CaseIterable {
    /// A key has been down for long enough to be held.
    case hold
    /// A pair of presses of a device without releases is over: its hold ends.
    case holdEnds
    /// The bar hides.
    case autoHide
    /// A step of a scan, or of a scrub with a key held.
    case scanStep
    /// Back no longer undoes.
    case undoEnds
    /// The contextual action takes focus.
    case actionFocus
    /// The next word about loading or buffering is due.
    case waiting
    /// The card tries again by itself, or its countdown moves.
    case retry
    /// The countdown of a proposal moves, or it is accepted.
    case proposal
    /// The toast goes.
    case toast
    /// What a refused key showed goes.
    case refusal
    /// Paused for long.
    case paused
    /// A number typed in digits is complete.
    case digits
    /// The channel's banner goes.
    case banner
    /// The level of the loudness goes.
    case volume
    /// The wait after too many wrong PINs moves.
    case pin
    /// The box goes to sleep, or says that it will.
    case sleep
    /// Nobody has touched anything for long.
    case idle
    /// The bar, the guide or the banner shows a time that has moved.
    case minute
    /// Sound without a picture moves on the screen.
    case burnIn
    /// Keys of a kiosk's operator were held.
    case operatorKeys
}
