import MediaModel
import MediaTime

/// A card in the middle of the screen.
package struct CardView: Sendable, Equatable {
    /// The kind of card.
    package enum Kind: String, Sendable, Hashable, DumpWritable {
        /// The item has ended.
        case end
        /// The item cannot be played.
        case error
        /// The network is slow.
        case slow
        /// "Still watching?": {Continue, Home}; playback is paused.
        case stillWatching
        /// The sleep timer ends: {Stay awake, Sleep now}, with a countdown in the message.
        case sleepTimer
        /// A programme of the guide begins: {Watch, Not Now}.
        case reminder
        /// A page asks before it does something, or says how it goes: {Cancel, Delete}.
        case question
        /// Everything is about to be erased: {Cancel, Erase Everything}.
        case erasure
    }

    package var kind: Kind
    /// Its headline; on the end card the item's title.
    package var title: String
    /// One plain sentence, and the next step.
    package var message: String?
    /// The small code of an error.
    package var code: String?
    /// What happens next by itself, and when: "Next programme in 4 s". It changes each second.
    package var countdown: String?
    /// The picture of the item, as a reference.
    package var artwork: String?
    package var buttons: [ButtonView]
    /// What is like the item that has ended, below the card; nil if there is nothing.
    package var related: RelatedView?

    package init(
        kind: Kind, title: String, message: String? = nil, code: String? = nil, countdown: String? = nil, artwork: String? = nil,
        buttons: [ButtonView], related: RelatedView? = nil
    ) {
        self.kind = kind
        self.title = title
        self.message = message
        self.code = code
        self.countdown = countdown
        self.artwork = artwork
        self.buttons = buttons
        self.related = related
    }
}

extension CardView: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("kind", \.kind), .init("title", \.title), .init("message", \.message), .init("code", \.code),
            .init("countdown", \.countdown), .init("artwork", \.artwork), .init("buttons", \.buttons),
            .init("related", \.related),
        ]
    }

    /// Its words, with the focused button.
    func spoken(in strings: StringCatalogue) -> SpokenWords {
        if let words = related?.spoken(in: strings) { return words }
        let counts = kind == .sleepTimer
        return SpokenWords(
            place: [title, counts ? nil : message], counting: [counts ? message : nil, countdown],
            focus: [buttons.spokenFocus(in: strings)])
    }
}

/// The content proposal, below or next to the video.
package struct ProposalView: Sendable, Hashable {
    /// What it is: "Up Next".
    package var heading: String?
    /// The title of the proposed item.
    package var title: String
    /// A second line.
    package var subtitle: String?
    /// Genre and content rating.
    package var facts: [String]
    package var summary: String?
    /// Its preview picture, as a reference.
    package var image: String?
    /// Play now, Back to credits, Home.
    package var buttons: [ButtonView]
    /// Whole seconds until automatic acceptance; nil if there is none.
    package var countdown: Int?
    /// The remaining part of the ring around the first button, in percent; nil for no ring.
    package var ringPercent: Int?
    /// The placement of the video.
    package var videoPlace: ProposalPresentation.VideoPlace

    package init(
        heading: String? = nil, title: String, subtitle: String? = nil, facts: [String] = [], summary: String? = nil,
        image: String? = nil, buttons: [ButtonView],
        countdown: Int? = nil, ringPercent: Int? = nil, videoPlace: ProposalPresentation.VideoPlace = .preferred
    ) {
        self.heading = heading
        self.title = title
        self.subtitle = subtitle
        self.facts = facts
        self.summary = summary
        self.image = image
        self.buttons = buttons
        self.countdown = countdown
        self.ringPercent = ringPercent
        self.videoPlace = videoPlace
    }
}

extension ProposalView: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("heading", \.heading), .init("title", \.title), .init("subtitle", \.subtitle), .init("facts", \.facts),
            .init("summary", \.summary), .init("image", \.image), .init("buttons", \.buttons), .init("countdown", \.countdown),
            .init("ringPercent", \.ringPercent), .init("videoPlace", \.videoPlace),
        ]
    }

    /// Its title, with the focused button.
    func spoken(in strings: StringCatalogue) -> SpokenWords {
        SpokenWords(place: [heading, title, subtitle], focus: [buttons.spokenFocus(in: strings)])
    }
}

