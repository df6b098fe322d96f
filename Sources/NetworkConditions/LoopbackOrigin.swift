import Glibc
import LinuxSupport
import Synchronization

/// A script behind a network, over HTTP/1.1 on a free port of 127.0.0.1 and in real time: the counterpart of `SimulatedOrigin`
/// for tests with sockets, threads and libcurl.
///
/// The kernel's loopback is fast and lossless, so the network is simulated here: bodies share the rate of one link, everything is
/// delayed, lost parts arrive late or break the connection. The kernel does name lookups and handshakes; their faults delay the
/// first answer of a connection. Each connection has a thread. Any thread.
package final class LoopbackOrigin: Sendable {
    /// The port that it listens on.
    package let port: Int
    let script: OriginScript
    let network: NetworkProfile
    let clock: any HostClock
    let epoch: HostTime
    private let listener: FileDescriptor
    private let link: Mutex<Link>
    private let isStopped = Atomic(false)
    private let threads = Mutex<[WorkerThread]>([])
    private let acceptor: WorkerThread

    /// State shared by all connections.
    private struct Link {
        /// When the link will have sent everything it was given.
        var free = Duration.zero
        var loss: LossModel
        var isNameKnown = false
    }

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - clock: a real clock.
    ///   - seed: seeds the packet loss.
    /// - Throws: when no port is available.
    package init(
        clock: any HostClock, script: OriginScript, network: NetworkProfile = .unlimited, seed: UInt64 = 1
    ) throws(SystemError) {
        self.clock = clock
        self.script = script
        self.network = network
        epoch = clock.now
        link = Mutex(Link(loss: LossModel(share: network.loss, burst: network.burst, seed: seed)))
        listener = FileDescriptor(
            adopting: try systemCall("socket", on: "a server") {
                socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            })
        port = try Self.listen(listener.number)
        acceptor = WorkerThread(name: "origin", clock: clock)
        acceptor.perform { [self] in accept() }
    }

    private static func listen(_ number: Int32) throws(SystemError) -> Int {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        func call(_ name: String, _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32)
            throws(SystemError)
        {
            _ = try systemCall(name, on: "127.0.0.1") {
                withUnsafeMutablePointer(to: &address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
                }
            }
        }
        try call("bind") { bind(number, $0, $1.pointee) }
        try call("listen") { _, _ in Glibc.listen(number, 64) }
        try call("getsockname") { getsockname(number, $0, $1) }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// An address on this origin.
    package func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Ends all connections and joins the threads. Called once; it blocks, so do not call it from a main loop that must continue.
    package func stop() {
        isStopped.store(true, ordering: .sequentiallyConsistent)
        acceptor.stop()
        threads.withLock { $0 }.forEach { $0.stop() }
    }

    private func accept() {
        while !isOver {
            guard Self.waits(listener.number, POLLIN, milliseconds: 50) else { continue }
            let number = Glibc.accept(listener.number, nil, nil)
            guard number >= 0 else { continue }
            // A child process started meanwhile would keep the connection open when it must break.
            _ = fcntl(number, F_SETFD, FD_CLOEXEC)
            let thread = WorkerThread(name: "connection", clock: clock)
            threads.withLock { $0.append(thread) }
            thread.perform { [self] in
                var connection = LoopbackConnection(FileDescriptor(adopting: number), self)
                connection.serve()
            }
        }
    }

    // MARK: For connections

    var isOver: Bool { isStopped.load(ordering: .sequentiallyConsistent) }

    var elapsed: Duration { clock.now - epoch }

    /// Whether this is the first lookup of this host's name.
    func learnName() -> Bool {
        link.withLock { link in
            defer { link.isNameKnown = true }
            return !link.isNameKnown
        }
    }

    /// Queues bytes on the link, which may be busy.
    ///
    /// - Returns: when they have been sent; nil when nothing passes any more.
    func send(_ bytes: Int, notBefore: Duration) -> Duration? {
        guard network.loss < 1 else { return nil }
        return link.withLock { link in
            var time = max(link.free, notBefore)
            var bits = Double(bytes) * 8
            while bits > 1e-3 {
                guard let up = network.down.nextUp(from: time) else { return nil }
                let (rate, until) = network.down.rate(at: up)
                let end = up + .nanoseconds(Int64((bits / Double(rate) * 1e9).rounded(.up)))
                time = min(end, until ?? end)
                bits -= Double((time - up).wholeNanoseconds) / 1e9 * Double(rate)
            }
            link.free = time
            return time
        }
    }

    func nextLoss() -> LossModel.Outcome { link.withLock { $0.loss.next() } }

    static func waits(_ number: Int32, _ events: Int32, milliseconds: Int32) -> Bool {
        var poll = pollfd(fd: number, events: Int16(events), revents: 0)
        return Glibc.poll(&poll, 1, milliseconds) > 0
    }
}
