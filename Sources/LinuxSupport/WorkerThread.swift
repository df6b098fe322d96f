import CLinux
import Glibc

/// A named thread that runs jobs one after another, in order.
///
/// Each job holds a token of the clock's ledger from the call of `perform` until it has run, so that simulated time waits for it.
/// A job may wait in a `Monitor` or a `BoundedQueue`; it must not block on anything else except the thread's own purpose.
package final class WorkerThread: Sendable {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var isStopped = false
    }
    private final class Body: Sendable {
        let name: String
        let monitor: Monitor<State>
        init(name: String, monitor: Monitor<State>) {
            self.name = name
            self.monitor = monitor
        }
    }
    private let body: Body
    private let ledger: WorkLedger?
    private let thread: pthread_t

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - name: at most 15 characters, shown by debuggers and `top -H` (pthread_setname_np(3)).
    ///   - clock: the clock whose simulated time waits for the jobs.
    package convenience init(name: String, clock: any HostClock) { self.init(name: name, ledger: clock.ledger) }

    /// Starts a thread for which simulated time does not wait.
    package convenience init(name: String) { self.init(name: name, ledger: nil) }

    private init(name: String, ledger: WorkLedger?) {
        self.ledger = ledger
        body = Body(name: String(name.prefix(15)), monitor: Monitor(State(), ledger: ledger))
        // The thread itself holds a token except while it waits for a job.
        ledger?.begin()
        thread = startThread(Unmanaged.passRetained(body), workerMain)
    }

    /// How long the thread has computed (`CLOCK_THREAD_CPUTIME_ID`). Not after it was stopped or retired.
    package var processorTime: Duration {
        var clock = clockid_t()
        var value = timespec()
        guard pthread_getcpuclockid(thread, &clock) == 0, clock_gettime(clock, &value) == 0 else { return .zero }
        return .seconds(value.tv_sec) + .nanoseconds(value.tv_nsec)
    }

    /// Adds a job. Any thread.
    package func perform(_ job: @escaping @Sendable () -> Void) {
        body.monitor.update { state in
            precondition(!state.isStopped, "a stopped thread is given no jobs")
            state.jobs.append(job)
        }
    }

    /// Ends the thread after the jobs added so far, and waits for it. The owner calls it once, after cancelling anything that its
    /// jobs may wait for.
    package func stop() {
        end()
        pthread_join(thread, nil)
    }

    /// Lets the thread end after the jobs added so far, without waiting for it: for owners on the main loop, which must not wait,
    /// and for threads that hang in a call that may never return. Called once, instead of `stop`. Simulated time still waits for
    /// the jobs.
    package func retire() {
        end()
        pthread_detach(thread)
    }

    /// A thread that was joined or detached is gone: a second pthread_join(3) reads memory that may not be there any more.
    private func end() {
        body.monitor.update { state in
            precondition(!state.isStopped, "a thread is stopped or retired once")
            state.isStopped = true
        }
    }

    fileprivate static func run(_ pointer: UnsafeMutableRawPointer) {
        let body = Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue()
        body.name.withCString { marquee_name_thread($0) }
        while let job = body.monitor.wait(until: { state -> (@Sendable () -> Void)?? in
            if !state.jobs.isEmpty { return .some(state.jobs.removeFirst()) }
            return state.isStopped ? .some(nil) : nil
        }) {
            job()
        }
        body.monitor.releaseToken()
    }
}

private func workerMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    WorkerThread.run(argument!)
    return nil
}

/// pthread_create(3), passing the context retained. A process that cannot create a thread cannot continue, so failure traps.
func startThread<Context: AnyObject>(
    _ context: Unmanaged<Context>, _ main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
) -> pthread_t {
    var thread = pthread_t()
    let code = pthread_create(&thread, nil, main, context.toOpaque())
    precondition(code == 0, "no thread could be created: \(String(cString: strerror(code)))")
    return thread
}
