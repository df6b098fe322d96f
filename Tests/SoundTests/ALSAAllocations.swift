import CAllocationCounter
import Synchronization

/// The counter is global to the process, so only one test counts at a time.
private let counting = Mutex(())

/// How often a thread allocates memory while `body` runs.
///
/// - Parameter thread: its id in the kernel; nil for the calling thread.
func countAllocations(of thread: Int32? = nil, during body: () throws -> Void) rethrows -> Int {
    try counting.withLock { _ in
        allocation_counter_watch(thread ?? allocation_counter_this_thread())
        defer { allocation_counter_watch(0) }
        try body()
        return allocation_counter_count()
    }
}
