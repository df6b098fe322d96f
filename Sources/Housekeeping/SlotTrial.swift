/// Judges a slot on trial from what is observed every few seconds. A value: observations in, verdict out.
package struct SlotTrial: Sendable {
    /// What is observed.
    package struct Observation: Sendable, Equatable {
        /// The service manager's identifier of this run of the player; nil while it does not run.
        package var invocation: String?
        /// How often the service manager has restarted the player.
        package var restarts: Int
        package var shortcomings: [SlotHealth.Shortcoming]
        package var parts: Set<SlotHealth.Part>

        package init(
            invocation: String?, restarts: Int, shortcomings: [SlotHealth.Shortcoming], parts: Set<SlotHealth.Part>
        ) {
            self.invocation = invocation
            self.restarts = restarts
            self.shortcomings = shortcomings
            self.parts = parts
        }
    }
    package enum Verdict: Sendable, Equatable {
        case undecided
        case good
        /// With the reason, without a full stop.
        case bad(String)
    }

    /// The same run of the player has to last this long.
    package static let wantedLength = Duration.seconds(60)
    /// After this time a slot that is not good is bad. With the time of two starts it is less than three minutes.
    package static let limit = Duration.seconds(110)
    /// A player that was restarted more often than this is not waited for.
    package static let mostRestarts = 3

    private let before: SlotRecord
    private var current: (invocation: String, since: Duration)?

    package init(before: SlotRecord = SlotRecord()) {
        self.before = before
    }

    /// Takes an observation.
    ///
    /// - Parameter time: since the judgement began; it never decreases.
    package mutating func observe(_ observation: Observation, at time: Duration) -> Verdict {
        if let invocation = observation.invocation {
            if invocation != current?.invocation { current = (invocation, time) }
        } else {
            current = nil
        }
        guard observation.restarts <= Self.mostRestarts else {
            return .bad("the player was restarted \(observation.restarts) times")
        }
        let missing = before.held(against: observation.shortcomings, observation.parts)
        let length = current.map { time - $0.since }
        if let length, length >= Self.wantedLength, missing.isEmpty { return .good }
        guard time >= Self.limit else { return .undecided }
        if !missing.isEmpty { return .bad(missing.joined(separator: "; ")) }
        guard let length else { return .bad("the player does not run") }
        return .bad("the player has run for \(length.components.seconds) s only, after \(observation.restarts) restarts")
    }
}
