import LinuxSupport
import MediaModel
import Synchronization

/// A loader that refuses network requests while the network is metered and the operator does not allow its use. Local files are
/// always allowed.
///
/// Running transfers continue; new requests fail with `NET-METERED`.
package final class MeteredLoading: ByteLoading {
    private let backing: any ByteLoading
    private let clock: any HostClock
    private let isShut = Atomic(false)

    /// Wraps a loader; requests are allowed at first.
    package init(_ backing: any ByteLoading, clock: any HostClock) {
        self.backing = backing
        self.clock = clock
    }

    /// Refuses or allows requests. Any thread.
    package func shut(_ isShut: Bool) { self.isShut.store(isShut, ordering: .relaxed) }

    private func refusal(_ url: String) -> MediaError? {
        guard isShut.load(ordering: .relaxed), case .http = Location(url) else { return nil }
        return MediaError(
            .networkMetered,
            "Loading \(Location.name(url)) was refused: this network is metered; join another, or set [network] metered.",
            fault: .refused)
    }

    @MainActor @discardableResult
    package func load(
        _ request: ByteRequest, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask {
        guard let refusal = refusal(request.url) else { return backing.load(request, completion) }
        return refuse(refusal, completion)
    }

    @MainActor @discardableResult
    package func load(
        _ request: ByteRequest, progress: @escaping @MainActor @Sendable (ByteProgress) -> Void,
        _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask {
        guard let refusal = refusal(request.url) else { return backing.load(request, progress: progress, completion) }
        return refuse(refusal, completion)
    }

    package func stream(_ url: String) -> any ByteStream {
        guard let refusal = refusal(url) else { return backing.stream(url) }
        return FailedByteStream(name: Location.name(url), error: refusal)
    }

    /// Asynchronously, so that the completion never runs inside the caller's request.
    @MainActor
    private func refuse(
        _ error: MediaError, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask {
        let task = RefusedTask()
        let place = clock.reserve(rank: .transfer)
        place.fulfil { if !task.isCancelled { completion(.failure(error)) } }
        return task
    }
}

/// A request that was refused before it started.
private final class RefusedTask: ByteTask {
    private let cancelled = Atomic(false)
    var isCancelled: Bool { cancelled.load(ordering: .relaxed) }
    func cancel() { cancelled.store(true, ordering: .relaxed) }
}
