import ChannelFeed
import LinuxSupport
import StatusModel
import TestSupport

@testable import MQTT

/// A broker that the test plays.
@MainActor
final class FakeLink: BrokerLink {
    var onEvent: (@MainActor (BrokerEvent) -> Void)?
    private(set) var connections = 0
    private(set) var topics: [String] = []
    private(set) var published: [BrokerPublication] = []
    var isFull = false
    private(set) var isClosed = false

    func connect() { connections += 1 }
    func subscribe(_ topics: [String]) { self.topics = topics }
    func publish(_ publication: BrokerPublication) -> Bool {
        if isFull { return false }
        published.append(publication)
        return true
    }
    /// Publications that wait to be confirmed, by their ids.
    private(set) var delivered: [Int32] = []
    func deliver(_ publication: BrokerPublication) -> Int32? {
        guard publish(publication) else { return nil }
        delivered.append(Int32(delivered.count + 1))
        return delivered.last
    }
    func close() { isClosed = true }

    func deliver(
        _ text: String, on topic: String = "m/box/b1/command", to responseTopic: String? = nil, _ correlation: [UInt8]? = nil
    ) {
        onEvent?(
            .message(
                BrokerMessage(topic: topic, payload: Array(text.utf8), responseTopic: responseTopic, correlation: correlation)))
    }

    func texts(_ topic: String) -> [String] {
        published.filter { $0.topic == topic }.map { String(decoding: $0.payload, as: UTF8.self) }
    }
}

/// A session with such a broker, in simulated time.
@MainActor
final class BrokerRig {
    let loop: MainLoop
    let link = FakeLink()
    let log: LogBook
    var status = #"{"online":true,"state":"idle"}"#
    var date: FeedDate?
    private(set) var done: [CommandMessage] = []
    private(set) var session: BrokerSession!
    /// The plays of the box by their numbers, and up to which the operator has them.
    var plays: ClosedRange<UInt64>?
    private(set) var acknowledged: [UInt64] = []

    init(
        memoryFile: String? = nil, group: String? = "lobby", plays: ClosedRange<UInt64>? = nil,
        discovery: BrokerSession.Discovery? = nil, discoveryFile: String? = nil
    ) throws {
        self.plays = plays
        let loop = try MainLoop(time: .simulated)
        self.loop = loop
        log = LogBook(clock: loop.clock)
        var box = BrokerSession.Box(
            status: { [unowned self] in status }, report: { { "{\"report\":1}" } }, date: { [unowned self] in date },
            carryOut: { [unowned self] command, completion in
                done.append(command)
                loop.clock.schedule(after: .milliseconds(5)) {
                    completion(CommandReply(status: 200, type: "application/json", body: Array(#"{"result":"success"}"#.utf8)))
                }
            })
        box.discovery = discovery
        box.plays = PlayDispatch.Source(
            next: { [unowned self] in
                guard let plays = self.plays else { return nil }
                let next = (acknowledged.last ?? 0) + 1
                guard next <= plays.upperBound else { return { nil } }
                let last = min(next + 1, plays.upperBound)
                return { PlayDispatch.Batch(last: last, text: "\(next)-\(last)") }
            }, acknowledge: { [unowned self] in acknowledged.append($0) })
        session = BrokerSession(
            link, BrokerSession.Identity(box: "b1", group: group, root: "m"), box: box, clock: loop.clock, log: log,
            interval: .seconds(60),
            memoryFile: memoryFile, discoveryFile: discoveryFile, seed: 1)
        session.start()
    }

    func pass(_ length: Duration) {
        let end = loop.clock.now + length
        loop.clock.schedule(at: end, rank: .timer) {}
        loop.run { self.loop.clock.now >= end }
    }

    var answers: [String] { link.texts("m/box/b1/answer") }
}
