import LinuxSupport
import MediaModel

/// Asks for a presentation's first playlist again, at the address where it was asked for: the addresses in it may have a token that has expired.
@MainActor
final class PresentationLookup {
    /// At most one request in this time.
    private static let pause = Duration.seconds(10)

    private let address: String
    private let context: StreamContext
    private let onFound: @MainActor (ByteResponse) -> Void
    private var task: (any ByteTask)?
    private var last: HostTime?

    /// - Parameters:
    ///   - address: of the first playlist, before redirects.
    ///   - onFound: called with each answer that is a body.
    init(address: String, context: StreamContext, onFound: @escaping @MainActor (ByteResponse) -> Void) {
        self.address = address
        self.context = context
        self.onFound = onFound
    }

    /// Asks, unless it has asked a short while ago. A failure is ignored: who is refused again calls again.
    func begin() {
        let now = context.clock.now
        guard task == nil, last.map({ now - $0 >= Self.pause }) ?? true else { return }
        last = now
        task = context.loader.load(ByteRequest(url: address, kind: .playlist)) { [weak self] result in
            guard let self, task != nil else { return }
            task = nil
            if case .success(let response) = result { onFound(response) }
        }
    }

    func close() {
        task?.cancel()
        task = nil
    }
}
