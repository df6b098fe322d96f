import LinuxSupport
import MediaModel
import MediaSources
import WireFormats

/// One transfer of a resource into the store, and everyone who waits for it. Main loop only.
///
/// It continues the partial of an earlier transfer if its version is unchanged (RFC 9110, 13.1.5), and begins anew otherwise. Players are
/// answered when the network has answered, downloads when the body is durable.
@MainActor
final class SharedTransfer {
    private enum State {
        case idle
        /// The partial is read.
        case preparing
        case loading(any ByteTask)
        /// The network has answered; the body is being made durable.
        case storing(ByteResponse)
        /// The transfer failed or was cancelled; its durable part is being recorded.
        case suspending
        case ended
    }
    private let request: ByteRequest
    private let key: ResourceKey
    private let backing: any ByteLoading
    private let store: SegmentStore
    private let clock: any HostClock
    private let onEnd: @MainActor () -> Void
    private var state = State.idle
    private var players: [PlayerSharer] = []
    private var downloads: [DownloadSharer] = []
    private var sequels: [@MainActor () -> Void] = []
    /// Whether it was to be stored for an asset.
    private let isOfAsset: Bool
    /// The first bytes.
    private var head: [UInt8] = []
    /// The bytes so far; nil when it is too long to be joined.
    private var buffer: BytePieces? = BytePieces()
    /// How many bytes there are, with those of the partial.
    private var received: Int64 = 0
    private var writer: BodyWriter?
    private var storeFailure: StoreError?
    /// What an earlier transfer left; nil once it was given up.
    private var resumed: (length: Int64, version: ResourceVersion)?
    /// Whether the transfer waits for the disk.
    private var isHeld = false
    private var pace: Subscription?
    /// The last progress, for players that join.
    private var lastProgress: ByteProgress?

    /// A longer body is joined only by downloads.
    private static let longestBuffer = 32 << 20
    private static let longestHead = 512

    init(
        _ request: ByteRequest, _ key: ResourceKey, _ backing: any ByteLoading, _ store: SegmentStore, _ clock: any HostClock,
        onEnd: @escaping @MainActor () -> Void
    ) {
        self.request = request
        self.key = key
        self.backing = backing
        self.store = store
        self.clock = clock
        self.onEnd = onEnd
        isOfAsset = store.bodies.isMember(key)
    }

    // MARK: - Sharers

    /// Starts it for a player.
    func addFirst(_ player: PlayerSharer) {
        join(player)
        start()
    }

    /// Starts it for a download.
    func addFirst(_ download: DownloadSharer) {
        join(download)
        start()
    }

    /// Lets a player join.
    ///
    /// - Returns: false if it cannot be joined any more. `whenEnded` tells when the resource may be asked for again.
    func add(_ player: PlayerSharer) -> Bool {
        switch (state, buffer) {
        case (.suspending, _), (.ended, _), (.storing, nil), (.loading, nil): return false
        case (.storing(let response), let buffer?):
            store.later { player.finish(.success(response), passingOn: buffer) }
        case (.loading, .some):
            join(player)
            store.later { [self] in passOn() }
        case (.idle, _), (.preparing, _): join(player)
        }
        return true
    }

    /// Lets a download join, as long as its expectation can still be checked.
    ///
    /// - Returns: as for a player.
    func add(_ download: DownloadSharer) -> Bool {
        switch state {
        case .suspending, .ended, .storing: return false
        case .idle, .preparing, .loading: join(download)
        }
        return true
    }

    /// Calls back when the transfer has ended and what it has stored is visible.
    func whenEnded(_ action: @escaping @MainActor () -> Void) { sequels.append(action) }

    private func join(_ player: PlayerSharer) {
        players.append(player)
        follow(isBehind: store.isBehind)
        player.task.onCancel(clock) { [weak self] in self?.dropCancelled() }
    }

    private func join(_ download: DownloadSharer) {
        downloads.append(download)
        download.task.onCancel(clock) { [weak self] in self?.dropCancelled() }
    }

    private func dropCancelled() {
        players.removeAll { $0.task.isCancelled }
        downloads.removeAll { $0.task.isCancelled }
        guard players.isEmpty, downloads.isEmpty else { return follow(isBehind: store.isBehind) }
        switch state {
        case .loading(let task):
            task.cancel()
            suspend {}
        case .preparing: end()
        case .idle, .storing, .suspending, .ended: break
        }
    }

