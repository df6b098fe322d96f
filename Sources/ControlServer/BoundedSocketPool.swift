import FlyingSocks
import Glibc
import Synchronization

/// FlyingFox's pool of waiting sockets with an upper limit, which the library does not have: when too many connections wait, the one that has waited
/// longest is shut down. Connections that are kept open in vain are thus the first to go, and a client that opens thousands shuts down its own.
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
        // The descriptor is open for as long as it is in the register: its connection closes it only after this call has ended.
        defer { register.waiting.withLock { _ = $0.descriptors.removeValue(forKey: ticket) } }
        try await wait(for: events, socket)
    }

    /// FlyingSocks tells who waits before it has taken the descriptor out of its queue. Who closes the descriptor in between leaves its number behind as one that is
    /// watched, and the next connection that gets the number is never told anything: nobody goes on before the pool has done with the descriptor.
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
                // shutdown(2) makes the socket readable with an end of stream, on which its connection closes. It counts no more from here on: many that
                // come before it has closed would else all be let in for it.
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
    /// Comes back when the pool has done what it was at. What is asked here keeps the compiler from leaving the way to the actor out, where there is nothing to do.
    @inline(never)
    fileprivate func settle() { preconditionIsolated() }
}
