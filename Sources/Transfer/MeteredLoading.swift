import LinuxSupport
import MediaModel
import MediaSources
import Synchronization
import URLReferences

/// A loader that refuses network requests while the network is metered and the operator does not allow its use. Local files are
/// always allowed.
///
/// Running transfers continue; new requests fail with `NET-METERED`.
package final class MeteredLoading: ByteLoading {
    private let isShut: SharedFlag
    private let guarded: GuardedLoading

    /// Wraps a loader; requests are allowed at first.
    package init(_ backing: any ByteLoading, clock: any HostClock) {
        let isShut = SharedFlag()
        self.isShut = isShut
        guarded = GuardedLoading(backing, clock: clock) { url in isShut.isSet ? Self.refusal(url) : nil }
    }

    /// Refuses or allows requests. Any thread.
    package func shut(_ isShut: Bool) { self.isShut.set(isShut) }

    private static func refusal(_ url: String) -> MediaError? {
        switch Location(url) {
        case .http, .datagrams: break
        case .file, .unknown: return nil
        }
        return MediaError(
            .networkMetered,
            "Loading \(Location.name(url)) was refused: this network is metered; join another, or set [network] metered.",
            fault: .refused)
    }

    @MainActor @discardableResult
    package func load(
        _ request: ByteRequest, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask { guarded.load(request, completion) }

    @MainActor @discardableResult
    package func load(
        _ request: ByteRequest, progress: @escaping @MainActor @Sendable (ByteProgress) -> Void,
        _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask { guarded.load(request, progress: progress, completion) }

    package func isStored(_ request: ByteRequest) -> Bool { guarded.isStored(request) }

    package func stream(_ url: String) -> any ByteStream { guarded.stream(url) }
}

/// A flag that a rule reads on any thread.
private final class SharedFlag: Sendable {
    private let flag = Atomic(false)
    var isSet: Bool { flag.load(ordering: .relaxed) }
    func set(_ isSet: Bool) { flag.store(isSet, ordering: .relaxed) }
}
