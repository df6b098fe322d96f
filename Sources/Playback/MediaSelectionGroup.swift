import MediaModel

/// What a group's options are for; AVFoundation's `AVMediaCharacteristic`.
package enum MediaCharacteristic: String, Sendable, Hashable, CaseIterable {
    /// What can be heard.
    case audible
    /// What can be read.
    case legible
    /// What can be seen: angles.
    case visual
}

/// Media characteristics of options in HLS's words.
package enum OptionCharacteristic {
    /// Describes what is seen, for those who cannot see it.
    package static let describesVideo = "public.accessibility.describes-video"
    /// Writes down what is spoken.
    package static let transcribesSpokenDialog = "public.accessibility.transcribes-spoken-dialog"
    /// Describes music and sounds.
    package static let describesMusicAndSound = "public.accessibility.describes-music-and-sound"
    /// Easy to read.
    package static let easyToRead = "public.easy-to-read"
    /// Made to be understood better.
    package static let enhancesSpeech = "public.accessibility.enhances-speech-intelligibility"
    /// Speech of a commentator, the auxiliary track of a disc.
    package static let commentary = "public.auxiliary-content"
}

/// One thing that can be chosen: a sound, captions, an angle. The counterpart of `AVMediaSelectionOption`.
package struct MediaSelectionOption: Sendable, Hashable {
    /// Where it comes from.
    package enum Source: Sendable, Hashable {
        /// A track of the source.
        case track(TrackID)
        /// Captions inside the pictures: a channel of CEA-608 (`CC1`) or a service of CEA-708 (`SERVICE1`).
        case closedCaptions(String)
        /// A caption file beside the media.
        case file(String)
    }

    /// The same for as long as the item is open.
    package var id: String
    /// Where it comes from.
    package var source: Source
    /// Its language (BCP 47); nil: not told.
    package var extendedLanguageTag: String?
    /// A second language that it serves, e.g. the written one of a spoken.
    package var associatedLanguageTag: String?
    /// The name that its maker gave it.
    package var displayName: String?
    /// Whether its maker meant it for those who do not choose.
    package var isDefault: Bool
    /// Whether it may be chosen for a viewer who has not asked for it.
    package var isAutoselect: Bool
    /// Whether it holds only what must be read to follow the story.
    package var isForced: Bool
    /// What it is besides, in HLS's words.
    package var mediaCharacteristics: [String]
    /// Channels of sound.
    package var channels: Int?
    /// Its codec in FFmpeg's words, where known.
    package var codec: String

    /// Describes an option.
    package init(
        id: String, source: Source, extendedLanguageTag: String? = nil, associatedLanguageTag: String? = nil,
        displayName: String? = nil, isDefault: Bool = false, isAutoselect: Bool = true, isForced: Bool = false,
        mediaCharacteristics: [String] = [], channels: Int? = nil, codec: String = ""
    ) {
        self.id = id
        self.source = source
        self.extendedLanguageTag = extendedLanguageTag
        self.associatedLanguageTag = associatedLanguageTag
        self.displayName = displayName
        self.isDefault = isDefault
        self.isAutoselect = isAutoselect
        self.isForced = isForced
        self.mediaCharacteristics = mediaCharacteristics
        self.channels = channels
        self.codec = codec
    }

    /// Whether it has a characteristic.
    package func hasMediaCharacteristic(_ characteristic: String) -> Bool { mediaCharacteristics.contains(characteristic) }

    /// Describes what is seen, to be heard.
    package var isAudioDescription: Bool { hasMediaCharacteristic(OptionCharacteristic.describesVideo) }

    /// For the deaf and hard of hearing: more than what is spoken.
    package var isSDH: Bool {
        hasMediaCharacteristic(OptionCharacteristic.transcribesSpokenDialog)
            || hasMediaCharacteristic(OptionCharacteristic.describesMusicAndSound)
    }

    /// Closed captions inside the pictures.
    package var isClosedCaptions: Bool { if case .closedCaptions = source { true } else { false } }
}

/// Options of which at most one is in force. The counterpart of `AVMediaSelectionGroup`.
package struct MediaSelectionGroup: Sendable, Hashable {
    /// What they are for.
    package var characteristic: MediaCharacteristic
    /// The options in the order of a menu: by the source's order, a description or SDH behind what it belongs to.
    package var options: [MediaSelectionOption]
    /// Whether none may be in force.
    package var allowsEmptySelection: Bool

    package init(characteristic: MediaCharacteristic, options: [MediaSelectionOption], allowsEmptySelection: Bool) {
        self.characteristic = characteristic
        self.options = options
        self.allowsEmptySelection = allowsEmptySelection
    }

    /// What its maker meant for those who do not choose.
    package var defaultOption: MediaSelectionOption? { options.first(where: \.isDefault) }

    /// The options in an order for menus: those of one language together, the main one first, then SDH and descriptions.
    package static func inMenuOrder(_ options: [MediaSelectionOption]) -> [MediaSelectionOption] {
        var languages: [String] = []
        for option in options {
            let language = option.extendedLanguageTag ?? ""
            if !languages.contains(language) { languages.append(language) }
        }
        func rank(_ option: MediaSelectionOption) -> Int {
            option.isAudioDescription
                ? 3 : option.hasMediaCharacteristic(OptionCharacteristic.commentary) ? 2 : option.isSDH ? 1 : 0
        }
        return languages.flatMap { language in
            options.enumerated().filter { ($0.element.extendedLanguageTag ?? "") == language }
                .sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }.map(\.element)
        }
    }
}
