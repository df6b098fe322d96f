import FlyingSocks
import Glibc
import Synchronization

/// FlyingFox's pool of waiting sockets with an upper limit, which the library does not have: when too many connections wait, the
/// one that has waited longest is shut down. Idle connections therefore go first, and a client that opens thousands shuts down
/// its own.
struct BoundedSocketPool: AsyncSocketPool {
    private struct Waiting {
        var sequence: UInt64 = 0
        var descriptors: [UInt64: Int32] = [:]
    }

    private final class Register: Sendable {
        let waiting = Mutex(Waiting())
    }

    private let pool: SocketPool<ePoll>
    private let register = Register()
    private let limit: Int

    init(limits: ControlLimits) {
        pool = SocketPool<ePoll>.ePoll()
        limit = limits.connections
    }

    func prepare() async throws { try await pool.prepare() }

    func run() async throws { try await pool.run() }

    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        let number = socket.file.rawValue
        guard !Self.isListening(number) else { return try await wait(for: events, socket) }
        let ticket = enter(number)
        // The descriptor is open while it is in the register: its connection closes it only after this call has returned.
        defer { register.waiting.withLock { _ = $0.descriptors.removeValue(forKey: ticket) } }
        try await wait(for: events, socket)
    }

    /// FlyingSocks resumes a waiter before it has removed the descriptor from its queue. If the descriptor were closed in
    /// between, its number would stay registered, and the next connection with that number would never be notified. So no caller
    /// continues before the pool has removed the descriptor.
    private func wait(for events: Socket.Events, _ socket: Socket) async throws {
        do {
            try await pool.suspendSocket(socket, untilReadyFor: events)
        } catch {
            await pool.settle()
            throw error
        }
        await pool.settle()
    }

    private func enter(_ number: Int32) -> UInt64 {
        register.waiting.withLock { waiting in
            while waiting.descriptors.count >= limit, let oldest = waiting.descriptors.min(by: { $0.key < $1.key }) {
                // shutdown(2) makes the socket readable with an end of stream, on which its connection closes. It is not counted
                // from here on; otherwise every connection that arrives before it has closed would be admitted in its place.
                shutdown(oldest.value, Int32(SHUT_RDWR))
                waiting.descriptors[oldest.key] = nil
            }
            waiting.sequence += 1
            waiting.descriptors[waiting.sequence] = number
            return waiting.sequence
        }
    }

    private static func isListening(_ number: Int32) -> Bool {
        var answer: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(number, SOL_SOCKET, SO_ACCEPTCONN, &answer, &length) == 0 && answer != 0
    }
}

extension SocketPool {
    /// Returns when the pool has finished its current work. The check keeps the compiler from removing the hop to the actor,
    /// although there is nothing to do there.
    @inline(never)
    fileprivate func settle() { preconditionIsolated() }
}