    // MARK: - Loading

    private func start() {
        guard let partial = store.partial(of: key), partial.length < length(partial.description.version) ?? .max else {
            return loadAll()
        }
        state = .preparing
        store.readPartial(of: key) { [self] result in
            guard case .preparing = state else { return }
            guard case .success(let bytes) = result else { return loadAll() }
            resumed = (Int64(bytes.count), partial.description.version)
            received = Int64(bytes.count)
            buffer = BytePieces(bytes)
            head = Array(bytes.prefix(Self.longestHead))
            loadRest(after: Int64(bytes.count), partial.description.version)
        }
    }

    /// The length of the resource according to its key, or to its server.
    private func length(_ version: ResourceVersion) -> Int64? {
        guard let range = key.range else { return version.length }
        let end = min(range.upperBound, version.length ?? range.upperBound)
        return end == .max ? nil : max(0, end - range.lowerBound)
    }

    private func loadRest(after offset: Int64, _ version: ResourceVersion) {
        var rest = request
        rest.range = (key.range?.lowerBound ?? 0) + offset..<(key.range?.upperBound ?? .max)
        rest.headers += version.validator.map { ["If-Range: \($0)"] } ?? []
        load(rest)
    }

    /// Loads everything; a partial is given up.
    private func loadAll() {
        writer?.discard()
        writer = nil
        resumed = nil
        received = 0
        buffer = BytePieces()
        head = []
        if case .partial = store.bodies.index.place(of: key) { store.removeResource(key) }
        load(request)
    }

    private func load(_ request: ByteRequest) {
        let attempt = Attempt()
        let task = backing.load(request) { [self] progress in
            if !attempt.isOver { take(progress, attempt) }
        } _: { [self] result in
            if !attempt.isOver { finish(result) }
        }
        attempt.task = task
        state = .loading(task)
        isHeld = false
        follow(isBehind: store.isBehind)
        pace = pace ?? store.paceChanges.listen { [weak self] in self?.follow(isBehind: $0) }
    }

    /// A download waits for a disk that is slower than the network; a player does not.
    private func follow(isBehind: Bool) {
        guard case .loading(let task) = state, isHeld != (isBehind && players.isEmpty) else { return }
        isHeld.toggle()
        task.setHeld(isHeld)
    }

    /// A request, whose answers are ignored once another one has replaced it.
    @MainActor
    private final class Attempt {
        var isOver = false
        var task: (any ByteTask)?
    }

    private func take(_ progress: ByteProgress, _ attempt: Attempt) {
        if let resumed, lastProgress == nil, progress.version != resumed.version {
            // The server has another version now.
            attempt.isOver = true
            attempt.task?.cancel()
            return loadAll()
        }
        lastProgress = progress
        received += Int64(progress.pieces.count)
        if head.count < Self.longestHead { head += progress.pieces.prefix(Self.longestHead - head.count).joined }
        buffer?.append(progress.pieces)
        if let count = buffer?.count, count > Self.longestBuffer, players.isEmpty { buffer = nil }
        write(progress.pieces, progress.version)
        passOn()
        downloads.forEach { download in if !download.task.isCancelled { download.progress(received) } }
    }

    /// Writes bytes, which are counted in `received` already.
    private func write(_ bytes: BytePieces, _ version: ResourceVersion) {
        guard storeFailure == nil else { return }
        do throws(StoreError) {
            if writer == nil { writer = try makeWriter(version, at: received - Int64(bytes.count)) }
            writer?.append(bytes)
        } catch {
            storeFailure = error
        }
    }

    /// - Parameter offset: where the next bytes belong. What the partial lacks, because it was removed meanwhile, is in the buffer.
    private func makeWriter(_ version: ResourceVersion, at offset: Int64) throws(StoreError) -> BodyWriter {
        let writer = try store.makeWriter(for: key, BodyDescription(version: version))
        guard writer.offset != offset else { return writer }
        guard let buffer, writer.offset < offset else {
            writer.discard()
            throw StoreError(.busy, "Saving \(key.name) failed: its first part was removed meanwhile; it is loaded again.")
        }
        writer.append(buffer.prefix(Int(offset)).dropFirst(Int(writer.offset)))
        return writer
    }

