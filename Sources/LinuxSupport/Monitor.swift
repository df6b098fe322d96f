import CLinux
import Glibc

/// A value behind a lock, with waiting: the only way in which a worker thread waits for another.
///
/// While a thread waits it holds no token of the ledger, so that simulated time may advance. A thread that changes the value
/// takes the tokens of all waiting threads back *before* it wakes them, so that woken work is always counted. A network of
/// threads that only meet in monitors always comes to rest in the same state, however the kernel schedules it.
///
/// Everything called for each sample and frame is inlinable, so that it is specialised for the guarded state. It is public, because Swift 6.2 and 6.3 compile
/// nothing of a `package` declaration into another module, and then ask for types at run time.
public final class Monitor<State>: @unchecked Sendable {
    // Unchecked: `state` and `sleepers` are touched only between lock and unlock of `mutex`.
    @usableFromInline let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    @usableFromInline let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    @usableFromInline var state: State
    @usableFromInline var sleepers = 0
    @usableFromInline let ledger: WorkLedger?

    /// - Parameter ledger: the ledger of the clock; nil when time is real.
    package init(_ state: State, ledger: WorkLedger?) {
        self.state = state
        self.ledger = ledger
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Reads the value without waking any thread.
    @inlinable
    public func read<Result, Failure: Error>(_ body: (State) throws(Failure) -> Result) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(state)
    }

    /// Changes the value and wakes all threads that wait for a change.
    @discardableResult
    @inlinable
    public func update<Result, Failure: Error>(_ body: (inout State) throws(Failure) -> Result) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        var wakes = false
        defer { unlock(waking: wakes) }
        let result = try body(&state)
        wakes = takeSleepers()
        return result
    }

    /// Changes the value, and wakes waiting threads only if `body` says that the change matters to one of them: an unnecessary
    /// wake-up costs more than most changes.
    @inlinable
    public func update<Result>(wakingIf body: (inout State) -> (result: Result, wakes: Bool)) -> Result {
        pthread_mutex_lock(mutex)
        let (result, wakes) = body(&state)
        unlock(waking: wakes && takeSleepers())
        return result
    }

    /// Waits until `body` returns a value other than nil. Only for worker threads that hold a token (a `WorkerThread`'s jobs do);
    /// never on the main loop.
    ///
    /// - Parameter body: reads and may change the value; called at once and after each change by others.
    @inlinable
    public func wait<Result>(until body: (inout State) -> Result?) -> Result {
        wait(wakingIf: { state in body(&state).map { ($0, true) } })
    }

    /// Waits like `wait(until:)`, and wakes other threads only if `body` says that its change matters to one of them.
    @inlinable
    public func wait<Result>(wakingIf body: (inout State) -> (result: Result, wakes: Bool)?) -> Result {
        pthread_mutex_lock(mutex)
        while true {
            if let (result, wakes) = body(&state) {
                unlock(waking: wakes && takeSleepers())
                return result
            }
            sleepers += 1
            let generation = wakeUps
            ledger?.end()
            ThreadTrace.willWait()
            while generation == wakeUps { pthread_cond_wait(condition, mutex) }
            ThreadTrace.didWait()
        }
    }

    /// Releases the token of a thread that ends and will not wait here again.
    func releaseToken() { ledger?.end() }

    @usableFromInline var wakeUps: UInt64 = 0

    /// Takes back the tokens of all waiting threads, which will be woken.
    ///
    /// - Returns: whether any thread waits.
    @inlinable
    func takeSleepers() -> Bool {
        guard sleepers > 0 else { return false }
        ledger?.begin(sleepers)
        sleepers = 0
        wakeUps &+= 1
        return true
    }

    /// A woken thread needs the lock at once, and would sleep again if it were not free.
    @inlinable
    func unlock(waking wakes: Bool) {
        pthread_mutex_unlock(mutex)
        if wakes { pthread_cond_broadcast(condition) }
    }
}
