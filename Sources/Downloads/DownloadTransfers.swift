import LinuxSupport
import MediaModel
import MediaSources
import SegmentStore
import WireFormats

/// The requests of the download that runs, below the cap of the policy. Main loop only.
///
/// Resources are loaded into the store by `StoredLoading`, so that a player who wants the same resource joins its transfer.
@MainActor
final class DownloadTransfers {
    typealias Answer = @MainActor (DownloadID, AssetDownloadTask.Event) -> Void

    private struct Load {
        var id: DownloadID
        var index: Int
        var resource: DownloadResource
    }

    private let bodies: StoredBodies
    private let network: any ByteLoading
    private let loading: StoredLoading
    private let clock: any HostClock
    private let matching: ResourceMatching
    private let answer: Answer
    private var cap: RateCap
    private var waiting: [Load] = []
    private var tasks: [Int: (id: DownloadID, task: any ByteTask)] = [:]
    private var nextTask = 0
    private var timer: ScheduledEvent?

    /// - Parameters:
    ///   - network: loads playlists, which are never read from the store for a download.
    ///   - loading: loads resources into the store.
    ///   - answer: called with the answer to each request that was not cancelled, never inside the request.
    init(
        bodies: StoredBodies, network: any ByteLoading, loading: StoredLoading, clock: any HostClock, matching: ResourceMatching,
        cap: RateCap,
        answer: @escaping Answer
    ) {
        self.bodies = bodies
        self.network = network
        self.loading = loading
        self.clock = clock
        self.matching = matching
        self.cap = cap
        self.answer = answer
    }

    /// Cancels the requests of a download. What they have stored is kept.
    func cancel(_ id: DownloadID) {
        waiting.removeAll { $0.id == id }
        for (number, entry) in tasks.sorted(by: { $0.key < $1.key }) where entry.id == id {
            entry.task.cancel()
            tasks[number] = nil
        }
    }

    func close() {
        timer?.cancel()
        waiting = []
        for (_, entry) in tasks.sorted(by: { $0.key < $1.key }) { entry.task.cancel() }
        tasks = [:]
    }

    // MARK: Playlists

    /// Loads a playlist. The first one of an asset may turn out to be a film, of which only the first bytes are loaded.
    func loadPlaylist(_ role: PlaylistRole, _ url: String, for id: DownloadID) {
        let number = takeNumber()
        let start = FirstBytes()
        let task = network.load(ByteRequest(url: url, kind: .playlist)) { [weak self] progress in
            guard let self, tasks[number] != nil else { return }
            start.bytes += progress.bytes
            guard role == .root, start.isFile, !WebPage.isBeginning(start.bytes) else { return }
            end(number)?.cancel()
            answer(id, .foundFile)
        } _: { [weak self] result in
            guard let self, end(number) != nil else { return }
            switch result {
            case .success where WebPage.isBeginning(start.bytes):
                answer(id, .failedPlaylist(role, .loading(url, failed: .webPage)))
            case .success(let response): answer(id, .loadedPlaylist(role, url: response.url, bytes: start.bytes))
            case .failure(let error): answer(id, .failedPlaylist(role, error))
            }
        }
        tasks[number] = (id, task)
    }

    // MARK: Resources

    /// Loads a resource into the store.
    func load(_ index: Int, _ resource: DownloadResource, for id: DownloadID) {
        waiting.append(Load(id: id, index: index, resource: resource))
        startWaiting()
    }

    private func startWaiting() {
        timer?.cancel()
        while let first = waiting.first {
            let start = cap.start(at: clock.now)
            guard start <= clock.now else {
                timer = clock.schedule(at: start, rank: .transfer) { [weak self] in self?.startWaiting() }
                return
            }
            waiting.removeFirst()
            begin(first)
        }
    }

    private func begin(_ load: Load) {
        let number = takeNumber()
        var request = ByteRequest(url: load.resource.url, kind: load.resource.kind.body, range: load.resource.range)
        // A file is divided only where its server serves ranges.
        request.mayCutRange = load.resource.kind != .file
        let key = load.resource.key(matching)
        let counted = CountedBytes(after: bodies.partialLength(of: key))
        let task = loading.download(request, as: key) { [weak self] bytes in
            guard let self else { return }
            cap.take(counted.new(bytes), at: clock.now)
        } _: { [weak self] result in
            guard let self, end(number) != nil else { return }
            switch result {
            case .success(let body):
                let part = StoredPart(bytes: body.length, isComplete: true, version: body.description.version)
                answer(load.id, .stored(load.index, part))
            case .failure(.loading(let error)): answer(load.id, .failed(load.index, error))
            case .failure(.storing(let error)): answer(load.id, Self.event(error, load.index))
            }
        }
        tasks[number] = (load.id, task)
    }

    /// A body that is not what was expected concerns one resource; a disk that refuses changes concerns all.
    private static func event(_ error: StoreError, _ index: Int) -> AssetDownloadTask.Event {
        switch error.reason {
        case .wrongLength, .wrongDigest, .sameName, .overloaded, .noAsset, .busy, .absent, .damaged, .incomplete:
            .failed(index, MediaError(.sourceFormat, error.sentence))
        case .notOpen, .diskFull, .readOnly, .folderLost, .disk, .noKey, .inUse:
            .storeFailed(MediaError(.storage, error.sentence))
        }
    }

    private func takeNumber() -> Int {
        nextTask += 1
        return nextTask
    }

    @discardableResult
    private func end(_ number: Int) -> (any ByteTask)? { tasks.removeValue(forKey: number)?.task }
}

/// The first bytes of a body whose kind is not known yet.
@MainActor
private final class FirstBytes {
    var bytes: [UInt8] = []

    /// Enough to tell a web page, too. No film is shorter.
    private static let fewest = 64

    /// Whether it is certain that they are no playlist.
    var isFile: Bool { bytes.count >= Self.fewest && PlaylistHead.isExcluded(bytes) }
}

/// Counts the bytes of one request.
@MainActor
private final class CountedBytes {
    private var last: Int64

    /// - Parameter partial: what the store had before.
    init(after partial: Int64) { last = partial }

    /// - Parameter total: how many bytes there are, with those of an earlier partial.
    func new(_ total: Int64) -> Int64 {
        defer { last = max(total, last) }
        return max(total - last, 0)
    }
}
