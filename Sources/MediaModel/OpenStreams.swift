import Synchronization

/// The byte streams that a reader has open, so that another thread can end its waiting.
package final class OpenStreams: Sendable {
    private let state = Mutex<(streams: [any ByteStream], isClosed: Bool)>(([], false))

    package init() {}

    /// Adds a stream; one that is added after `close` is cancelled at once. Any thread.
    package func add(_ stream: any ByteStream) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.streams.append(stream) }
            return state.isClosed
        }
        if isClosed { stream.cancel() }
    }

    /// Cancels a stream and forgets it. Any thread.
    package func end(_ stream: any ByteStream) {
        state.withLock { $0.streams.removeAll { $0 === stream } }
        stream.cancel()
    }

    /// Cancels all streams, also those that will be added. Any thread.
    package func close() {
        let streams = state.withLock { state in
            state.isClosed = true
            defer { state.streams = [] }
            return state.streams
        }
        streams.forEach { $0.cancel() }
    }
}
