import FlyingSocks

/// FlyingSocks' pool of waiting sockets.
///
/// FlyingSocks resumes a waiter before it has removed the descriptor from its queue. If the descriptor were closed in between, its
/// number would stay registered, and the next connection with that number would never be notified. So no caller continues before
/// the pool has removed the descriptor.
struct SettlingSocketPool: AsyncSocketPool {
    private let pool = SocketPool<ePoll>.ePoll()

    func prepare() async throws { try await pool.prepare() }

    func run() async throws { try await pool.run() }

    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        do {
            try await pool.suspendSocket(socket, untilReadyFor: events)
        } catch {
            await pool.settle()
            throw error
        }
        await pool.settle()
    }
}

extension SocketPool {
    /// Returns when the pool has finished its current work. The check keeps the compiler from removing the hop to the actor,
    /// although there is nothing to do there.
    @inline(never)
    fileprivate func settle() { preconditionIsolated() }
}
