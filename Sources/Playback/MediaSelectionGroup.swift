import MediaModel

/// The media characteristic of a group; AVFoundation's `AVMediaCharacteristic`.
package enum MediaCharacteristic: String, Sendable, Hashable, CaseIterable {
    /// Audio.
    case audible
    /// Captions.
    case legible
    /// Video: angles.
    case visual
}

/// Media characteristics of options in HLS's terms.
package enum OptionCharacteristic {
    /// Describes the pictures, for blind viewers.
    package static let describesVideo = "public.accessibility.describes-video"
    /// Transcribes speech.
    package static let transcribesSpokenDialog = "public.accessibility.transcribes-spoken-dialog"
    /// Describes music and sounds.
    package static let describesMusicAndSound = "public.accessibility.describes-music-and-sound"
    /// Easy to read.
    package static let easyToRead = "public.easy-to-read"
    /// Enhanced speech.
    package static let enhancesSpeech = "public.accessibility.enhances-speech-intelligibility"
    /// A commentary, such as the auxiliary track of a disc.
    package static let commentary = "public.auxiliary-content"
}

/// One option: audio, captions, an angle. The counterpart of `AVMediaSelectionOption`.
package struct MediaSelectionOption: Sendable, Hashable {
    /// The origin of an option.
    package enum Source: Sendable, Hashable {
        /// A track of the source.
        case track(TrackID)
        /// Captions inside the video: a channel of CEA-608 (`CC1`) or a service of CEA-708 (`SERVICE1`).
        case closedCaptions(String)
        /// A separate caption file.
        case file(String)
    }

    /// Stable while the item is open.
    package var id: String
    package var source: Source
    /// Its language (BCP 47); nil if unknown.
    package var extendedLanguageTag: String?
    /// A second language, e.g. the written one of a spoken one.
    package var associatedLanguageTag: String?
    /// Its display name in the source.
    package var displayName: String?
    /// Whether it is the default of its group.
    package var isDefault: Bool
    /// Whether it may be selected automatically.
    package var isAutoselect: Bool
    /// Whether it contains only forced captions.
    package var isForced: Bool
    /// Its characteristics in HLS's terms.
    package var mediaCharacteristics: [String]
    /// Audio channels.
    package var channels: Int?
    /// FFmpeg's name of its codec, if known.
    package var codec: String
    /// The encoding of a separate caption file, where it is stated.
    package var charset: String?

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

    /// Whether it is an audio description.
    package var isAudioDescription: Bool { hasMediaCharacteristic(OptionCharacteristic.describesVideo) }

    /// For the deaf and hard of hearing: with more than speech.
    package var isSDH: Bool {
        hasMediaCharacteristic(OptionCharacteristic.transcribesSpokenDialog)
            || hasMediaCharacteristic(OptionCharacteristic.describesMusicAndSound)
    }

    /// A separate caption file, which the programme was given.
    var isFile: Bool { if case .file = source { true } else { false } }

    /// Closed captions inside the video.
    package var isClosedCaptions: Bool { if case .closedCaptions = source { true } else { false } }

    /// The option for a track.
    init(_ track: TrackDescription) {
        let source: Source =
            track.codec.hasPrefix(TrackDescription.closedCaptionPrefix)
            ? .closedCaptions(String(track.codec.dropFirst(TrackDescription.closedCaptionPrefix.count))) : .track(track.id)
        self.init(
            id: "\(track.id)", source: source, extendedLanguageTag: track.languageTag,
            associatedLanguageTag: track.associatedLanguageTag, displayName: track.name, isDefault: track.isDefault,
            isAutoselect: track.isAutoselect, isForced: track.isForced, mediaCharacteristics: track.characteristics,
            channels: track.channels, codec: track.codec)
    }
}

/// Options of which at most one is selected. The counterpart of `AVMediaSelectionGroup`.
package struct MediaSelectionGroup: Sendable, Hashable {
    /// The media characteristic.
    package var characteristic: MediaCharacteristic
    /// The options in menu order: by the source's order, with a description or SDH after its main option.
    package var options: [MediaSelectionOption]
    /// Whether no option may be selected.
    package var allowsEmptySelection: Bool

    package init(characteristic: MediaCharacteristic, options: [MediaSelectionOption], allowsEmptySelection: Bool) {
        self.characteristic = characteristic
        self.options = options
        self.allowsEmptySelection = allowsEmptySelection
    }

    /// The default option.
    package var defaultOption: MediaSelectionOption? { options.first(where: \.isDefault) }

    /// The options in menu order: those of one language together, the main one first, then SDH and descriptions.
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
