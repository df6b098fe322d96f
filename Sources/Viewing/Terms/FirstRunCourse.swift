import BoxModel

/// The viewer's way through the steps of the first run: events in, requests to the box out.
///
/// Steps that this box does not have are left out, also when they go away meanwhile.
package struct FirstRunCourse: Sendable, Equatable {
    package enum Event: Sendable, Equatable {
        /// What the box knows now. Outside the first run it begins.
        case told(FirstRunFacts)
        /// The step is done, or skipped.
        case next
        /// To the step before; from the first one out of the first run.
        case back
    }

    private enum State: Sendable, Equatable {
        case over
        case at(FirstRunStep, FirstRunFacts)
    }

    private var state = State.over

    package init() {}

    /// The step on which the viewer is; nil outside the first run.
    package var step: FirstRunStep? { if case .at(let step, _) = state { step } else { nil } }

    package var facts: FirstRunFacts? { if case .at(_, let facts) = state { facts } else { nil } }

    /// The number of the step, from 1, and how many there are.
    package var progress: (number: Int, count: Int)? {
        guard case .at(let step, let facts) = state, let index = facts.steps.firstIndex(of: step) else { return nil }
        return (index + 1, facts.steps.count)
    }

    /// Whether Back leads out of the first run.
    package var isFirst: Bool { progress?.number == 1 }

    /// - Returns: what the box is to do; nil if the event has no effect here.
    package mutating func handle(_ event: Event) -> [FirstRunRequest]? {
        switch (event, state) {
        case (.told(let facts), .over): return go(from: nil, to: facts.steps.first, facts)
        case (.told(let facts), .at(let step, _)):
            return go(from: step, to: facts.steps.first { Self.place($0) >= Self.place(step) }, facts)
        case (_, .over): return nil
        case (.next, .at(let step, let facts)):
            return go(from: step, to: facts.steps.first { Self.place($0) > Self.place(step) }, facts)
        case (.back, .at(let step, let facts)):
            return go(from: step, to: facts.steps.last { Self.place($0) < Self.place(step) }, facts)
        }
    }

    /// Goes to a step, or with nil to the end.
    private mutating func go(from old: FirstRunStep?, to step: FirstRunStep?, _ facts: FirstRunFacts) -> [FirstRunRequest] {
        guard let step else {
            state = .over
            return [.end]
        }
        state = .at(step, facts)
        // The check of the channels stops when the viewer leaves their step.
        return old == .channels && step != .channels && facts.check == .running ? [.giveUp] : []
    }

    private static func place(_ step: FirstRunStep) -> Int { FirstRunStep.allCases.firstIndex(of: step) ?? 0 }
}
