import LinuxSupport
import SystemServices

/// Browses the local network with DNS-SD for feeds until one is found.
@MainActor
package final class AnnouncedFeeds {
    /// One query, waiting for replies. Returns addresses, best first.
    package typealias Question = @Sendable () -> [String]

    /// The service type of this project's rule: an instance has `url=https://…` in its TXT record.
    package nonisolated static let question: Question = {
        ServiceDiscovery(service: "_marquee-feed._tcp", key: "url").ask().map(\.value)
    }

    /// The announced addresses. They are kept, so that a question on the screen does not change while it is shown.
    private(set) var addresses: [String] = []
    private let clock: any HostClock
    private let question: Question
    private var thread: WorkerThread?
    private var isAsking = false
    private var isClosed = false

    init(clock: any HostClock, question: @escaping Question) {
        self.clock = clock
        self.question = question
    }

    /// Starts a query, unless one is pending or has had a reply.
    func look() {
        guard !isClosed, !isAsking, addresses.isEmpty else { return }
        isAsking = true
        let thread = thread ?? WorkerThread(name: "dns-sd", clock: clock)
        self.thread = thread
        clock.compute(on: thread, rank: .timer) { [question] in
            question()
        } then: { [weak self] in
            self?.isAsking = false
            self?.addresses = $0
        }
    }

    /// Stops.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        // The thread may still be waiting for replies, so it is not joined.
        thread?.retire()
    }
}
