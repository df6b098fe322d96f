import LinuxSupport
import MediaModel
import MediaSources
import Synchronization
import TestSupport

/// Files in memory by their addresses, with faults.
final class FileLoader: ByteLoading {
    enum File: Sendable {
        /// The whole file.
        case bytes([UInt8])
        /// Reading fails at this byte.
        case failing([UInt8], at: Int, MediaError)
        /// As a whole it is longer than the limit of its kind.
        case tooLong([UInt8])
        /// The bytes repeat endlessly, without a length.
        case endless([UInt8])
    }
    private let files = Mutex<[String: File]>([:])
    private let loads = Mutex(0)
    private let clock: any HostClock

    /// - Parameter whole: files without faults.
    init(clock: any HostClock, _ whole: [String: [UInt8]] = [:]) {
        self.clock = clock
        for (url, bytes) in whole { put(.bytes(bytes), at: url) }
    }

    func put(_ file: File, at url: String) { files.withLock { $0[url] = file } }

    /// How many whole bodies were requested.
    var loadCount: Int { loads.withLock { $0 } }

    @MainActor func load(
        _ request: ByteRequest, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask {
        let file = files.withLock { $0[request.url] }
        loads.withLock { $0 += 1 }
        let event = clock.schedule(at: clock.now, rank: .transfer) {
            switch file {
            case .bytes(let bytes), .endless(let bytes):
                completion(
                    .success(
                        ByteResponse(
                            bytes: bytes, url: request.url, status: 200, contentType: "image/gif", timeToFirstByte: .zero,
                            transferDuration: .zero)))
            case .failing(_, _, let error): completion(.failure(error))
            case .tooLong:
                completion(.failure(MediaError(.sourceFormat, "\(request.url) is beyond its limit.", fault: .tooLong)))
            case nil: completion(.failure(MediaError(.sourceMissing, "There is no file \(request.url).")))
            }
        }
        return Task(event: event)
    }

    func stream(_ url: String) -> any ByteStream {
        switch files.withLock({ $0[url] }) {
        case .bytes(let bytes), .tooLong(let bytes): MemoryByteStream(bytes, name: url)
        case .failing(let bytes, let place, let error): MemoryByteStream(bytes, name: url, failure: (place, error))
        case .endless(let bytes): EndlessByteStream(bytes, name: url)
        case nil: MemoryByteStream([], name: url, failure: (0, MediaError(.sourceMissing, "There is no file \(url).")))
        }
    }

    private final class Task: ByteTask {
        private let event: ScheduledEvent
        init(event: ScheduledEvent) { self.event = event }
        func cancel() { event.cancel() }
    }
}

/// The same bytes repeated endlessly.
private final class EndlessByteStream: ByteStream {
    let name: String
    let length: Int64? = nil
    private let bytes: [UInt8]
    private let state = Mutex((position: 0, isCancelled: false))

    init(_ bytes: [UInt8], name: String) {
        self.bytes = bytes
        self.name = name
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
        let range = state.withLock { state -> Range<Int> in
            if state.isCancelled { return 0..<0 }
            let end = min(bytes.count, state.position + buffer.count)
            defer { state.position = end % bytes.count }
            return state.position..<end
        }
        bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[range])) }
        return range.count
    }

    func seek(to offset: Int64) throws(MediaError) {}

    func cancel() { state.withLock { $0.isCancelled = true } }
}
