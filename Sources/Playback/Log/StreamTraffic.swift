import LinuxSupport
import MediaModel
import MediaSources
import Synchronization

/// A request of a stream over a whole resource, such as a film, and what is new of it. Such a request lasts as long as the resource is read.
package struct ResourceRequest: Sendable, Equatable {
    /// As far as it is; without a kind of media, which only the player knows.
    package var whole: MediaTransfer
    /// What came since it was told last.
    package var newBytes: Int64
    package var newDuration: Duration
    /// Whether it was not told before.
    package var isNew: Bool
    package var isOver: Bool

    package init(whole: MediaTransfer, newBytes: Int64, newDuration: Duration, isNew: Bool, isOver: Bool) {
        self.whole = whole
        self.newBytes = newBytes
        self.newDuration = newDuration
        self.isNew = isNew
        self.isOver = isOver
    }
}

/// What is new of a stream.
package struct StreamNews: Sendable, Equatable {
    package var requests: [ResourceRequest]
    /// What went wrong while it went on, such as losses on the way.
    package var remarks: [MediaError]

    package init(requests: [ResourceRequest] = [], remarks: [MediaError] = []) {
        (self.requests, self.remarks) = (requests, remarks)
    }
}

/// The requests of the streams that an asset has opened. Any thread.
final class StreamTraffic: Sendable {
    typealias Reader = @Sendable () -> StreamNews
    private let readers = Mutex<[Reader]>([])
    private let find: @Sendable (any ByteStream) -> Reader?
    /// A film that is only sent from its start has a stream for each seek.
    private static let mostStreams = 64

    init(_ find: @escaping @Sendable (any ByteStream) -> Reader?) { self.find = find }

    func watch(_ stream: any ByteStream) {
        guard let reader = find(stream) else { return }
        readers.withLock { readers in
            readers.append(reader)
            if readers.count > Self.mostStreams { readers.removeFirst() }
        }
    }

    /// What is new since the last call.
    func take() -> StreamNews {
        let news = readers.withLock { $0 }.map { $0() }
        return StreamNews(requests: news.flatMap(\.requests), remarks: news.flatMap(\.remarks))
    }
}

/// A loader whose streams are counted.
final class CountedLoading: ByteLoading {
    private let backing: any ByteLoading
    private let traffic: StreamTraffic

    init(_ backing: any ByteLoading, _ traffic: StreamTraffic) {
        self.backing = backing
        self.traffic = traffic
    }

    @MainActor @discardableResult
    func load(
        _ request: ByteRequest, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask { backing.load(request, completion) }

    @MainActor @discardableResult
    func load(
        _ request: ByteRequest, progress: @escaping @MainActor @Sendable (ByteProgress) -> Void,
        _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask { backing.load(request, progress: progress, completion) }

    func isStored(_ request: ByteRequest) -> Bool { backing.isStored(request) }

    func stream(_ url: String) -> any ByteStream {
        let stream = backing.stream(url)
        traffic.watch(stream)
        return stream
    }
}
