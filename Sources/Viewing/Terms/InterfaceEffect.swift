import BoxModel
import LinuxSupport
import MediaModel
import MediaTime
import Screens

/// The tolerance of a seek, with its name in dumps.
package enum SeekTolerance: String, Sendable, Hashable {
    /// The frame whose interval contains the target.
    case zero
    /// Any position that is quick to reach.
    case unbounded
    /// Any position that is quick to reach, but not after the target, where an interstitial begins.
    case notAfter
}

/// The requests of the interface. They are carried out in order, on the main loop, before the next event is handled.
package enum InterfaceEffect: Sendable, Equatable {
    /// The answer to the current key or command.
    case answer(CommandResult)
    /// Seek to a position in asset time. A pending seek is replaced (`finished: false`). The end of the seek comes back as `seekCompleted`.
    case seek(SeekID, to: MediaTime, tolerance: SeekTolerance)
    /// Play.
    case play
    /// Pause.
    case pause
    /// Scan key pictures at this rate, negative for backward, without sound; nil pauses. Only if the snapshot has `canPlayFast`. At half speed all pictures are
    /// played: forward if that is among the snapshot's `speeds`, backward only if it has frames with `canPlayBackward`.
    case scan(rate: Ratio?)
    /// Show the next frame (1) or the one before (-1), and stay paused. The end comes back as the `seekCompleted` of a seek that the machine did not request.
    case step(Int)
    /// Play forward up to this asset time and hold the frame before it, then send `reachedBoundary`; nil for no boundary. Setting it releases a hold.
    /// A seek takes effect before a boundary that is set after it, so `[.seek, .setForwardBoundary(nil)]` shows no frame in between.
    case setForwardBoundary(at: MediaTime?)
    /// Skip the rest of the separately fetched interstitial that the player presents.
    case skipInterstitial
    /// The viewer chose an item or channel of Home, or typed a number.
    case open(id: String)
    /// The same, from its beginning in spite of a saved position, which stays until it plays.
    case openFromBeginning(id: String)
    /// A page about an item or a series is open: send `described` with what is known about it.
    case describe(id: String)
    /// Put an item or a series into the viewer's list, or take it out. What Home shows changes by it.
    case setInList(id: String, Bool)
    /// Store, or forget, that the viewer wants to be reminded of the programme that begins on this channel at this time, in the seconds of `GuideContent`. What
    /// the guide shows changes by it.
    case setReminder(channel: String, start: Int, Bool)
    /// Forget where viewing of the item stopped. It was not watched to its end because of this.
    case forgetPlace(id: String)
    /// Stop, and close the item: only Home is on the screen. `savePlace` comes before it if there is a position.
    case leavePlayer
    /// A proposal was accepted: play it at once, with the same choices of audio, captions and speed.
    case playNext(id: String, automatic: Bool)
    /// Play the next item of the queue, because this one failed or has ended and nothing else is shown.
    case playNextInQueue
    /// Open the item again at this position in asset time; nil: where it begins by itself.
    case retry(at: MediaTime?)
    /// Send `handle(.timer(…))` at this instant; a running timer of the same name is moved.
    case arm(InterfaceTimer, at: HostTime)
    /// Cancel the timer.
    case cancel(InterfaceTimer)
    /// Tell clients that an interstitial begins (its first frame is about to be shown, or was just shown), how much of it was played, and, exactly once for each
    /// beginning, that it has ended; or what became of a proposal.
    case tell(ViewingEvent)
    /// It counts as watched from now on.
    case watched(interstitial: String)
    /// Save the position; nil if the item was watched to its end and has none.
    case savePlace(id: String, SavedPlace?)
    /// Enter standby, in which nothing is shown.
    case standby
    /// Leave standby: the box shows what it shows at power-on.
    case wake
    /// Use this speed from now on for all playback.
    case setSpeed(Ratio)
    /// Use this picture size.
    case setVideoFit(VideoFit)
    /// Show captions this much later than the pictures, in milliseconds.
    case setCaptionDelay(Int)
    /// Enable video, or with false disable it while the sound continues, for this item and the following ones. The snapshot's `hasVideo` is true
    /// again when a picture is on the screen.
    case presentVideo(Bool)
    /// Show captions regardless of the choice (true), or according to it (false), for "What did they say?". It changes no choice.
    case showCaptionsForReplay(Bool)
    /// Store these settings, and apply those outside the interface.
    case saveSettings(ViewerSettings)
    /// Store these recent searches, the newest first, in place of the earlier ones.
    case saveSearches([String])
    /// Compare with the configured PIN; the answer comes back as `pinChecked`.
    case checkPIN(String)
    /// Use and store this PIN from now on; nil for none. `InterfacePolicy.hasPIN` changes.
    case savePIN(String?)
    /// Store the number of failed PIN tries.
    case savePINFailures(Int)
    /// The PIN was right: this may be opened until standby.
    case unlock(id: String)
    /// Send the current `BoxFacts`.
    case readFacts
    /// Send the current `SignalFacts`.
    case readSignal
    /// Delete one of the stores of `BoxFacts`, and send the facts again.
    case deleteStore(id: String)
    /// Let the box do this.
    case carryOut(BoxTask)
    /// Begin what the viewer wants of the wireless networks. What comes of it is told by `wirelessChanged`.
    case wireless(WirelessRequest)
    /// Let the box do this for the first run. What it comes to is told by `firstRunChanged`.
    case firstRun(FirstRunRequest)
    /// Play a tone on this side, by which the viewer hears whether the sound is right.
    case playTone(SoundSide)
    /// Mix this sound into what is heard, at once or not at all; the instant is that of the key. With spoken focus it comes before the words.
    case navigationSound(NavigationSound, asked: HostTime)
    /// Speak this text, replacing the current one.
    case speak(String)
    /// Switch to this audio without a stop: an id of `MediaOptions.audio`. It applies to the series. Nil: none, for this item; `MediaOptions.selectedAudio` is then
    /// nil.
    case selectAudio(id: String?)
    /// Show another angle from the same position: an id of `MediaOptions.angles`.
    case selectAngle(id: String)
    /// Show these captions, none, or the automatic ones. It applies to the series.
    case selectSubtitles(SubtitleChoice)
    /// Use this caption style from now on.
    case setCaptionStyle(CaptionStyle)
    /// Change the volume by this many steps, up or (negative) down; zero toggles muting.
    case changeVolume(Int)
    /// Take their right from all paired phones, and send the facts again.
    case forgetPhones

    /// The effect that stores, or forgets, a reminder.
    package static func setReminder(_ reminder: Reminder, _ isSet: Bool) -> InterfaceEffect {
        .setReminder(channel: reminder.channel, start: reminder.programme.start, isSet)
    }
}
