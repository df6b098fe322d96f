import MediaModel
import MediaTime
import Synchronization

/// Recently decoded frames, from which steps, short seeks back and the end of a scrub are served without decoding.
///
/// Bounded in bytes, first in, first out. The decoder's thread adds frames and the main loop looks them up; both meet in one short critical section.
/// Frames are found by the interval of asset time that they cover, so a time that was never decoded has no frame.
final class FrameCache: Sendable {
    private struct Entry {
        var frame: VideoFrame
        var age: UInt64
    }
    private struct State {
        /// By time.
        var entries: [Entry] = []
        /// The order of insertion; entries that were removed otherwise are skipped.
        var order: [(time: MediaTime, age: UInt64)] = []
        var head = 0
        var byteCount = 0
        var nextAge: UInt64 = 0
        var byteLimit: Int
    }
    private let state: Mutex<State>

    /// The most memory of one player's frames for seeks while paused and backward playback, in bytes: 96 MB of plain memory or of a dma-heap, or a third of
    /// that if the display's own memory is used, which is scarce.
    static func mostBytes(in allocator: any FrameAllocator) -> Int {
        allocator.name == "memory" || allocator.name.hasPrefix("dma-heap") ? 96 << 20 : 32 << 20
    }

    /// During playback: frames over which a viewer who pauses may step back.
    static let playingBytes = 8 << 20

    init(byteLimit: Int = FrameCache.playingBytes) { state = Mutex(State(byteLimit: byteLimit)) }

    /// The maximum bytes; excess frames are dropped at once.
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

    /// The bytes that it holds.
    var byteCount: Int { state.withLock(\.byteCount) }

    /// Adds a frame. Any thread.
    func insert(_ frame: VideoFrame) {
        // Frames are released outside the lock, because freeing memory takes time.
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

    /// The frame shown at an asset time. Any thread.
    func frame(at time: MediaTime) -> VideoFrame? {
        state.withLock { state in
            let index = state.entries.partitioningIndex { $0.frame.time > time }
            guard index > 0 else { return nil }
            let frame = state.entries[index - 1].frame
            return time < frame.end ? frame : nil
        }
    }

    /// The frame directly before an asset time at which another begins; nil if it is not cached. Any thread.
    func frame(before time: MediaTime) -> VideoFrame? {
        state.withLock { state in
            let index = state.entries.partitioningIndex { $0.frame.time >= time }
            guard index > 0 else { return nil }
            let frame = state.entries[index - 1].frame
            // Rounding of time stamps may exceed the distance between frames.
            return time - frame.end <= .milliseconds(1) ? frame : nil
        }
    }

    /// Drops all frames, because another item or track has other frames at the same times.
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

    /// The index of an inserted frame; nil if it has been dropped.
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
        // Dropped entries are removed when they outnumber the others.
        if state.order.count > 2 * state.entries.count + 64 {
            state.order = state.order[state.head...].filter { place(of: $0, in: state) != nil }
            state.head = 0
        }
        return gone
    }
}

extension VideoFrame {
    /// The memory of its picture. That of a hardware decoder is scarce whatever its size: no more than four pictures of it are kept during playback.
    var byteCount: Int {
        let count = pixels.storage.byteCount
        return pixels.surface == nil ? count : max(count, FrameCache.playingBytes / 4)
    }
}
