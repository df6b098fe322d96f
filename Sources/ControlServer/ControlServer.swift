import BoxModel
import Glibc
import LinuxSupport
import MediaModel
import StatusModel
import TransportSecurity

/// The local page and its API, at `http://127.0.0.1:PORT/`: the live screen, a remote, what is playing, the log.
///
/// It knows the box only through two protocols: `CommandDoor`, where its keys and commands enter like those of every other
/// remote, and `StatusPublishing`. Only programs on this machine can reach it (it binds 127.0.0.1), unless it is given a check
/// for visitors from other machines; `RequestGuard` always refuses web pages of another origin.
///
/// Threads: connections have two of their own (`PageListener`). What asks the box are tasks of Swift's global pool, where bodies are decoded and answers
/// encoded; everything that touches the box hops to the main actor (`ControlDesk`, `ScreenWatch`). The server uses real time even when the
/// box's clock is simulated, because its clients do.
@MainActor
package final class ControlServer {
    /// The plays behind a number, at most so many, as the text of an object. The result may wait for the disk; it is called on threads of the global pool.
    package typealias Plays = @MainActor (_ after: UInt64, _ most: Int) -> @Sendable () -> String

    /// Takes a document of settings with its signature, and says in one sentence why it changes nothing; nil if it was taken.
    package typealias Settings = @MainActor (_ document: [UInt8], _ signature: [UInt8]) -> String?

    /// The port; for port 0 the free one that was found.
    package let port: UInt16
    /// The address of the page.
    package var address: String { "http://127.0.0.1:\(port)/" }

    /// The events for clients that wait for them.
    var events: EventDesk { desk.events }

    private enum Stage {
        case reserved(PortReservation)
        case serving(PageListener)
        case stopped
    }

    private let isOpen: Bool
    private let identity: ServerIdentity?
    private let desk: ControlDesk
    private let handler: ControlHandler
    private let support: SupportDesk
    /// All routes, by path.
    let routes: [String: [Route]]
    private let limits: ControlLimits
    private var stage: Stage

    /// Reserves the port; requests are answered only after `start`.
    ///
    /// - Parameters:
    ///   - port: 0 for any free one.
    ///   - door: receives keys and commands. Retained.
    ///   - status: the information to show. Retained.
    ///   - clock: the timestamps of keys.
    ///   - admits: what a visitor from another machine with this token may do, nil: nothing; called on threads of the global pool.
    ///     Without it the server listens only on the loopback interface.
    ///   - identity: the certificate for clients that use TLS. With it visitors from other machines must use TLS.
    ///   - machine: reads the machine; called on threads of the global pool, at most once a second.
    ///   - support: what a support bundle has from the rest of the program.
    ///   - plays: what was played; nil if that is not kept.
    ///   - settings: takes settings from afar; nil if there are none.
    ///   - phones: phones as keyboards and remotes; nil if none can be paired.
    ///   - encode: encodes a picture as JPEG, or returns nil on failure; called on threads of the global pool.
    /// - Throws: `ControlServerError` when the port is not available.
    package convenience init(
        port: UInt16, door: any CommandDoor, status: any StatusPublishing, clock: any HostClock,
        admits: (@Sendable (String) -> AccessRight?)? = nil, identity: ServerIdentity? = nil,
        machine: @escaping @Sendable () -> MachineReading = { MachineReading() }, support: SupportSources,
        plays: Plays? = nil, settings: Settings? = nil, phones: (any PhoneDoor)? = nil,
        room: @escaping @MainActor () -> RoomState = { RoomState() },
        encode: @escaping @Sendable (ScreenPicture) -> [UInt8]?
    ) throws(ControlServerError) {
        try self.init(
            port: port, door: door, status: status, clock: clock, limits: ControlLimits(), admits: admits, identity: identity,
            machine: machine, support: support, plays: plays, settings: settings, phones: phones, room: room, encode: encode)
    }

    init(
        port: UInt16, door: any CommandDoor, status: any StatusPublishing, clock: any HostClock, limits: ControlLimits,
        admits: (@Sendable (String) -> AccessRight?)? = nil, identity: ServerIdentity? = nil,
        machine: @escaping @Sendable () -> MachineReading = { MachineReading() }, support: SupportSources,
        plays: Plays? = nil, settings: Settings? = nil, phones: (any PhoneDoor)? = nil,
        room: @escaping @MainActor () -> RoomState = { RoomState() },
        encode: @escaping @Sendable (ScreenPicture) -> [UInt8]?
    ) throws(ControlServerError) {
        let reservation = try PortReservation(port: port, isOpen: admits != nil)
        isOpen = admits != nil
        self.identity = identity
        stage = .reserved(reservation)
        self.port = reservation.port
        self.limits = limits
        desk = ControlDesk(door: door, status: status, clock: clock, limits: limits, phones: phones, room: room)
        let counts = RequestCounts()
        let screen = ScreenEncoder(watch: desk.screen, encode: encode)
        let reader = MachineReader(interval: limits.machineInterval, read: machine)
        self.support = SupportDesk(desk: desk, screen: screen, machine: reader, sources: support, limits: limits)
        let routes = Routes(
            desk: desk, screen: screen, machine: reader, requests: counts, limits: limits, support: self.support,
            artwork: ArtworkDesk(desk: desk, limits: limits, encode: encode), plays: plays, settings: settings)
        self.routes = routes.table
        handler = ControlHandler(
            routes: self.routes, probe: { await routes.probe() }, gate: RequestGuard(port: reservation.port),
            visitors: VisitorGuard(admits: admits),
            counts: counts, limits: limits, needsTLS: identity != nil)
    }

    /// Makes a support bundle as `/v1/support-bundle` does.
    ///
    /// - Parameter completion: called once; nil if there is none, for example because another one is being made.
    package func makeSupportBundle(_ completion: @escaping @MainActor ([UInt8]?) -> Void) {
        let support = self.support
        // Unstructured, as the answers to requests are: it ends with the bundle, whose parts have time limits.
        Task {
            let answer = await support.make()
            if case .bundle(let bytes) = answer { completion(bytes) } else { completion(nil) }
        }
    }

    /// Answers a request that came another way than over HTTP, by the same routes.
    ///
    /// - Parameters:
    ///   - target: a path, with its query.
    ///   - right: what who sent it may do.
    ///   - completion: called once.
    package func answer(
        method: String, target: String, body: [UInt8], right: AccessRight,
        _ completion: @escaping @MainActor @Sendable (RelayedAnswer) -> Void
    ) {
        let relay = RequestRelay(routes: routes, right: right)
        // Unstructured, as the answers to requests over HTTP are: it ends with the answer, whose parts have time limits.
        Task { completion(await relay.answer(method: method, target: target, body: body)) }
    }

    /// Calls a listener with each event of `/v1/events`, name and JSON on one line, but for metrics.
    package func watchEvents(_ listener: @escaping @MainActor (_ name: String, _ data: String) -> Void) -> Subscription {
        desk.events.watch(listener)
    }

    /// What is going on, as one object of JSON: `now` as `/v1/now`, `health` as `/v1/health`.
    package func statusText() -> String { EventText.json(StatusAnswer(box: desk.box, now: desk.now(), health: desk.health())) }

    /// Starts to answer. Called once.
    ///
    /// - Parameter ready: called on the main actor with the page's address when connections are accepted.
    package func start(_ ready: @escaping @MainActor (_ address: String) -> Void) {
        guard case .reserved(let reservation) = stage else { return }
        let listener = PageListener(
            port: port, isOpen: isOpen, limits: limits, handler: handler, events: desk.events, identity: identity)
        let sockets = reservation.duplicates()
        stage = .serving(listener)
        let address = address
        // Unstructured, since it lives until the last connection has ended after `stop`. It is outside simulated time: requests come at no simulated
        // instant.
        Task {
            await listener.run(on: sockets) { await MainActor.run { ready(address) } }
        }
    }

    /// Ends all connections, releases the port and the keys that the page holds down.
    package func stop() {
        if case .serving(let listener) = stage { listener.stop() }
        stage = .stopped
        desk.close()
    }
}