/// Home.
package struct HomeView: Sendable, Equatable {
    /// The focused element.
    package enum Focus: Sendable, Hashable {
        /// None, because there is none.
        case none
        /// The video in the corner.
        case video
        /// A button of the row at the top: an index of `buttons`.
        case button(Int)
        /// An entry of a row.
        case entry(row: Int, column: Int)
    }

    /// The rows, without empty ones.
    package var content: HomeContent
    /// The focused element.
    package var focus: Focus
    /// The arrangement of the rows.
    package var grid: Metrics.Home.Grid
    /// The first row on the screen.
    package var firstRow: Int
    /// The first entry on the screen, for each row.
    package var firstColumns: [Int]
    /// The text of an empty Home.
    package var emptyMessage: String?
    /// What the viewer should know about all of Home: that there is no network.
    package var notice: String?
    /// Whether entries that do not play without a network cannot have focus.
    package var isOffline: Bool
    /// The time of day; nil while it is not known.
    package var clock: String?
    /// The title of what plays in the corner.
    package var playing: String?
    /// The buttons next to the provider's name at the top: Search, Guide and Settings, if they have content. Not shown with the video in the corner.
    package var buttons: [ButtonView]
    /// The badge of a watched programme.
    package var watched: String
    /// The end of a row that the last key has found; nil after any other key.
    package var edge: RowEdge?

    package init(
        content: HomeContent, focus: Focus = .none, grid: Metrics.Home.Grid = .standard, firstRow: Int = 0,
        firstColumns: [Int] = [], emptyMessage: String? = nil,
        notice: String? = nil, isOffline: Bool = false, clock: String? = nil, playing: String? = nil, buttons: [ButtonView] = [],
        watched: String = "", edge: RowEdge? = nil
    ) {
        self.edge = edge
        self.content = content
        self.focus = focus
        self.grid = grid
        self.firstRow = firstRow
        self.firstColumns = firstColumns
        self.emptyMessage = emptyMessage
        self.notice = notice
        self.isOffline = isOffline
        self.clock = clock
        self.playing = playing
        self.buttons = buttons
        self.watched = watched
    }
}

extension HomeView: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("content", \.content), .init("focus", \.focus), .init("grid", \.grid), .init("firstRow", \.firstRow),
            .init("firstColumns", \.firstColumns), .init("emptyMessage", \.emptyMessage), .init("notice", \.notice),
            .init("isOffline") { $0.isOffline ? true : nil }, .init("clock", \.clock),
            .init("playing", \.playing), .init("buttons", \.buttons), .init("watched", \.watched),
            .init("edge", \.edge),
        ]
    }

    /// The words for what has focus.
    func spoken(in strings: StringCatalogue) -> SpokenWords {
        switch focus {
        case .none: return SpokenWords(focus: [emptyMessage, notice])
        case .video: return SpokenWords(focus: [playing, strings.text(.picture)])
        case .button: return SpokenWords(place: [emptyMessage], focus: [buttons.spokenFocus(in: strings)])
        case .entry(let row, let column):
            let entries = content.rows[row].entries
            let entry = entries[column]
            return SpokenWords(
                place: [content.rows[row].title],
                focus: [
                    entry.number.map { "\($0)" }, strings.text(.spokenOf, entry.title, "\(column + 1)", "\(entries.count)"),
                    entry.subtitle, content.favourites.contains(entry.id) ? strings.text(.favourite) : nil,
                ] + entry.spokenState(in: strings) + [entry.saving?.spoken(in: strings)])
        }
    }
}

extension HomeView.Focus: DumpWritable {
    package var dumpValue: DumpValue {
        switch self {
        case .none: .word("none")
        case .video: .word("video")
        case .button(let index): .tagged("button", .number(index))
        case .entry(let row, let column): .cell("entry", row: row, column: column)
        }
    }
}
