import MediaModel
import MediaTime
import Synchronization

/// Decoded frames of a moment ago: what frame steps, skips back and the release of a scrub are served from without decoding anything again.
///
/// Bounded in bytes: what was put in first goes first. The decoder's thread puts frames in, the main loop looks them up; both sides meet in one short
/// critical section. Frames are kept by asset time; a place is held by the frame whose interval it lies in, so that what was never decoded is never mistaken.
final class FrameCache: Sendable {
    private struct Entry {
        var frame: VideoFrame
        var age: UInt64
    }
    private struct State {
        /// By time.
        var entries: [Entry] = []
        /// What was put in, first come first; what has gone otherwise since is passed over.
        var order: [(time: MediaTime, age: UInt64)] = []
        var head = 0
        var byteCount = 0
        var nextAge: UInt64 = 0
        var byteLimit: Int
    }
    private let state: Mutex<State>

    /// The most that decoded frames of one player take for looking around and playing backward, in bytes: 96 MB of plain memory; a third of that where memory is
    /// the display's own, of which there is little.
    static func mostBytes(in allocator: any FrameAllocator) -> Int {
        allocator.name == "memory" || allocator.name.hasPrefix("dma-heap") ? 96 << 20 : 32 << 20
    }

    /// While play goes on: what a viewer who pauses steps back over.
    static let playingBytes = 8 << 20

    init(byteLimit: Int = FrameCache.playingBytes) { state = Mutex(State(byteLimit: byteLimit)) }

    /// How many bytes it may hold; what is too much goes at once.
    var byteLimit: Int {
        get { state.withLock(\.byteLimit) }
        set {
            let gone = state.withLock { state -> [Entry] in
                state.byteLimit = newValue
                return Self.shrink(&state)
            }
            withExtendedLifetime(gone) {}
        }
    }

    /// How many bytes it holds.
    var byteCount: Int { state.withLock(\.byteCount) }

    /// Keeps a frame. Any thread.
    func insert(_ frame: VideoFrame) {
        // Frames are let go of outside the lock: giving memory back takes its time.
        let gone = state.withLock { state -> [Entry] in
            guard frame.byteCount <= state.byteLimit else { return [] }
            var gone: [Entry] = []
            let index = state.entries.partitioningIndex { $0.frame.time >= frame.time }
            if index < state.entries.count, state.entries[index].frame.time == frame.time {
                gone.append(state.entries.remove(at: index))
                state.byteCount -= gone[0].frame.byteCount
            }
            state.entries.insert(Entry(frame: frame, age: state.nextAge), at: index)
            state.order.append((frame.time, state.nextAge))
            state.nextAge += 1
            state.byteCount += frame.byteCount
            return gone + Self.shrink(&state)
        }
        withExtendedLifetime(gone) {}
    }

    /// The frame that is shown at an asset time. Any thread.
    func frame(at time: MediaTime) -> VideoFrame? {
        state.withLock { state in
            let index = state.entries.partitioningIndex { $0.frame.time > time }
            guard index > 0 else { return nil }
            let frame = state.entries[index - 1].frame
            return time < frame.end ? frame : nil
        }
    }

    /// The frame right before one that begins at an asset time; nil where it is not kept. Any thread.
    func frame(before time: MediaTime) -> VideoFrame? {
        state.withLock { state in
            let index = state.entries.partitioningIndex { $0.frame.time >= time }
            guard index > 0 else { return nil }
            let frame = state.entries[index - 1].frame
            // Stamps are coarser than what lies between frames is long.
            return time - frame.end <= .milliseconds(1) ? frame : nil
        }
    }

    /// Forgets everything: another item, or another track, has other frames at the same times.
    func removeAll() {
        let gone = state.withLock { state -> [Entry] in
            defer {
                state.entries = []
                state.order = []
                state.head = 0
                state.byteCount = 0
            }
            return state.entries
        }
        withExtendedLifetime(gone) {}
    }

    /// Where what was put in is; nil where it has gone.
    private static func place(of item: (time: MediaTime, age: UInt64), in state: State) -> Int? {
        let index = state.entries.partitioningIndex { $0.frame.time >= item.time }
        return index < state.entries.count && state.entries[index].age == item.age ? index : nil
    }

    private static func shrink(_ state: inout State) -> [Entry] {
        var gone: [Entry] = []
        while state.byteCount > state.byteLimit, state.head < state.order.count {
            let oldest = state.order[state.head]
            state.head += 1
            guard let index = place(of: oldest, in: state) else { continue }
            let entry = state.entries.remove(at: index)
            state.byteCount -= entry.frame.byteCount
            gone.append(entry)
        }
        // What has gone is swept out once it is more than what is there.
        if state.order.count > 2 * state.entries.count + 64 {
            state.order = state.order[state.head...].filter { place(of: $0, in: state) != nil }
            state.head = 0
        }
        return gone
    }
}

extension VideoFrame {
    /// The memory that its picture takes.
    var byteCount: Int { pixels.storage.byteCount }
}

extension Array {
    /// The first index whose element, and every one behind it, is `later`. The elements before are not.
    fileprivate func partitioningIndex(where later: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if later(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
