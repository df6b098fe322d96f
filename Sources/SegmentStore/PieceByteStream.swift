import LinuxSupport
import MediaModel
import MediaSources
import Synchronization
import URLReferences

/// A file that is stored in pieces (`FilePieces`) as a byte stream: stored pieces are read from the disk, missing ones are loaded and
/// stored, one ahead of the reading.
///
/// `read` waits on its caller's thread.
final class PieceByteStream: ByteStream {
    fileprivate struct State {
        var position: Int64 = 0
        var total: Int64?
        /// Loaded pieces by their first byte.
        var pieces: [Int64: Result<[UInt8], MediaError>] = [:]
        var requested: Set<Int64> = []
        var isCancelled = false
    }
    let name: String
    private let file: String
    private let url: String
    private let bodies: StoredBodies
    private let requests: PieceRequests
    private let owner: PieceRequests.Owner
    private let monitor: Monitor<State>

    init(_ file: String, url: String, bodies: StoredBodies, requests: PieceRequests, clock: any HostClock) {
        self.file = file
        self.url = url
        name = Redaction.withoutSecrets(url)
        self.bodies = bodies
        self.requests = requests
        owner = requests.makeOwner()
        monitor = Monitor(State(), ledger: clock.ledger)
    }

    deinit { requests.cancel(owner) }

    /// Stated by the server with the first piece.
    var length: Int64? {
        if let known = monitor.read(\.total) { return known }
        guard let total = bodies.body(of: FilePieces.key(file, at: 0))?.description.version.length else { return nil }
        monitor.update { $0.total = total }
        return total
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
        let position = monitor.read(\.position)
        if let length, position >= length { return 0 }
        guard buffer.count > 0, !monitor.read(\.isCancelled) else { return 0 }
        let key = FilePieces.key(file, at: position)
        let start = key.range?.lowerBound ?? 0
        if bodies.body(of: key) != nil {
            let range = position - start..<position - start + Int64(buffer.count)
            do throws(StoreError) {
                return advance(position, try bodies.read(key, range), into: buffer)
            } catch {
                // It is loaded again.
            }
        }
        request(start)
        if let length, start + FilePieces.length < length { request(start + FilePieces.length) }
        let piece = monitor.wait { state -> Result<[UInt8], MediaError>? in
            if state.isCancelled { return .success([]) }
            return state.pieces[start]
        }
        let bytes = try piece.get()
        guard position - start < Int64(bytes.count) else { return 0 }
        return advance(position, Array(bytes[Int(position - start)...].prefix(buffer.count)), into: buffer)
    }

    private func advance(_ position: Int64, _ bytes: [UInt8], into buffer: UnsafeMutableRawBufferPointer) -> Int {
        buffer.copyBytes(from: bytes)
        monitor.update { state in
            guard state.position == position else { return }
            state.position += Int64(bytes.count)
            state.forgetBefore(state.position)
        }
        return bytes.count
    }

    func seek(to offset: Int64) throws(MediaError) {
        monitor.update { state in
            state.position = max(offset, 0)
            state.forgetBefore(state.position)
            state.forgetFailures()
        }
    }

    func cancel() {
        monitor.update { $0.isCancelled = true }
        requests.cancel(owner)
    }

    /// Asks for a piece once.
    private func request(_ start: Int64) {
        let key = FilePieces.key(file, at: start)
        guard bodies.body(of: key) == nil, monitor.update({ $0.requested.insert(start).inserted }) else { return }
        let range = key.range
        requests.add(
            PieceRequests.Request(owner: owner, key: key, request: ByteRequest(url: url, range: range)) {
                [weak self] result in
                self?.take(result, start)
            })
    }

    private func take(_ result: Result<ByteResponse, MediaError>, _ start: Int64) {
        monitor.update { state in
            if case .success(let response) = result { state.total = response.version.length ?? state.total }
            state.pieces[start] = result.map(\.bytes)
        }
    }
}

extension PieceByteStream.State {
    /// Keeps the piece that is being read and the one after it.
    fileprivate mutating func forgetBefore(_ position: Int64) {
        let first = position / FilePieces.length * FilePieces.length
        let kept = first...first + FilePieces.length
        pieces = pieces.filter { kept.contains($0.key) }
        requested = requested.filter { kept.contains($0) }
    }

    /// A seek tries again.
    fileprivate mutating func forgetFailures() {
        for (start, piece) in pieces {
            guard case .failure = piece else { continue }
            pieces[start] = nil
            requested.remove(start)
        }
    }
}
