import CGIO
import LinuxSupport

/// A GLib context that is served by the main loop: what the bus has for this program arrives on the main thread, between other events.
@MainActor
final class BusContext {
    private let context: Context
    private var watch: MainLoop.Watch?
    /// Sources served at once, before other events have their turn.
    private static let mostSources = 32

    /// - Throws: `SystemError` when the loop cannot watch the context.
    init(loop: MainLoop) throws(SystemError) {
        let context = Context()
        self.context = context
        watch = try loop.watch(context.wakeUp) { [weak self] in self?.serve() }
    }

    /// What is started in here is answered in this context.
    func start<Result>(_ body: () -> Result) -> Result {
        g_main_context_push_thread_default(context.pointer)
        defer { g_main_context_pop_thread_default(context.pointer) }
        return body()
    }

    /// Nothing arrives any more.
    func close() {
        watch?.cancel()
        watch = nil
    }

    private func serve() {
        for _ in 0..<Self.mostSources {
            guard watch != nil, g_main_context_iteration(context.pointer, 0) != 0 else { return }
        }
        g_main_context_wakeup(context.pointer)
    }

    /// The owner of the reference.
    private final class Context {
        /// With this flag other threads that add something make `wakeUp` readable, whichever thread polls it.
        let pointer = g_main_context_new_with_flags(G_MAIN_CONTEXT_FLAGS_OWNERLESS_POLLING)

        deinit { g_main_context_unref(pointer) }

        /// The only descriptor of a context without sources that have some. GDBus has them in a thread of its own.
        var wakeUp: Int32 {
            var (timeout, priority): (gint, gint) = (0, 0)
            var poll = GPollFD()
            g_main_context_acquire(pointer)
            defer { g_main_context_release(pointer) }
            g_main_context_prepare(pointer, &priority)
            let count = g_main_context_query(pointer, .max, &timeout, &poll, 1)
            return count == 1 ? poll.fd : -1
        }
    }
}
