import FlyingFox
import FlyingSocks
import Glibc
import LinuxSupport
import MediaModel

/// The local page and its API, at `http://127.0.0.1:PORT/`: the live screen, a remote, what is playing, the log.
///
/// It sees the box through two protocols only: `CommandDoor`, at which its keys and commands enter as those of every other remote do, and
/// `StatusPublishing`. Only programs on this machine reach it (it binds 127.0.0.1), unless it is given a way to know those that may come from elsewhere; a
/// web page of another origin is turned away by `RequestGuard` in any case.
///
/// Threads: FlyingFox runs connections on tasks of Swift's global pool, and there requests are decoded and answers packed. Everything that touches the box hops to
/// the main actor (`ControlDesk`, `ScreenWatch`). The server lives in real time even where the box's clock is simulated, since its viewer does.
@MainActor
package final class ControlServer {
    /// The port that is or will be listened on; with port 0 the one that was free.
    package let port: UInt16
    /// The address of the page.
    package var address: String { "http://127.0.0.1:\(port)/" }

    private var reservation: PortReservation?
    private let isOpen: Bool
    private let desk: ControlDesk
    private let handler: ControlHandler
    private let limits: ControlLimits
    private var serving: Task<Void, Never>?

    /// Gets the port; nobody is answered before `start`.
    ///
    /// - Parameters:
    ///   - port: 0 for any free one.
    ///   - door: where keys and commands go. It is kept alive.
    ///   - status: what is shown. It is kept alive.
    ///   - clock: gives keys their time.
    ///   - admits: whether somebody on another machine who shows this token may come in; called on threads of the global pool. Nil: nobody may, and
    ///     nothing but the loopback interface is listened on.
    ///   - encode: packs a picture as JPEG, or answers nil when it cannot; it is called on threads of the global pool.
    /// - Throws: `ControlServerError` when the port cannot be had.
    package convenience init(
        port: UInt16, door: any CommandDoor, status: any StatusPublishing, clock: any HostClock,
        admits: (@Sendable (String) -> Bool)? = nil, encode: @escaping @Sendable (ScreenPicture) -> [UInt8]?
    ) throws(ControlServerError) {
        try self.init(
            port: port, door: door, status: status, clock: clock, limits: ControlLimits(), admits: admits, encode: encode)
    }

    init(
        port: UInt16, door: any CommandDoor, status: any StatusPublishing, clock: any HostClock, limits: ControlLimits,
        admits: (@Sendable (String) -> Bool)? = nil, encode: @escaping @Sendable (ScreenPicture) -> [UInt8]?
    ) throws(ControlServerError) {
        let reservation = try PortReservation(port: port, isOpen: admits != nil)
        isOpen = admits != nil
        self.reservation = reservation
        self.port = reservation.port
        self.limits = limits
        desk = ControlDesk(door: door, status: status, clock: clock, limits: limits)
        handler = ControlHandler(
            desk: desk, screen: ScreenEncoder(watch: desk.screen, encode: encode), gate: RequestGuard(port: reservation.port),
            visitors: VisitorGuard(admits: admits), limits: limits)
    }

    /// Begins to answer. Called once.
    ///
    /// - Parameter ready: called on the main actor with the page's address when connections are taken.
    package func start(_ ready: @escaping @MainActor (_ address: String) -> Void) {
        guard serving == nil else { return }
        // A browser that goes away in the middle of an answer must not end the process; FlyingFox writes with write(2), which would raise SIGPIPE.
        signal(SIGPIPE, SIG_IGN)
        let port = self.port
        let handler = self.handler
        let limits = self.limits
        let isOpen = self.isOpen
        // Unstructured, since it lives as long as this object and ends by `stop`. It is outside simulated time: requests come at no simulated instant.
        serving = Task {
            var ready: (@MainActor (String) -> Void)? = ready
            // FlyingFox gives up listening when accept(2) fails once (no descriptor left, a connection aborted early): it is started again.
            while !Task.isCancelled {
                let server = HTTPServer(
                    config: HTTPServer.Configuration(
                        address: isOpen ? PortReservation.everywhere(port) : PortReservation.loopback(port),
                        timeout: limits.answerTime,
                        sharedRequestBufferSize: limits.bodyBytes,
                        sharedRequestReplaySize: limits.discardedBytes, pool: BoundedSocketPool(limits: limits), logger: .disabled
                    ),
                    handler: handler)
                await withTaskGroup(of: Bool.self) { group in
                    group.addTask { await Self.run(server) }
                    if ready != nil { group.addTask { await Self.listens(server) } }
                    for await isListening in group {
                        guard isListening, let tell = ready else { break }
                        ready = nil
                        self.reservation = nil
                        tell(self.address)
                    }
                    group.cancelAll()
                }
                await RealTime.pause(limits.restartPause)
            }
        }
    }

    /// Ends all connections and gives the port back. The keys that the page holds are let go.
    package func stop() {
        serving?.cancel()
        serving = nil
        reservation = nil
        desk.close()
    }

    /// Why it ended does not matter here: either it was cancelled, or it is started again.
    ///
    /// - Returns: false: it does not listen any more.
    private nonisolated static func run(_ server: HTTPServer) async -> Bool {
        try? await server.run()
        return false
    }

    /// Waits until it listens, however long that takes: the library gives up after some seconds, for which a busy machine may well stand still.
    ///
    /// - Returns: false when the task was cancelled before.
    private nonisolated static func listens(_ server: HTTPServer) async -> Bool {
        while !Task.isCancelled {
            if (try? await server.waitUntilListening()) != nil { return true }
        }
        return false
    }
}
