import MediaModel

/// A step of the first run of a box, in the order in which the viewer comes to it.
package enum FirstRunStep: Sendable, Hashable, CaseIterable {
    /// The language of the interface.
    case language
    case network
    /// Where the channels come from.
    case channels
    /// A test picture, and a tone from each side.
    case pictureAndSound
    /// A PIN for parents.
    case pin
}

/// A side of the sound, as the viewer faces the television.
package enum SoundSide: Sendable, Hashable, CaseIterable {
    case left, right
}

/// What the box knows while its viewer is led through the steps on the television.
package struct FirstRunFacts: Sendable, Hashable {
    /// Where channels were found.
    package enum Source: Sendable, Hashable {
        /// A file of this name on a disk.
        case file(String, disk: String)
        case address(String)
    }

    /// What became of the source that the viewer chose.
    package enum Check: Sendable, Hashable {
        /// It is asked for its channels.
        case running
        /// It could not be asked.
        case unreachable(ErrorCode)
        /// It has something else than channels, or channels that break a rule: its code.
        case refused(String)
        /// The address is none that a box may ask.
        case badAddress
        /// Its channels could not be stored.
        case notKept
        /// Its channels are those of the box from now on; with the name of their provider.
        case kept(String?)
    }

    /// The steps that this box has, in their order.
    package var steps: [FirstRunStep]
    /// The address in the network; nil without one.
    package var address: String?
    /// Where channels were found, best first.
    package var sources: [Source]
    /// Nil while the viewer has chosen none.
    package var check: Check?

    package init(steps: [FirstRunStep], address: String? = nil, sources: [Source] = [], check: Check? = nil) {
        self.steps = steps
        self.address = address
        self.sources = sources
        self.check = check
    }
}

/// What the first run wants of the box.
package enum FirstRunRequest: Sendable, Hashable {
    /// Check a source that was found, and use it.
    case use(FirstRunFacts.Source)
    /// Check an address that was typed, and use it. It may have a secret in it.
    case useAddress(String)
    /// The viewer does not wait for the check.
    case giveUp
    /// The viewer has left the last step, or the first one with Back.
    case end
}
