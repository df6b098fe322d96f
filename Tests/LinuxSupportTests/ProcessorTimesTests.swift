import Glibc
import Synchronization
import Testing

@testable import LinuxSupport

@Suite("The times of threads on the processor", .serialized)
struct ProcessorTimesTests {
    private let times = KernelProcessorTimes()

    /// Lets these threads compute until a condition holds.
    private func computing(_ threads: [WorkerThread], until isDone: () -> Bool) {
        let isOver = Spinning()
        for thread in threads { thread.perform { isOver.spin() } }
        while !isDone() { sched_yield() }
        isOver.end()
    }

    private final class Spinning: Sendable {
        private let isOver = Atomic(false)
        func spin() { while !isOver.load(ordering: .relaxed) {} }
        func end() { isOver.store(true, ordering: .relaxed) }
    }

    @Test("a thread that computes uses time, one that waits uses none")
    func computing() {
        let (busy, idle) = (WorkerThread(name: "busy"), WorkerThread(name: "idle"))
        defer {
            busy.stop()
            idle.stop()
        }
        let before = times.computing(busy)
        computing([busy]) { times.computing(busy) - before > .milliseconds(60) }
        // It begins to wait whenever it gets a processor, for which it uses some microseconds.
        #expect(times.computing(idle) < .milliseconds(5))
    }

    @Test(
        "of more threads than processors some wait for one",
        .enabled(if: keepsTimes, "this kernel does not count how long threads wait"))
    func starving() {
        let threads = (0..<2 * sysconf(Int32(_SC_NPROCESSORS_ONLN))).map { WorkerThread(name: "busy-\($0)") }
        defer { threads.forEach { $0.stop() } }
        let before = times.starving()
        computing(threads) { threads.allSatisfy { times.computing($0) > .milliseconds(100) } }
        // Each waits about as long as it computes.
        #expect(times.starving() - before > .milliseconds(100))
    }

    private static var keepsTimes: Bool {
        let numbers = WholeFile.read("/proc/thread-self/schedstat").map {
            String(decoding: $0, as: UTF8.self).split(separator: " ")
        }
        return (numbers?.count ?? 0) > 1 && numbers?[0] != "0"
    }
}
