/// Every menu that there is: what the tabs and the pages of Settings show, and what their submenus open.
enum MenuPage: Sendable, Hashable {
    // Tabs of the panel.
    case subtitles, audio, picture
    // Settings, and the pages of it.
    case settings, language, captions, sound, pictureSettings, accessibility, network, storage, parental, about
    // Choices of one thing.
    case interfaceLanguage, audioLanguage, captionLanguage
    case captionStyle, captionColour, captionOpacity, captionSize, captionFont, captionEdge
    case captionBackground, captionBackgroundOpacity, captionWindow, captionWindowOpacity
    case aspect(isGeneral: Bool), speed, sleepTimer, overscan, patience, parentalAge
    case deletion(String), factoryReset

    /// Whether the caption style is chosen here, and a preview is wanted.
    var choosesCaptionStyle: Bool {
        switch self {
        case .captionStyle, .captionColour, .captionOpacity, .captionSize, .captionFont, .captionEdge, .captionBackground,
            .captionBackgroundOpacity, .captionWindow, .captionWindowOpacity:
            true
        default: false
        }
    }
}

extension MenuPage {
    /// The page of Settings that it belongs to.
    var section: SettingsView.Page {
        switch self {
        case .settings, .subtitles, .audio, .picture, .speed: .top
        case .language, .interfaceLanguage, .audioLanguage, .captionLanguage: .language
        case .captions, .captionStyle, .captionColour, .captionOpacity, .captionSize, .captionFont, .captionEdge,
            .captionBackground,
            .captionBackgroundOpacity, .captionWindow, .captionWindowOpacity:
            .captions
        case .sound: .sound
        case .pictureSettings, .aspect, .overscan: .picture
        case .accessibility, .patience: .accessibility
        case .network: .network
        case .storage, .deletion: .storage
        case .parental, .parentalAge: .parental
        case .sleepTimer: .sleepTimer
        case .about, .factoryReset: .about
        }
    }
}
