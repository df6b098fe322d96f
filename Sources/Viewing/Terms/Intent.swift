import BoxModel
import MediaTime
import Screens

/// What the viewer wants, independent of the key, button, row or command that expressed it. Parts return one for what they cannot do themselves.
package enum Intent: Sendable, Equatable {
    // Playback.
    case play, pause, togglePlayPause
    /// Scan backward (-1) or forward (1).
    case scan(Int)
    case nextChapter, previousChapter
    /// Go to the chapter that begins here, in asset time.
    case chapter(MediaTime)
    case fromBeginning, startOver, goLive, whatDidTheySay
    /// Watch an earlier programme of the live channel that plays, from its start in asset time.
    case catchUp(MediaTime)
    /// Play again from the beginning, after the end.
    case replay
    /// Reopen an item that failed to play.
    case retry
    /// The answers to a content proposal.
    case playNext, backToCredits, rejectProposal
    /// The action of a menu row.
    indirect case choose(MenuAction)
    case cycleSubtitles

    // Other items and where they are shown.
    /// Play the next episode of the series.
    case nextEpisode
    case open(HomeContent.Entry)
    case openFromBeginning(HomeContent.Entry)
    /// Open the page of a programme or of a series.
    case openDetails(HomeContent.Entry)
    /// Open the page of a programme of the guide that has not begun.
    case openListing(GuideContent.Programme, on: GuideContent.Channel)
    /// Carry out what the viewer chose of what a search had found, and remember the search.
    indirect case found(query: String, then: Intent)
    /// Replace the recent searches.
    case keepSearches([String])
    /// Like `open`, for a channel: also shows its banner.
    case tune(HomeContent.Entry)
    case returnToPlayer
    /// Leave for where what plays was chosen.
    case goBack
    /// Go Home, with the video in its corner if it can continue there.
    case goHome
    /// Stop playback and go Home.
    case leave
    case standby
    /// The answer to "Still watching?".
    case keepWatching

    /// Something that the interface itself has no part in: it is asked of the box as it is.
    case request(InterfaceEffect)

    // Overlays.
    /// nil for the first tab.
    case openPanel(PanelView.Tab?)
    case openPage(PageKind)
    /// Open the guide, or close it.
    case toggleGuide
    /// Play the film that tests the delay of the sound.
    case testLipSync
    /// Close the line for a delay, and keep the delay or restore the one before.
    case endDelay(keeps: Bool)
    /// Show a message.
    case toast(String)
    /// Open a text in full.
    case read(String, title: String?, artwork: String?)
    case askPIN(PINPurpose)
    /// Go on in the first run, or back.
    case firstRun(FirstRunCourse.Event)
    /// A new PIN has been typed twice.
    case savePIN(String)
    case cancelPIN
}

extension HomeContent.Entry {
    /// What OK does with it.
    package var intent: Intent {
        switch kind {
        case .programme, .series: .openDetails(self)
        case .channel: .open(self)
        }
    }
}

/// What a part did with a key.
package enum KeyOutcome: Sendable, Equatable {
    /// It handled or refused the key.
    case answered(CommandResult)
    /// It closes.
    case closed
    /// The key asks for something outside the part.
    case wants(Intent)
    /// Like `wants`, from the panel, which closes if that succeeds.
    case leaves(Intent)

    package static let done = KeyOutcome.answered(.success)
    /// Play, Pause and Play/Pause control playback in every context.
    package static func playback(_ key: RemoteKey) -> KeyOutcome {
        switch key {
        case .play: .wants(.play)
        case .pause: .wants(.pause)
        case .playpause: .wants(.togglePlayPause)
        default: .refused(.notSupported)
        }
    }

    package static func refused(_ reason: CommandRefusal) -> KeyOutcome { .answered(.failed(reason)) }
}
