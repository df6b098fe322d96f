import CLinux
import Glibc

/// A value behind a lock, with waiting: the one way in which a worker thread waits for another.
///
/// While a thread waits it holds no token of the ledger, so that simulated time may move; whoever changes the value takes
/// the tokens of all waiting threads back *before* it wakes them, so that there is no moment at which woken work goes uncounted. A
/// network of threads that only meet in monitors comes to rest in one and the same state however the kernel schedules it.
///
/// Everything that is called for each sample and frame is inlinable, so that it is compiled for the state that it guards and not for any there may be.
// Unchecked: `state` and `sleepers` are touched only between lock and unlock of `mutex`.
package final class Monitor<State>: @unchecked Sendable {
    @usableFromInline let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    @usableFromInline let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    @usableFromInline var state: State
    @usableFromInline var sleepers = 0
    @usableFromInline let ledger: WorkLedger?

    /// - Parameter ledger: that of the clock in force; nil when time is real.
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

    /// Looks at the value without waking anybody.
    @inlinable
    package func read<Result, Failure: Error>(_ body: (State) throws(Failure) -> Result) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(state)
    }

    /// Changes the value and wakes all who wait for a change.
    @discardableResult
    @inlinable
    package func update<Result, Failure: Error>(_ body: (inout State) throws(Failure) -> Result) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        var wakes = false
        defer { unlock(waking: wakes) }
        let result = try body(&state)
        wakes = takeSleepers()
        return result
    }

    /// Changes the value, and wakes those who wait only where `body` says that the change matters to one of them: being woken for nothing costs
    /// more than most changes do.
    @inlinable
    package func update<Result>(wakingIf body: (inout State) -> (result: Result, wakes: Bool)) -> Result {
        pthread_mutex_lock(mutex)
        let (result, wakes) = body(&state)
        unlock(waking: wakes && takeSleepers())
        return result
    }

    /// Waits until `body` answers something other than nil. Only for worker threads that hold a token (a `WorkerThread`'s jobs do); never on the main loop.
    ///
    /// - Parameter body: looks at the value, may change it; tried at once and after each change by others.
    @inlinable
    package func wait<Result>(until body: (inout State) -> Result?) -> Result {
        wait(wakingIf: { state in body(&state).map { ($0, true) } })
    }

    /// Waits like `wait(until:)`, and wakes the others who wait only where `body` says that what it changed matters to one of them.
    @inlinable
    package func wait<Result>(wakingIf body: (inout State) -> (result: Result, wakes: Bool)?) -> Result {
        pthread_mutex_lock(mutex)
        while true {
            if let (result, wakes) = body(&state) {
                unlock(waking: wakes && takeSleepers())
                return result
            }
            sleepers += 1
            let generation = wakeUps
            ledger?.end()
            while generation == wakeUps { pthread_cond_wait(condition, mutex) }
        }
    }

    /// Gives back the token of a thread that ends and will wait here no more.
    func releaseToken() { ledger?.end() }

    @usableFromInline var wakeUps: UInt64 = 0

    /// Takes the tokens of all who wait back, who will be woken.
    ///
    /// - Returns: whether anybody waits.
    @inlinable
    func takeSleepers() -> Bool {
        guard sleepers > 0 else { return false }
        ledger?.begin(sleepers)
        sleepers = 0
        wakeUps &+= 1
        return true
    }

    /// Whoever is woken wants the lock at once, and would sleep again were it not free already.
    @inlinable
    func unlock(waking wakes: Bool) {
        pthread_mutex_unlock(mutex)
        if wakes { pthread_cond_broadcast(condition) }
    }
}
