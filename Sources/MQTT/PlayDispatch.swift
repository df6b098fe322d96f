import LinuxSupport

/// Plays on their way to the operator: one message at a time, the next when the broker has confirmed that somebody gets it. Main loop only.
///
/// What was not confirmed comes again, with the same numbers, by which a receiver knows what it has.
@MainActor
package final class PlayDispatch {
    /// The plays of the box.
    package struct Source {
        /// The plays that the operator does not have. The result may wait for the disk, and runs on another thread; nil if there are none.
        package var next: @MainActor () -> (@Sendable () -> Batch?)?
        /// The operator has the plays up to a number.
        package var acknowledge: @MainActor (UInt64) -> Void

        package init(
            next: @escaping @MainActor () -> (@Sendable () -> Batch?)?, acknowledge: @escaping @MainActor (UInt64) -> Void
        ) {
            self.next = next
            self.acknowledge = acknowledge
        }
    }

    /// Plays in one message.
    package struct Batch: Sendable {
        /// The number of the last of them.
        package var last: UInt64
        package var text: String

        package init(last: UInt64, text: String) {
            self.last = last
            self.text = text
        }
    }

    private enum Phase: Equatable {
        case disconnected
        case idle
        /// What is next is read; `again`: there may be more by now.
        case reading(again: Bool)
        case sent(id: Int32, last: UInt64)
    }

    private let source: Source
    private let link: any BrokerLink
    private let topic: String
    private let clock: any HostClock
    private let thread: WorkerThread
    private var phase = Phase.disconnected
    /// The connection that `phase` is of: what was read for an earlier one is not sent.
    private var connection = 0

    init(_ source: Source, _ link: any BrokerLink, topic: String, clock: any HostClock, thread: WorkerThread) {
        self.source = source
        self.link = link
        self.topic = topic
        self.clock = clock
        self.thread = thread
    }

    func connected() {
        phase = .idle
        connection += 1
        look()
    }

    func disconnected() { phase = .disconnected }

    /// There may be plays that the operator does not have.
    func look() {
        switch phase {
        case .disconnected, .sent: return
        case .reading: phase = .reading(again: true)
        case .idle:
            guard let next = source.next() else { return }
            phase = .reading(again: false)
            let connection = connection
            clock.compute(on: thread, rank: .timer, next) { [weak self] batch in
                if let self, connection == self.connection { send(batch) }
            }
        }
    }

    private func send(_ batch: Batch?) {
        guard case .reading(let again) = phase else { return }
        phase = .idle
        if let batch {
            let publication = BrokerPublication(topic: topic, payload: Array(batch.text.utf8), isAssured: true)
            if let id = link.deliver(publication) { phase = .sent(id: id, last: batch.last) }
        } else if again {
            look()
        }
    }

    /// The broker has confirmed a message. One without a subscriber is sent again with the next play, or the next report.
    func delivered(_ id: Int32, isTaken: Bool) {
        guard case .sent(id, let last) = phase else { return }
        phase = .idle
        guard isTaken else { return }
        source.acknowledge(last)
        look()
    }
}
