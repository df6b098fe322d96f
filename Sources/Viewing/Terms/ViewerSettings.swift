import MediaModel
import MediaTime
import Screens

/// How a picture with another aspect than the screen's is fitted.
package enum VideoFit: String, Sendable, Hashable, CaseIterable {
    /// The whole picture, with bars.
    case fit
    /// The whole screen, with cropped edges.
    case fill
    /// The whole screen, distorted.
    case stretch

    func title(in strings: StringCatalogue) -> String {
        switch self {
        case .fit: strings.text(.fitWhole)
        case .fill: strings.text(.fitFill)
        case .stretch: strings.text(.fitStretch)
        }
    }
}

/// A setting of viewers that is on or off, by the key under which it is stored. All are off at first.
package enum ViewerSwitch: String, Sendable, Hashable, CaseIterable {
    /// Audio description is preferred.
    case audioDescription = "audio.description"
    case enhancedDialogue = "audio.enhance-dialogue"
    case reducedLoudSounds = "audio.reduce-loud-sounds"
    /// Captions are shown briefly after a seek back.
    case captionsOnReplay = "captions.on-replay"
    /// Captions for the deaf and hard of hearing are shown and preferred.
    case captionsForDeaf = "captions.sdh"
    /// Captions are shown while the sound is muted.
    case captionsWhenMuted = "captions.when-muted"
    /// Black backgrounds, white lines.
    case highContrast = "interface.high-contrast"
    /// Type 1.25 times as large.
    case largerText = "interface.larger-text"
    /// Nothing slides, shakes or grows.
    case reducedMotion = "interface.reduced-motion"
    /// Moving focus, choosing and a key without an effect have a quiet sound.
    case navigationSounds = "interface.sounds"
    /// The focused element is spoken, if the box has a voice.
    case spokenFocus = "interface.speech"

    /// The title of its row, and the sentence about it where there is one.
    var phrases: (title: Phrase, explanation: Phrase?) {
        switch self {
        case .audioDescription: (.preferAudioDescription, .preferAudioDescriptionExplained)
        case .enhancedDialogue: (.enhanceDialogue, .enhanceDialogueExplained)
        case .reducedLoudSounds: (.reduceLoudSounds, .reduceLoudSoundsExplained)
        case .captionsOnReplay: (.captionsOnReplay, .captionsOnReplayExplained)
        case .captionsForDeaf: (.preferSDH, .preferSDHExplained)
        case .captionsWhenMuted: (.captionsWhenMuted, .captionsWhenMutedExplained)
        case .highContrast: (.highContrast, nil)
        case .largerText: (.largerText, nil)
        case .reducedMotion: (.reduceMotion, nil)
        case .navigationSounds: (.navigationSounds, .navigationSoundsExplained)
        case .spokenFocus: (.speakFocus, .speakFocusExplained)
        }
    }
}

