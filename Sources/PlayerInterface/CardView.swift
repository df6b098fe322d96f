import MediaTime

/// A card in the middle of the screen.
package struct CardView: Sendable, Hashable {
    /// What it is about.
    package enum Kind: String, Sendable, Hashable {
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
    package var kind: Kind
    /// Its headline: of the end card the item's title.
    package var title: String
    /// One plain sentence; what happens next.
    package var message: String?
    /// The small code of an error.
    package var code: String?
    /// Its buttons.
    package var buttons: [ButtonView]

    package init(kind: Kind, title: String, message: String? = nil, code: String? = nil, buttons: [ButtonView]) {
        self.kind = kind
        self.title = title
        self.message = message
        self.code = code
        self.buttons = buttons
    }
}

/// The content proposal, below or beside the video.
package struct ProposalView: Sendable, Hashable {
    /// The title of what is proposed.
    package var title: String
    /// A second line.
    package var subtitle: String?
    /// Genre and content rating.
    package var facts: [String]
    /// Its description.
    package var summary: String?
    /// Its preview picture, as a reference.
    package var image: String?
    /// Play now, Back to credits, Home.
    package var buttons: [ButtonView]
    /// Whole seconds until it accepts by itself; nil: it does not.
    package var countdown: Int?
    /// How much of the ring around the first button is left, in percent; nil: no ring.
    package var ringPercent: Int?
    /// Where the video is meanwhile.
    package var videoPlace: ProposalPresentation.VideoPlace

    package init(
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
package struct HomeView: Sendable, Equatable {
    /// What has focus.
    package enum Focus: Sendable, Hashable {
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
    package var content: HomeContent
    /// What has focus.
    package var focus: Focus
    /// The first row on the screen.
    package var firstRow: Int
    /// The first entry on the screen, for each row.
    package var firstColumns: [Int]
    /// Words where there is nothing.
    package var emptyMessage: String?
    /// What stands beside the provider's name at the top: Search, Guide and Settings, as far as there is one. Never over the corner
    /// video.
    package var buttons: [ButtonView]

    /// Makes Home.
    package init(
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
