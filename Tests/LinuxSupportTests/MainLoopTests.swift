import Glibc
import Synchronization
import Testing

@testable import LinuxSupport

@Suite("MainLoop and its clocks", .serialized)
@MainActor
struct MainLoopTests {
    @Test("simulated time jumps to the next timer, and events at one instant run by rank, then in order")
    func order() throws {
        let loop = try MainLoop(time: .simulated)
        var seen: [String] = []
        let clock = loop.clock
        let note: @MainActor @Sendable (String) -> Void = { seen.append("\($0)@\(clock.now)") }
        clock.schedule(after: .seconds(3600), rank: .display) { note("display") }
        clock.schedule(after: .seconds(3600), rank: .input) { note("input") }
        clock.schedule(after: .seconds(3600), rank: .input) { note("input2") }
        clock.schedule(after: .seconds(1)) { note("timer") }
        let cancelled = clock.schedule(after: .seconds(2)) { note("never") }
        cancelled.cancel()
        loop.run(until: { seen.count == 4 })
        #expect(seen == ["timer@1.000000000", "input@3600.000000000", "input2@3600.000000000", "display@3600.000000000"])
    }

    @Test(
        "a descriptor that was hung up is served once and then no longer watched, so that it does not keep the loop busy",
        arguments: [MainLoop.Time.real, .simulated])
    func hungUp(time: MainLoop.Time) throws {
        let loop = try MainLoop(time: time)
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        let reading = FileDescriptor(adopting: ends[0])
        var calls = 0
        let watch = try loop.watch(reading.number) { calls += 1 }
        close(ends[1])
        var turns = 0
        for number in 0..<50 { loop.clock.schedule(after: .milliseconds(Int64(number))) { turns += 1 } }
        loop.run(until: { turns == 50 })
        #expect(calls == 1)
        watch.cancel()
    }

    @Test("a descriptor whose handler cancels the watch and closes it may be opened again under its number")
    func closedByItsHandler() throws {
        let loop = try MainLoop(time: .simulated)
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        var watch: MainLoop.Watch?
        var calls = 0
        watch = try loop.watch(ends[0]) {
            calls += 1
            watch?.cancel()
            close(ends[0])
        }
        close(ends[1])
        var isOver = false
        loop.clock.schedule(after: .seconds(1)) { isOver = true }
        loop.run(until: { isOver })
        #expect(calls == 1)
    }

    /// Something that is given a clock, as most things are.
    private final class Owner: Sendable {
        let clock: any HostClock
        init(_ clock: any HostClock) { self.clock = clock }
    }

    @Test(
        "what waits in a loop that has ended is let go, although it holds the clock", arguments: [MainLoop.Time.simulated, .real])
    func letGo(time: MainLoop.Time) throws {
        weak var early: Owner?
        weak var late: Owner?
        let clock: any HostClock
        do {
            let loop = try MainLoop(time: time)
            clock = loop.clock
            let owner = Owner(clock)
            early = owner
            clock.schedule(after: .seconds(3600)) { _ = owner.clock.now }
            var isOver = false
            clock.schedule(after: .zero) { isOver = true }
            loop.run(until: { isOver })
            #expect(early != nil)
        }
        #expect(early == nil)
        do {
            let owner = Owner(clock)
            late = owner
            clock.schedule(after: .seconds(1)) { _ = owner.clock.now }
        }
        #expect(late == nil)
    }

    @Test("time does not advance while a worker runs, and results take their reserved position")
    func ledger() throws {
        for _ in 0..<50 {
            let loop = try MainLoop(time: .simulated)
            let clock = loop.clock
            let slow = WorkerThread(name: "slow", clock: clock)
            let quick = WorkerThread(name: "quick", clock: clock)
            var seen: [String] = []
            let total = Mutex(0)
            clock.schedule(after: .milliseconds(1)) { seen.append("later") }
            clock.compute(on: slow, rank: .media) {
                for value in 0..<200_000 { total.withLock { $0 &+= value } }
                return clock.now
            } then: {
                seen.append("slow@\($0)")
            }
            clock.compute(on: quick, rank: .media) {
                clock.now
            } then: {
                seen.append("quick@\($0)")
            }
            loop.run(until: { seen.count == 3 })
            #expect(seen == ["slow@0.000000000", "quick@0.000000000", "later"])
            slow.stop()
            quick.stop()
        }
    }

