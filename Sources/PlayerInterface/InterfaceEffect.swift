import LinuxSupport
import MediaModel
import MediaTime

/// How exactly a seek must land.
package enum SeekTolerance: Sendable, Hashable {
    /// On the frame whose interval holds the target.
    case zero
    /// Wherever it is fastest.
    case unbounded
    /// Wherever it is fastest, but not behind the place: an interstitial begins there.
    case notAfter
}

/// All that the interface wants done. Effects are carried out in order, on the main loop, before the next event is handed in.
package enum InterfaceEffect: Sendable, Equatable {
    /// The answer to the key or command that was handed in.
    case answer(CommandResult)
    /// Seek to a place in asset time. A seek that is under way is given up for it (`finished: false`). Its end comes back as
    /// `seekCompleted`.
    case seek(SeekID, to: MediaTime, tolerance: SeekTolerance)
    /// Let time pass.
    case play
    /// Stand still.
    case pause
    /// Pass over key pictures at this rate, negative backward, without sound; nil: stand still. Only where the snapshot says `canPlayFast`.
    case scan(rate: Ratio?)
    /// Play forward up to this asset time and hold the frame before it, then tell `reachedBoundary`; nil: no boundary. Setting it
    /// lets go of a hold; a seek takes effect before a boundary set after it, so `[.seek, .setForwardBoundary(nil)]` shows no frame
    /// between.
    case setForwardBoundary(at: MediaTime?)
    /// Skip the rest of the interstitial that the player presents beside the stream.
    case skipInterstitial
    /// The viewer chose an item or channel of Home, or a number.
    case open(id: String)
    /// Stop, and let go of the item: only Home is on the screen. `savePlace` went before where there is a place.
    case leavePlayer
    /// A proposal was accepted: play it at once, with the choices of sound, captions and speed carried over.
    case playNext(id: String, automatic: Bool)
    /// The next of the queue, because this item does not play or is over; there is nothing else to show.
    case playNextInQueue
    /// Open the item again at this place in asset time.
    case retry(at: MediaTime)
    /// Make `handle(.timer(…))` happen at this instant; a timer of the same name is moved.
    case arm(InterfaceTimer, at: HostTime)
    /// The timer is not wanted any more.
    case cancel(InterfaceTimer)
    /// The first frame of this interstitial is about to be, or just was, shown.
    case willPresent(Interstitial)
    /// It is over: exactly one for each `willPresent`.
    case didPresent(Interstitial, how: InterstitialOutcome)
    /// It counts as watched from now on.
    case watched(interstitial: String)
    /// Remember where the viewer is; nil: the item was watched to its end, so that it has no place any more.
    case savePlace(id: String, SavedPlace?)
    /// Go to the power state in which nothing is shown.
    case standby
    /// Come back from it: what the box shows at power-on.
    case wake
    /// Play at this speed from now on, whenever it plays.
    case setSpeed(Ratio)
    /// Fit pictures like this.
    case setVideoFit(VideoFit)
    /// Decode and show pictures, or (false) do without them while the sound goes on, of this item and what follows. The snapshot's `hasVideo` is true
    /// again once a picture is on the screen.
    case presentVideo(Bool)
    /// Show captions whatever was chosen (true), or as chosen again (false): "What did they say?". It changes no choice.
    case showCaptionsForReplay(Bool)
    /// Keep these settings, and put in force what of them is not the interface's own.
    case saveSettings(ViewerSettings)
    /// Compare with the PIN that was set up; the answer comes back as `pinChecked`.
    case checkPIN(String)
    /// Remember how many tries of the PIN were wrong, over power cuts.
    case savePINFailures(Int)
    /// The PIN was right: this may be opened until standby.
    case unlock(id: String)
    /// Tell the newest `BoxFacts`.
    case readFacts
    /// Delete one of the stores of `BoxFacts`, and tell the facts again.
    case deleteStore(id: String)
    /// Make the box as new, after a while in which that can be taken back.
    case factoryReset
    /// Say this aloud, instead of what is being said.
    case speak(String)
    /// Let this sound be heard, without a stop: an id of `MediaOptions.audio`. It sticks for the series.
    case selectAudio(id: String)
    /// Show these captions, none, or those that the criteria pick. It sticks for the series.
    case selectSubtitles(SubtitleChoice)
    /// Let captions look like this from now on.
    case setCaptionStyle(CaptionStyle)
    /// Change the loudness by so many steps, up or (negative) down; zero: mute or unmute.
    case changeVolume(Int)
}
