import LinuxSupport
import MediaModel
import Synchronization
import URLReferences

/// A stored file as a byte stream.
final class StoredByteStream: ByteStream {
    private struct State {
        var position: Int64 = 0
        var isCancelled = false
    }
    let name: String
    private let key: ResourceKey
    private let size: Int64
    private let bodies: StoredBodies
    private let state = Mutex(State())

    init(_ key: ResourceKey, url: String, length: Int64, bodies: StoredBodies) {
        self.key = key
        name = Redaction.withoutSecrets(url)
        size = length
        self.bodies = bodies
    }

    var length: Int64? { size }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
        guard let position = state.withLock({ $0.isCancelled ? nil : $0.position }), buffer.count > 0 else { return 0 }
        let bytes: [UInt8]
        do throws(StoreError) {
            bytes = try bodies.read(key, position..<position + Int64(buffer.count))
        } catch {
            throw error.asMediaError
        }
        buffer.copyBytes(from: bytes)
        state.withLock { $0.position = position + Int64(bytes.count) }
        return bytes.count
    }

    func seek(to offset: Int64) throws(MediaError) { state.withLock { $0.position = max(offset, 0) } }

    func cancel() { state.withLock { $0.isCancelled = true } }
}
