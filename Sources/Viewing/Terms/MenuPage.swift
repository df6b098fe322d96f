import BoxModel

/// All menus: the tabs, the pages of Settings, and their submenus.
package enum MenuPage: Sendable, Hashable {
    // Tabs of the panel.
    case subtitles, audio, picture, signal
    /// A page of Settings.
    case settings(SettingsSection)
    // Choices of a single value.
    case interfaceLanguage, audioLanguage, captionLanguage
    case captionStyle, captionColour, captionOpacity, captionSize, captionFont, captionEdge
    case captionBackground, captionBackgroundOpacity, captionWindow, captionWindowOpacity
    case aspect(isGeneral: Bool), angle, speed, overscan, screenSaver, patience, parentalAge, soundOutput
    /// Where the viewer wants a channel, by its id.
    case channelPlace(String)
    // Questions: whether a store is deleted, and whether the box does something to itself.
    case deletion(String), task(BoxTask)

    /// Whether it asks before something is done: a card, whose buttons are its rows. Each of them closes it.
    var isQuestion: Bool {
        switch self {
        case .deletion, .task: true
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

    /// The page of Settings that it is; nil for a submenu, and for what is not in Settings.
    var section: SettingsSection? { if case .settings(let page) = self { page } else { nil } }
}
