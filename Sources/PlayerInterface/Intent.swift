import MediaModel
import MediaTime

/// What the viewer wants, whichever key, button, row or command says it. The parts answer with it where they cannot do it themselves.
enum Intent: Sendable, Equatable {
    // What plays.
    case play, pause, togglePlayPause
    /// Scan backward (-1) or forward (1).
    case scan(Int)
    case nextChapter, previousChapter
    /// Go to the chapter that begins here, in asset time.
    case chapter(MediaTime)
    case fromBeginning, restartLive, goLive, whatDidTheySay
    /// Begin again after the end.
    case replay
    /// Open what could not be played once more.
    case retry
    /// The answers to a content proposal.
    case playNext, backToCredits, rejectProposal
    /// What a row of a menu does.
    case choose(MenuAction)
    case cycleSubtitles

    // What else could play, and where it is shown.
    case open(HomeContent.Entry)
    /// The same for a channel, with its banner.
    case tune(HomeContent.Entry)
    case returnToPlayer
    /// Stop what plays and go Home.
    case leave
    case standby
    /// The answer to "Still watching?".
    case keepWatching

    // What lies over it.
    /// nil: on the first tab.
    case openPanel(PanelView.Tab?)
    case openSettings, openSearch, openGuide, openChannelList
    /// A text is opened whole.
    case read(String, title: String?)
    case askPIN(PINPurpose)
    /// All digits are typed.
    case checkPIN(String)
    case cancelPIN
}

/// What a part made of a key.
enum KeyOutcome: Sendable, Equatable {
    /// It has used or refused it.
    case answered(CommandResult)
    /// It closes.
    case closed
    /// Something follows that is not its own.
    case wants(Intent)
    /// The same; it closes where that succeeds.
    case leaves(Intent)

    static let done = KeyOutcome.answered(.success)
    /// Play, Pause and Play/Pause mean the same wherever they are for what plays.
    static func playback(_ key: RemoteKey) -> KeyOutcome {
        switch key {
        case .play: .wants(.play)
        case .pause: .wants(.pause)
        case .playpause: .wants(.togglePlayPause)
        default: .refused(.notSupported)
        }
    }

    static func refused(_ reason: CommandFailure) -> KeyOutcome { .answered(.failed(reason)) }
}
