import Screens

/// All menus: the tabs, the pages of Settings, and their submenus.
package enum MenuPage: Sendable, Hashable {
    // Tabs of the panel.
    case subtitles, audio, picture, signal
    // Settings and its pages.
    case settings, language, captions, sound, pictureSettings, accessibility, network, storage, parental, about
    // Choices of a single value.
    case interfaceLanguage, audioLanguage, captionLanguage
    case captionStyle, captionColour, captionOpacity, captionSize, captionFont, captionEdge
    case captionBackground, captionBackgroundOpacity, captionWindow, captionWindowOpacity
    case aspect(isGeneral: Bool), angle, speed, sleepTimer, overscan, screenSaver, patience, parentalAge
    case deletion(String), factoryReset, stickUpdate

    /// Whether it asks before something is done: a card, whose buttons are its rows.
    var isQuestion: Bool {
        switch self {
        case .deletion, .factoryReset, .stickUpdate: true
        default: false
        }
    }

    /// Whether it is about the caption style and shows a preview.
    var choosesCaptionStyle: Bool {
        switch self {
        case .captionStyle, .captionColour, .captionOpacity, .captionSize, .captionFont, .captionEdge, .captionBackground,
            .captionBackgroundOpacity, .captionWindow, .captionWindowOpacity:
            true
        default: false
        }
    }

    /// The page of Settings to which it belongs.
    var section: SettingsView.Page {
        switch self {
        case .settings, .subtitles, .audio, .picture, .signal, .angle, .speed: .top
        case .language, .interfaceLanguage, .audioLanguage, .captionLanguage: .language
        case .captions, .captionStyle, .captionColour, .captionOpacity, .captionSize, .captionFont, .captionEdge,
            .captionBackground,
            .captionBackgroundOpacity, .captionWindow, .captionWindowOpacity:
            .captions
        case .sound: .sound
        case .pictureSettings, .aspect, .overscan, .screenSaver: .picture
        case .accessibility, .patience: .accessibility
        case .network: .network
        case .storage, .deletion: .storage
        case .parental, .parentalAge: .parental
        case .sleepTimer: .sleepTimer
        case .about, .factoryReset, .stickUpdate: .about
        }
    }
}
