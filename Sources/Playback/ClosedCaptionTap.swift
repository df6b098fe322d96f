import Captions
import MediaModel
import MediaTime
import Synchronization

/// Gathers the closed captions that travel with decoded pictures, a store for each channel that is found. Fed by the decoder's thread, asked by the main loop.
final class ClosedCaptionTap: Sendable {
    private struct State {
        var decoder = ClosedCaptionDecoder()
        var stores: [String: CueStore] = [:]
        /// Channels that have said something.
        var found: [String] = []
        var onFound: (@Sendable () -> Void)?
        var lastTime: MediaTime?
    }
    private let state = Mutex(State())
    private static let longestGap = MediaTime.seconds(5)

    /// Called, on the decoder's thread, when a channel has said its first words.
    func setOnFound(_ action: (@Sendable () -> Void)?) { state.withLock { $0.onFound = action } }

    /// The channels that have said something, in the order in which they were found.
    var channels: [String] { state.withLock { $0.found } }

    /// The store of a channel, found or not.
    func store(of channel: String) -> CueStore {
        state.withLock { state in
            if let store = state.stores[channel] { return store }
            let store = CueStore(countLimit: 2048)
            state.stores[channel] = store
            return store
        }
    }

    /// Takes a picture, in the order of presentation.
    func take(_ frame: VideoFrame) {
        guard !frame.closedCaptions.isEmpty else { return }
        let changes = state.withLock { state in
            // Frames of an older place may still have been under way.
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

    /// Decoding begins anew elsewhere: captions only say when they change, so what comes again would not fit what is known.
    func restart() {
        let stores = state.withLock { state in
            state.decoder.reset()
            return state.stores.sorted { $0.key < $1.key }.map(\.value)
        }
        stores.forEach { $0.removeAll() }
    }

    /// Forgets everything: another item follows. Whoever shows a store keeps it.
    func removeAll() {
        state.withLock { state in
            state.decoder.reset()
            state.stores = [:]
            state.found = []
        }
    }
}
