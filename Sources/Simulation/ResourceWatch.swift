import LinuxSupport

/// Checks that the process does not use more and more: descriptors, threads and memory, once in a simulated hour.
struct ResourceWatch {
    private static let interval = Duration.seconds(3600)
    private static let mostThreads = 96
    private static let mostDescriptors = 256
    /// How much more memory than after the first hour.
    private static let mostGrowth = 192 << 20

    private var next = interval
    private var baseline: Int?

    /// - Returns: the sentence of a breach; nil if all is within its bounds, or not yet due.
    mutating func check(at time: Duration) -> String? {
        guard time >= next else { return nil }
        next += Self.interval
        let threads = Folder.names("/proc/self/task").count
        if threads > Self.mostThreads { return "there are \(threads) threads, more than \(Self.mostThreads)" }
        let descriptors = Folder.names("/proc/self/fd").count
        if descriptors > Self.mostDescriptors {
            return "there are \(descriptors) open descriptors, more than \(Self.mostDescriptors)"
        }
        let memory = MemoryUse.allocatedBytes
        let baseline = baseline ?? memory
        self.baseline = baseline
        guard memory - baseline > Self.mostGrowth else { return nil }
        return "the memory grew from \(baseline >> 20) MiB to \(memory >> 20) MiB"
    }
}
