import CLinux
import Glibc

/// How much memory this process uses.
package enum MemoryUse {
    /// The bytes allocated by malloc(3) and not freed. Any thread.
    package static var allocatedBytes: Int { Int(marquee_allocated_bytes()) }

    /// The peak resident size in kilobytes (getrusage(2)). Any thread.
    package static var peakResidentKilobytes: Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss
    }
}

/// Keeps the C library's heap small.
package enum Heap {
    /// Call it first, before there is a second thread. By default each thread gets an arena, whose free memory serves no other
    /// thread, and the size from which memory is mapped (and returned when freed) grows with freed blocks: segments and frames
    /// then leave holes that nothing fits. The player allocates little while it plays, so threads rarely contend for the single
    /// arena.
    package static func settle() { marquee_settle_heap() }
}
