import LinuxSupport
import MediaModel
import MediaSources

/// A loader that reads through the store: what is stored is never requested, and what is to be stored is requested once, however many
/// callers want it at the same time.
///
/// A request for a resource that is being loaded joins that transfer; a player among the callers lifts the limit of its rate. Playlists,
/// feeds and guides are only ever read from the store, never written: their owner stores them when all that they name is there.
/// Failures of the store never reach a player: it gets its bytes from the network.
package final class StoredLoading: ByteLoading {
    /// What a request has to do with the store.
    package enum Use: Sendable, Hashable {
        case none
        /// It is read from the store if it is there.
        case read(ResourceKey)
        /// It is read from the store, or loaded and stored.
        case readAndStore(ResourceKey)
    }
    /// Decides the use; any thread, must not block.
    package typealias Policy = @Sendable (ByteRequest) -> Use

    private let backing: any ByteLoading
    private let bodies: StoredBodies
    private let clock: any HostClock
    private let policy: Policy
    private let transfers: SharedTransfers
    private let pieceRequests: PieceRequests

    /// - Parameter policy: nil for `memberPolicy` with the usual matching.
    @MainActor
    package init(_ backing: any ByteLoading, store: SegmentStore, clock: any HostClock, policy: Policy? = nil) {
        self.backing = backing
        self.clock = clock
        bodies = store.bodies
        self.policy = policy ?? Self.memberPolicy(store.bodies)
        let transfers = SharedTransfers(backing, store: store, clock: clock)
        self.transfers = transfers
        pieceRequests = PieceRequests(clock: clock, transfers: transfers)
    }

    /// Stores the segments, keys, pictures and captions that belong to an asset, and reads everything that is stored.
    package static func memberPolicy(_ bodies: StoredBodies, matching: ResourceMatching = ResourceMatching()) -> Policy {
        { request in
            let key = matching.key(for: request.url, range: request.range)
            return bodies.isMember(key) ? .readAndStore(key) : .read(key)
        }
    }

    // MARK: - ByteLoading

    @MainActor @discardableResult
    package func load(
        _ request: ByteRequest, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask { start(request, progress: nil, completion) }

    @MainActor @discardableResult
    package func load(
        _ request: ByteRequest, progress: @escaping @MainActor @Sendable (ByteProgress) -> Void,
        _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask { start(request, progress: progress, completion) }

    @MainActor
    private func start(
        _ request: ByteRequest, progress: SharedTransfers.Progress?, _ completion: @escaping SharedTransfers.Answer
    ) -> any ByteTask {
        switch request.body == nil ? policy(request) : .none {
        case .none: return plain(request, progress, completion)
        case .read(let key):
            guard bodies.body(of: key) != nil || transfers.isLoading(key) else { return plain(request, progress, completion) }
            return transfers.load(request, key, storing: false, progress, completion)
        case .readAndStore(let key):
            return transfers.load(request, key, storing: Self.isStorable(request.kind), progress, completion)
        }
    }

    @MainActor
    private func plain(
        _ request: ByteRequest, _ progress: SharedTransfers.Progress?, _ completion: @escaping SharedTransfers.Answer
    ) -> any ByteTask {
        if let progress { backing.load(request, progress: progress, completion) } else { backing.load(request, completion) }
    }

    /// A playlist may be live, and what a feed or a guide says ages.
    private static func isStorable(_ kind: BodyKind) -> Bool {
        switch kind {
        case .media, .key, .artwork, .captions, .document: true
        case .playlist, .feed, .guide: false
        }
    }

    package func isStored(_ request: ByteRequest) -> Bool {
        switch policy(request) {
        case .none: false
        case .read(let key), .readAndStore(let key): bodies.body(of: key) != nil
        }
    }

    /// A stored file is read from the disk. Of a file that is stored in pieces, those that are missing are loaded and stored.
    package func stream(_ url: String) -> any ByteStream {
        switch policy(ByteRequest(url: url)) {
        case .none: return backing.stream(url)
        case .read(let key), .readAndStore(let key):
            let name = ResourceKey(name: key.name)
            if let body = bodies.body(of: name) { return StoredByteStream(name, url: url, length: body.length, bodies: bodies) }
            let first = FilePieces.key(key.name, at: 0)
            guard bodies.isMember(first) || bodies.body(of: first) != nil else { return backing.stream(url) }
            return PieceByteStream(key.name, url: url, bodies: bodies, requests: pieceRequests, clock: clock)
        }
    }

    // MARK: - Downloads

    /// Why a download failed.
    package enum DownloadFailure: Error, Sendable, Equatable, CustomStringConvertible {
        case loading(MediaError)
        case storing(StoreError)

        package var description: String {
            switch self {
            case .loading(let error): error.description
            case .storing(let error): error.description
            }
        }
    }

    /// The most bytes of one request for adjoining byte ranges of one file. Downloads of such ranges that begin in the same event share a request.
    package static let longestJoinedRequest = RangeJoining.mostBytes

    /// Loads a resource into the store, continuing an earlier partial if its version is still the same, and without a request if it is
    /// stored already. The bytes are not passed on.
    ///
    /// Cancelling keeps the durable part of a resource that belongs to an asset. A range (`request.range`) must be that of the key.
    ///
    /// - Parameters:
    ///   - expected: checked before the resource becomes visible.
    ///   - progress: how many bytes have arrived, with those of an earlier partial.
    ///   - completion: called when the body is durable.
    @MainActor @discardableResult
    package func download(
        _ request: ByteRequest, as key: ResourceKey, expecting expected: ExpectedBody = ExpectedBody(),
        progress: @escaping @MainActor @Sendable (Int64) -> Void = { _ in },
        _ completion: @escaping @MainActor @Sendable (Result<StoredBody, DownloadFailure>) -> Void
    ) -> any ByteTask { transfers.download(request, key, expected, progress, completion) }
}
