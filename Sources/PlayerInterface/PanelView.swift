import MediaTime

/// The information panel.
public struct PanelView: Sendable, Equatable {
    /// Its tabs. One with nothing to show is absent.
    public enum Tab: String, Sendable, Hashable, CaseIterable {
        case info, chapters, subtitles, audio, picture
    }

    /// What has focus.
    public enum Focus: Sendable, Hashable {
        /// The row of tabs, on the selected one.
        case tabs
        /// Something in the tab: on Info the description is 0 where there is one and the actions follow; in a list the rows or cards.
        case content(Int)
    }

    /// One tab.
    public struct TabTitle: Sendable, Hashable {
        /// Which.
        public var tab: Tab
        /// Its words.
        public var title: String
        /// Whether it can be opened now (Chapters cannot in a linear range).
        public var isEnabled: Bool

        /// Makes a tab.
        public init(tab: Tab, title: String, isEnabled: Bool = true) {
            self.tab = tab
            self.title = title
            self.isEnabled = isEnabled
        }
    }

    /// What the selected tab shows.
    public enum Content: Sendable, Equatable {
        case info(InfoView)
        case chapters([ChapterView])
        /// Subtitles, Audio and Picture, and what their submenus open.
        case menu(MenuView)
    }

    /// The tabs there are.
    public var tabs: [TabTitle]
    /// The selected one: an index of `tabs`.
    public var selected: Int
    /// What has focus.
    public var focus: Focus
    /// What is shown.
    public var content: Content

    /// Makes a panel.
    public init(tabs: [TabTitle], selected: Int, focus: Focus, content: Content) {
        self.tabs = tabs
        self.selected = selected
        self.focus = focus
        self.content = content
    }
}

/// The Info tab: the five identifiers, one line more, the duration, the badges, and up to two actions.
public struct InfoView: Sendable, Equatable {
    /// `commonIdentifierArtwork`, as a reference.
    public var artwork: String?
    /// `commonIdentifierTitle`.
    public var title: String?
    /// A second line.
    public var subtitle: String?
    /// Genre, content rating, duration and badges, in this order.
    public var facts: [String]
    /// `commonIdentifierDescription`.
    public var summary: String?
    /// Whether the description is open as a whole: `PresentationState.longText` then shows it, over everything.
    public var showsWholeSummary: Bool
    /// Whether the description has focus: Select opens and closes it.
    public var isSummaryFocused: Bool
    /// The actions.
    public var actions: [ButtonView]

    /// Makes the tab.
    public init(
        artwork: String? = nil, title: String? = nil, subtitle: String? = nil, facts: [String] = [], summary: String? = nil,
        showsWholeSummary: Bool = false, isSummaryFocused: Bool = false, actions: [ButtonView] = []
    ) {
        self.artwork = artwork
        self.title = title
        self.subtitle = subtitle
        self.facts = facts
        self.summary = summary
        self.showsWholeSummary = showsWholeSummary
        self.isSummaryFocused = isSummaryFocused
        self.actions = actions
    }
}

/// A chapter's card.
public struct ChapterView: Sendable, Hashable {
    /// Its title, or "Chapter n".
    public var title: String
    /// Its start, in content time, as text.
    public var time: String
    /// Its picture, as a reference; nil: a frame of the stream, or nothing.
    public var image: String?
    /// Whether it plays now.
    public var isCurrent: Bool
    /// Whether it has focus.
    public var isFocused: Bool

    /// Makes a card.
    public init(title: String, time: String, image: String? = nil, isCurrent: Bool = false, isFocused: Bool = false) {
        self.title = title
        self.time = time
        self.image = image
        self.isCurrent = isCurrent
        self.isFocused = isFocused
    }
}
