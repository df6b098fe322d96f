/// What a broker delivered.
package struct BrokerMessage: Sendable, Equatable {
    package var topic: String
    package var payload: [UInt8]
    /// Where the sender wants the answer (MQTT 5.0, 3.3.2.3.5); nil for the box's own topic.
    package var responseTopic: String?
    /// What the sender recognises its answer by (3.3.2.3.6).
    package var correlation: [UInt8]?
}

/// What happens on a connection to a broker.
package enum BrokerEvent: Sendable, Equatable {
    /// The broker has accepted the box.
    case connected
    /// The connection has ended, or there was none; the sentence has no full stop.
    case ended(reason: String)
    case message(BrokerMessage)
    /// The broker has confirmed a publication, or has been sent one that is not assured.
    ///
    /// - isTaken: whether somebody gets it: not without a subscriber, and not if it is refused (MQTT 5.0, 3.4.2.1).
    case delivered(id: Int32, isTaken: Bool)
    /// So many messages came faster than they were taken, and were dropped.
    case dropped(Int)
}

/// What is sent to a broker.
package struct BrokerPublication: Sendable, Equatable {
    package var topic: String
    package var payload: [UInt8]
    /// Whether the broker keeps it for those who subscribe later.
    package var isRetained = false
    /// Whether it is sent again until the broker has it (QoS 1).
    package var isAssured = false
    package var correlation: [UInt8]?
}

/// One client of a broker. Main loop only; nothing waits for the network.
@MainActor
package protocol BrokerLink: AnyObject {
    /// Called for each event, never inside of another call.
    var onEvent: (@MainActor (BrokerEvent) -> Void)? { get set }

    /// Connects. Exactly one `ended` follows, now or after `connected`. Not called while it is connected or connecting.
    func connect()

    /// Asks for the messages of topics, each at least once (QoS 1), without those that the broker has retained. Only while it is connected.
    func subscribe(_ topics: [String])

    /// - Returns: whether it was taken. Of those that are not assured only a few wait for the network; more are dropped.
    @discardableResult
    func publish(_ publication: BrokerPublication) -> Bool

    /// Publishes what must arrive.
    ///
    /// - Returns: what `delivered` names it by; nil if it was not taken. On a connection that ends before that it may have arrived or not.
    func deliver(_ publication: BrokerPublication) -> Int32?

    /// Ends the connection for good.
    func close()
}
