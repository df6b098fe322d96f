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
        /// The box entered standby (true) or woke (false).
        case standby(Bool)
        /// The viewer requested a factory reset.
        case factoryResetAsked
        /// The viewer wants the update that is on a USB stick.
        case stickUpdateAsked
        /// The viewer asked for a report: in Settings, or with the keys on a screen of the box.
        case reportAsked
        /// An event of the player, reported before the box has handled it.
        case player(PlayerEvent)
    }
}
