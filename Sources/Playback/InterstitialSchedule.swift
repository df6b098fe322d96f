import MediaModel
import MediaSources
import MediaTime

/// The positions of the interstitials beside the stream, and which have been played. A value without clocks, sources or players.
///
/// A known interstitial keeps its position until its source moves it by more than a second.
package struct InterstitialSchedule: Sendable, Hashable {
    /// All interstitials, in order of time, each id once.
    package private(set) var interstitials: [Interstitial] = []
    /// The played events with CUE=ONCE.
    private var spent: Set<String> = []
    /// Those that have ended since the last jump: playback that resumes at their own position does not start them again.
    private var passed: Set<String> = []

    /// A jump forward leads to the last break that must be watched.
    private static let snapBack = SnapBackPolicy(.last)

    /// Begins without interstitials.
    package init() {}

    /// Applies the events that a source knows now.
    package mutating func update(_ fresh: [Interstitial]) {
        var known: Set<String> = []
        interstitials = fresh.filter { known.insert($0.id).inserted }.sorted { ($0.time, $0.id) < ($1.time, $1.id) }
    }

    /// The next one that playback from a position reaches: at the position or after it.
    package func next(from time: MediaTime) -> Interstitial? {
        interstitials.first { $0.cue.isEmpty && $0.time >= time && isDue($0) }
    }

    /// The one that a live presentation is in at a position, and how far it has come. With less than the shortest rest the next frames are those of the presentation.
    package func current(at time: MediaTime) -> (interstitial: Interstitial, offset: MediaTime)? {
        let found = interstitials.last { interstitial in
            guard interstitial.cue.isEmpty, isDue(interstitial), let length = interstitial.event?.replacedDuration else {
                return false
            }
            return interstitial.time < time && time + Self.shortestRest < interstitial.time + length
        }
        return found.map { ($0, time - $0.time) }
    }

    private static let shortestRest = MediaTime.milliseconds(500)

    /// What is left of the assets of an interstitial at an offset. Its server may have left out what comes before, or everything of which it is told nothing.
    ///
    /// - Returns: the rest, where the first of them starts (nil for its beginning), and the duration of what was left out.
    package static func entry(
        to assets: [InterstitialAsset], of interstitial: Interstitial, at offset: MediaTime
    ) -> (assets: [InterstitialAsset], start: MediaTime?, missed: MediaTime) {
        let isList = if case .list = interstitial.event?.assets { true } else { false }
        let lengths = assets.map(\.duration)
        let total = lengths.compactMap(\.self).reduce(.zero, +)
        let left = (interstitial.event?.replacedDuration ?? total) - offset
        // A list without durations, or with no more than is left, begins at the offset.
        if isList, lengths.contains(nil) || total <= left + shortestRest { return (assets, nil, offset) }
        var missed = MediaTime.zero
        var rest = assets[...]
        while let length = rest.first?.duration, missed + length <= offset {
            missed += length
            rest = rest.dropFirst()
        }
        return (Array(rest), offset - missed, missed)
    }

    /// The event to play before the presentation starts.
    package var beforeStart: Interstitial? { interstitials.first { $0.cue.contains(.joinCue) && isDue($0) } }

    /// The event to play after the presentation has ended.
    package var afterEnd: Interstitial? { interstitials.first { $0.cue.contains(.leaveCue) && isDue($0) } }

    /// The interstitial that must be watched before a jump.
    package func blocking(jumpFrom origin: MediaTime, to target: MediaTime) -> Interstitial? {
        Self.snapBack.interstitialToWatch(
            from: origin, to: target, among: interstitials.filter { !passed.contains($0.id) }, watched: spent)
    }

    /// The one that follows in the break of another, on the way of a jump to a target.
    package func next(after interstitial: Interstitial, jumpTo target: MediaTime) -> Interstitial? {
        Self.snapBack.interstitialToWatch(
            after: interstitial, before: target,
            among: interstitials.filter { $0.id == interstitial.id || !passed.contains($0.id) }, watched: spent)
    }

    /// Marks an interstitial as played or cancelled.
    package mutating func finish(_ interstitial: Interstitial) {
        passed.insert(interstitial.id)
        if interstitial.repetition == .once { spent.insert(interstitial.id) }
    }

    /// Playback continues at another position: what lies ahead of it is due again, except what plays only once.
    package mutating func jump() {
        passed = passed.filter { interstitial($0).map { !$0.cue.isEmpty } ?? false }
    }

    /// The interstitial of an id.
    package func interstitial(_ id: String) -> Interstitial? { interstitials.first { $0.id == id } }

    /// Where the presentation resumes after an interstitial.
    ///
    /// - Parameters:
    ///   - played: how long it has been played.
    ///   - left: where the presentation was left: the time of the interstitial; with a cue, the position at which playback would start.
    ///   - boundary: the segment boundary nearest to a time.
    package static func resumption(
        of interstitial: Interstitial, played: MediaTime, left: MediaTime, boundary: (MediaTime) -> MediaTime
    ) -> MediaTime {
        guard let event = interstitial.event else { return left }
        // An interstitial before the start does not move the viewer's start position.
        if event.cue.contains(.joinCue) { return max(left, event.time + (event.resumptionOffset ?? .zero)) }
        if event.cue.contains(.leaveCue) { return left }
        let position = event.time + max(.zero, event.resumptionOffset ?? played)
        return event.alignsResumptionWithSegmentBoundary ? boundary(position) : position
    }

    private func isDue(_ interstitial: Interstitial) -> Bool {
        !passed.contains(interstitial.id) && !interstitial.isSpent(watched: spent)
    }
}
