import LinuxSupport
import MediaModel
import MediaSources
import Synchronization

/// Takes the requests of byte streams from their threads to the main loop.
final class PieceRequests: Sendable {
    /// Identifies a stream.
    typealias Owner = UInt64
    struct Request: Sendable {
        var owner: Owner
        var key: ResourceKey
        var request: ByteRequest
        /// Called on the main loop.
        var answer: @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    }
    /// What waits for the main loop.
    private final class Inbox: Sendable {
        struct Contents {
            var new: [Request] = []
            var cancelled: Set<Owner> = []
        }
        private let contents = Mutex(Contents())

        func change(_ body: (inout Contents) -> Void) { contents.withLock { body(&$0) } }

        func take() -> Contents {
            contents.withLock { contents in
                defer { contents = Contents() }
                return contents
            }
        }
    }
    private let inbox: Inbox
    private let bell: Doorbell
    private let lastOwner = Atomic<Owner>(0)

    @MainActor
    init(clock: any HostClock, transfers: SharedTransfers) {
        let inbox = Inbox()
        self.inbox = inbox
        let worker = Worker(transfers)
        bell = clock.makeDoorbell(rank: .transfer) {
            let contents = inbox.take()
            worker.run(contents.new, cancelled: contents.cancelled)
        }
    }

    func makeOwner() -> Owner { lastOwner.add(1, ordering: .relaxed).newValue }

    /// Any thread.
    func add(_ request: Request) {
        inbox.change { $0.new.append(request) }
        bell.ring()
    }

    /// Cancels all requests of a stream. Any thread.
    func cancel(_ owner: Owner) {
        inbox.change { contents in
            contents.new.removeAll { $0.owner == owner }
            contents.cancelled.insert(owner)
        }
        bell.ring()
    }

    /// Starts and cancels the transfers.
    @MainActor
    private final class Worker {
        private let transfers: SharedTransfers
        private var running: [Owner: [ResourceKey: any ByteTask]] = [:]

        init(_ transfers: SharedTransfers) { self.transfers = transfers }

        func run(_ new: [Request], cancelled: Set<Owner>) {
            for owner in cancelled { running.removeValue(forKey: owner)?.values.forEach { $0.cancel() } }
            // In an order that does not depend on which thread came first.
            for request in new.sorted(by: {
                ($0.owner, $0.key.range?.lowerBound ?? 0) < ($1.owner, $1.key.range?.lowerBound ?? 0)
            }) {
                let task = transfers.load(request.request, request.key, storing: true, nil) { [weak self] result in
                    self?.running[request.owner]?[request.key] = nil
                    request.answer(result)
                }
                running[request.owner, default: [:]][request.key] = task
            }
        }
    }
}
