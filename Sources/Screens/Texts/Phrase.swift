import BoxModel
import MediaModel

/// The phrases of the interface. The raw value is the key in the language files (`InterfaceTexts`).
package enum Phrase: String, Sendable, Hashable, CaseIterable {
    // Home and the pages that it leads to.
    case home, search, guide, settings, channels, programmes, continueWatching, emptyHome, noSuchChannel
    case play, resumeAt, removeFromContinue, audioIs, timeLeft, episodeNumber, specialNumber, playEpisode, continueEpisode
    case myList, addToMyList, removeFromMyList, allEpisodes, moreLikeThis, seasonNumber, specials, numberedTitle, watched
    case saved, savingNow, savingLater, showingSaved, nothingSaved, storageUnusable
    // The player.
    case loading, buffering, slowNetwork, slowCardTitle, replay, tryAgain, tryAgainIn, cannotPlay, movingOn
    case info, chapters, subtitles, audio, picture, fromBeginning, startOver, chapterNumber
    case durationHoursMinutes, durationMinutes, durationSeconds
    case adOf, adOnly, titledInterstitial, legalNotice, promotion, availableIn, availableLater, skipIn
    case skipAd, skip, skipIntro, skipRecap, nextEpisode, goLive, live, behindLive, movedOn, noSuchPlace
    case endsAt, backToUndo, backToCancel, frameByFrame, slowMotion, inReverse, backToClose, backToStop, more, livePauseRefused
    case playNow, playNowIn, backToCredits, upNext, upNextAt
    // Sound and captions.
    case off, on, automatic, whatDidTheySay, noSubtitles, subtitlesAre, audioUnavailable, soundOff
    case soundUnplayable, soundMissing
    case audioDescription, forcedCaptions, clearDialogue, easyToRead, commentary, surroundSound, unknownLanguage
    case reduceLoudSounds, reduceLoudSoundsExplained, enhanceDialogue, enhanceDialogueExplained
    case headphones, lineOut, digitalOutput, notConnected, soundOutputAway, soundOutputBack, soundOutputFixed
    case soundDelay, soundDelayExplained, subtitleDelay, milliseconds, delayHint, lipSyncTest, lipSyncTestExplained
    case aspect, fitWhole, fitFill, fitStretch, angle, speed, normalSpeed, signal, framesPerSecond, hertz, kilohertz,
        listenWithScreenOff, anyKeyForPicture, anyKeyForHome
    // Settings.
    case language, captions, sound, accessibility, network, storage, parental, about, sleepTimer
    case interfaceLanguage, audioLanguage, captionLanguage, defaultIs
    case preferSDH, preferSDHExplained, captionsOnReplay, captionsOnReplayExplained
    case captionsWhenMuted, captionsWhenMutedExplained, preferAudioDescription, preferAudioDescriptionExplained
    case navigationSounds, navigationSoundsExplained
    case screenSaver, screenSaverExplained
    case overscan, overscanExplained, largerText, highContrast, reduceMotion, speakFocus, speakFocusExplained
    case patience, patienceExplained, patienceNormal, patienceLong, patienceEndless
    case captionStyle, captionPreview, captionColour, captionOpacity, captionSize, captionFont, captionEdge
    case captionBackground, captionBackgroundOpacity, captionWindow, captionWindowOpacity, captionReset, asProgramme
    case white, black, red, green, blue, yellow, magenta, cyan
    case fontMonospacedSerif, fontSerif, fontMonospacedSans, fontSans, fontCasual, fontCursive, fontSmallCapitals
    case edgeNone, edgeRaised, edgeDepressed, edgeUniform, edgeDropShadow
    case networkState, online, offline, networkLink, networkAddress, forgetPhones, forgetPhonesExplained
    case wireless, wirelessSearchAgain, wirelessSearching, wirelessNoneFound, wirelessNoAdapter, wirelessUnavailable,
        wirelessStarting
    case wirelessConnected, wirelessKnown, wirelessOpen, wirelessProtected, wirelessUnsupported, wirelessConfigured
    case wirelessPassphrase, wirelessPassphraseEmpty, wirelessPassphraseHint, wirelessPassphraseShort,
        wirelessPassphraseNeeded, wirelessPassphraseShow, wirelessPassphraseHide, wirelessConnect, wirelessEnterAgain
    case wirelessJoining, wirelessAddress, wirelessJoined, wirelessRefused, wirelessTimedOut, wirelessNoAddress, wirelessGone,
        wirelessFailed
    case wirelessForget, wirelessForgetQuestion, wirelessForgetHint, wirelessForgetExplained
    case freeSpace, downloads, storedPictures, viewingHistory, storeExplained, deleteQuestion, delete, keep
    case resetBox, resetBoxExplained, resetBoxErase, resetBoxQuestion
    case boxName, version, provider, support, feed, screen, soundOutput, session, pageCertificate
    case update, updateNone, updateWaiting, updateInstalling, updateInstalled, updateFailed
    case updateFromStick, updateFromStickFound, updateFromStickQuestion, updateFromStickExplained, updateFromStickFailed, install
    // The PIN.
    case parentalAge, parentalExplained, fromAge
    case enterPIN, pinLockedTitle, wrongPIN, pinLocked, lockedRating, lockedUnrated, lockedWithoutPIN, lockedUntilPIN,
        deleteLetter, cancel
    case createPIN, changePIN, removePIN, removePINExplained, newPIN, newPINExplained, repeatPIN, currentPIN, pinsDiffer
    case pinSaved, pinRemoved
    // Sleep.
    case endOfProgramme, sleepingIn, stayAwake, sleepNow, openingHours, stillWatching, keepWatching
    // Search and guide.
    case searchPlaceholder, space, clear, nothingFound, recentSearches, clearRecentSearches, typeWithPhone
    case yesterday, today, tomorrow, noInformation
    // Where a viewer wants a channel.
    case shown, favourite, favouriteExplained, hidden, hiddenExplained
    case remindMe, removeReminder, reminderSet, canBeWatched, reminderStarts, watchNow
    // Why the box paused playback by itself.
    case heldAnnouncement, heldOtherInput, heldDisplay, heldSound, heldHeat, heldNext
    case welcomeGuest, emergencyTitle
    // What the voice adds to a selected item.
    case spokenSelected, spokenOf, spokenTab, spokenButton, spokenSwitch, spokenLocked, spokenPart,
        spokenSignal
    // The screens of the box itself.
    case boxThis, boxNoNetwork, boxPage, boxWhere, boxRadioOff, boxFetching, boxNoCable, boxChooseWireless, boxRefused,
        boxKeepsAsking
    case saveReport, saveReportExplained
    case boxReportSaving, boxReportSaved, boxReportNoStick, boxReportFull, boxReportReadOnly, boxReportFailed
    case boxSafe, boxSafeWhy, boxSafeNext, boxReset, boxResetWhat, boxResetKeep, boxResetAsked, boxResetBack
    case firstRunBegin, firstRun, firstRunLanguage, firstRunContinue, firstRunConnected, firstRunNoCable
    case firstRunChannels, firstRunAddress, firstRunAddressHint, firstRunChecking, firstRunUnreachable, firstRunRefused
    case firstRunChannelsOf, firstRunChannelsKept, firstRunBack, firstRunLeave
    case firstRunTest, firstRunTestExplained, firstRunPicture, firstRunLeft, firstRunRight, testPicture, testPictureHint
    case boxQuestion, boxFound, boxFoundOK, notNow, boxOnDisk, boxScan, boxVerdict, boxVerdictBroken, boxVerdictRest,
        boxVerdictLine, boxVerdictUnknown,
        boxVerdictWrong, boxLeftOut
    // Lists, ranges and sizes.
    case listSeparator, timeRange, percent, gigabytes, megabytes, decimalSeparator
    // Viewer errors, by their codes.
    case errorNetworkDown = "NET-DOWN"
    case errorNetworkSlow = "NET-SLOW"
    case errorNetworkMetered = "NET-METERED"
    case errorSourceFormat = "SRC-FORMAT"
    case errorSourceMissing = "SRC-404"
    case errorSourceTimeout = "SRC-TIMEOUT"
    case errorClockUntrusted = "TIME-BAD"
    case errorServerRefuses = "SRC-DENIED"
    case errorServerFails = "SRC-SERVER"
    // The same of a live channel, which is no programme.
    case errorChannelMissing, errorChannelFormat, errorChannelRefused, errorChannelProtected
    case errorDecoder = "DEC-UNSUPPORTED"
    case errorProtected = "DRM-UNSUPPORTED"
    case errorSoundLost = "AUDIO-LOST"
    case errorStorage = "STORAGE"
    case errorInternal = "INTERNAL"
    case errorSetUp = "SETUP"

    /// The text for an error; a code without its own text has that of `INTERNAL`.
    package init(_ code: ErrorCode) { self = Phrase(rawValue: code.rawValue) ?? .errorInternal }

    /// The text for a box that cannot store programmes.
    package init(_ trouble: StorageTrouble) {
        switch trouble {
        case .full: self = .errorStorage
        case .unusable: self = .storageUnusable
        }
    }

    /// The message about a programme that plays without sound.
    package static func withoutSound(after error: MediaError) -> Phrase {
        error.code == .decoderUnsupported ? .soundUnplayable : .soundMissing
    }

    /// The text for an error of an item.
    ///
    /// - Parameters:
    ///   - isRetried: whether the item is tried again by itself. Only then a text says so.
    ///   - isChannel: whether the item is a live channel, and no programme.
    package init(_ error: MediaError, isRetried: Bool, isChannel: Bool) {
        self =
            switch error.code {
            // A server may be at fault for what is no media.
            case .sourceFormat where error.fault?.isOfServer == true: .errorServerFails
            case .sourceTimeout where !isRetried, .networkSlow where !isRetried: .errorSourceMissing
            default: Phrase(error.code)
            }
        if isChannel { self = ofChannel }
    }

    /// The same of a live channel, which is no programme.
    private var ofChannel: Phrase {
        switch self {
        case .errorSourceMissing: .errorChannelMissing
        case .errorSourceFormat: .errorChannelFormat
        case .errorServerRefuses: .errorChannelRefused
        case .errorProtected: .errorChannelProtected
        default: self
        }
    }
}