    /// Gives players the bytes that they do not have.
    private func passOn() {
        guard let buffer, let progress = lastProgress else { return }
        for player in players {
            player.pass(
                buffer, expected: length(progress.version) ?? progress.expected, version: progress.version, progress.elapsed,
                progress.timeToFirstByte)
        }
    }

    // MARK: - The end

    private func finish(_ result: Result<ByteResponse, MediaError>) {
        switch result {
        case .failure(let error) where resumed != nil && lastProgress == nil && Self.isOfRange(error): loadAll()
        case .failure(let error): fail(error)
        case .success(let response): succeed(response)
        }
    }

    /// Whether a request of the rest failed because the resource has changed.
    private static func isOfRange(_ error: MediaError) -> Bool {
        switch error.fault {
        case .rangeIgnored, .status(412), .status(416), .wrongLength: true
        default: false
        }
    }

    private func fail(_ error: MediaError) {
        let waiting = players
        players = []
        suspend { [self] in
            let waiting = downloads
            downloads = []
            waiting.forEach { download in if !download.task.isCancelled { download.answer(.failure(.loading(error))) } }
        }
        waiting.forEach { $0.finish(.failure(error)) }
    }

    /// Keeps the durable part of a resource that an asset has.
    private func suspend(_ then: @escaping @MainActor @Sendable () -> Void) {
        state = .suspending
        guard let writer, store.bodies.isMember(key), !isWebPage else {
            self.writer?.discard()
            end()
            return then()
        }
        writer.suspend { [self] in
            end()
            then()
        }
    }

    /// Whether the body is the page of a network that wants a sign-in. Pictures, captions and documents may be of markup.
    private var isWebPage: Bool {
        switch request.kind {
        case .media, .key: WebPage.isBeginning(head)
        case .playlist, .feed, .guide, .artwork, .captions, .document: false
        }
    }

    private func succeed(_ response: ByteResponse) {
        var whole = response
        whole.status = key.range == nil ? 200 : 206
        whole.isStored = resumed != nil
        state = .storing(whole)
        if received == 0 { write(BytePieces(), response.version) }
        let waiting = players
        players = []
        if let buffer { waiting.forEach { $0.finish(.success(whole), passingOn: buffer) } }
        if isOfAsset, !store.bodies.isMember(key) {
            storeFailure = StoreError(.noAsset, "Saving \(key.name) was given up: its programme was removed.")
        } else if !isWhole(response) {
            storeFailure = StoreError(
                .wrongLength,
                "Saving \(key.name) failed: the server sent \(received) bytes, which is not all of it; correct the server.")
        }
        if isWebPage {
            writer?.discard()
            return answerDownloads(.failure(.loading(.loading(request.url, failed: .webPage))))
        }
        guard let writer, storeFailure == nil else {
            writer?.discard()
            return answerDownloads(
                .failure(.storing(storeFailure ?? StoreError(.notOpen, "Saving \(key.name) failed: the store is not open."))))
        }
        let description = BodyDescription(
            contentType: response.contentType, url: response.url == request.url ? nil : response.url, version: response.version)
        writer.finish(description, expecting: expected) { [self] result in answerDownloads(result.mapError { .storing($0) }) }
    }

    /// What the downloads expect.
    private var expected: ExpectedBody {
        downloads.reduce(into: ExpectedBody()) { sum, download in
            sum.length = sum.length ?? download.expected.length
            sum.sha256 = sum.sha256 ?? download.expected.sha256
        }
    }

    /// Whether the body is exactly what was asked for.
    private func isWhole(_ response: ByteResponse) -> Bool {
        guard response.status == (key.range == nil && resumed == nil ? 200 : 206) else { return false }
        return length(response.version).map { $0 == received } ?? true
    }

    private func answerDownloads(_ result: Result<StoredBody, StoredLoading.DownloadFailure>) {
        let waiting = downloads
        downloads = []
        end()
        waiting.forEach { download in if !download.task.isCancelled { download.answer(result) } }
    }

    private func end() {
        state = .ended
        pace?.cancel()
        onEnd()
        let waiting = sequels
        sequels = []
        waiting.forEach { $0() }
    }
}
