import BoxModel
import MediaModel

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

    init(_ report: ViewingReport, _ shown: Interstitial, _ presentation: ViewingEvent.Presentation) {
        (item, session, date) = (report.item, report.session, report.date.map(NowAnswer.text))
        (interstitial, kind, title) = (shown.id, shown.kind.rawValue, shown.title)
        switch presentation {
        case .began: step = "begin"
        case .reached(let part): (step, percent) = ("quartile", part)
        case .ended(let how): (step, outcome) = ("end", how.rawValue)
        }
    }

    init(_ report: ViewingReport, next proposed: String, _ answer: ViewingEvent.Answer) {
        (item, session, date) = (report.item, report.session, report.date.map(NowAnswer.text))
        next = proposed
        switch answer {
        case .offered: step = "offered"
        case .accepted(let byItself): (step, automatic) = ("accepted", byItself)
        case .deferred: step = "deferred"
        case .rejected: step = "rejected"
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
        switch event {
        case .interstitial(let shown, let presentation): EventText.json(ViewingAnswer(self, shown, presentation))
        case .proposal(let next, let answer): EventText.json(ViewingAnswer(self, next: next, answer))
        case .cue(let cue): EventText.json(CueAnswer(cue, self))
        }
    }
}
