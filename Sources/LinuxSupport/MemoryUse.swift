import CLinux
import Glibc

/// How much memory this process uses.
package enum MemoryUse {
    /// Bytes that malloc(3) has given out and not got back. Any thread.
    package static var allocatedBytes: Int { Int(marquee_allocated_bytes()) }

    /// The most that was resident so far, in kilobytes (getrusage(2)). Any thread.
    package static var peakResidentKilobytes: Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss
    }
}

/// How the C library's heap is kept small.
package enum Heap {
    /// Called once, first of all, before there is a second thread. By itself each thread gets an arena, whose free memory serves no other thread, and the size from
    /// which memory is mapped, and given back when it is free, grows with what was freed: segments and frames then leave holes that nothing fits. The player allocates
    /// little while it plays, so that threads hardly ever meet in the one arena.
    package static func settle() { marquee_settle_heap() }
}
