import MediaTime

/// All durations of the interface: wall time is a `Duration`, media time a `MediaTime`.
package enum Timing {
    /// The bar hides this long after the last key.
    package static let autoHide = Duration.seconds(4)
    /// Each line, or page of lines, of the operator's words over the video.
    package static let wordsStay = Duration.seconds(8)
    /// Elements fade in.
    package static let fadeIn = Duration.milliseconds(150)
    /// Elements fade out.
    package static let fadeOut = Duration.milliseconds(250)
    /// The panel slides, ease-out.
    package static let panelSlide = Duration.milliseconds(300)
    /// The video shrinks for a proposal.
    package static let proposalShrink = Duration.milliseconds(400)
    /// A focused element grows.
    package static let focusScale = Duration.milliseconds(150)
    /// Focus that has not moved on Home for this long has its artwork shown large: longer than the artwork before it fades out.
    package static let heroRest = Duration.milliseconds(300)
    /// A row bumps against its end.
    package static let bump = Duration.milliseconds(240)
    /// Cross-fades that replace all of these with reduced motion.
    package static let reducedMotion = Duration.milliseconds(100)

    /// A key still down after this is held.
    package static let hold = Duration.milliseconds(400)
    /// On a device that never sends releases, two equal presses at most this far apart are a hold.
    package static let noReleasePair = Duration.milliseconds(550)
    /// Taps at most this far apart are one navigation.
    package static let tapRun = Duration.seconds(1)
    /// Repeats move a list at most this often.
    package static let listRepeat = Duration.milliseconds(125)
    /// …and this often once the key has been down for `listRepeatAccelerates`.
    package static let fastListRepeat = Duration.milliseconds(50)
    /// When lists begin to move faster.
    package static let listRepeatAccelerates = Duration.seconds(2)
    /// Back undoes the last seek for this long.
    package static let undo = Duration.seconds(5)
    /// After this long without a key the first Left or Right offers "Press Back to undo".
    package static let longIdle = Duration.seconds(60)
    /// An action that appears this soon after a key takes focus only this long after that key.
    package static let actionGuard = Duration.seconds(1)
    /// A tap this soon after a change of direction makes fine steps.
    package static let fineStepWindow = Duration.seconds(1)
    /// Previous goes to the start of the current chapter if it is this far behind.
    package static let previousRestarts = MediaTime.seconds(3)

    /// One tap of Left or Right.
    package static let skip = MediaTime.seconds(10)
    /// One tap right after a change of direction while scrubbing.
    package static let fineStep = MediaTime.seconds(1)
    /// The speeds of the scan levels 1 to 4.
    package static let scanFactors = [4, 12, 30, 60]
    /// The step interval of scanning.
    package static let scanStep = Duration.milliseconds(250)
    /// The step interval of a scrub while its key is held.
    package static let scrubStep = Duration.milliseconds(100)
    /// From its hold on, a scrub reaches the other end of what plays in this time, however long that is: with `hold` in less than eight seconds.
    package static let scrubReaches = Duration.milliseconds(7200)
    /// A scan whose key is held for this long becomes a scrub…
    package static let scanBecomesScrub = Duration.milliseconds(1600)
    /// …which reaches the other end in this time.
    package static let scanReaches = Duration.milliseconds(5600)
    /// The slowest speed of a scrub while its key is held.
    package static let slowestScrub: Int64 = 4
    /// The length by which a scrub is as fast as it is, where the end of what plays is not known.
    package static let unknownLength = MediaTime.seconds(3600)
    /// A scan by the player looks this far ahead, in its own time, for interstitials to skip.
    package static let scanLooksAhead = MediaTime.seconds(1)
    /// The speed of the picture while a key is held in a pause.
    package static let slowSpeed = Ratio(1, 2)
    /// The usual maximum distance of key pictures.
    package static let keyPictures = MediaTime.seconds(10)
    /// A scan at 1x ends automatically after this.
    package static let scanSettles = Duration.seconds(1)
    /// Scanning forward stops this far before the end, and in what is short at this part of its length before it.
    package static let scanStopsBeforeEnd = MediaTime.seconds(10)
    package static let scanStopsBeforeEndPart = 10
    /// While the thumbnail of a place is loading, that of another one is shown which is no farther away than this…
    package static let thumbnailReach = MediaTime.seconds(10)
    /// …or than this part of the length, which is less than half of the bubble's width on the bar.
    package static let thumbnailReachPart = 40
    /// "What did they say?" goes back this far.
    package static let whatDidTheySay = MediaTime.seconds(15)

    /// A skip back by more than this is no replay.
    package static let longestReplay = MediaTime.seconds(60)

    /// Without new frames: the spinner.
    package static let spinner = Duration.milliseconds(500)
    /// …with one word.
    package static let spinnerWord = Duration.seconds(2)
    /// …with a sentence.
    package static let slowNetwork = Duration.seconds(8)
    /// …the card.
    package static let slowCard = Duration.seconds(20)
    /// The card retries automatically this often.
    package static let retry = Duration.seconds(10)
    /// An item that failed is tried again by itself after the first of these, then the second…; the last one repeats. From the start of one try to the
    /// next, but at least the first of them after a failure.
    package static let retries: [Duration] = [.seconds(5), .seconds(10), .seconds(20)]
    /// Playlist channels and queues advance.
    package static let moveOn = Duration.seconds(30)

    /// The channel banner is shown.
    package static let banner = Duration.seconds(4)
    /// The volume level is shown.
    package static let volume = Duration.seconds(2)
    /// Wrong PINs before the wait.
    package static let pinTries = 5
    /// The wait after too many wrong PINs.
    package static let pinLock = Duration.seconds(300)
    /// The sleep timer announces standby this long before.
    package static let sleepWarning = Duration.seconds(60)
    /// A reminder comes this long before its programme, in seconds…
    package static let reminderLead = 60
    /// …and, where something else had to come first, until this long after its start, in seconds.
    package static let reminderPatience = 600
    /// The card of a reminder closes by itself after this.
    package static let reminderAnswer = Duration.seconds(60)
    /// "Still watching?" waits this long for an answer; then the box enters standby.
    package static let stillWatchingAnswer = Duration.seconds(300)
    /// The card of audio-only playback moves this often.
    package static let burnIn = Duration.seconds(60)
    /// Back and OK held for this long request the operator's PIN.
    package static let operatorHold = Duration.seconds(5)
    /// How long an interstitial is owed after the viewer has left it, in seconds.
    package static let owedInterstitialSeconds = 86_400

    /// A toast is shown.
    package static let toast = Duration.seconds(4)
    /// The message of a refused key is shown.
    package static let refusal = Duration.seconds(2)
    /// A channel number is committed this long after its last digit.
    package static let digits = Duration.milliseconds(1500)
    /// Go Live is offered from this far behind the live edge.
    package static let behindLive = MediaTime.seconds(20)
    /// Nothing bright of the interface stands in one place for longer without a key, so that it does not burn in.
    package static let standsAtMost = Duration.seconds(300)
    /// A pause of this length dims the picture.
    package static let pausedDims = Duration.seconds(600)
    /// A pause of this length enters standby with the position saved.
    package static let pausedStandby = Duration.seconds(1800)
    /// Outside of the opening hours a box that a viewer keeps on enters standby this long after the last key.
    package static let closedStandby = Duration.seconds(1800)
    /// A countdown shorter than this is not offered: the proposal is shown earlier, or accepted later.
    package static let shortestCountdown = MediaTime.seconds(5)
    /// "Still watching?" after this many automatic acceptances…
    package static let stillWatchingProposals = 3
    /// …and at least this long since the last key.
    package static let stillWatchingIdle = Duration.seconds(5400)
    /// A queue advances this long after an item has failed, so that the reason can be read.
    package static let queueMovesOn = Duration.seconds(5)
    /// Positions are saved this often during playback, so that a power cut loses less than five seconds. `docs/playback.md` has what this costs.
    package static let savesPlace = MediaTime.seconds(4)
    /// An item is begun from this content time on, or from this part of its length.
    package static let begun = MediaTime.seconds(60)
    package static let begunPercent = 2
    /// Playback at 1x that runs into a spliced interstitial presents it this long before its first frame: enough for the slowest usual frame rate,
    /// and to draw its words.
    package static let presentsAhead = MediaTime.milliseconds(100)
    /// …and at the fastest speed, 2x, in asset time.
    package static let presentsAheadAtMost = MediaTime.milliseconds(200)
    /// An interstitial is watched at this part of it, in percent.
    package static let watchedPercent = 95
}
