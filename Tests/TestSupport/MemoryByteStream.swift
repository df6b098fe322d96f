import Glibc
import MediaModel
import Synchronization

/// Bytes in memory as a stream, with the limits and faults that a test needs.
package final class MemoryByteStream: ByteStream {
    private struct State {
        var position = 0
        var isCancelled = false
    }
    private let bytes: [UInt8]
    private let state = Mutex(State())
    private let chunk: Int
    private let failure: (at: Int, error: MediaError)?
    package let name: String
    package let length: Int64?

    /// - Parameters:
    ///   - isSeekable: false for a stream that only goes forward.
    ///   - chunk: the most bytes per read.
    ///   - failure: the error thrown at this offset.
    package init(
        _ bytes: [UInt8], name: String = "memory", isSeekable: Bool = true, chunk: Int = .max,
        failure: (at: Int, error: MediaError)? = nil
    ) {
        self.bytes = bytes
        self.name = name
        self.chunk = chunk
        self.failure = failure
        length = isSeekable ? Int64(bytes.count) : nil
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
        let range = state.withLock { state -> Range<Int>? in
            if state.isCancelled { return 0..<0 }
            let limit = min(bytes.count, failure?.at ?? .max)
            if let failure, state.position >= failure.at { return nil }
            let end = min(limit, state.position + min(buffer.count, chunk))
            let range = min(state.position, end)..<end
            state.position = end
            return range
        }
        guard let range else { throw failure!.error }
        bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[range])) }
        return range.count
    }

    package func seek(to offset: Int64) throws(MediaError) { state.withLock { $0.position = Int(offset) } }

    package func cancel() { state.withLock { $0.isCancelled = true } }
}

/// Reads a whole file for a test; nil when it cannot be read.
package func fileBytes(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = fread(&block, 1, block.count, file)
        if count == 0 { return bytes }
        bytes += block[..<count]
    }
}
