import LinuxSupport

/// Tells Home Assistant of the box with each connection, and takes that back when it is not wanted any more. Main loop only.
///
/// Where the document is at the broker is on the disk before it is there, so that it is found again after the settings have changed.
@MainActor
final class DiscoveryKeeping {
    private let link: any BrokerLink
    /// Where the document belongs, and its text; nil if Home Assistant is told nothing.
    private let wanted: (topic: String, text: String)?
    private let file: String?
    private let clock: any HostClock
    private let thread: WorkerThread
    /// Where a document is.
    private var published: String?
    /// The publication that takes an old document back.
    private var removal: Int32?

    init(
        _ link: any BrokerLink, wanted: (topic: String, text: String)?, file: String?, clock: any HostClock, thread: WorkerThread
    ) {
        self.link = link
        self.wanted = wanted
        self.file = file
        self.clock = clock
        self.thread = thread
        let kept = file.flatMap { WholeFile.read($0, most: 1024) }.map { String(decoding: $0, as: UTF8.self) }
        published = kept?.isEmpty == false ? kept : nil
    }

    func connected() {
        removal = nil
        if let published, published != wanted?.topic {
            // An empty retained message is none (MQTT 5.0, 3.3.1.3).
            removal = link.deliver(BrokerPublication(topic: published, payload: [], isRetained: true, isAssured: true))
        } else {
            publish()
        }
    }

    /// The broker has confirmed a publication.
    func delivered(_ id: Int32) {
        guard id == removal else { return }
        removal = nil
        published = nil
        if wanted == nil { keep("") } else { publish() }
    }

    private func publish() {
        guard let wanted else { return }
        let publication = BrokerPublication(
            topic: wanted.topic, payload: Array(wanted.text.utf8), isRetained: true, isAssured: true)
        guard published == nil else { return _ = link.publish(publication) }
        published = wanted.topic
        keep(wanted.topic) { [weak self] in self?.link.publish(publication) }
    }

    private func keep(_ topic: String, _ then: @escaping @MainActor () -> Void = {}) {
        let file = file
        clock.compute(on: thread, rank: .timer) {
            file.map { WholeFile.write(Array(topic.utf8), to: $0, mode: 0o600) } ?? true
        } then: { _ in
            then()
        }
    }
}
