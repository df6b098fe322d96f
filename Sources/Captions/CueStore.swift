import MediaTime
import Synchronization

/// The cues of one track as they become known, in asset time: filled by whoever reads the track, asked by whoever shows it. Any thread.
///
/// A cue that comes again (it spans two segments, or a place is read a second time) is one cue. The store is bounded: of too many the ones that end first go.
package final class CueStore: Sendable {
    private struct State {
        /// By start; those with one start in the order in which they came.
        var cues: [CaptionCue] = []
        var known: Set<CaptionCue> = []
        var version = 0
        var imageBytes = 0
        var onChange: (@Sendable () -> Void)?
    }
    private let state = Mutex(State())
    private let countLimit: Int
    private let imageByteLimit: Int

    /// Makes an empty store.
    ///
    /// - Parameters:
    ///   - countLimit: how many cues are kept.
    ///   - imageByteLimit: how many bytes of pictures are kept.
    package init(countLimit: Int = 8192, imageByteLimit: Int = 64 << 20) {
        self.countLimit = countLimit
        self.imageByteLimit = imageByteLimit
    }

    /// Called, on the thread that made the change, each time there are other cues than before.
    package func setOnChange(_ action: (@Sendable () -> Void)?) { state.withLock { $0.onChange = action } }

    /// Adds cues. Those that end by their start are left out.
    package func insert(_ new: [CaptionCue]) {
        let action = state.withLock { state -> (@Sendable () -> Void)? in
            var hasChanged = false
            for cue in new where cue.end > cue.start && state.known.insert(cue).inserted {
                let place = Self.firstIndex(in: state.cues) { $0.start > cue.start }
                state.cues.insert(cue, at: place)
                state.imageBytes += cue.image?.pixels.count ?? 0
                hasChanged = true
            }
            guard hasChanged else { return nil }
            trim(&state)
            state.version += 1
            return state.onChange
        }
        action?()
    }

    /// Says all that is on the screen from a moment on, for captions that only say when they change (CEA-608 and 708, PGS): what looks the same stays, the
    /// rest ends, what is new begins.
    package func show(_ new: [CaptionCue], from time: MediaTime) {
        let action = state.withLock { state -> (@Sendable () -> Void)? in
            var new = new
            var hasChanged = false
            for index in state.cues.indices where state.cues[index].start <= time && state.cues[index].end > time {
                if let same = new.firstIndex(where: { $0.isSame(as: state.cues[index]) }) {
                    new.remove(at: same)
                    continue
                }
                state.known.remove(state.cues[index])
                state.cues[index].end = time
                state.known.insert(state.cues[index])
                hasChanged = true
            }
            // What came and went at one moment was never seen.
            state.cues.removeAll { $0.end <= $0.start }
            for cue in new where cue.end > cue.start && state.known.insert(cue).inserted {
                state.cues.insert(cue, at: Self.firstIndex(in: state.cues) { $0.start > cue.start })
                state.imageBytes += cue.image?.pixels.count ?? 0
                hasChanged = true
            }
            guard hasChanged else { return nil }
            trim(&state)
            state.version += 1
            return state.onChange
        }
        action?()
    }

    /// Forgets everything.
    package func removeAll() {
        let action = state.withLock { state -> (@Sendable () -> Void)? in
            guard !state.cues.isEmpty else { return nil }
            state.cues = []
            state.known = []
            state.imageBytes = 0
            state.version += 1
            return state.onChange
        }
        action?()
    }

    /// Grows with each change.
    package var version: Int { state.withLock { $0.version } }

    /// All cues, in the order of their start.
    package var all: [CaptionCue] { state.withLock { $0.cues } }

    /// What is shown at a moment, in the order in which it is laid out, and when that changes: nil where nothing more is known to come.
    package func cues(at time: MediaTime) -> (shown: [CaptionCue], nextChange: MediaTime?) {
        state.withLock { state in
            let place = Self.firstIndex(in: state.cues) { $0.start > time }
            let shown = state.cues[..<place].filter { $0.end > time }
            let ends = shown.map(\.end)
            let next = (ends + (place < state.cues.count ? [state.cues[place].start] : [])).min()
            return (shown, next)
        }
    }

    private func trim(_ state: inout State) {
        while state.cues.count > countLimit || state.imageBytes > imageByteLimit {
            guard let oldest = state.cues.indices.min(by: { state.cues[$0].end < state.cues[$1].end }) else { return }
            let cue = state.cues.remove(at: oldest)
            state.known.remove(cue)
            state.imageBytes -= cue.image?.pixels.count ?? 0
        }
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