    @Test("a producer and a consumer on two threads always reach the same final state, however they were scheduled")
    func network() throws {
        for _ in 0..<30 {
            let loop = try MainLoop(time: .simulated)
            let clock = loop.clock
            let numbers = BoundedQueue<Int>(capacity: 3, ledger: clock.ledger)
            let squares = BoundedQueue<Int>(capacity: 2, ledger: clock.ledger)
            let maker = WorkerThread(name: "maker", clock: clock)
            let user = WorkerThread(name: "user", clock: clock)
            maker.perform {
                for number in 0..<100 where !numbers.push(number) { return }
                numbers.finish()
            }
            user.perform {
                while let number = numbers.pop() { guard squares.push(number * number) else { return } }
                squares.finish()
            }
            var taken: [Int] = []
            var restingCounts: Set<Int> = []
            @MainActor func take() {
                if taken.count < 50 { restingCounts.insert(squares.count) }
                while let square = squares.tryPop() { taken.append(square) }
                if !squares.isExhausted { clock.schedule(after: .milliseconds(1), take) }
            }
            clock.schedule(after: .milliseconds(1), take)
            loop.run(until: { squares.isExhausted && taken.count == 100 })
            #expect(taken == (0..<100).map { $0 * $0 })
            #expect(restingCounts == [2])
            maker.stop()
            user.stop()
        }
    }

    @Test("a bell rung many times by another thread is answered once")
    func doorbell() throws {
        let loop = try MainLoop(time: .real)
        let worker = WorkerThread(name: "ringer", clock: loop.clock)
        var answers = 0
        let bell = loop.clock.makeDoorbell(rank: .input) { answers += 1 }
        bell.ring()
        for _ in 0..<100 { bell.ring() }
        loop.run(until: { answers > 0 })
        #expect(answers == 1)
        worker.perform { bell.ring() }
        loop.run(until: { answers == 2 })
        worker.stop()
    }

    @Test("no event from another thread is missed, whether the loop waits or works when it comes", .timeLimit(.minutes(5)))
    func wakes() throws {
        let loop = try MainLoop(time: .real)
        let workers = (0..<2).map { WorkerThread(name: "worker\($0)", clock: loop.clock) }
        var answers = [0, 0]
        /// Each answer triggers the next question, so no timer would help if one were lost.
        func ask(_ index: Int) {
            loop.clock.compute(on: workers[index], rank: .media) {
            } then: {
                answers[index] += 1
                if answers[index] < 5000 { ask(index) }
            }
        }
        ask(0)
        ask(1)
        loop.run(until: { answers == [5000, 5000] })
        workers.forEach { $0.stop() }
    }

    @Test("descriptors are served while events keep coming")
    func descriptors() throws {
        let loop = try MainLoop(time: .real)
        let bell = try FileDescriptor.event()
        bell.ring()
        var isServed = false
        let watch = try loop.watch(bell.number) { isServed = true }
        var events = 0
        func again() {
            events += 1
            if !isServed, events < 1000 { loop.clock.schedule(at: loop.clock.now, rank: .timer) { again() } }
        }
        again()
        loop.run(until: { isServed })
        #expect(events < 1000)
        watch.cancel()
    }

    @Test("a cancelled queue unblocks both sides")
    func cancel() throws {
        let loop = try MainLoop(time: .simulated)
        let full = BoundedQueue<Int>(capacity: 1, ledger: loop.clock.ledger)
        let empty = BoundedQueue<Int>(capacity: 1, ledger: loop.clock.ledger)
        let maker = WorkerThread(name: "maker", clock: loop.clock)
        let user = WorkerThread(name: "user", clock: loop.clock)
        let pushed = Mutex(0)
        maker.perform { while full.push(1) { pushed.withLock { $0 += 1 } } }
        user.perform { while empty.pop() != nil {} }
        // Time advances when both wait, and not before.
        var isOver = false
        loop.clock.schedule(after: .milliseconds(1)) { isOver = true }
        loop.run(until: { isOver })
        #expect(pushed.withLock { $0 } == 1)
        full.cancel()
        empty.cancel()
        maker.stop()
        user.stop()
        #expect(full.tryPop() == nil)
        #expect(full.isExhausted && empty.isExhausted)
        #expect(pushed.withLock { $0 } == 1)
    }
}
