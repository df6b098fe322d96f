import LinuxSupport
import MediaModel
import MediaSources
import SegmentStore
import Synchronization
import WireFormats

/// The loader of a player with saved programmes. Segments, keys and files come from the store if they are there (`StoredLoading`).
///
/// The playlists of a saved programme list only what is stored. So they come from the network as long as it answers: the viewer then has all options, and
/// what is not stored is streamed. Without a network, and when the request fails or is answered with a web page, they come from the store.
package final class SavedAssetLoading: ByteLoading {
    private let network: any ByteLoading
    private let stored: StoredLoading
    private let bodies: StoredBodies
    private let matching: ResourceMatching
    private let isOffline = Atomic(false)

    /// A saved playlist is at hand, so that a slow server is not waited for as long as otherwise.
    private static let patience = Duration.seconds(3)

    /// - Parameters:
    ///   - network: the loader below the store.
    ///   - stored: the loader of the same store above it.
    package init(
        network: any ByteLoading, stored: StoredLoading, bodies: StoredBodies, matching: ResourceMatching = ResourceMatching()
    ) {
        self.network = network
        self.stored = stored
        self.bodies = bodies
        self.matching = matching
    }

    /// Whether there is no network at all: then it is not asked. Any thread.
    package func setOffline(_ isOffline: Bool) { self.isOffline.store(isOffline, ordering: .relaxed) }

    @MainActor @discardableResult
    package func load(
        _ request: ByteRequest, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask {
        guard request.kind == .playlist, request.body == nil else { return stored.load(request, completion) }
        guard bodies.body(of: matching.key(for: request.url)) != nil else { return network.load(request, completion) }
        if isOffline.load(ordering: .relaxed) { return stored.load(request, completion) }
        let task = FollowingTask()
        var first = request
        first.firstByteTimeout = min(request.firstByteTimeout, Self.patience)
        task.follow(
            network.load(first) { [stored] result in
                if case .success(let response) = result, !WebPage.isBeginning(response.bytes) { return completion(result) }
                task.follow(stored.load(request, completion))
            })
        return task
    }

    @MainActor @discardableResult
    package func load(
        _ request: ByteRequest, progress: @escaping @MainActor @Sendable (ByteProgress) -> Void,
        _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask {
        request.kind == .playlist
            ? loadWhole(request, progress: progress, completion) : stored.load(request, progress: progress, completion)
    }

    package func isStored(_ request: ByteRequest) -> Bool { stored.isStored(request) }

    package func stream(_ url: String) -> any ByteStream { stored.stream(url) }
}
