import MediaModel

/// One choice of sound or captions, as parts of a label: the words around them are the interface's, in the viewer's language.
package struct MediaOption: Sendable, Hashable {
    /// What is said about an option beside its language.
    package enum Badge: String, Sendable, Hashable, CaseIterable {
        /// For the deaf and hard of hearing: says what is heard besides speech.
        case sdh = "SDH"
        /// Closed captions inside the pictures (CEA-608, CEA-708).
        case closedCaptions = "CC"
        /// Describes what is seen.
        case audioDescription = "AD"
        /// Only what is not in the language of the sound.
        case forced
        /// Sound in more than two channels.
        case surround
        /// Speech made clear.
        case enhancedDialogue
        /// Easy to read.
        case easyToRead
        /// Speech of a commentator.
        case commentary
    }

    /// The same for as long as the item is open: what the effects name.
    package var id: String
    /// Its language (BCP 47); nil: not told.
    package var languageTag: String?
    /// The name that its maker gave it, where that says more than the language.
    package var name: String?
    /// What is to be said beside the language, in this order.
    package var badges: [Badge]
    /// Channels of sound, where known.
    package var channels: Int?

    package init(id: String, languageTag: String? = nil, name: String? = nil, badges: [Badge] = [], channels: Int? = nil) {
        self.id = id
        self.languageTag = languageTag
        self.name = name
        self.badges = badges
        self.channels = channels
    }
}

/// What the viewer wants of captions.
package enum SubtitleChoice: Sendable, Hashable {
    /// None, whatever there is.
    case off
    /// By the criteria: forced ones with their sound, all where no sound is in a preferred language, SDH where preferred.
    case automatic
    /// These.
    case option(String)
}

/// What can be heard and read of the item that plays, in the order of the menus, and what is.
package struct MediaOptions: Sendable, Hashable {
    /// Sound.
    package var audio: [MediaOption]
    /// The sound that is heard: an id of `audio`; nil: none.
    package var selectedAudio: String?
    /// Captions that a viewer may choose; forced ones, which come by themselves, are not among them.
    package var subtitles: [MediaOption]
    /// What the viewer has chosen.
    package var subtitleChoice: SubtitleChoice
    /// The captions that are shown now, chosen or by themselves: an id; nil: none.
    package var shownSubtitles: String?

    /// Makes options.
    package init(
        audio: [MediaOption] = [], selectedAudio: String? = nil, subtitles: [MediaOption] = [],
        subtitleChoice: SubtitleChoice = .automatic, shownSubtitles: String? = nil
    ) {
        self.audio = audio
        self.selectedAudio = selectedAudio
        self.subtitles = subtitles
        self.subtitleChoice = subtitleChoice
        self.shownSubtitles = shownSubtitles
    }
}
