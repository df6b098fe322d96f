import MediaTime

/// Every length of time of the interface: wall time is a `Duration`, a length of the film a `MediaTime`.
public enum Timing {
    /// The bar hides so long after the last key.
    public static let autoHide = Duration.seconds(4)
    /// Things fade in.
    public static let fadeIn = Duration.milliseconds(150)
    /// Things fade out.
    public static let fadeOut = Duration.milliseconds(250)
    /// The panel slides, ease-out.
    public static let panelSlide = Duration.milliseconds(300)
    /// The video shrinks for a proposal.
    public static let proposalShrink = Duration.milliseconds(400)
    /// What takes focus grows.
    public static let focusScale = Duration.milliseconds(150)
    /// Cross-fades that replace all of these with reduced motion.
    public static let reducedMotion = Duration.milliseconds(100)

    /// A key still down after this is held.
    public static let hold = Duration.milliseconds(400)
    /// On a device that never sends releases, two equal presses at most so far apart are a hold.
    public static let noReleasePair = Duration.milliseconds(550)
    /// Taps at most so far apart are one navigation.
    public static let tapRun = Duration.seconds(1)
    /// Repeats move a list at most this often.
    public static let listRepeat = Duration.milliseconds(125)
    /// …and this often once the key has been down for `listRepeatAccelerates`.
    public static let fastListRepeat = Duration.milliseconds(50)
    /// When lists begin to move faster.
    public static let listRepeatAccelerates = Duration.seconds(2)
    /// Back undoes the last seek for so long.
    public static let undo = Duration.seconds(5)
    /// After so long without a key the first Left or Right offers "Back to undo".
    public static let longIdle = Duration.seconds(60)
    /// An action that appears so soon after a key takes focus only so long after that key.
    public static let actionGuard = Duration.seconds(1)
    /// A tap so soon after turning round steps finely.
    public static let fineStepWindow = Duration.seconds(1)
    /// Previous so long after a chapter's start goes to that start.
    public static let previousRestarts = MediaTime.seconds(3)

    /// One tap of Left or Right.
    public static let skip = MediaTime.seconds(10)
    /// One tap right after turning round while scrubbing.
    public static let fineStep = MediaTime.seconds(1)
    /// What a scan level multiplies, levels 1 to 4.
    public static let scanFactors = [4, 12, 30, 60]
    /// Scanning and accelerated scrubbing move this often.
    public static let scanStep = Duration.milliseconds(250)
    /// Held while paused, the scrub is so long at a level before the next.
    public static let scrubAccelerates = Duration.seconds(1)
    /// A scan at the player's rates looks so far ahead, in its own time, for what it must pass over.
    public static let scanLooksAhead = MediaTime.seconds(1)
    /// Key pictures lie at most so far apart, in streams as they are.
    public static let keyPictures = MediaTime.seconds(10)
    /// A scan at 1x ends by itself after this.
    public static let scanSettles = Duration.seconds(1)
    /// Scanning forward stops so far before the end.
    public static let scanStopsBeforeEnd = MediaTime.seconds(10)
    /// "What did they say?" goes back so far.
    public static let whatDidTheySay = MediaTime.seconds(15)

    /// Nothing new to show: the spinner.
    public static let spinner = Duration.milliseconds(500)
    /// …with a word.
    public static let spinnerWord = Duration.seconds(2)
    /// …with a sentence.
    public static let slowNetwork = Duration.seconds(8)
    /// …the card.
    public static let slowCard = Duration.seconds(20)
    /// The card tries again by itself this often.
    public static let retry = Duration.seconds(10)
    /// Playlist channels and queues move on.
    public static let moveOn = Duration.seconds(30)
    /// An interstitial that has not started by then is cancelled.
    public static let interstitialStart = Duration.seconds(8)

    /// The banner of a channel stays.
    public static let banner = Duration.seconds(4)
    /// The level of the loudness stays.
    public static let volume = Duration.seconds(2)
    /// Wrong PINs before the wait.
    public static let pinTries = 5
    /// The wait after too many wrong PINs.
    public static let pinLock = Duration.seconds(300)
    /// The sleep timer says so long before that the box will sleep.
    public static let sleepWarning = Duration.seconds(60)
    /// "Still watching?" waits so long for an answer; then the box goes to standby.
    public static let stillWatchingAnswer = Duration.seconds(300)
    /// Sound without a picture moves to another place this often.
    public static let burnIn = Duration.seconds(60)
    /// Back and OK held for so long ask for the operator's PIN.
    public static let operatorHold = Duration.seconds(5)
    /// A debt is owed for so long after the viewer has left, in seconds.
    public static let debtSeconds = 86_400

    /// A toast stays.
    public static let toast = Duration.seconds(4)
    /// What a refused key shows stays.
    public static let refusal = Duration.seconds(2)
    /// Digits of a channel number are taken so long after the last.
    public static let digits = Duration.milliseconds(1500)
    /// Go Live is offered from so far behind the live edge.
    public static let behindLive = MediaTime.seconds(20)
    /// Paused so long: the picture is dimmed.
    public static let pausedDims = Duration.seconds(600)
    /// Paused so long: standby with the place saved.
    public static let pausedStandby = Duration.seconds(1800)
    /// A countdown shorter than this is not offered: the proposal is shown earlier, or accepts later.
    public static let shortestCountdown = MediaTime.seconds(5)
    /// "Still watching?" after so many proposals accepted by themselves…
    public static let stillWatchingProposals = 3
    /// …and at least this long since the last key.
    public static let stillWatchingIdle = Duration.seconds(5400)
    /// A queue goes on so long after an item of it has failed: time to read why.
    public static let queueMovesOn = Duration.seconds(5)
    /// Places are saved this often in play.
    public static let savesPlace = MediaTime.seconds(10)
    /// An interstitial is watched at this part of it, in percent.
    public static let watchedPercent = 95
}
