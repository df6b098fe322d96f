import MediaTime

/// The information panel.
package struct PanelView: Sendable, Equatable {
    /// Its tabs. One with nothing to show is absent.
    package enum Tab: String, Sendable, Hashable, CaseIterable {
        case info, chapters, subtitles, audio, picture
    }

    /// What has focus.
    package enum Focus: Sendable, Hashable {
        /// The row of tabs, on the selected one.
        case tabs
        /// Something in the tab: on Info the description is 0 where there is one and the actions follow; in a list the rows or cards.
        case content(Int)
    }

    /// One tab.
    package struct TabTitle: Sendable, Hashable {
        /// Which.
        package var tab: Tab
        /// Its words.
        package var title: String
        /// Whether it can be opened now (Chapters cannot in a linear range).
        package var isEnabled: Bool

        package init(tab: Tab, title: String, isEnabled: Bool = true) {
            self.tab = tab
            self.title = title
            self.isEnabled = isEnabled
        }
    }

    /// What the selected tab shows.
    package enum Content: Sendable, Equatable {
        case info(InfoView)
        case chapters([ChapterView])
        /// Subtitles, Audio and Picture, and what their submenus open.
        case menu(MenuView)
    }

    /// The tabs there are.
    package var tabs: [TabTitle]
    /// The selected one: an index of `tabs`.
    package var selected: Int
    /// What has focus.
    package var focus: Focus
    /// What is shown.
    package var content: Content

    package init(tabs: [TabTitle], selected: Int, focus: Focus, content: Content) {
        self.tabs = tabs
        self.selected = selected
        self.focus = focus
        self.content = content
    }
}

/// The Info tab: the five identifiers, one line more, the duration, the badges, and up to two actions.
package struct InfoView: Sendable, Equatable {
    /// `commonIdentifierArtwork`, as a reference.
    package var artwork: String?
    /// `commonIdentifierTitle`.
    package var title: String?
    /// A second line.
    package var subtitle: String?
    /// Genre, content rating, duration and badges, in this order.
    package var facts: [String]
    /// `commonIdentifierDescription`.
    package var summary: String?
    /// Whether the description is open as a whole: `PresentationState.longText` then shows it, over everything.
    package var showsWholeSummary: Bool
    /// Whether the description has focus: Select opens and closes it.
    package var isSummaryFocused: Bool
    /// The actions.
    package var actions: [ButtonView]

    package init(
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
package struct ChapterView: Sendable, Hashable {
    /// Its title, or "Chapter n".
    package var title: String
    /// Its start, in content time, as text.
    package var time: String
    /// Its picture, as a reference; nil: a frame of the stream, or nothing.
    package var image: String?
    /// Whether it plays now.
    package var isCurrent: Bool
    /// Whether it has focus.
    package var isFocused: Bool

    package init(title: String, time: String, image: String? = nil, isCurrent: Bool = false, isFocused: Bool = false) {
        self.title = title
        self.time = time
        self.image = image
        self.isCurrent = isCurrent
        self.isFocused = isFocused
    }
}
