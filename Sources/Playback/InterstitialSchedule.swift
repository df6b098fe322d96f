import MediaModel
import MediaTime

/// Which interstitials are played where, and which have been. A value: nothing in it knows of clocks, sources or players.
///
/// An entry that is known keeps its place until its source moves it by more than a second; what was played once only is not played again.
package struct InterstitialSchedule: Sendable, Hashable {
    /// All events, in order of time, each identifier once.
    package private(set) var events: [InterstitialEvent] = []
    /// Those that were played and are played only once.
    private var spent: Set<String> = []
    /// Those that play has gone through since it last jumped: going on from their very place does not begin them again.
    private var passed: Set<String> = []

    /// Begins without events.
    package init() {}

    /// Takes what a source knows now.
    package mutating func update(_ fresh: [InterstitialEvent]) {
        var known: Set<String> = []
        events = fresh.filter { known.insert($0.identifier).inserted }.sorted {
            ($0.time, $0.identifier) < ($1.time, $1.identifier)
        }
    }

    /// The next event at or behind a place that play going on from there comes to.
    package func next(from time: MediaTime) -> InterstitialEvent? {
        events.first { $0.cue.isEmpty && $0.time >= time && isDue($0) }
    }

    /// What is played before the presentation begins.
    package var beforeStart: InterstitialEvent? { events.first { $0.cue.contains(.joinCue) && isDue($0) } }

    /// What is played once the presentation has ended.
    package var afterEnd: InterstitialEvent? { events.first { $0.cue.contains(.leaveCue) && isDue($0) } }

    /// The event that has to be seen before a jump forward may be made: the last one across which none may jump.
    package func blocking(jumpFrom origin: MediaTime, to target: MediaTime) -> InterstitialEvent? {
        events.last {
            $0.cue.isEmpty && $0.restrictions.contains(.constrainsSeekingForwardInPrimaryContent) && $0.time >= origin
                && $0.time < target && isDue($0)
        }
    }

    /// Notes that an event has been played, or was given up.
    package mutating func finish(_ event: InterstitialEvent) {
        passed.insert(event.identifier)
        if event.willPlayOnce { spent.insert(event.identifier) }
    }

    /// Play goes on from another place: what lies ahead of it is due again, but for what is played once only.
    package mutating func jump() {
        passed = passed.filter { id in events.first { $0.identifier == id }.map { !$0.cue.isEmpty } ?? false }
    }

    /// Where the presentation goes on behind an event.
    ///
    /// - Parameters:
    ///   - played: how long the event has been played.
    ///   - left: where the presentation was left: the event's own place, or with a cue the place where play was to begin.
    ///   - boundary: the edge of a segment nearest to a time.
    package static func resumption(
        of event: InterstitialEvent, played: MediaTime, left: MediaTime, boundary: (MediaTime) -> MediaTime
    ) -> MediaTime {
        // What is played before the beginning takes nothing away from where the viewer wanted to begin.
        if event.cue.contains(.joinCue) { return max(left, event.time + (event.resumptionOffset ?? .zero)) }
        if event.cue.contains(.leaveCue) { return left }
        let place = event.time + max(.zero, event.resumptionOffset ?? played)
        return event.alignsResumptionWithSegmentBoundary ? boundary(place) : place
    }

    private func isDue(_ event: InterstitialEvent) -> Bool {
        !passed.contains(event.identifier) && !spent.contains(event.identifier)
    }
}

extension InterstitialSchedule {
    /// Whether an event will not be played again, however often play comes to its place.
    package func isSpent(_ event: InterstitialEvent) -> Bool { spent.contains(event.identifier) }

    /// The event of an identifier.
    package func event(_ identifier: String) -> InterstitialEvent? { events.first { $0.identifier == identifier } }
}
