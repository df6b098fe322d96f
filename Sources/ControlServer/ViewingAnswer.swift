import BoxModel

/// The data of the events `interstitial` and `proposal`.
struct ViewingAnswer: Encodable, Sendable {
    /// `begin`, `quartile`, `end`; `offered`, `accepted`, `deferred`, `rejected`.
    var step: String
    /// The item or channel that plays.
    var item: String?
    var session: String?
    /// UTC.
    var date: String?
    /// The id of the interstitial in its item.
    var interstitial: String?
    var kind: String?
    var title: String?
    var percent: Int?
    var outcome: String?
    /// The item or channel that is proposed.
    var next: String?
    var automatic: Bool?

    /// - Returns: nil for other events.
    init?(_ report: ViewingReport) {
        item = report.item
        session = report.session
        date = report.date.map(NowAnswer.text)
        switch report.event {
        case .cue: return nil
        case .interstitial(let shown, let presentation):
            interstitial = shown.id
            kind = shown.kind.rawValue
            title = shown.title
            switch presentation {
            case .began: step = "begin"
            case .reached(let part): (step, percent) = ("quartile", part)
            case .ended(let how): (step, outcome) = ("end", how.rawValue)
            }
        case .proposal(let proposed, let answer):
            next = proposed
            switch answer {
            case .offered: step = "offered"
            case .accepted(let byItself): (step, automatic) = ("accepted", byItself)
            case .deferred: step = "deferred"
            case .rejected: step = "rejected"
            }
        }
    }
}

extension ViewingReport {
    /// What the event is for clients.
    var kind: EventKind {
        switch event {
        case .interstitial: .interstitial
        case .proposal: .proposal
        case .cue(.metadata): .timedMetadata
        case .cue: .dateRange
        }
    }

    /// Its data.
    var json: String {
        if case .cue(let cue) = event { return EventText.json(CueAnswer(cue, self)) }
        return ViewingAnswer(self).map { EventText.json($0) } ?? "{}"
    }
}
