import MediaModel

/// One option of audio or captions, as parts of a label; the interface adds the texts in the viewer's language.
package struct MediaOption: Sendable, Hashable {
    /// Characteristics of an option besides its language.
    package enum Badge: String, Sendable, Hashable, CaseIterable {
        /// For the deaf and hard of hearing: includes sounds besides speech.
        case sdh = "SDH"
        /// Closed captions inside the video (CEA-608, CEA-708).
        case closedCaptions = "CC"
        /// Audio description.
        case audioDescription = "AD"
        /// Only text in other languages than that of the audio.
        case forced
        /// More than two channels.
        case surround
        /// Enhanced speech.
        case enhancedDialogue
        /// Easy to read.
        case easyToRead
        /// A commentary.
        case commentary
    }

    /// Stable while the item is open; used in effects.
    package var id: String
    /// Its language (BCP 47); nil if unknown.
    package var languageTag: String?
    /// Its display name in the source, if it says more than the language.
    package var name: String?
    /// The characteristics for its label, in order.
    package var badges: [Badge]
    /// Audio channels, if known.
    package var channels: Int?

    package init(id: String, languageTag: String? = nil, name: String? = nil, badges: [Badge] = [], channels: Int? = nil) {
        self.id = id
        self.languageTag = languageTag
        self.name = name
        self.badges = badges
        self.channels = channels
    }
}

/// The viewer's choice of captions.
package enum SubtitleChoice: Sendable, Hashable {
    /// No captions.
    case off
    /// Automatic: forced ones with their audio, all if the audio is in no preferred language, SDH if preferred.
    case automatic
    /// These captions.
    case option(String)
}

/// The audio and caption options of the current item, in menu order, and the selected ones.
package struct MediaOptions: Sendable, Hashable {
    /// The audio options.
    package var audio: [MediaOption]
    /// The current audio: an id of `audio`; nil if the viewer has turned the sound off, or there is none.
    package var selectedAudio: String?
    /// The caption options; forced ones, which are automatic, are not among them.
    package var subtitles: [MediaOption]
    /// The viewer's choice.
    package var subtitleChoice: SubtitleChoice
    /// The captions being shown, chosen or automatic: an id; nil for none.
    package var shownSubtitles: String?
    /// The angles; none if there is only one.
    package var angles: [MediaOption]
    /// The current angle: an id of `angles`.
    package var selectedAngle: String?

    package init(
        audio: [MediaOption] = [], selectedAudio: String? = nil, subtitles: [MediaOption] = [],
        subtitleChoice: SubtitleChoice = .automatic, shownSubtitles: String? = nil, angles: [MediaOption] = [],
        selectedAngle: String? = nil
    ) {
        self.audio = audio
        self.selectedAudio = selectedAudio
        self.subtitles = subtitles
        self.subtitleChoice = subtitleChoice
        self.shownSubtitles = shownSubtitles
        self.angles = angles
        self.selectedAngle = selectedAngle
    }
}
