import Screens

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
