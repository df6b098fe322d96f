import Synchronization
import Testing

@testable import Sound

@Suite("A sound device without a clock")
struct PacedDeviceTests {
    @Test("a device that is two seconds ahead within a second, and again, has no clock; a jump and a fast clock are none of that")
    func pace() {
        /// Whether it is ever ahead, by pairs of what was heard and when, in milliseconds.
        func isAhead(_ heard: [(Int, Int64)]) -> Bool {
            var pace = DevicePace(sampleRate: 48_000)
            return heard.map { pace.isAhead(frame: $0.0 * 48, at: $0.1 * 1_000_000) }.contains(true)
        }
        #expect(isAhead([(0, 0), (2060, 55), (4120, 110)]))
        #expect(!isAhead([(0, 0), (2060, 55), (4100, 110)]))
        #expect(!isAhead([(0, 0), (2060, 55), (2100, 1060), (4200, 1070)]), "not in a row")
        /// A device that plays some milliseconds in each step of others.
        func steps(_ count: Int, of heard: Int, in time: Int64) -> [(Int, Int64)] {
            var steps: [(Int, Int64)] = []
            for step in 0..<count { steps.append((step * heard, Int64(step) * time)) }
            return steps
        }
        #expect(isAhead(steps(100, of: 50, in: 5)))
        // A tenth too fast for a minute; a sound server that finds its buffer empty.
        #expect(!isAhead(steps(600, of: 110, in: 100)))
        #expect(!isAhead([(0, 0), (100, 100), (1900, 200), (2000, 300)]))
        // What a plug-in states may be any number.
        #expect(!isAhead([(1 << 31, 9_000_000_000), (0, 0), (1, 1)]))
        #expect(!isAhead([(0, 5), (-(1 << 31), 6), (20, 20), (40, 40)]))
    }

    @Test("frames are heard at their rate, and what was not written in time is silent")
    func paced() {
        let inner = FakeDevice()
        let clock = Clock()
        let device = PacedDevice(inner, sampleRate: 48_000, now: clock.read)
        let samples = [Float](repeating: 0.5, count: 4800)
        #expect(device.prepare() == 0)
        #expect(device.status() == DeviceStatus(state: .prepared, delay: 0, queued: 0, nanoseconds: clock.now))
        #expect(device.available() == 2400 && device.rewindable() == 0 && device.rewind(10) == 0)
        #expect(samples.withUnsafeBytes { device.write($0.baseAddress!, count: 2400) } == 2400)
        clock.pass(milliseconds: 500)
        #expect(device.available() == 0, "nothing is heard before the start")
        #expect(device.start() == 0 && inner.starts == 1)
        inner.race()
        clock.pass(milliseconds: 10)
        #expect(device.status() == DeviceStatus(state: .running, delay: 1920, queued: 1920, nanoseconds: clock.now))
        #expect(device.available() == 480)
        clock.pass(milliseconds: 50)
        #expect(device.status().queued == -480 && device.available() == 2880)
        #expect(device.forward(480 + 1200) == 1680 && device.status().queued == 1200)
        #expect(device.prepare() == 0 && device.status().state == .prepared && device.available() == 2400)
        inner.unplug()
        #expect(device.status().state == .lost)
    }

    @Test(
        "the sound thread's round tells it, whether silence or a programme is played, and not of a device with a clock",
        arguments: [false, true])
    func runAway(isPlaying: Bool) {
        let bench = FeederBench()
        bench.run(480)
        if isPlaying {
            bench.enqueue(24_000)
            bench.play(after: 0)
        }
        var outcomes: [ALSAFeeder.Outcome] = []
        while outcomes.last != .runAway, outcomes.count < 100 {
            bench.device.race()
            bench.turn()
            outcomes.append(bench.lastOutcome)
        }
        // Four seconds are some eighty buffers.
        #expect(outcomes.last == .runAway && outcomes.dropLast().allSatisfy { $0 == .wait } && outcomes.count > 40)
    }
}

/// An instant that the test sets.
private final class Clock: Sendable {
    private let nanoseconds = Atomic<Int64>(7_000_000_000)
    var now: Int64 { nanoseconds.load(ordering: .relaxed) }
    var read: @Sendable () -> Int64 { { self.now } }
    func pass(milliseconds: Int64) { nanoseconds.add(milliseconds * 1_000_000, ordering: .relaxed) }
}
