import ChannelFeed

/// The course of a probe: which job runs when, and what was found. A value without network and clock.
///
/// Each address is asked once for each kind of job, whatever number of questions it answers. The findings are in the order of the feed,
/// however the answers come.
package struct FeedProbe: Sendable {
    package enum Event: Sendable {
        case start
        case answered(ProbeJob, ProbeAnswer)
    }

    package enum Effect: Sendable, Equatable {
        /// Find out; `answered` follows.
        case ask(ProbeJob)
        /// So many of the jobs are done.
        case progressed(done: Int, total: Int)
        case finish
    }

    private let questions: [ProbeQuestion]
    private let mostAtOnce: Int
    private let total: Int
    private var waiting: [ProbeJob]
    private var underWay: Set<ProbeJob> = []
    private var answers: [ProbeJob: ProbeAnswer] = [:]

    package init(_ questions: [ProbeQuestion], mostAtOnce: Int = 8) {
        self.questions = questions
        self.mostAtOnce = max(1, mostAtOnce)
        var seen: Set<ProbeJob> = []
        waiting = questions.map(\.job).filter { seen.insert($0).inserted }
        total = waiting.count
        // Taken from the end.
        waiting.reverse()
    }

    package mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .start:
            return [.progressed(done: 0, total: total)] + next()
        case .answered(let job, let answer):
            guard underWay.remove(job) != nil else { return [] }
            answers[job] = answer
            return [.progressed(done: answers.count, total: total)] + next()
        }
    }

    /// What was found so far, in the order of the feed.
    package var findings: [FeedFinding] {
        questions.flatMap { question in answers[question.job].map { ProbeRules.findings(question, $0) } ?? [] }
    }

    /// One sentence about the probe.
    package var summary: String { "Probed \(total) address\(total == 1 ? "" : "es")." }

    private mutating func next() -> [Effect] {
        var effects: [Effect] = []
        while underWay.count < mostAtOnce, let index = waiting.lastIndex(where: isAllowed) {
            let job = waiting.remove(at: index)
            underWay.insert(job)
            effects.append(.ask(job))
        }
        if underWay.isEmpty, waiting.isEmpty { effects.append(.finish) }
        return effects
    }

    /// A file whose digest is taken is in memory as a whole, so there is one at a time.
    private func isAllowed(_ job: ProbeJob) -> Bool {
        guard case .digest = job else { return true }
        return !underWay.contains { if case .digest = $0 { true } else { false } }
    }
}