/// A viewer's settings, as one value: stored, and applied at once. The operator's policy takes precedence.
package struct ViewerSettings: Sendable, Hashable {
    /// How long elements that hide automatically stay.
    package enum Patience: String, Sendable, Hashable, CaseIterable {
        /// The normal time.
        case normal
        /// Three times as long.
        case long
        /// They hide only after `Timing.standsAtMost`, for the screen's sake, and nothing is accepted automatically.
        case endless

        /// How long after the last key the bar hides; nil for as long as anything may stand.
        var autoHide: Duration? {
            switch self {
            case .normal: Timing.autoHide
            case .long: Timing.autoHide * 3
            case .endless: nil
            }
        }
    }

    /// Language of the interface (BCP 47); nil for the configured one.
    package var language: String?
    /// Languages of audio, best first; empty for the interface's.
    package var audioLanguages: [String] = []
    /// Languages of captions, best first; empty for the interface's.
    package var subtitleLanguages: [String] = []
    /// What is switched on.
    private var switchedOn: Set<ViewerSwitch> = []
    /// The caption style.
    package var captionStyle = CaptionStyle()
    /// How much later than the pictures the sound is heard, in milliseconds, by the name of the output; without a value the configured delay.
    package var soundDelays: [String: Int] = [:]
    /// The output for sound, with the name that it had when it was chosen; nil: what the machine takes by itself.
    package var soundOutput: SoundPort?
    /// How much later than the pictures captions are shown, in milliseconds, of single channels, series or items, by id.
    package var captionDelays: [String: Int] = [:]
    /// The picture size; `videoFits` takes precedence for single channels or items.
    package var videoFit = VideoFit.fit
    /// The picture size of single channels, by id.
    package var videoFits: [String: VideoFit] = [:]
    /// Which channels come first, and which are hidden.
    package var channelOrder = ChannelOrder()
    /// The overscan of the interface, 0…5 percent; nil for the configured one.
    package var overscanPercent: Int?
    /// How long elements that hide automatically stay.
    package var patience = Patience.normal
    /// Minutes without a key after which the screen saver is shown on a still screen; 0 for never.
    package var screenSaverMinutes = Self.screenSaverChoices[2]
    /// The choices for it; zero is never.
    package static let screenSaverChoices = [1, 2, 5, 10, 0]
    /// The age from which programmes need the PIN; nil for the operator's.
    package var parentalAge: Int?

    /// The defaults.
    package init() {}

    /// The picture size of an item.
    package func fit(of id: String?) -> VideoFit { id.flatMap { videoFits[$0] } ?? videoFit }

    /// The delay of the captions of an item, in milliseconds.
    package func captionDelay(of id: String?) -> Int { id.flatMap { captionDelays[$0] } ?? 0 }

    /// Whether a switch is on.
    package subscript(setting: ViewerSwitch) -> Bool {
        get { switchedOn.contains(setting) }
        set { if newValue { switchedOn.insert(setting) } else { switchedOn.remove(setting) } }
    }

    /// Names and texts for a store, in the order of the table, without defaults.
    package var entries: [(name: String, value: String)] { Self.stored.flatMap { $0.entries(self) } }

    /// What stays when a guest leaves: what was set for the television of the room.
    ///
    /// - Parameter keepsParentalAge: whether the age was set with the operator's PIN.
    package func ofRoom(keepsParentalAge: Bool) -> ViewerSettings {
        var room = ViewerSettings()
        (room.overscanPercent, room.soundDelays) = (overscanPercent, soundDelays)
        if keepsParentalAge { room.parentalAge = parentalAge }
        return room
    }

    /// Parses stored settings. Unknown names and invalid values are ignored.
    package init(entries: [(name: String, value: String)]) {
        for (name, value) in entries { _ = Self.stored.first { $0.take(&self, name, value) } }
    }

    /// The names of all settings, in the order of the table.
    package static var names: [String] { stored.map(\.name) }

    /// Whether a stored setting means anything to this version, other than the default.
    package static func knows(_ name: String, _ value: String) -> Bool {
        ViewerSettings(entries: [(name, value)]).entries.contains { $0.name == name }
    }

    /// The table of what is stored: each setting with the key of its value.
    private static let stored: [StoredSetting] = [
        .flag(.audioDescription), .flag(.enhancedDialogue), .list("audio.languages", \.audioLanguages),
        .line("audio.output", \.soundOutput, text: \.text) { SoundPort(text: $0) }, .flag(.reducedLoudSounds),
        .word("captions.background", \.captionStyle.background),
        .number("captions.background-opacity", \.captionStyle.backgroundOpacityPercent, 0...100),
        .word("captions.colour", \.captionStyle.colour), .word("captions.edge", \.captionStyle.edge),
        .word("captions.font", \.captionStyle.font), .list("captions.languages", \.subtitleLanguages), .flag(.captionsOnReplay),
        .number("captions.opacity", \.captionStyle.opacityPercent, 25...100), .flag(.captionsForDeaf),
        .number("captions.size", \.captionStyle.sizePercent, among: Array(50...200)), .flag(.captionsWhenMuted),
        .word("captions.window", \.captionStyle.window),
        .number("captions.window-opacity", \.captionStyle.windowOpacityPercent, 0...100),
        .flag(.highContrast), .text("interface.language", \.language), .flag(.largerText),
        .number("interface.overscan", \.overscanPercent, 0...5), .word("interface.patience", \.patience), .flag(.reducedMotion),
        .flag(.navigationSounds), .flag(.spokenFocus),
        .number("interface.screen-saver", \.screenSaverMinutes, among: screenSaverChoices),
        .number("parental.age", \.parentalAge, 0...21), .word("video.fit", \.videoFit),
        // Of one channel, item or output, with whose id the key ends.
        .each("channel.", \.channelOrder.places, text: \.rawValue) { ChannelPlace(rawValue: $0) },
        .each("video.fit.", \.videoFits, text: \.rawValue) { VideoFit(rawValue: $0) },
        .each("audio.delay.", \.soundDelays, text: \.description) { DelayedPart.sound.delay($0) },
        .each("captions.delay.", \.captionDelays, text: \.description) { DelayedPart.subtitles.delay($0) },
    ]
}
