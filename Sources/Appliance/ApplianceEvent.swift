import MediaModel
import Playback

extension Appliance {
    /// How a programme that nothing follows ended.
    package enum Outcome: Sendable, Equatable {
        /// It was played to its end.
        case ended
        /// It could not be played.
        case failed(MediaError)
        /// The viewer left it.
        case left
    }

    /// What the box tells of itself.
    package enum Event {
        /// A programme is over and nothing follows by itself.
        case outcome(Outcome)
        /// What is on the screen besides video has changed.
        case presentationChanged
        /// Another programme plays from now on, by its id; nil: none.
        case programmeChanged(String?)
        /// The box went to standby (true) or woke (false).
        case standby(Bool)
        /// The viewer wants the box as new.
        case factoryResetAsked
        /// Something happened in the player; it is told before the box has dealt with it.
        case player(PlayerEvent)
    }
}
