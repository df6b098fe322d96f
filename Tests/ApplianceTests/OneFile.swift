import MediaModel
import MediaSources
import TestSupport

/// One file at every address, read from a stream.
final class OneFile: ByteLoading {
    private let bytes: [UInt8]
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    @MainActor func load(
        _ request: ByteRequest, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask { preconditionFailure("one file is read from a stream") }

    func stream(_ url: String) -> any ByteStream { MemoryByteStream(bytes, name: url) }
}
