import Cryptography
import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import URLReferences

/// Loads one media segment or part, its initialization section and its key, all three at once, and passes the bytes on as they
/// arrive.
@MainActor
final class SegmentFetch {
    /// What to load.
    struct Plan {
        /// The request for the policy; `url` is resolved.
        var request: StreamRequest
        var range: ByteRange?
        /// The EXT-X-MAP that applies.
        var map: MediaInitialization?
        /// The EXT-X-KEY that applies, of a supported kind.
        var key: EncryptionKey?
        /// The address of the playlist, the base of references.
        var playlistURL: String
    }

    /// The events, in this order: `ready`, any number of `bytes`, one of the others.
    enum Event {
        /// The key and the initialization section are loaded.
        case ready(Opening)
        /// Bytes of the body as sent.
        case bytes([UInt8])
        /// The body is complete.
        case finished
        /// The presentation switches to another variant.
        case superseded
        /// It cannot be loaded: continue after it.
        case skipped(MediaError)
        /// It cannot be loaded, and it is required.
        case failed(MediaError)
    }

    /// The resources needed besides the body.
    struct Opening {
        /// The decrypted initialization section.
        var map: [UInt8]?
        /// The key of the body; nil when it is not encrypted.
        var key: [UInt8]?

        /// The cipher of a piece's body; nil when it is not encrypted.
        func cipher(of piece: Piece) -> CBCDecryption? {
            guard let key, let declared = piece.key else { return nil }
            return CBCDecryption(
                key: key, initializationVector: declared.initializationVector(mediaSequence: piece.mediaSequence))
        }

        /// The whole body of a piece, decrypted.
        func clear(_ body: [UInt8], of piece: Piece) -> [UInt8] {
            cipher(of: piece).map { $0.decrypt(body) + $0.finish() } ?? body
        }
    }

    /// The body is complete.
    private struct Completion {
        /// What the policy is told of it; nil if a failure came after its last byte.
        var load: StreamLoad?
    }

    let plan: Plan
    private let context: StreamContext
    private let state: @MainActor () -> ReadingState
    /// How many consecutive segments were missed before this one, and whether there are others after it.
    private let place: @MainActor () -> (missed: Int, hasMediaBehind: Bool)
    private var handler: (@MainActor (Event) -> Void)?
    /// Events from before there was a listener.
    private var early: [Event] = []
    private var activity = LoadActivity<any ByteTask>.idle
    private var tokens: [Int] = []
    private var opening: Opening?
    private var mapBytes: [UInt8]?
    private var needed = 0
    private var held: [[UInt8]] = []
    private var pauses = TransferPauses()
    /// With this many bytes that wait for a key or an initialization section no more are taken.
    private static let mostHeld = 8 << 20
    private var body: SegmentBody
    private var completion: Completion?
    private var attempts = 0
    private(set) var hasEnded = false

    init(
        _ plan: Plan, context: StreamContext, state: @escaping @MainActor () -> ReadingState,
        place: @escaping @MainActor () -> (missed: Int, hasMediaBehind: Bool)
    ) {
        self.plan = plan
        self.context = context
        self.state = state
        self.place = place
        body = SegmentBody(plan.range)
    }

    /// Starts to load.
    func begin() {
        if let map = plan.map { loadMap(map) }
        if let key = plan.key { loadKey(key) }
        loadBody()
        if needed == 0 { open() }
    }

    /// Sets the listener; earlier events are delivered at once.
    func listen(_ handler: @escaping @MainActor (Event) -> Void) {
        self.handler = handler
        let events = early
        early = []
        tell(events, to: handler)
    }

    /// Whether it has failed and waits for its next attempt.
    var isWaiting: Bool { activity.isWaiting }

    /// The body is not media: it counts as a failed load, and none of it has been used. Called at an event of the body.
    func refuse(_ error: MediaError) {
        activity.stop { $0.cancel() }
        body.forget()
        completion = nil
        hasEnded = false
        fail(error)
    }

