import MediaModel
import MediaSources
import Synchronization

/// A loader that makes the films of the box itself, and leaves everything else to another one.
package final class GeneratedLoading: ByteLoading {
    private let backing: any ByteLoading

    package init(_ backing: any ByteLoading) { self.backing = backing }

    @MainActor @discardableResult
    package func load(
        _ request: ByteRequest, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask { backing.load(request, completion) }

    @MainActor @discardableResult
    package func load(
        _ request: ByteRequest, progress: @escaping @MainActor @Sendable (ByteProgress) -> Void,
        _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask { backing.load(request, progress: progress, completion) }

    package func stream(_ url: String) -> any ByteStream {
        url == LipSyncFilm.address ? GeneratedStream(name: url, make: LipSyncFilm.file) : backing.stream(url)
    }
}

/// A file in memory, which is made with the first question about it: on the thread that reads it.
final class GeneratedStream: ByteStream {
    private struct State {
        var bytes: [UInt8]?
        var position = 0
        var isCancelled = false
    }
    private let state = Mutex(State())
    private let make: @Sendable () -> [UInt8]
    let name: String

    init(name: String, make: @escaping @Sendable () -> [UInt8]) {
        self.name = name
        self.make = make
    }

    /// Of bytes that are there already.
    convenience init(name: String, bytes: [UInt8]) { self.init(name: name) { bytes } }

    private func made(_ state: inout State) -> [UInt8] {
        if let bytes = state.bytes { return bytes }
        let bytes = make()
        state.bytes = bytes
        return bytes
    }

    var length: Int64? { state.withLock { Int64(made(&$0).count) } }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
        let (bytes, part) = state.withLock { state -> ([UInt8], Range<Int>) in
            guard !state.isCancelled else { return ([], 0..<0) }
            let bytes = made(&state)
            let start = min(state.position, bytes.count)
            state.position = min(start + buffer.count, bytes.count)
            return (bytes, start..<state.position)
        }
        bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[part])) }
        return part.count
    }

    func seek(to offset: Int64) throws(MediaError) {
        state.withLock { state in state.position = Int(min(max(offset, 0), Int64(made(&state).count))) }
    }

    func cancel() { state.withLock { $0.isCancelled = true } }
}
