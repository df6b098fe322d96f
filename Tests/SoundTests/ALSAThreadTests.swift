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
        /// The largest buffer that it takes.
        var largest = Int.max
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
            if state.isOpen || milliseconds > state.largest || state.refusals > 0, !state.opened.isEmpty {
                if !state.isOpen { state.refusals = max(state.refusals - 1, 0) }
                state.refused += 1
                return false
            }
            state.isOpen = true
            state.opened.append(milliseconds)
            state.waits = 0
            return true
        }
        return isFree ? FakeDeviceOfCard(self, comesLate: milliseconds == BufferGrowth.first) : nil
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

    deinit { card.monitor.update { $0.isOpen = false } }

    func status() -> DeviceStatus {
        DeviceStatus(state: .running, delay: 0, queued: comesLate ? -10 : bufferFrames, nanoseconds: monotonicNanoseconds())
    }
    func available() -> Int { 0 }
    func write(_ frames: UnsafeRawPointer, count: Int) -> Int { count }
    func rewindable() -> Int { 0 }
    func rewind(_ frames: Int) -> Int { 0 }
    func forward(_ frames: Int) -> Int { frames }
    func start() -> Int32 { 0 }
    func prepare() -> Int32 { 0 }
    func resume() -> Int32 { 0 }

    func wait(bell: Int32, milliseconds: Int32) -> Bool {
        card.monitor.update { $0.waits += 1 }
        guard !comesLate else { return true }
        var descriptor = pollfd(fd: bell, events: Int16(POLLIN), revents: 0)
        _ = poll(&descriptor, 1, -1)
        return true
    }
}

@Suite("The sound thread and its only device")
struct ALSAThreadTests {
    /// Runs a thread on a card until it serves a device with a larger buffer, or has lost the card.
    private func run(_ card: FakeCard) throws -> FakeCard.State {
        let exchange = ALSAExchange(channels: 2)
        let bell = FileDescriptor(
            adopting: try systemCall("eventfd", on: "a bell") { eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)) })
        let thread = ALSAThread(
            device: card.open(milliseconds: BufferGrowth.first)!, exchange: exchange, sampleRate: 48_000, isCarrying: false,
            bell: bell, reopen: { card.open(milliseconds: $0) },
            whenPresenceChanges: { card.monitor.update { $0.presenceChanges += 1 } }
        ).start()
        let state = card.monitor.wait { state in
            state.presenceChanges > 0 || state.opened.count > 1 && state.waits > 0 ? state : nil
        }
        exchange.isClosing.store(true, ordering: .releasing)
        var one: UInt64 = 1
        _ = write(bell.number, &one, 8)
        pthread_join(thread, nil)
        #expect(card.monitor.read { !$0.isOpen }, "the device is closed with its thread")
        return state
    }

    @Test("a device that is reopened with a larger buffer was closed first, and is not lost")
    func enlarging() throws {
        let state = try run(FakeCard())
        #expect(state.opened == [50, 100])
        #expect(state.refused == 0)
        #expect(state.presenceChanges == 0)
    }

    @Test("a card that is busy for a moment after it was closed is not reported as lost")
    func busyForAMoment() throws {
        let state = try run(FakeCard(.init(refusals: 5)))
        #expect(state.opened == [50, 100])
        #expect(state.refused == 5)
        #expect(state.presenceChanges == 0)
    }

    @Test("a card that accepts no larger buffer continues with the old one")
    func noLargerBuffer() throws {
        let state = try run(FakeCard(.init(largest: 50)))
        #expect(state.opened == [50, 50])
        #expect(state.presenceChanges == 0)
    }
}
