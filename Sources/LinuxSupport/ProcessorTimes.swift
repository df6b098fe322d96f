import Glibc

/// How long threads have computed, and how long they had no processor. Passed in, as clocks are.
package protocol ProcessorTimes: Sendable {
    /// How long a thread has computed.
    func computing(_ thread: WorkerThread) -> Duration
    /// How long threads of this process were ready to run and had no processor, all together. It may fall when a thread ends.
    func starving() -> Duration
}

/// For simulated time, in which no machine is slow.
package struct NoProcessorTimes: ProcessorTimes {
    package init() {}

    package func computing(_ thread: WorkerThread) -> Duration { .zero }
    package func starving() -> Duration { .zero }
}

/// The times that the kernel keeps. Any thread.
package struct KernelProcessorTimes: ProcessorTimes {
    package init() {}

    package func computing(_ thread: WorkerThread) -> Duration { thread.processorTime }

    /// From `schedstat` of each thread (sched-stats in the kernel's documentation): nanoseconds on a processor, nanoseconds of waiting for one, turns. Zero
    /// where the kernel does not keep them.
    package func starving() -> Duration {
        Folder.names("/proc/self/task").reduce(.zero) { sum, thread in
            guard let bytes = WholeFile.read("/proc/self/task/\(thread)/schedstat", most: 256) else { return sum }
            let numbers = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
            return sum + (numbers.count > 1 ? .nanoseconds(Int64(numbers[1]) ?? 0) : .zero)
        }
    }
}