/// Phrases with a number that decides their form.
package enum PluralPhrase: String, Sendable, Hashable, CaseIterable {
    case triesLeft, minutes, inDays
}

/// The plural categories of CLDR.
package enum PluralCategory: String, Sendable, Hashable, CaseIterable {
    case zero, one, two, few, many, other

    /// The category of a whole number of zero or more, for the languages of `InterfaceTexts`: the cardinal rules of CLDR 47 (`plurals.xml`).
    package init(_ number: Int, language: String) {
        let (tens, hundreds) = (number % 10, number % 100)
        let isMillions = number != 0 && number % 1_000_000 == 0
        switch language.prefix(while: { $0 != "-" }) {
        case "ja", "ko", "zh": self = .other
        case "es",
            "pt" where language == "pt-PT":
            self = number == 1 ? .one : isMillions ? .many : .other
        case "fr", "pt": self = number <= 1 ? .one : isMillions ? .many : .other
        case "ru":
            if tens == 1, hundreds != 11 {
                self = .one
            } else if (2...4).contains(tens), !(12...14).contains(hundreds) {
                self = .few
            } else {
                self = .many
            }
        case "ar":
            switch number {
            case 0: self = .zero
            case 1: self = .one
            case 2: self = .two
            default: self = (3...10).contains(hundreds) ? .few : (11...99).contains(hundreds) ? .many : .other
            }
        case "he": self = number == 1 ? .one : number == 2 ? .two : .other
        default: self = number == 1 ? .one : .other
        }
    }

    /// The categories that a language has.
    package static func all(of language: String) -> [PluralCategory] {
        let found = Set(((0...200) + [1_000_000]).map { PluralCategory($0, language: language) })
        return allCases.filter { found.contains($0) }
    }
}
