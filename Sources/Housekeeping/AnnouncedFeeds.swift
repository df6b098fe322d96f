import LinuxSupport
import SystemServices

/// Asks the local network by DNS-SD who announces a feed, until somebody does.
@MainActor
package final class AnnouncedFeeds {
    /// Asks once, and waits for answers: addresses, best first.
    package typealias Question = @Sendable () -> [String]

    /// The rule's own name for it: an instance states `url=https://…`.
    package nonisolated static let question: Question = {
        ServiceDiscovery(service: "_marquee-feed._tcp", key: "url").ask().map(\.value)
    }

    /// What was announced; it stays, so that what a question on the screen is about does not change under a thumb.
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

    /// Asks, unless somebody has answered or is being asked.
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

    /// Nothing is asked any more.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        // The thread may still be waiting for replies; it is not joined.
        thread?.retire()
    }
}
