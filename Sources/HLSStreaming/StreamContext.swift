import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime

/// What all parts of one presentation share.
@MainActor
final class StreamContext {
    let loader: any ByteLoading
    /// What the presentation may name; `loader` keeps to it.
    let addresses: PresentationAddresses
    let codecs: any CodecFactory
    let clock: any HostClock
    let buffering: BufferingPolicy
    let timeline: StreamTimeline
    /// The policy.
    var policy: any StreamPolicy
    /// Variables that media playlists import.
    var variables: [String: String] = [:]
    /// Executes `FailureAction.use(variant:)`: all renditions follow. Returns false when there is no such variant.
    var useVariant: (@MainActor (Int) -> Bool)?
    /// The variants that have what a request is for on this machine, other than its own.
    var storedVariants: (@MainActor (StreamRequest) -> [Int])?
    /// A playlist or a segment is refused: the addresses of the presentation may have expired.
    var lookUpAgain: (@MainActor (PresentationLookup.Refused) -> Void)?
    /// Tells the error log what a server does wrong, where that needs no decision.
    var tell: (@MainActor (_ url: String, MediaError) -> Void)?
    /// Whether a playlist was redirected, for now or for good (RFC 9110, 15.4): the next request for it may lead to another server.
    private(set) var isRouted = false
    /// Keys and initialization sections.
    private(set) lazy var resources = ResourceCache(context: self)

    init(
        loader: any ByteLoading, codecs: any CodecFactory, clock: any HostClock,
        addresses: PresentationAddresses = PresentationAddresses(playlist: ""), buffering: BufferingPolicy = .standard,
        policy: any StreamPolicy
    ) {
        self.loader = addresses.guarding(loader, clock: clock)
        self.addresses = addresses
        self.codecs = codecs
        self.clock = clock
        self.buffering = buffering
        self.policy = policy
        timeline = StreamTimeline(ledger: clock.ledger)
    }

    /// A playlist has come.
    ///
    /// - Parameters:
    ///   - asked: where it was asked for.
    ///   - url: where it came from.
    func noteRoute(from asked: String, to url: String) { if asked != url { isRouted = true } }

    /// A segment could not be loaded: an address that expires, or that a router gave, is looked up again.
    func noteFailureOfSegment(_ error: MediaError) { if error.refusesAddress || isRouted { lookUpAgain?(.segment) } }
}

/// Loads one body whole, and asks the policy after each failure until the load ends.
@MainActor
final class StreamTask {
    /// The result.
    enum Outcome {
        /// The body.
        case loaded(ByteResponse)
        /// The presentation has switched to another variant: the resource is no longer wanted.
        case superseded
        /// It is optional and is skipped.
        case skipped(MediaError)
        /// It is required and cannot be loaded.
        case failed(MediaError)
    }

    private let context: StreamContext
    private let request: StreamRequest
    private let bytes: ByteRequest
    /// The request after a failure.
    private let again: ByteRequest
    private let state: @MainActor () -> ReadingState
    private var completion: (@MainActor (Outcome) -> Void)?
    private var activity = LoadActivity<any ByteTask>.idle
    private var attempts = 0

    /// - Parameter again: the request after a failure; nil for the same.
    init(
        _ request: StreamRequest, bytes: ByteRequest? = nil, again: ByteRequest? = nil, context: StreamContext,
        state: @escaping @MainActor () -> ReadingState, completion: @escaping @MainActor (Outcome) -> Void
    ) {
        self.request = request
        self.bytes = bytes ?? ByteRequest(url: request.url, kind: request.kind.body)
        self.again = again ?? self.bytes
        self.context = context
        self.state = state
        self.completion = completion
        begin()
    }

    /// Cancels it; the completion is not called any more.
    func cancel() {
        completion = nil
        activity.stop { $0.cancel() }
    }

    private func begin() {
        let asked = attempts == 0 ? bytes : again
        let task = context.loader.load(asked) { [self] result in
            activity = .idle
            guard completion != nil else { return }
            switch result.flatMap({ $0.checked(for: bytes) }) {
            case .success(let response):
                if request.kind == .playlist { context.noteRoute(from: asked.url, to: response.url) }
                context.policy.didLoad(StreamLoad(request, response, byteCount: response.bytes.count, state: state()))
                end(.loaded(response))
            case .failure(let error):
                attempts += 1
                fail(error)
            }
        }
        activity = .loading(task)
    }

    private func fail(_ error: MediaError) {
        // A router may lead to another server by now.
        if request.kind == .playlist, context.isRouted { context.lookUpAgain?(.playlist) }
        let failure = StreamFailure(
            request: request, error: error, attempts: attempts, missedSegments: 0, hasMediaBehind: false, state: state(),
            storedVariants: context.storedVariants?(request) ?? [])
        switch context.policy.action(after: failure) {
        case .retry(let delay): activity = .waiting(context.clock.schedule(after: delay, rank: .transfer) { [self] in begin() })
        case .use(let variant): end(context.useVariant?(variant) == true ? .superseded : .failed(error))
        case .skip: end(.skipped(error))
        case .fail: end(.failed(error))
        }
    }