    /// Cancels it: no more events are delivered.
    func cancel() {
        hasEnded = true
        handler = nil
        early = []
        stop()
    }

    /// Takes no more bytes from the network: what has come is not processed as fast.
    func hold() {
        guard case .loading(let task) = activity, pauses.begin(at: context.clock.now) else { return }
        task.setHeld(true)
    }

    /// Goes on after `hold`.
    func goOn() {
        guard opening != nil || needed == 0, pauses.end(at: context.clock.now) else { return }
        if case .loading(let task) = activity { task.setHeld(false) }
    }

    private func stop() {
        pauses.drop()
        activity.stop { $0.cancel() }
        tokens.forEach { context.resources.cancel($0) }
        tokens = []
    }

    private func tell(_ event: Event) {
        if let handler { handler(event) } else { early.append(event) }
    }

    /// Stops at an event that the listener refuses.
    private func tell(_ events: [Event], to handler: @MainActor (Event) -> Void) {
        let attempt = attempts
        for event in events where attempts == attempt { handler(event) }
    }

    private func end(_ event: Event) {
        guard !hasEnded else { return }
        hasEnded = true
        stop()
        tell(event)
    }

    // MARK: Key and initialization section

    private func resolve(_ reference: String) -> String { URLReference.resolve(reference: reference, against: plan.playlistURL) }

    private func loadMap(_ map: MediaInitialization) {
        let url = resolve(map.uri)
        let key = map.keys.first { $0.keyFormat == "identity" && $0.method == .aes128 }
        if let key { loadKey(key) }
        if let bytes = context.resources.bytes(at: url, range: map.byteRange) {
            mapBytes = bytes
            return
        }
        needed += 1
        let request = StreamRequest(kind: .initialization, role: plan.request.role, url: url)
        tokens.append(
            context.resources.load(request, range: map.byteRange, state: state) { [weak self] outcome in
                self?.take(outcome) { self?.mapBytes = $0 }
            })
    }

    private func loadKey(_ key: EncryptionKey) {
        let url = resolve(key.uri ?? "")
        guard context.resources.bytes(at: url, range: nil) == nil else { return }
        needed += 1
        let request = StreamRequest(kind: .key, role: plan.request.role, url: url)
        tokens.append(
            context.resources.load(request, range: nil, state: state) { [weak self] outcome in
                self?.take(outcome) { _ in }
            })
    }

    private func take(_ outcome: StreamTask.Outcome, _ keep: ([UInt8]) -> Void) {
        guard !hasEnded else { return }
        switch outcome {
        case .loaded(let response):
            keep(response.bytes)
            needed -= 1
            if needed == 0 { open() }
        case .superseded: end(.superseded)
        case .skipped(let error): end(.skipped(error))
        case .failed(let error): end(.failed(error))
        }
    }

    /// Everything that the body needs is loaded.
    private func open() {
        guard opening == nil, !hasEnded else { return }
        do throws(MediaError) {
            let opening = Opening(map: try clearMap(), key: try plan.key.map { key throws(MediaError) in try bytes(of: key) })
            self.opening = opening
            tell(.ready(opening))
        } catch {
            return end(.failed(error))
        }
        let pieces = held
        held = []
        goOn()
        tell(pieces.map { .bytes($0) }) { tell($0) }
        if completion != nil { finish() }
    }

    private func clearMap() throws(MediaError) -> [UInt8]? {
        guard let map = plan.map, let bytes = mapBytes else { return nil }
        guard let key = map.keys.first(where: { $0.keyFormat == "identity" && $0.method == .aes128 }) else { return bytes }
        // RFC 8216bis, 4.4.4.5: an encrypted initialization section must have its own IV.
        let vector = key.initializationVector(mediaSequence: plan.request.mediaSequence ?? 0)
        return CBCDecryption.decrypt(bytes, key: try self.bytes(of: key), initializationVector: vector)
    }

