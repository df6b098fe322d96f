import ChannelFeed
import FoundationEssentials
import LinuxSupport
import StatusModel
import WireFormats

/// The box's session with its operator's broker: its state, its events and its reports go out, commands come in (`docs/mqtt.md`). Main loop only.
///
/// Commands are carried out one after the other in the order of their arrival, each once: its id is on the disk before it begins. What is too late, was done
/// before or is no command gets an answer that says so. A broker that is away is asked at growing intervals, and costs nothing else.
@MainActor
package final class BrokerSession {
    /// Who the box is for its broker.
    package struct Identity: Sendable {
        package var box: String
        package var group: String?
        /// The first part of all topics.
        package var root: String

        package init(box: String, group: String?, root: String) {
            self.box = box
            self.group = group
            self.root = root
        }

        package func topic(_ name: String) -> String { "\(root)/box/\(box)/\(name)" }

        /// Where commands for this box come from.
        var commandTopics: [String] {
            [topic("command"), "\(root)/all/command"] + (group.map { ["\(root)/group/\($0)/command"] } ?? [])
        }
    }

    /// What the session asks the box.
    package struct Box {
        /// What is going on, as JSON; published when it changes.
        package var status: @MainActor () -> String
        /// The report to operators. Its second part runs on another thread, and may wait for the disk.
        package var report: @MainActor () -> @Sendable () -> String
        /// The date; nil while it is unknown.
        package var date: @MainActor () -> FeedDate?
        /// What was played; nil if the operator is not told.
        package var plays: PlayDispatch.Source?
        /// What Home Assistant is told; nil for nothing.
        package var discovery: Discovery?
        /// Carries out a command, and calls back once.
        package var carryOut: @MainActor (CommandMessage, @escaping @MainActor @Sendable (CommandReply) -> Void) -> Void

        package init(
            status: @escaping @MainActor () -> String, report: @escaping @MainActor () -> @Sendable () -> String,
            date: @escaping @MainActor () -> FeedDate?,
            carryOut: @escaping @MainActor (CommandMessage, @escaping @MainActor @Sendable (CommandReply) -> Void) -> Void
        ) {
            self.status = status
            self.report = report
            self.date = date
            self.carryOut = carryOut
        }
    }

    /// What Home Assistant is told of the box.
    package struct Discovery: Sendable {
        /// The first part of its topics.
        package var prefix: String
        package var version: String
        /// The board of the image; nil on other machines.
        package var board: String?
        /// What commands may do.
        package var canSteer: Bool
        package var canConfigure: Bool

        package init(prefix: String, version: String, board: String?, canSteer: Bool, canConfigure: Bool) {
            self.prefix = prefix
            self.version = version
            self.board = board
            self.canSteer = canSteer
            self.canConfigure = canConfigure
        }
    }

    /// What the broker tells everybody when a box is gone.
    package static func will(of identity: Identity) -> BrokerPublication {
        BrokerPublication(
            topic: identity.topic("status"), payload: Array(#"{"online":false}"#.utf8), isRetained: true, isAssured: true)
    }

    private enum Phase {
        case closed
        case connecting
        case connected
        case waiting(ScheduledEvent)
    }

    private struct Order {
        var command: CommandMessage
        var replyTopic: String
        var correlation: [UInt8]?
    }

    private let link: any BrokerLink
    private let identity: Identity
    private let clock: any HostClock
    private let log: LogBook
    private let box: Box
    private let interval: Duration
    /// Where the ids of commands are kept; nil: in memory only.
    private let memoryFile: String?
    private let thread: WorkerThread
    private var plays: PlayDispatch?
    private let discovery: DiscoveryKeeping
    private var memory: CommandMemory
    private var reconnection: Reconnection
    private var phase = Phase.closed
    private var orders: [Order] = []
    private var isBusy = false
    /// Answers that no connection has taken.
    private var unsent: [BrokerPublication] = []
    private var lastStatus: String?
    private var isLookPlanned = false
    private var reportTimer: ScheduledEvent?

    /// Commands that wait for the one under way.
    private static let mostOrders = 16
    private static let mostUnsent = 16
    /// Changes come in groups.
    private static let pause = Duration.milliseconds(250)
    private static let longestAnswer = 2 << 20

    /// - Parameters:
    ///   - interval: between two reports.
    ///   - memoryFile: a file of the box's own. Read here, once, as is `discoveryFile`.
    ///   - seed: differs between boxes.
    package init(
        _ link: any BrokerLink, _ identity: Identity, box: Box, clock: any HostClock, log: LogBook, interval: Duration,
        memoryFile: String?, discoveryFile: String? = nil, seed: UInt64
    ) {
        self.link = link
        self.identity = identity
        self.box = box
        self.clock = clock
        self.log = log
        self.interval = interval
        self.memoryFile = memoryFile
        let kept = memoryFile.flatMap { WholeFile.read($0, most: CommandMemory.capacity * 256) }
        memory = CommandMemory(String(decoding: kept ?? [], as: UTF8.self))
        reconnection = Reconnection(seed: seed)
        let thread = WorkerThread(name: "commands", clock: clock)
        self.thread = thread
        plays = box.plays.map { PlayDispatch($0, link, topic: identity.topic("plays"), clock: clock, thread: thread) }
        let wanted = box.discovery.map { told in
            let document = DiscoveryDocument(
                identity: identity, version: told.version, board: told.board, canSteer: told.canSteer,
                canConfigure: told.canConfigure)
            return (DiscoveryDocument.topic(told.prefix, identity), document.text)
        }
        discovery = DiscoveryKeeping(link, wanted: wanted, file: discoveryFile, clock: clock, thread: thread)
    }

    /// Whether the broker has let the box in.
    package var isConnected: Bool { if case .connected = phase { true } else { false } }

    /// Connects.
    package func start() {
        guard case .closed = phase else { return }
        link.onEvent = { [weak self] in self?.take($0) }
        phase = .connecting
        link.connect()
    }

    /// Says goodbye and ends.
    package func close() {
        if case .connected = phase { link.publish(Self.will(of: identity)) }
        if case .waiting(let event) = phase { event.cancel() }
        phase = .closed
        reportTimer?.cancel()
        plays?.disconnected()
        orders = []
        link.close()
        thread.stop()
    }

    /// Something that the status says may have changed.
    package func statusMayHaveChanged() {
        guard case .connected = phase, !isLookPlanned else { return }
        isLookPlanned = true
        clock.schedule(after: Self.pause) { [weak self] in
            self?.isLookPlanned = false
            self?.publishStatus()
        }
    }

    /// A play may have ended, or the date may be known.
    package func playsMayHaveChanged() { plays?.look() }

    /// Tells the operator of an event. Without a connection it is lost.
    package func tell(_ name: String, _ json: String) {
        guard case .connected = phase else { return }
        link.publish(BrokerPublication(topic: identity.topic("event/\(name)"), payload: Array(json.utf8)))
    }

    // MARK: The connection

    private func take(_ event: BrokerEvent) {
        if case .closed = phase { return }
        switch event {
        case .connected:
            if !reconnection.isFirst { log.note("broker: connected") }
            reconnection.succeeded()
            phase = .connected
            link.subscribe(identity.commandTopics)
            lastStatus = nil
            publishStatus()
            let waiting = unsent
            unsent = []
            for answer in waiting { send(answer) }
            discovery.connected()
            makeReport()
            if reportTimer == nil { planReport() }
            plays?.connected()
        case .ended(let reason):
            // A broker that is away for a week is one line.
            if reconnection.isFirst { log.note("broker: \(reason); it is tried again at growing intervals") }
            plays?.disconnected()
            phase = .waiting(
                clock.schedule(after: reconnection.failed()) { [weak self] in
                    self?.phase = .connecting
                    self?.link.connect()
                })
        case .message(let message): take(message)
        case .delivered(let id, let isTaken):
            plays?.delivered(id, isTaken: isTaken)
            discovery.delivered(id)
        case .dropped(let count): log.note("broker: \(count) messages came faster than they can be carried out, and were dropped")
        }
    }

    private func publishStatus() {
        guard case .connected = phase else { return }
        let status = box.status()
        guard status != lastStatus else { return }
        let publication = BrokerPublication(
            topic: identity.topic("status"), payload: Array(status.utf8), isRetained: true, isAssured: true)
        if link.publish(publication) { lastStatus = status }
    }

    private func planReport() {
        reportTimer = clock.schedule(after: interval) { [weak self] in
            guard let self else { return }
            planReport()
            guard case .connected = phase else { return }
            publishStatus()
            plays?.look()
            makeReport()
        }
    }

    private func makeReport() {
        clock.compute(on: thread, rank: .timer, box.report()) { [weak self] in self?.publishReport($0) }
    }

    private func publishReport(_ report: String) {
        guard case .connected = phase else { return }
        link.publish(BrokerPublication(topic: identity.topic("report"), payload: Array(report.utf8)))
    }

    private func send(_ publication: BrokerPublication) {
        if case .connected = phase, link.publish(publication) { return }
        unsent.append(publication)
        if unsent.count > Self.mostUnsent { unsent.removeFirst() }
    }

    // MARK: Commands

    private func take(_ message: BrokerMessage) {
        let replyTopic = message.responseTopic ?? identity.topic("answer")
        let command: CommandMessage
        do throws(CommandMessage.Refusal) {
            command = try CommandMessage(message.payload)
        } catch {
            log.note("broker: a command on \(message.topic) is refused: \(error.sentence)")
            return answer(
                CommandReply(status: 400, refusal: error.sentence), to: error.id, on: replyTopic, correlation: message.correlation
            )
        }
        let order = Order(command: command, replyTopic: replyTopic, correlation: message.correlation)
        if let refusal = refusal(of: command) { return answer(refusal, to: order) }
        memory.insert(command.id)
        orders.append(order)
        carryOutNext()
    }

    private func refusal(of command: CommandMessage) -> CommandReply? {
        if memory.contains(command.id) {
            return CommandReply(status: 409, refusal: "A command with this id was taken before; it is not done twice.")
        }
        guard orders.count < Self.mostOrders else {
            return CommandReply(status: 503, refusal: "Too many commands wait; send it again later, with another id.")
        }
        return lateness(of: command)
    }

    private func lateness(of command: CommandMessage) -> CommandReply? {
        guard let until = command.until else { return nil }
        guard let now = box.date() else {
            return CommandReply(
                status: 503, refusal: "The box does not know the date, so that it cannot tell whether it is too late.")
        }
        return now > until
            ? CommandReply(status: 408, refusal: "It is too late: the command was to be done until \(until).") : nil
    }

    private func carryOutNext() {
        guard !isBusy, !orders.isEmpty else { return }
        let order = orders.removeFirst()
        isBusy = true
        // A command that waited may be late by now.
        if let refusal = lateness(of: order.command) { return finish(order, refusal) }
        let (text, file) = (memory.text, memoryFile)
        clock.compute(on: thread, rank: .timer) {
            file.map { WholeFile.write(Array(text.utf8), to: $0, mode: 0o600) } ?? true
        } then: { [weak self] isKept in
            guard let self else { return }
            if !isKept { log.note("broker: the ids of commands cannot be kept; after a power cut one may be done twice") }
            begin(order)
        }
    }

    private func begin(_ order: Order) {
        if case .closed = phase { return }
        log.note("broker: \(order.command.method) \(order.command.path) (\(order.command.id))")
        box.carryOut(order.command) { [weak self] in self?.finish(order, $0) }
    }

    private func finish(_ order: Order, _ reply: CommandReply) {
        isBusy = false
        answer(reply, to: order)
        carryOutNext()
    }

    private func answer(_ reply: CommandReply, to order: Order) {
        answer(reply, to: order.command.id, on: order.replyTopic, correlation: order.correlation)
    }

    private func answer(_ reply: CommandReply, to id: String?, on topic: String, correlation: [UInt8]?) {
        var members: [(String, JSONText)] = [
            ("id", .optional(id)), ("box", .string(identity.box)), ("status", .number("\(reply.status)")),
        ]
        if reply.body.count > Self.longestAnswer {
            members.append(("answer", .object([("error", .string("The answer is too long for the broker; ask for less."))])))
        } else if reply.type?.hasPrefix("application/json") == true, let node = Self.node(reply.body) {
            members.append(("answer", JSONText(node)))
        } else if reply.type?.hasPrefix("text/") == true {
            members.append(("text", .string(String(decoding: reply.body, as: UTF8.self))))
        } else if !reply.body.isEmpty {
            members.append(("type", .optional(reply.type)))
            members.append(("base64", .string(Data(reply.body).base64EncodedString())))
        }
        let text = JSONText.object(members).text
        send(BrokerPublication(topic: topic, payload: Array(text.utf8), isAssured: true, correlation: correlation))
    }

    private static func node(_ bytes: [UInt8]) -> JSONNode? {
        var reader = JSONReader(bytes, maximumDepth: 32)
        return try? reader.read()
    }
}
