import MediaModel

/// What comes up in a playback besides the main content, and what becomes of it, for clients that count it.
package enum ViewingEvent: Sendable, Equatable {
    /// A step of an interstitial. Each presentation has one beginning, each quarter at most once, and one end.
    package enum Presentation: Sendable, Equatable {
        /// Its first picture.
        case began
        /// It was played up to this part of its length: 25, 50 and 75 percent. A part that a seek has passed over is not told.
        case reached(percent: Int)
        case ended(InterstitialOutcome)
    }

    /// What became of a content proposal.
    package enum Answer: Sendable, Equatable {
        /// It is on the screen.
        case offered
        /// What it proposes plays: by itself, or because the viewer wanted it.
        case accepted(automatic: Bool)
        /// The viewer went back to the credits. At the end it is offered once more.
        case deferred
        /// The viewer has left.
        case rejected
    }

    case interstitial(Interstitial, Presentation)
    /// - Parameter next: the id of the item or channel that is proposed.
    case proposal(next: String, Answer)
    /// What the stream says of itself.
    case cue(StreamCue)
}

/// A viewing event with the playback that it belongs to.
package struct ViewingReport: Sendable, Equatable {
    package var event: ViewingEvent
    /// The id of the item or channel that plays.
    package var item: String?
    /// The playback in whose logs it is.
    package var session: String?
    /// Nanoseconds since the start of 1970, UTC; nil while the box has no trusted date.
    package var date: Int64?

    package init(event: ViewingEvent, item: String?, session: String?, date: Int64?) {
        self.event = event
        self.item = item
        self.session = session
        self.date = date
    }
}
