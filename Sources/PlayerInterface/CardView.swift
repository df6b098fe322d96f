import MediaTime

/// A card in the middle of the screen.
public struct CardView: Sendable, Hashable {
    /// What it is about.
    public enum Kind: String, Sendable, Hashable {
        /// The item is over.
        case end
        /// It cannot be played.
        case error
        /// The network is slow.
        case slow
        /// "Still watching?": {Continue, Home}; play stands still meanwhile.
        case stillWatching
        /// The sleep timer runs out: {Stay awake, Sleep now}, counted down in the message.
        case sleepTimer
    }

    /// What it is about.
    public var kind: Kind
    /// Its headline: of the end card the item's title.
    public var title: String
    /// One plain sentence; what happens next.
    public var message: String?
    /// The small code of an error.
    public var code: String?
    /// Its buttons.
    public var buttons: [ButtonView]

    /// Makes a card.
    public init(kind: Kind, title: String, message: String? = nil, code: String? = nil, buttons: [ButtonView]) {
        self.kind = kind
        self.title = title
        self.message = message
        self.code = code
        self.buttons = buttons
    }
}

/// The content proposal, below or beside the video.
public struct ProposalView: Sendable, Hashable {
    /// The title of what is proposed.
    public var title: String
    /// A second line.
    public var subtitle: String?
    /// Genre and content rating.
    public var facts: [String]
    /// Its description.
    public var summary: String?
    /// Its preview picture, as a reference.
    public var image: String?
    /// Play now, Back to credits, Home.
    public var buttons: [ButtonView]
    /// Whole seconds until it accepts by itself; nil: it does not.
    public var countdown: Int?
    /// How much of the ring around the first button is left, in percent; nil: no ring.
    public var ringPercent: Int?
    /// Where the video is meanwhile.
    public var videoPlace: ProposalPresentation.VideoPlace

    /// Makes a proposal.
    public init(
        title: String, subtitle: String? = nil, facts: [String] = [], summary: String? = nil, image: String? = nil,
        buttons: [ButtonView],
        countdown: Int? = nil, ringPercent: Int? = nil, videoPlace: ProposalPresentation.VideoPlace = .preferred
    ) {
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

/// Home.
public struct HomeView: Sendable, Equatable {
    /// What has focus.
    public enum Focus: Sendable, Hashable {
        /// Nothing: there is nothing.
        case none
        /// The video in the corner.
        case video
        /// A button of the row at the top: an index of `buttons`.
        case button(Int)
        /// An entry of a row.
        case entry(row: Int, column: Int)
    }

    /// All there is, rows without entries left out.
    public var content: HomeContent
    /// What has focus.
    public var focus: Focus
    /// The first row on the screen.
    public var firstRow: Int
    /// The first entry on the screen, for each row.
    public var firstColumns: [Int]
    /// Words where there is nothing.
    public var emptyMessage: String?
    /// What stands beside the provider's name at the top: Search, Guide and Settings, as far as there is one. Never over the corner
    /// video.
    public var buttons: [ButtonView]

    /// Makes Home.
    public init(
        content: HomeContent, focus: Focus = .none, firstRow: Int = 0, firstColumns: [Int] = [], emptyMessage: String? = nil,
        buttons: [ButtonView] = []
    ) {
        self.content = content
        self.focus = focus
        self.firstRow = firstRow
        self.firstColumns = firstColumns
        self.emptyMessage = emptyMessage
        self.buttons = buttons
    }
}