    private func end(_ outcome: Outcome) {
        let completion = completion
        self.completion = nil
        completion?(outcome)
    }
}

extension ByteResponse {
    /// The response, unless the resource ends before the range that was asked for.
    fileprivate func checked(for request: ByteRequest) -> Result<ByteResponse, MediaError> {
        guard let range = request.range, range.upperBound != .max, bytes.count < range.count else { return .success(self) }
        return .failure(.loading(request.url, failed: .wrongLength))
    }
}

/// Keys and initialization sections: each is loaded once, for any number of renditions and segments.
@MainActor
final class ResourceCache {
    private struct Name: Hashable {
        var url: String
        var range: ByteRange?
    }
    private struct Waiter {
        var token: Int
        var request: StreamRequest
        var state: @MainActor () -> ReadingState
        var completion: @MainActor (StreamTask.Outcome) -> Void
    }
    private struct Pending {
        var task: StreamTask?
        /// Whether no segment has asked for it yet.
        var isPreload = false
        var waiting: [Waiter] = []
    }
    private unowned let context: StreamContext
    private var bodies: [(name: Name, bytes: [UInt8])] = []
    private var pending: [Name: Pending] = [:]
    private var lastToken = 0
    /// Enough for a ladder of variants with rotating keys.
    private static let most = 64

    init(context: StreamContext) { self.context = context }

    /// A cached resource.
    func bytes(at url: String, range: ByteRange?) -> [UInt8]? {
        let name = Name(url: url, range: range)
        guard let index = bodies.lastIndex(where: { $0.name == name }) else { return nil }
        // The most recently used is kept longest.
        bodies.append(bodies.remove(at: index))
        return bodies.last?.bytes
    }

    /// Loads a body; the completion is always called asynchronously.
    ///
    /// - Returns: a token for `cancel`. The load itself continues, because others will need it.
    func load(
        _ request: StreamRequest, range: ByteRange?, state: @escaping @MainActor () -> ReadingState,
        _ completion: @escaping @MainActor (StreamTask.Outcome) -> Void
    ) -> Int {
        lastToken += 1
        let name = Name(url: request.url, range: range)
        let waiter = Waiter(token: lastToken, request: request, state: state, completion: completion)
        if pending[name] != nil {
            pending[name]!.waiting.append(waiter)
            return lastToken
        }
        pending[name] = Pending(waiting: [waiter])
        begin(name, request, state)
        return lastToken
    }

    /// Loads keys before the segments that need them (EXT-X-SESSION-KEY; RFC 8216bis, 4.4.6.5). One that cannot be loaded is
    /// requested again when a segment needs it.
    func preload(keys urls: [String]) {
        for url in urls {
            let name = Name(url: url, range: nil)
            guard pending[name] == nil, bytes(at: url, range: nil) == nil else { continue }
            pending[name] = Pending(isPreload: true)
            begin(name, StreamRequest(kind: .key, role: .presentation, url: url)) { [context] in
                ReadingState(now: context.clock.now)
            }
        }
    }

    private func begin(_ name: Name, _ request: StreamRequest, _ state: @escaping @MainActor () -> ReadingState) {
        let task = StreamTask(
            request, bytes: ByteRequest(url: request.url, kind: request.kind.body, range: name.range.map { $0.offset..<$0.end }),
            context: context, state: state
        ) { [weak self] outcome in self?.take(name, outcome) }
        pending[name]?.task = task
    }

    /// Removes a waiting completion.
    func cancel(_ token: Int) {
        for name in pending.keys where pending[name]!.waiting.contains(where: { $0.token == token }) {
            pending[name]!.waiting.removeAll { $0.token == token }
        }
    }

    /// Cancels everything.
    func close() {
        for name in pending.keys { pending[name]?.task?.cancel() }
        pending = [:]
        bodies = []
    }

    private func take(_ name: Name, _ outcome: StreamTask.Outcome) {
        let ended = pending.removeValue(forKey: name)
        let waiting = ended?.waiting ?? []
        if case .loaded = outcome {
        } else if ended?.isPreload == true {
            // What fails for the presentation may be loaded from another variant.
            guard let first = waiting.first else { return }
            pending[name] = Pending(waiting: waiting)
            return begin(name, first.request, first.state)
        }
        if case .loaded(let response) = outcome {
            if bodies.count >= Self.most { bodies.removeFirst() }
            bodies.append((name, response.bytes))
        }
        for waiter in waiting { waiter.completion(outcome) }
    }
}
