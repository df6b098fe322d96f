import CLinux
import Glibc

/// How much memory this process uses.
public enum MemoryUse {
    /// Bytes that malloc(3) has given out and not got back. Any thread.
    public static var allocatedBytes: Int { Int(marquee_allocated_bytes()) }

    /// The most that was resident so far, in kilobytes (getrusage(2)). Any thread.
    public static var peakResidentKilobytes: Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss
    }
}
