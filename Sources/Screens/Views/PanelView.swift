import MediaModel
import MediaTime

/// The information panel.
package struct PanelView: Sendable, Equatable {
    /// Its tabs. A tab without content is absent.
    package enum Tab: String, Sendable, Hashable, CaseIterable, DumpWritable {
        case info, chapters, subtitles, audio, picture
    }

    /// The focused element.
    package enum Focus: Sendable, Hashable {
        /// The row of tabs, on the selected one.
        case tabs
        /// An element of the tab: on Info the description is 0 if there is one, and the actions follow; in a list the rows or cards.
        case content(Int)
    }

    /// One tab.
    package struct TabTitle: Sendable, Hashable {
        package var tab: Tab
        package var title: String
        /// Whether it can be opened now (Chapters cannot in a linear range).
        package var isEnabled: Bool

        package init(tab: Tab, title: String, isEnabled: Bool = true) {
            self.tab = tab
            self.title = title
            self.isEnabled = isEnabled
        }
    }

    /// The content of the selected tab.
    package enum Content: Sendable, Equatable {
        case info(InfoView)
        case chapters([ChapterView])
        /// Subtitles, Audio and Picture, and their submenus.
        case menu(MenuView)
    }

    /// The available tabs.
    package var tabs: [TabTitle]
    /// The selected one: an index of `tabs`.
    package var selected: Int
    package var focus: Focus
    package var content: Content

    package init(tabs: [TabTitle], selected: Int, focus: Focus, content: Content) {
        self.tabs = tabs
        self.selected = selected
        self.focus = focus
        self.content = content
    }
}

extension PanelView: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("tabs", \.tabs), .init("selected", \.selected), .init("focus", \.focus), .init("content", \.content)]
    }

    /// The words for what has focus.
    func spoken(in strings: StringCatalogue) -> SpokenWords {
        guard focus != .tabs else {
            let words = strings.text(.spokenTab, tabs[selected].title, "\(selected + 1)", "\(tabs.count)")
            return SpokenWords(focus: [strings.text(.spokenSelected, words)])
        }
        switch content {
        case .info(let info):
            if info.isSummaryFocused { return SpokenWords(focus: [info.summary]) }
            return SpokenWords(focus: [info.actions.spokenFocus(in: strings)])
        case .chapters(let chapters):
            guard let index = chapters.firstIndex(where: \.isFocused) else { return SpokenWords() }
            let words = strings.text(.spokenOf, chapters[index].title, "\(index + 1)", "\(chapters.count)")
            return SpokenWords(focus: [words, chapters[index].time])
        case .menu(let menu): return SpokenWords(place: [menu.title], focus: [menu.spokenRow(in: strings)])
        }
    }
}

extension PanelView.TabTitle: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("tab", \.tab), .init("title", \.title), .init("isEnabled", \.isEnabled)]
    }
}

extension PanelView.Focus: DumpWritable {
    package var dumpValue: DumpValue {
        switch self {
        case .tabs: .word("tabs")
        case .content(let index): .tagged("content", .number(index))
        }
    }
}

extension PanelView.Content: DumpWritable {
    package var dumpValue: DumpValue {
        switch self {
        case .info(let info): .tagged("info", info.dumpValue)
        case .chapters(let chapters): .tagged("chapters", chapters.dumpValue)
        case .menu(let menu): .tagged("menu", menu.dumpValue)
        }
    }
}

/// The Info tab: the five identifiers, a second line, the duration, the badges, what is next, and the actions.
package struct InfoView: Sendable, Equatable {
    /// `commonIdentifierArtwork`, as a reference.
    package var artwork: String?
    /// `commonIdentifierTitle`.
    package var title: String?
    /// A second line.
    package var subtitle: String?
    /// Genre and duration, in this order.
    package var facts: [String]
    /// The content rating, and what the item offers: "PG", "HD", "CC".
    package var badges: [String]
    /// `commonIdentifierDescription`.
    package var summary: String?
    /// On a live channel with a guide what comes after it: "Next: 20:40 The Long Pier"; nil if that is not known.
    package var next: String?
    /// The word after a description that is cut off; nil if there is none.
    package var more: String?
    /// Whether the full description is open: `PresentationState.longText` then shows it, over everything.
    package var showsWholeSummary: Bool
    /// Whether the description has focus: Select opens and closes it.
    package var isSummaryFocused: Bool
    package var actions: [ButtonView]

    package init(
        artwork: String? = nil, title: String? = nil, subtitle: String? = nil, facts: [String] = [], badges: [String] = [],
        summary: String? = nil, next: String? = nil, more: String? = nil, showsWholeSummary: Bool = false,
        isSummaryFocused: Bool = false,
        actions: [ButtonView] = []
    ) {
        self.artwork = artwork
        self.title = title
        self.subtitle = subtitle
        self.facts = facts
        self.badges = badges
        self.summary = summary
        self.next = next
        self.more = more
        self.showsWholeSummary = showsWholeSummary
        self.isSummaryFocused = isSummaryFocused
        self.actions = actions
    }
}

extension InfoView: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("artwork", \.artwork), .init("title", \.title), .init("subtitle", \.subtitle), .init("facts", \.facts),
            .init("badges", \.badges), .init("summary", \.summary), .init("next", \.next), .init("more", \.more),
            .init("showsWholeSummary", \.showsWholeSummary),
            .init("isSummaryFocused", \.isSummaryFocused), .init("actions", \.actions),
        ]
    }
}

/// A chapter's card.
package struct ChapterView: Sendable, Hashable {
    /// Its title, or "Chapter n".
    package var title: String
    /// Its start in content time, as text.
    package var time: String
    /// Its picture, as a reference; nil for a frame of the stream, or none.
    package var image: String?
    /// Whether it is the current chapter.
    package var isCurrent: Bool
    /// The played part of the current chapter, in percent; nil for the others, and where its end is not known.
    package var progressPercent: Int?
    package var isFocused: Bool

    package init(
        title: String, time: String, image: String? = nil, isCurrent: Bool = false, progressPercent: Int? = nil,
        isFocused: Bool = false
    ) {
        self.progressPercent = progressPercent
        self.title = title
        self.time = time
        self.image = image
        self.isCurrent = isCurrent
        self.isFocused = isFocused
    }
}

extension ChapterView: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("title", \.title), .init("time", \.time), .init("image", \.image), .init("isCurrent", \.isCurrent),
            .init("progressPercent", \.progressPercent), .init("isFocused", \.isFocused),
        ]
    }
}
