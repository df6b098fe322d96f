import BoxModel
import MediaModel
import Playback

extension Appliance {
    /// How a programme without a successor ended.
    package enum Outcome: Sendable, Equatable {
        /// It was played to its end.
        case ended
        /// It could not be played.
        case failed(MediaError)
        /// The viewer left it.
        case left
    }

    /// An event of the box.
    package enum Event {
        /// A programme has ended and nothing follows automatically.
        case outcome(Outcome)
        /// The presentation state has changed.
        case presentationChanged
        /// Another programme plays, by its id; nil for none.
        case programmeChanged(String?)
        /// The television is not needed (true), because the box went to standby, or it is (false), because it woke or has an emergency message.
        case standby(Bool)
        /// The viewer wants the box to do this: in Settings, or a report with the keys on a screen of the box.
        case asked(BoxTask)
        /// The viewer wants this of the box in the first run.
        case firstRun(FirstRunRequest)
        /// An interstitial or a proposal, and what comes of it; a date range or metadata of the stream.
        case viewing(ViewingEvent)
        /// An event of the player, reported before the box has handled it.
        case player(PlayerEvent)
    }
}
