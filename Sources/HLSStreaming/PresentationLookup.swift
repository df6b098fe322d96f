import LinuxSupport
import MediaSources

/// Asks for a presentation's first playlist again, at the address where it was asked for: the addresses in it may have a token that has expired.
@MainActor
final class PresentationLookup {
    /// What was refused.
    enum Refused {
        case playlist, segment
    }

    /// At most one request in this time.
    private static let pause = Duration.seconds(10)

    private let address: String
    private let context: StreamContext
    private let onFound: @MainActor (ByteResponse, _ segments: Bool) -> Void
    private var task: (any ByteTask)?
    private var last: HostTime?
    /// Whether a segment was refused since the last answer.
    private var hasRefusedSegment = false

    /// - Parameters:
    ///   - address: of the first playlist, before redirects.
    ///   - onFound: called with each answer that is a body, and with whether a segment was refused.
    init(
        address: String, context: StreamContext, onFound: @escaping @MainActor (ByteResponse, _ segments: Bool) -> Void
    ) {
        self.address = address
        self.context = context
        self.onFound = onFound
    }

    /// Asks, unless it has asked a short while ago. A failure is ignored: who is refused again calls again.
    func begin(_ refused: Refused) {
        if refused == .segment { hasRefusedSegment = true }
        let now = context.clock.now
        guard task == nil, last.map({ now - $0 >= Self.pause }) ?? true else { return }
        last = now
        task = context.loader.load(ByteRequest(url: address, kind: .playlist)) { [weak self] result in
            guard let self, task != nil else { return }
            task = nil
            guard case .success(let response) = result else { return }
            let segments = hasRefusedSegment
            hasRefusedSegment = false
            onFound(response, segments)
        }
    }

    func close() {
        task?.cancel()
        task = nil
    }
}
