import CLinux
import Glibc
import LinuxSupport
import Synchronization
import Testing

@testable import Sound

/// A card that can be opened only once, like real cards. Any thread.
private final class FakeCard: Sendable {
    struct State {
        var isOpen = false
        /// How many times it reports busy after it was closed.
        var refusals = 0
        /// For how long it reports busy after it was closed, in nanoseconds.
        var busyTime: Int64 = 0
        var closed: Int64 = 0
        /// The largest buffer that it takes.
        var largest = Int.max
        /// Whether a device with the smallest buffer is fed too late.
        var isSlow = true
        var isLost = false
        /// Whether it can be opened, and is lost with the first call.
        var failsInUse = false
        /// Whether a device is fed too late whatever its buffer is.
        var isAlwaysSlow = false
        /// How many of the next waits for it time out.
        var hangs = 0
        var preparations = 0
        /// The buffers with which it was opened, and how often it was refused.
        var opened: [Int] = []
        var refused = 0
        /// How often the last opened device was waited for, and how often it was reported lost or back.
        var waits = 0
        var presenceChanges = 0
    }
    let monitor: Monitor<State>

    init(_ state: State = State()) { monitor = Monitor(state, ledger: nil) }

    /// - Returns: nil while it is open, or while it still reports busy.
    func open(milliseconds: Int) -> FakeDeviceOfCard? {
        let isFree = monitor.update { state in
            let isBusy = state.refusals > 0 || monotonicNanoseconds() < state.closed + state.busyTime
            if state.isLost || state.isOpen || milliseconds > state.largest || isBusy, !state.opened.isEmpty {
                if !state.isOpen { state.refusals = max(state.refusals - 1, 0) }
                state.refused += 1
                return false
            }
            state.isOpen = true
            state.opened.append(milliseconds)
            state.waits = 0
            return true
        }
        return isFree
            ? FakeDeviceOfCard(
                self, comesLate: monitor.read { $0.isAlwaysSlow || $0.isSlow && milliseconds == BufferGrowth.first }) : nil
    }
}

/// Is fed too late while its buffer is the smallest.
private final class FakeDeviceOfCard: PlaybackDevice {
    let encoding = SampleEncoding.float
    let bufferFrames = 2400
    let route: ChannelRoute? = nil
    private let card: FakeCard
    private let comesLate: Bool

    init(_ card: FakeCard, comesLate: Bool) {
        self.card = card
        self.comesLate = comesLate
    }

    deinit {
        card.monitor.update { state in
            state.isOpen = false
            state.closed = monotonicNanoseconds()
        }
    }

    func status() -> DeviceStatus {
        DeviceStatus(
            state: card.monitor.read { $0.isLost || $0.failsInUse } ? .lost : .running, delay: 0,
            queued: comesLate ? -10 : bufferFrames,
            nanoseconds: monotonicNanoseconds())
    }
    func available() -> Int { 0 }
    func write(_ frames: UnsafeRawPointer, count: Int) -> Int { count }
    func rewindable() -> Int { 0 }
    func rewind(_ frames: Int) -> Int { 0 }
    func forward(_ frames: Int) -> Int { frames }
    func start() -> Int32 { 0 }
    func prepare() -> Int32 {
        card.monitor.update { $0.preparations += 1 }
        return 0
    }
    func resume() -> Int32 { 0 }

    func wait(bell: Int32, milliseconds: Int32) -> Bool {
        let hangs = card.monitor.update { state in
            state.waits += 1
            state.hangs -= 1
            return state.hangs >= 0
        }
        guard !hangs else { return false }
        guard !comesLate else { return true }
        var descriptor = pollfd(fd: bell, events: Int16(POLLIN), revents: 0)
        _ = poll(&descriptor, 1, -1)
        return true
    }
}

@Suite("The sound thread and its only device")
struct ALSAThreadTests {
    private let exchange = ALSAExchange(channels: 2)
    private let bell: FileDescriptor

