import BoxModel
import MediaModel
import Playback
import Viewing

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
        /// The viewer requested a factory reset.
        case factoryResetAsked
        /// The viewer wants the update that is on a USB stick.
        case stickUpdateAsked
        /// The viewer asked for a report: in Settings, or with the keys on a screen of the box.
        case reportAsked
        /// An interstitial or a proposal, and what comes of it.
        case viewing(ViewingEvent)
        /// An event of the player, reported before the box has handled it.
        case player(PlayerEvent)
    }
}

extension Appliance.Event {
    /// What an effect of the interface is for others; nil if it is nothing for them.
    init?(_ effect: InterfaceEffect) {
        switch effect {
        case .factoryReset: self = .factoryResetAsked
        case .installFromStick: self = .stickUpdateAsked
        case .saveReport: self = .reportAsked
        case .willPresent(let interstitial): self = .viewing(.interstitial(interstitial, .began))
        case .didPresent(let interstitial, let how): self = .viewing(.interstitial(interstitial, .ended(how)))
        case .tell(let event): self = .viewing(event)
        default: return nil
        }
    }
}
