import LinuxSupport
import MediaModel
import MediaSources

/// Makes one request of the requests for adjoining byte ranges of one file that are made in the same event. Main loop only.
///
/// Each of them gets its own part of the answer as it arrives, and ends with its last byte, so that it is stored before the others are there. Other requests
/// are passed on unchanged.
@MainActor
final class RangeJoining: ByteLoading {
    private nonisolated let backing: any ByteLoading
    private let clock: any HostClock
    private var waiting: [JoinedRange] = []

    /// The most bytes of a joined request: what a power cut may cost is bounded by one range, and what a broken connection costs by this.
    nonisolated static let mostBytes: Int64 = 4 << 20

    nonisolated init(_ backing: any ByteLoading, clock: any HostClock) {
        self.backing = backing
        self.clock = clock
    }

    @discardableResult
    func load(
        _ request: ByteRequest, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask { backing.load(request, completion) }

    @discardableResult
    func load(
        _ request: ByteRequest, progress: @escaping @MainActor @Sendable (ByteProgress) -> Void,
        _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask {
        guard let range = request.range, range.upperBound != .max, !range.isEmpty, request.body == nil else {
            return backing.load(request, progress: progress, completion)
        }
        let member = JoinedRange(request, range, progress, completion)
        waiting.append(member)
        if waiting.count == 1 { clock.reserve(rank: .transfer).fulfil { [weak self] in self?.begin() } }
        return member.task
    }

    nonisolated func stream(_ url: String) -> any ByteStream { backing.stream(url) }

    /// Ranges of several files may be asked for in turns.
    private func begin() {
        var runs: [[JoinedRange]] = []
        for member in waiting where !member.task.isCancelled {
            if let index = runs.firstIndex(where: { Self.joins(member, $0) }) {
                runs[index].append(member)
            } else {
                runs.append([member])
            }
        }
        waiting = []
        for run in runs {
            if run.count > 1 { JoinedRequest(run).start(backing, clock) } else { run[0].begin(backing) }
        }
    }

    private static func joins(_ member: JoinedRange, _ run: [JoinedRange]) -> Bool {
        guard let first = run.first, let last = run.last, member.range.upperBound - first.range.lowerBound <= mostBytes else {
            return false
        }
        var next = last.request
        next.range = member.range
        return last.range.upperBound == member.range.lowerBound && next == member.request
    }
}

/// One of the requests that may be joined.
@MainActor
private final class JoinedRange {
    let request: ByteRequest
    let range: Range<Int64>
    let task = SharedTask()
    private let progress: @MainActor @Sendable (ByteProgress) -> Void
    private let completion: @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    private(set) var received: Int64 = 0

    init(
        _ request: ByteRequest, _ range: Range<Int64>, _ progress: @escaping @MainActor @Sendable (ByteProgress) -> Void,
        _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) {
        self.request = request
        self.range = range
        self.progress = progress
        self.completion = completion
    }

    var missing: Int { Int(Int64(range.count) - received) }

    /// Makes the request by itself.
    func begin(_ backing: any ByteLoading) { task.follow(backing.load(request, progress: progress, completion)) }

    /// Takes its part of what has arrived.
    func take(_ bytes: BytePieces, of whole: ByteProgress) {
        received += Int64(bytes.count)
        guard !task.isCancelled else { return }
        progress(
            ByteProgress(
                pieces: bytes, received: received, expected: Int64(range.count), elapsed: whole.elapsed,
                timeToFirstByte: whole.timeToFirstByte, version: whole.version))
    }

    func finish(_ result: Result<ByteResponse, MediaError>) { if !task.isCancelled { completion(result) } }
}

/// The request for a run of adjoining ranges.
@MainActor
private final class JoinedRequest {
    /// Those that have not all their bytes yet; the first one gets the next byte.
    private var members: ArraySlice<JoinedRange>
    private var transfer: (any ByteTask)?

    /// - Parameter run: at least two.
    init(_ run: [JoinedRange]) { members = run[...] }

    func start(_ backing: any ByteLoading, _ clock: any HostClock) {
        guard let first = members.first, let last = members.last else { return }
        for member in members { member.task.onCancel(clock) { [self] in endIfUnwanted() } }
        var request = first.request
        request.range = first.range.lowerBound..<last.range.upperBound
        transfer = backing.load(request) { [self] in
            take($0)
        } _: { [self] in
            finish($0)
        }
    }

    private func endIfUnwanted() {
        guard members.allSatisfy(\.task.isCancelled) else { return }
        transfer?.cancel()
        transfer = nil
        members = []
    }

    private func take(_ progress: ByteProgress) {
        var rest = progress.pieces
        while let member = members.first, !rest.isEmpty {
            let part = rest.prefix(member.missing)
            rest = rest.dropFirst(part.count)
            member.take(part, of: progress)
            guard member.missing == 0, members.first === member else { continue }
            members.removeFirst()
            // What only the end of the transfer tells, such as the media type, is not known yet.
            member.finish(
                .success(
                    ByteResponse(
                        bytes: [], url: member.request.url, status: 206, contentType: nil,
                        timeToFirstByte: progress.timeToFirstByte, transferDuration: progress.elapsed, version: progress.version))
            )
        }
    }

    /// The transfer has ended before some of them have all their bytes.
    private func finish(_ result: Result<ByteResponse, MediaError>) {
        let waiting = members
        members = []
        transfer = nil
        for member in waiting {
            switch result {
            case .failure: member.finish(result)
            case .success:
                member.finish(
                    .failure(
                        MediaError(
                            .sourceFormat,
                            "Loading bytes \(member.range.lowerBound) to \(member.range.upperBound) of \(member.request.url) failed: the file has only \(member.range.lowerBound + member.received); correct the playlist.",
                            fault: .wrongLength)))
            }
        }
    }
}
