import LinuxSupport
import MediaModel
import MediaSources
import Synchronization

/// The transfers of `StoredLoading`: one for each resource, however many callers wait for it. Main loop only.
@MainActor
final class SharedTransfers {
    typealias Progress = @MainActor @Sendable (ByteProgress) -> Void
    typealias Answer = @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    typealias DownloadAnswer = @MainActor @Sendable (Result<StoredBody, StoredLoading.DownloadFailure>) -> Void

    private let backing: any ByteLoading
    /// For downloads, which ask for many ranges at once. A player asks for one, and does not wait for others.
    private let joining: RangeJoining
    private let store: SegmentStore
    private let clock: any HostClock
    private var running: [ResourceKey: SharedTransfer] = [:]

    nonisolated init(_ backing: any ByteLoading, store: SegmentStore, clock: any HostClock) {
        self.backing = backing
        joining = RangeJoining(backing, clock: clock)
        self.store = store
        self.clock = clock
    }

    func isLoading(_ key: ResourceKey) -> Bool { running[key] != nil }

    /// Loads for a player.
    func load(
        _ request: ByteRequest, _ key: ResourceKey, storing: Bool, _ progress: Progress?, _ answer: @escaping Answer
    ) -> any ByteTask {
        let task = SharedTask()
        serve(PlayerSharer(task, request, clock.now, progress, answer), request, key, storing)
        return task
    }

    private func serve(_ player: PlayerSharer, _ request: ByteRequest, _ key: ResourceKey, _ storing: Bool) {
        guard !player.task.isCancelled else { return }
        if let transfer = running[key] {
            guard !transfer.add(player) else { return }
            transfer.whenEnded { [self] in serve(player, request, key, storing) }
        } else if store.bodies.body(of: key) != nil {
            read(request, key, storing, player)
        } else {
            load(request, key, storing, player)
        }
    }

    /// Loads what is not in the store.
    private func load(_ request: ByteRequest, _ key: ResourceKey, _ storing: Bool, _ player: PlayerSharer) {
        guard storing, store.isOpen else { return player.task.follow(plain(request, player.progress, player.answer)) }
        begin(request, key, backing).addFirst(player)
    }

    /// Loads for the store.
    func download(
        _ request: ByteRequest, _ key: ResourceKey, _ expected: ExpectedBody,
        _ progress: @escaping @MainActor @Sendable (Int64) -> Void, _ answer: @escaping DownloadAnswer
    ) -> any ByteTask {
        let task = SharedTask()
        serve(DownloadSharer(task, expected, progress, answer), request, key)
        return task
    }

    private func serve(_ download: DownloadSharer, _ request: ByteRequest, _ key: ResourceKey) {
        guard !download.task.isCancelled else { return }
        if let transfer = running[key] {
            guard !transfer.add(download) else { return }
            transfer.whenEnded { [self] in serve(download, request, key) }
        } else if let body = store.bodies.body(of: key) {
            store.later { if !download.task.isCancelled { download.answer(.success(body)) } }
        } else {
            begin(request, key, joining).addFirst(download)
        }
    }

    private func begin(_ request: ByteRequest, _ key: ResourceKey, _ backing: any ByteLoading) -> SharedTransfer {
        let transfer = SharedTransfer(request, key, backing, store, clock) { [weak self] in self?.running[key] = nil }
        running[key] = transfer
        return transfer
    }

    private func plain(_ request: ByteRequest, _ progress: Progress?, _ answer: @escaping Answer) -> any ByteTask {
        if let progress { backing.load(request, progress: progress, answer) } else { backing.load(request, answer) }
    }

    /// Answers from the disk; from the network if the disk fails.
    private func read(_ request: ByteRequest, _ key: ResourceKey, _ storing: Bool, _ player: PlayerSharer) {
        guard let body = store.bodies.body(of: key), body.length <= Int64(request.kind.longest) else {
            return player.task.follow(plain(request, player.progress, player.answer))
        }
        store.read(key) { [self] result in
            guard !player.task.isCancelled else { return }
            switch result {
            case .success(let bytes):
                player.finish(.success(body.response(to: request, bytes, clock.now - player.start)), passingOn: BytePieces(bytes))
            case .failure:
                // Someone else may have noticed, and load it, already.
                if let transfer = running[key], transfer.add(player) { return }
                load(request, key, storing && running[key] == nil, player)
            }
        }
    }
}

/// A caller's part of a shared transfer.
final class SharedTask: ByteTask {
    /// A transfer that is not shared.
    private let following = FollowingTask()
    /// Rung by a cancellation.
    private let bell = Mutex<Doorbell?>(nil)

    var isCancelled: Bool { following.isCancelled }

    /// Sets what happens on the main loop after a cancellation.
    @MainActor
    func onCancel(_ clock: any HostClock, _ action: @escaping @MainActor @Sendable () -> Void) {
        let new = clock.makeDoorbell(rank: .transfer, action)
        bell.withLock { $0 = new }
    }

    /// Cancelling this task cancels that one.
    func follow(_ task: any ByteTask) { following.follow(task) }

    func setHeld(_ isHeld: Bool) { following.setHeld(isHeld) }

    func cancel() {
        guard !isCancelled else { return }
        following.cancel()
        let rung = bell.withLock { bell in
            defer { bell = nil }
            return bell
        }
        rung?.ring()
    }
}

/// A player that waits for bytes.
@MainActor
final class PlayerSharer {
    let task: SharedTask
    let start: HostTime
    let progress: SharedTransfers.Progress?
    let answer: SharedTransfers.Answer
    private let request: ByteRequest
    /// How many bytes were passed on.
    private(set) var passed = 0

    init(
        _ task: SharedTask, _ request: ByteRequest, _ start: HostTime, _ progress: SharedTransfers.Progress?,
        _ answer: @escaping SharedTransfers.Answer
    ) {
        self.task = task
        self.request = request
        self.start = start
        self.progress = progress
        self.answer = answer
    }

    /// Passes on what it does not have yet.
    func pass(_ bytes: BytePieces, expected: Int64?, version: ResourceVersion, _ elapsed: Duration, _ firstByte: Duration) {
        guard let progress, !task.isCancelled, bytes.count > passed else { return }
        let new = passed == 0 ? bytes : bytes.dropFirst(passed)
        passed = bytes.count
        progress(
            ByteProgress(
                pieces: new, received: Int64(passed), expected: expected, elapsed: elapsed, timeToFirstByte: firstByte,
                version: version))
    }

    func finish(_ result: Result<ByteResponse, MediaError>, passingOn bytes: BytePieces = BytePieces()) {
        guard !task.isCancelled else { return }
        guard case .success(var response) = result else { return answer(result) }
        if progress != nil {
            pass(
                bytes, expected: Int64(bytes.count), version: response.version, response.transferDuration,
                response.timeToFirstByte)
            response.bytes = []
        } else {
            response.bytes = bytes.joined
        }
        if !task.isCancelled { answer(.success(response)) }
    }
}

/// A download that waits until the body is stored.
@MainActor
final class DownloadSharer {
    let task: SharedTask
    let expected: ExpectedBody
    let progress: @MainActor @Sendable (Int64) -> Void
    let answer: SharedTransfers.DownloadAnswer

    init(
        _ task: SharedTask, _ expected: ExpectedBody, _ progress: @escaping @MainActor @Sendable (Int64) -> Void,
        _ answer: @escaping SharedTransfers.DownloadAnswer
    ) {
        self.task = task
        self.expected = expected
        self.progress = progress
        self.answer = answer
    }
}
