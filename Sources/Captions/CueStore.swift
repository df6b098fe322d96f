import MediaTime
import Synchronization

/// The cues of one track as they become known, in asset time: filled by the track's reader, queried by the renderer. Any thread.
///
/// A cue that arrives again (it spans two segments, or a segment is read twice) is stored once, whatever its number is then. The store is bounded:
/// cues that are farthest from what is shown are dropped first.
package final class CueStore: Sendable {
    private struct State {
        /// Ordered by start; cues with the same start in order of arrival.
        var cues: [CaptionCue] = []
        /// Without their identifiers.
        var known: Set<CaptionCue> = []
        /// What the renderer asked for last, or what came last without a request.
        var playhead = MediaTime.zero
        var version = 0
        var imageBytes = 0
        var onChange: (@Sendable () -> Void)?
    }
    private let state = Mutex(State())
    /// The cues that are shown at a time; scripts with drawings have some hundred.
    private static let mostShown = 1000
    private let countLimit: Int
    private let imageByteLimit: Int

    /// More cues than two hours of speech have; those of other times are read again when they are played.
    package static let usualCount = 8192
    /// Captions that are read once, as a whole: a day of speech.
    package static let wholeFileCount = CaptionBounds.cues

    /// Makes an empty store.
    ///
    /// - Parameters:
    ///   - countLimit: the most cues to keep.
    ///   - imageByteLimit: the most bytes of images to keep.
    package init(countLimit: Int = CueStore.usualCount, imageByteLimit: Int = 64 << 20) {
        self.countLimit = countLimit
        self.imageByteLimit = imageByteLimit
    }

    /// Called after each change of the cues, on the thread that made the change.
    package func setOnChange(_ action: (@Sendable () -> Void)?) { state.withLock { $0.onChange = action } }

    /// Adds cues. Cues that do not end after their start are ignored.
    package func insert(_ new: [CaptionCue]) { change { Self.insert(new, into: &$0) } }

    /// Exchanges cues that were placed at a wrong time; those in both stay.
    package func replace(_ old: [CaptionCue], with new: [CaptionCue]) {
        let wrong = Set(old.map(\.withoutIdentifier)).subtracting(new.map(\.withoutIdentifier))
        change { state in
            let before = state.cues.count
            state.cues.removeAll { cue in
                guard wrong.contains(cue.withoutIdentifier) else { return false }
                state.known.remove(cue.withoutIdentifier)
                state.imageBytes -= cue.image?.pixels.count ?? 0
                return true
            }
            return Self.insert(new, into: &state) || state.cues.count != before
        }
    }

    /// Sets the captions on the screen from a time on, for formats that only report changes (CEA-608 and 708, PGS): cues that
    /// look the same stay, others end, new ones begin.
    package func show(_ new: [CaptionCue], from time: MediaTime) {
        change { state in
            var new = new
            var hasChanged = false
            for index in state.cues.indices where state.cues[index].start <= time && state.cues[index].end > time {
                if let same = new.firstIndex(where: { $0.isSame(as: state.cues[index]) }) {
                    new.remove(at: same)
                    continue
                }
                state.known.remove(state.cues[index].withoutIdentifier)
                state.cues[index].end = time
                state.known.insert(state.cues[index].withoutIdentifier)
                hasChanged = true
            }
            // Cues that came and went at the same time were never visible.
            state.cues.removeAll { $0.end <= $0.start }
            return Self.insert(new, into: &state) || hasChanged
        }
    }

    /// The stored cue with the start and the look of another, whatever its end is.
    package func stored(_ cue: CaptionCue) -> CaptionCue? {
        state.withLock { state in
            let place = Self.firstIndex(in: state.cues) { $0.start >= cue.start }
            return state.cues[place...].prefix { $0.start == cue.start }.first { $0.isSame(as: cue) }
        }
    }

    package func removeAll() {
        change { state in
            guard !state.cues.isEmpty else { return false }
            state.cues = []
            state.known = []
            state.imageBytes = 0
            return true
        }
    }

    /// Makes a change and reports it.
    ///
    /// - Parameter body: returns whether it changed anything.
    private func change(_ body: (inout State) -> Bool) {
        let action = state.withLock { state -> (@Sendable () -> Void)? in
            guard body(&state) else { return nil }
            trim(&state)
            state.version += 1
            return state.onChange
        }
        action?()
    }

    /// - Returns: whether there was a new one.
    private static func insert(_ new: [CaptionCue], into state: inout State) -> Bool {
        let fresh = new.filter { $0.end > $0.start && state.known.insert($0.withoutIdentifier).inserted }
        guard let last = fresh.last else { return false }
        if state.onChange == nil { state.playhead = last.start }
        state.imageBytes += fresh.reduce(0) { $0 + ($1.image?.pixels.count ?? 0) }
        // Both lists are gone through once: a whole file may belong before what is known.
        let order = fresh.indices.sorted { (fresh[$0].start, $0) < (fresh[$1].start, $1) }
        let place = firstIndex(in: state.cues) { $0.start > fresh[order[0]].start }
        var rest = state.cues[place...]
        var merged: [CaptionCue] = []
        merged.reserveCapacity(rest.count + fresh.count)
        for index in order {
            let count = rest.prefix { $0.start <= fresh[index].start }.count
            merged += rest.prefix(count)
            rest = rest.dropFirst(count)
            merged.append(fresh[index])
        }
        merged += rest
        state.cues.replaceSubrange(place..., with: merged)
        return true
    }

    /// Increases with each change.
    package var version: Int { state.withLock { $0.version } }

    /// All cues, ordered by start.
    package var all: [CaptionCue] { state.withLock { $0.cues } }

    /// The cues shown at a time, in layout order, and the time of the next change: nil when no later change is known.
    package func cues(at time: MediaTime) -> (shown: [CaptionCue], nextChange: MediaTime?) {
        state.withLock { state in
            state.playhead = time
            let place = Self.firstIndex(in: state.cues) { $0.start > time }
            let shown = Array(state.cues[..<place].lazy.filter { $0.end > time }.prefix(Self.mostShown))
            let ends = shown.map(\.end)
            let next = (ends + (place < state.cues.count ? [state.cues[place].start] : [])).min()
            return (shown, next)
        }
    }

    private func trim(_ state: inout State) {
        guard state.cues.count > countLimit || state.imageBytes > imageByteLimit else { return }
        // All at once: one file may bring many times the limit.
        var dropped: Set<Int> = []
        let distances = state.cues.map { max($0.start - state.playhead, state.playhead - $0.end, .zero) }
        // Of two at the same distance the one that has been shown goes.
        for index in state.cues.indices.sorted(by: { (-distances[$0], $0) < (-distances[$1], $1) }) {
            guard state.cues.count - dropped.count > countLimit || state.imageBytes > imageByteLimit else { break }
            dropped.insert(index)
            state.known.remove(state.cues[index].withoutIdentifier)
            state.imageBytes -= state.cues[index].image?.pixels.count ?? 0
        }
        state.cues = state.cues.indices.filter { !dropped.contains($0) }.map { state.cues[$0] }
    }

    private static func firstIndex(in cues: [CaptionCue], where isBehind: (CaptionCue) -> Bool) -> Int {
        var low = 0
        var high = cues.count
        while low < high {
            let middle = (low + high) / 2
            if isBehind(cues[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
