import MediaModel

/// The page of a programme before it plays: its picture behind its title, facts and summary, and a column of buttons.
package struct ProgrammeView: Sendable, Equatable {
    package var title: String
    /// A second line, e.g. season and episode.
    package var subtitle: String?
    /// Genre, content rating and duration.
    package var facts: [String]
    package var summary: String?
    /// Whether OK opens the summary in full.
    package var isSummaryFocused: Bool
    /// After a summary that is longer than its place: "More".
    package var more: String
    /// The picture behind it, as a reference.
    package var backdrop: String?
    /// Whether it needs the PIN.
    package var isLocked: Bool
    /// The badge of a watched programme; nil for another one.
    package var watched: String?
    /// The watched part in percent; nil if it was not begun.
    package var progressPercent: Int?
    /// "Audio: English", "Subtitles: English, French".
    package var languages: [String]
    /// From the top; none until the box knows more than the poster.
    package var buttons: [ButtonView]
    /// What is like it; it looks in from below until it has focus. Nil if there is nothing.
    package var related: RelatedView?

    package init(
        title: String, subtitle: String? = nil, facts: [String] = [], summary: String? = nil, isSummaryFocused: Bool = false,
        more: String = "", backdrop: String? = nil, isLocked: Bool = false, watched: String? = nil,
        progressPercent: Int? = nil,
        languages: [String] = [], buttons: [ButtonView] = [], related: RelatedView? = nil
    ) {
        self.title = title
        self.subtitle = subtitle
        self.facts = facts
        self.summary = summary
        self.isSummaryFocused = isSummaryFocused
        self.more = more
        self.backdrop = backdrop
        self.isLocked = isLocked
        self.watched = watched
        self.progressPercent = progressPercent
        self.languages = languages
        self.buttons = buttons
        self.related = related
    }
}

extension ProgrammeView: PageContent {
    package static let name = "programme"
    package static let hidesPicture = true
    package static let showsTime = false

    package static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("title", \.title), .init("subtitle", \.subtitle), .init("facts", \.facts), .init("summary", \.summary),
            .init("isSummaryFocused", \.isSummaryFocused), .init("more", \.more), .init("backdrop", \.backdrop),
            .init("isLocked", \.isLocked), .init("watched", \.watched), .init("progressPercent", \.progressPercent),
            .init("languages", \.languages),
            .init("buttons", \.buttons), .init("related", \.related),
        ]
    }

    package func spoken(in strings: StringCatalogue) -> SpokenWords {
        guard !buttons.isEmpty else { return SpokenWords() }
        if let words = related?.spoken(in: strings) { return words }
        return SpokenWords(
            place: [title, subtitle, isLocked ? strings.text(.spokenLocked) : nil, watched] + facts,
            focus: [isSummaryFocused ? summary : buttons.spokenFocus(in: strings)])
    }
}