    private func bytes(of key: EncryptionKey) throws(MediaError) -> [UInt8] {
        let url = resolve(key.uri ?? "")
        guard let bytes = context.resources.bytes(at: url, range: nil), bytes.count >= Self.keyLength,
            bytes[Self.keyLength...].allSatisfy({ [0x0A, 0x0D].contains($0) })
        else {
            throw MediaError(
                .sourceFormat,
                "The key at \(url) is not 16 bytes long, as AES-128 requires; check the key server.")
        }
        // An editor has put the end of a line behind it.
        return Array(bytes.prefix(Self.keyLength))
    }

    private static let keyLength = 16

    // MARK: The body

    private func loadBody() {
        var request = ByteRequest(url: plan.request.url, range: body.nextRange())
        if case .text = plan.request.role { request.isText = true }
        if plan.request.isBlocking {
            request.firstByteTimeout = .seconds(30)
            request.slowestRate = 0
        }
        pauses = TransferPauses()
        let task = context.loader.load(request) { [weak self] progress in
            self?.take(progress)
        } _: { [weak self] result in
            guard let self, !self.hasEnded else { return }
            self.activity = .idle
            switch result {
            case .success(let response): self.complete(response)
            case .failure(let error): self.fail(error)
            }
        }
        activity = .loading(task)
    }

    private func take(_ progress: ByteProgress) {
        guard !hasEnded else { return }
        let bytes = body.take(progress.bytes)
        let attempt = attempts
        if !bytes.isEmpty { if opening == nil { held.append(bytes) } else { tell(.bytes(bytes)) } }
        if opening == nil, body.received >= Self.mostHeld { hold() }
        // A transfer that is held makes no progress that could be judged.
        guard attempts == attempt, !hasEnded, !plan.request.isBlocking, !pauses.isHeld,
            progress.expected.map({ progress.received < $0 }) ?? true
        else { return }
        let report = StreamProgress(
            request: plan.request, received: progress.received, expected: progress.expected,
            elapsed: max(.zero, progress.elapsed - pauses.total), timeToFirstByte: progress.timeToFirstByte, state: state())
        if let variant = context.policy.abandon(report), context.useVariant?(variant) == true { end(.superseded) }
    }

    private func complete(_ response: ByteResponse) {
        // The bytes that were received before the connection broke do not belong to this body, or the resource ends before the range that the
        // playlist names.
        guard body.mayEnd else { return fail(.loading(plan.request.url, failed: .wrongLength)) }
        var response = response
        response.transferDuration = max(response.timeToFirstByte, response.transferDuration - pauses.total)
        completion = Completion(load: StreamLoad(plan.request, response, byteCount: Int(body.received), state: state()))
        if opening != nil { finish() }
    }

    /// The policy is not told of a body that the listener refuses.
    private func finish() {
        let attempt = attempts
        end(.finished)
        if attempts == attempt, let load = completion?.load { context.policy.didLoad(load) }
    }

    private func fail(_ error: MediaError) {
        if error.fault == .rangeIgnored, body.startOver() { return loadBody() }
        // What failed is only what the server would have sent beyond the range.
        if body.isRangeComplete {
            completion = Completion()
            if opening != nil { finish() }
            return
        }
        context.noteFailureOfSegment(error)
        attempts += 1
        let place = place()
        let failure = StreamFailure(
            request: plan.request, error: error, attempts: attempts, missedSegments: place.missed,
            hasMediaBehind: place.hasMediaBehind, state: state(),
            storedVariants: context.storedVariants?(plan.request) ?? [])
        switch context.policy.action(after: failure) {
        case .retry(let delay):
            let timer = context.clock.schedule(after: delay, rank: .transfer) { [weak self] in
                self?.activity = .idle
                self?.loadBody()
            }
            activity = .waiting(timer)
        case .use(let variant): end(context.useVariant?(variant) == true ? .superseded : .failed(error))
        case .skip: end(.skipped(error))
        case .fail: end(.failed(error))
        }
    }
}
