import Captions
import MediaModel
import MediaTime
import Synchronization

/// Collects the closed captions attached to decoded frames, in a store for each channel. Filled by the decoder's thread, read by the main loop.
final class ClosedCaptionTap: Sendable {
    private struct State {
        var decoder = ClosedCaptionDecoder()
        var stores: [String: CueStore] = [:]
        /// Channels with captions so far.
        var found: [String] = []
        var onFound: (@Sendable () -> Void)?
        var lastTime: MediaTime?
    }
    private let state = Mutex(State())
    private static let longestGap = MediaTime.seconds(5)

    /// Called on the decoder's thread when a channel has its first captions.
    func setOnFound(_ action: (@Sendable () -> Void)?) { state.withLock { $0.onFound = action } }

    /// The channels with captions so far, in the order in which they were found.
    var channels: [String] { state.withLock { $0.found } }

    /// The store of a channel, whether it was found or not.
    func store(of channel: String) -> CueStore {
        state.withLock { state in
            if let store = state.stores[channel] { return store }
            let store = CueStore(countLimit: 2048)
            state.stores[channel] = store
            return store
        }
    }

    /// Takes a frame, in presentation order.
    func take(_ frame: VideoFrame) {
        guard !frame.closedCaptions.isEmpty else { return }
        let changes = state.withLock { state in
            // Frames of an earlier position may still arrive.
            if let last = state.lastTime, frame.time < last || frame.time > last + Self.longestGap { state.decoder.reset() }
            state.lastTime = frame.time
            return state.decoder.take(frame.closedCaptions, at: frame.time)
        }
        for change in changes {
            store(of: change.channel).show(change.cues, from: change.time)
            guard !change.cues.isEmpty else { continue }
            let action = state.withLock { state -> (@Sendable () -> Void)? in
                guard !state.found.contains(change.channel) else { return nil }
                state.found.append(change.channel)
                return state.onFound
            }
            action?()
        }
    }

    /// Decoding restarts at another position. Captions report only changes, so new ones would not fit the old state.
    func restart() {
        let stores = state.withLock { state in
            state.decoder.reset()
            return state.stores.sorted { $0.key < $1.key }.map(\.value)
        }
        stores.forEach { $0.removeAll() }
    }

    /// Resets for another item. Stores that are being shown are unaffected.
    func removeAll() {
        state.withLock { state in
            state.decoder.reset()
            state.stores = [:]
            state.found = []
        }
    }
}
