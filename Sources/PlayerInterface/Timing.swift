import MediaTime

/// Every length of time of the interface: wall time is a `Duration`, a length of the film a `MediaTime`.
package enum Timing {
    /// The bar hides so long after the last key.
    package static let autoHide = Duration.seconds(4)
    /// Things fade in.
    package static let fadeIn = Duration.milliseconds(150)
    /// Things fade out.
    package static let fadeOut = Duration.milliseconds(250)
    /// The panel slides, ease-out.
    package static let panelSlide = Duration.milliseconds(300)
    /// The video shrinks for a proposal.
    package static let proposalShrink = Duration.milliseconds(400)
    /// What takes focus grows.
    package static let focusScale = Duration.milliseconds(150)
    /// Cross-fades that replace all of these with reduced motion.
    package static let reducedMotion = Duration.milliseconds(100)

    /// A key still down after this is held.
    package static let hold = Duration.milliseconds(400)
    /// On a device that never sends releases, two equal presses at most so far apart are a hold.
    package static let noReleasePair = Duration.milliseconds(550)
    /// Taps at most so far apart are one navigation.
    package static let tapRun = Duration.seconds(1)
    /// Repeats move a list at most this often.
    package static let listRepeat = Duration.milliseconds(125)
    /// …and this often once the key has been down for `listRepeatAccelerates`.
    package static let fastListRepeat = Duration.milliseconds(50)
    /// When lists begin to move faster.
    package static let listRepeatAccelerates = Duration.seconds(2)
    /// Back undoes the last seek for so long.
    package static let undo = Duration.seconds(5)
    /// After so long without a key the first Left or Right offers "Back to undo".
    package static let longIdle = Duration.seconds(60)
    /// An action that appears so soon after a key takes focus only so long after that key.
    package static let actionGuard = Duration.seconds(1)
    /// A tap so soon after turning round steps finely.
    package static let fineStepWindow = Duration.seconds(1)
    /// Previous so long after a chapter's start goes to that start.
    package static let previousRestarts = MediaTime.seconds(3)

    /// One tap of Left or Right.
    package static let skip = MediaTime.seconds(10)
    /// One tap right after turning round while scrubbing.
    package static let fineStep = MediaTime.seconds(1)
    /// What a scan level multiplies, levels 1 to 4.
    package static let scanFactors = [4, 12, 30, 60]
    /// Scanning and accelerated scrubbing move this often.
    package static let scanStep = Duration.milliseconds(250)
    /// Held while paused, the scrub is so long at a level before the next.
    package static let scrubAccelerates = Duration.seconds(1)
    /// A scan at the player's rates looks so far ahead, in its own time, for what it must pass over.
    package static let scanLooksAhead = MediaTime.seconds(1)
    /// Key pictures lie at most so far apart, in streams as they are.
    package static let keyPictures = MediaTime.seconds(10)
    /// A scan at 1x ends by itself after this.
    package static let scanSettles = Duration.seconds(1)
    /// Scanning forward stops so far before the end.
    package static let scanStopsBeforeEnd = MediaTime.seconds(10)
    /// "What did they say?" goes back so far.
    package static let whatDidTheySay = MediaTime.seconds(15)

    /// Nothing new to show: the spinner.
    package static let spinner = Duration.milliseconds(500)
    /// …with a word.
    package static let spinnerWord = Duration.seconds(2)
    /// …with a sentence.
    package static let slowNetwork = Duration.seconds(8)
    /// …the card.
    package static let slowCard = Duration.seconds(20)
    /// The card tries again by itself this often.
    package static let retry = Duration.seconds(10)
    /// Playlist channels and queues move on.
    package static let moveOn = Duration.seconds(30)

    /// The banner of a channel stays.
    package static let banner = Duration.seconds(4)
    /// The level of the loudness stays.
    package static let volume = Duration.seconds(2)
    /// Wrong PINs before the wait.
    package static let pinTries = 5
    /// The wait after too many wrong PINs.
    package static let pinLock = Duration.seconds(300)
    /// The sleep timer says so long before that the box will sleep.
    package static let sleepWarning = Duration.seconds(60)
    /// "Still watching?" waits so long for an answer; then the box goes to standby.
    package static let stillWatchingAnswer = Duration.seconds(300)
    /// Sound without a picture moves to another place this often.
    package static let burnIn = Duration.seconds(60)
    /// Back and OK held for so long ask for the operator's PIN.
    package static let operatorHold = Duration.seconds(5)
    /// How long an interstitial is owed after the viewer has left it, in seconds.
    package static let owedInterstitialSeconds = 86_400

    /// A toast stays.
    package static let toast = Duration.seconds(4)
    /// What a refused key shows stays.
    package static let refusal = Duration.seconds(2)
    /// Digits of a channel number are taken so long after the last.
    package static let digits = Duration.milliseconds(1500)
    /// Go Live is offered from so far behind the live edge.
    package static let behindLive = MediaTime.seconds(20)
    /// Paused so long: the picture is dimmed.
    package static let pausedDims = Duration.seconds(600)
    /// Paused so long: standby with the place saved.
    package static let pausedStandby = Duration.seconds(1800)
    /// A countdown shorter than this is not offered: the proposal is shown earlier, or accepts later.
    package static let shortestCountdown = MediaTime.seconds(5)
    /// "Still watching?" after so many proposals accepted by themselves…
    package static let stillWatchingProposals = 3
    /// …and at least this long since the last key.
    package static let stillWatchingIdle = Duration.seconds(5400)
    /// A queue goes on so long after an item of it has failed: time to read why.
    package static let queueMovesOn = Duration.seconds(5)
    /// Places are saved this often in play.
    package static let savesPlace = MediaTime.seconds(10)
    /// An interstitial is watched at this part of it, in percent.
    package static let watchedPercent = 95
}
