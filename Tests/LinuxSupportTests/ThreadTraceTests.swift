import Testing

@testable import LinuxSupport

@Suite("What threads do while it is recorded", .serialized)
struct ThreadTraceTests {
    /// Lets a thread do two jobs, for each of which it is woken.
    private func work(_ thread: WorkerThread) {
        let done = Monitor(0, ledger: nil)
        for count in 1...2 {
            thread.perform { done.update { $0 = count } }
            _ = done.wait { $0 == count ? true : nil }
        }
    }

    @Test("a thread works from when it is woken until it waits, under its name")
    func turns() throws {
        ThreadTrace.start()
        let thread = WorkerThread(name: "traced")
        work(thread)
        thread.stop()
        let recording = ThreadTrace.finish()
        let number = try #require(recording.names.first { $0.value == "traced" }?.key)
        let changes = recording.changes.filter { $0.thread == number }
        #expect(!changes.isEmpty && recording.missed == 0)
        for (first, second) in zip(changes, changes.dropFirst()) {
            #expect(first.isWork != second.isWork && first.time <= second.time)
        }
    }

    @Test("outside of a recording nothing is kept, and a new one begins empty")
    func idle() {
        ThreadTrace.start()
        _ = ThreadTrace.finish()
        let thread = WorkerThread(name: "unseen")
        work(thread)
        thread.stop()
        ThreadTrace.start()
        #expect(!ThreadTrace.finish().names.values.contains("unseen"))
    }
}
