import MediaModel

/// What a group's options are for; AVFoundation's `AVMediaCharacteristic`.
public enum MediaCharacteristic: String, Sendable, Hashable, CaseIterable {
    /// What can be heard.
    case audible
    /// What can be read.
    case legible
    /// What can be seen: angles.
    case visual
}

/// Media characteristics of options in HLS's words.
public enum OptionCharacteristic {
    /// Describes what is seen, for those who cannot see it.
    public static let describesVideo = "public.accessibility.describes-video"
    /// Writes down what is spoken.
    public static let transcribesSpokenDialog = "public.accessibility.transcribes-spoken-dialog"
    /// Describes music and sounds.
    public static let describesMusicAndSound = "public.accessibility.describes-music-and-sound"
    /// Easy to read.
    public static let easyToRead = "public.easy-to-read"
    /// Made to be understood better.
    public static let enhancesSpeech = "public.accessibility.enhances-speech-intelligibility"
    /// Speech of a commentator, the auxiliary track of a disc.
    public static let commentary = "public.auxiliary-content"
}

/// One thing that can be chosen: a sound, captions, an angle. The counterpart of `AVMediaSelectionOption`.
public struct MediaSelectionOption: Sendable, Hashable {
    /// Where it comes from.
    public enum Source: Sendable, Hashable {
        /// A track of the source.
        case track(TrackID)
        /// Captions inside the pictures: a channel of CEA-608 (`CC1`) or a service of CEA-708 (`SERVICE1`).
        case closedCaptions(String)
        /// A caption file beside the media.
        case file(String)
    }

    /// The same for as long as the item is open.
    public var id: String
    /// Where it comes from.
    public var source: Source
    /// Its language (BCP 47); nil: not told.
    public var extendedLanguageTag: String?
    /// A second language that it serves, e.g. the written one of a spoken.
    public var associatedLanguageTag: String?
    /// The name that its maker gave it.
    public var displayName: String?
    /// Whether its maker meant it for those who do not choose.
    public var isDefault: Bool
    /// Whether it may be chosen for a viewer who has not asked for it.
    public var isAutoselect: Bool
    /// Whether it holds only what must be read to follow the story.
    public var isForced: Bool
    /// What it is besides, in HLS's words.
    public var mediaCharacteristics: [String]
    /// Channels of sound.
    public var channels: Int?
    /// Its codec in FFmpeg's words, where known.
    public var codec: String

    /// Describes an option.
    public init(
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
    public func hasMediaCharacteristic(_ characteristic: String) -> Bool { mediaCharacteristics.contains(characteristic) }

    /// Describes what is seen, to be heard.
    public var isAudioDescription: Bool { hasMediaCharacteristic(OptionCharacteristic.describesVideo) }

    /// For the deaf and hard of hearing: more than what is spoken.
    public var isSDH: Bool {
        hasMediaCharacteristic(OptionCharacteristic.transcribesSpokenDialog)
            || hasMediaCharacteristic(OptionCharacteristic.describesMusicAndSound)
    }

    /// Closed captions inside the pictures.
    public var isClosedCaptions: Bool { if case .closedCaptions = source { true } else { false } }
}

/// Options of which at most one is in force. The counterpart of `AVMediaSelectionGroup`.
public struct MediaSelectionGroup: Sendable, Hashable {
    /// What they are for.
    public var characteristic: MediaCharacteristic
    /// The options in the order of a menu: by the source's order, a description or SDH behind what it belongs to.
    public var options: [MediaSelectionOption]
    /// Whether none may be in force.
    public var allowsEmptySelection: Bool

    /// Makes a group.
    public init(characteristic: MediaCharacteristic, options: [MediaSelectionOption], allowsEmptySelection: Bool) {
        self.characteristic = characteristic
        self.options = options
        self.allowsEmptySelection = allowsEmptySelection
    }

    /// What its maker meant for those who do not choose.
    public var defaultOption: MediaSelectionOption? { options.first(where: \.isDefault) }

    /// The options in an order for menus: those of one language together, the main one first, then SDH and descriptions.
    public static func inMenuOrder(_ options: [MediaSelectionOption]) -> [MediaSelectionOption] {
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