    init() throws {
        bell = FileDescriptor(
            adopting: try systemCall("eventfd", on: "a bell") { eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)) })
    }

    private func ring() {
        var one: UInt64 = 1
        _ = write(bell.number, &one, 8)
    }

    /// Runs a thread on a card while `body` runs.
    private func run<Result>(_ card: FakeCard, _ body: () throws -> Result) rethrows -> Result {
        let thread = ALSAThread(
            device: card.open(milliseconds: BufferGrowth.first)!, exchange: exchange, sampleRate: 48_000, isCarrying: false,
            bell: bell, reopen: { card.open(milliseconds: $0) },
            whenPresenceChanges: { _ in card.monitor.update { $0.presenceChanges += 1 } }, whenPaced: {}
        ).start()
        defer {
            exchange.isClosing.store(true, ordering: .releasing)
            ring()
            pthread_join(thread, nil)
            #expect(card.monitor.read { !$0.isOpen }, "the device is closed with its thread")
        }
        return try body()
    }

    /// Runs a thread on a card until it serves a device with a larger buffer, or has lost the card.
    private func run(_ card: FakeCard) -> FakeCard.State {
        run(card) {
            card.monitor.wait { state in
                state.presenceChanges > 0 || state.opened.count > 1 && state.waits > 0 ? state : nil
            }
        }
    }

    @Test("a device that is reopened with a larger buffer was closed first, and is not lost")
    func enlarging() {
        let state = run(FakeCard())
        #expect(state.opened == [50, 100])
        #expect(state.refused == 0)
        #expect(state.presenceChanges == 0)
    }

    @Test("a card that is busy for a moment after it was closed is not reported as lost")
    func busyForAMoment() {
        let state = run(FakeCard(.init(refusals: 5)))
        #expect(state.opened == [50, 100])
        #expect(state.refused == 5)
        #expect(state.presenceChanges == 0)
    }

    @Test("a card gets the time to close before it counts as lost")
    func busyForATime() {
        let state = run(FakeCard(.init(busyTime: 30_000_000)))
        #expect(state.opened == [50, 100] && state.presenceChanges == 0)
    }

    @Test("a card that accepts the larger buffer late is opened with it again after it was lost")
    func lateEnlarging() {
        let card = FakeCard(.init(refusals: 9))
        run(card) {
            card.monitor.wait { $0.opened.count == 2 && $0.waits > 0 ? () : nil }
            card.monitor.update { $0.isLost = true }
            ring()
            card.monitor.wait { $0.presenceChanges == 1 ? () : nil }
            card.monitor.update { $0.isLost = false }
            card.monitor.wait { $0.presenceChanges == 2 ? () : nil }
        }
        #expect(card.monitor.read(\.opened) == [50, 100, 100])
    }

    @Test("a card that accepts no larger buffer continues with the old one")
    func noLargerBuffer() {
        let state = run(FakeCard(.init(largest: 50)))
        #expect(state.opened == [50, 50])
        #expect(state.presenceChanges == 0)
    }

    @Test("a device that wants no frames for a long time is restarted, and is not lost")
    func hanging() {
        let card = FakeCard(.init(isSlow: false, hangs: 2))
        let state = run(card) { card.monitor.wait { $0.waits > 2 ? $0 : nil } }
        #expect(state.preparations == 2 && state.presenceChanges == 0 && state.opened == [50])
    }

    @Test("a device that runs dry again and again does not occupy the thread")
    func storm() {
        let card = FakeCard(.init(largest: 50, isAlwaysSlow: true))
        let rounds: Int64 = 50
        let took = run(card) {
            card.monitor.wait { $0.opened.count == 2 && $0.waits > 0 ? () : nil }
            let start = monotonicNanoseconds()
            card.monitor.wait { $0.waits > rounds ? () : nil }
            return monotonicNanoseconds() - start
        }
        #expect(took > rounds * 2_000_000, "\(rounds) rounds took \(took) ns")
        #expect(card.monitor.read(\.presenceChanges) == 0)
    }

    @Test("a card that can be opened and fails in use is tried at growing intervals, and is not reported as back")
    func failsInUse() {
        let card = FakeCard(.init(isSlow: false))
        run(card) {
            card.monitor.wait { $0.waits > 0 ? () : nil }
            card.monitor.update { $0.failsInUse = true }
            ring()
            card.monitor.wait { $0.opened.count >= 4 ? () : nil }
            #expect(card.monitor.read(\.presenceChanges) == 1 && !exchange.report().isPresent)
            card.monitor.update { $0.failsInUse = false }
            card.monitor.wait { $0.presenceChanges >= 2 && $0.waits > 0 ? () : nil }
            #expect(exchange.report().isPresent)
        }
    }

    @Test("while the device is absent orders are carried out at once, and do not make it try the card")
    func ordersWhileAbsent() throws {
        let card = FakeCard(.init(isSlow: false, isLost: true))
        try run(card) {
            card.monitor.wait { $0.presenceChanges == 1 ? () : nil }
            let limit = monotonicNanoseconds() + 60_000_000_000
            for order in 1...100 {
                exchange.flushed.store(10 * order, ordering: .releasing)
                ring()
                while exchange.report().frame != 10 * order { try #require(monotonicNanoseconds() < limit) }
            }
            // It is tried at intervals that grow to five seconds.
            #expect(card.monitor.read(\.refused) < 50)
            #expect(!exchange.report().isPresent)
            card.monitor.update { $0.isLost = false }
            card.monitor.wait { $0.presenceChanges == 2 ? () : nil }
            #expect(exchange.report().isPresent && card.monitor.read(\.opened) == [50, 50])
        }
    }
}
