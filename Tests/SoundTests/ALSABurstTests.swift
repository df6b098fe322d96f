import Testing

@testable import Sound

/// A feeder with bursts of 1536 frames. Each frame has the number of its burst.
private final class BurstBench {
    let exchange = ALSAExchange(channels: 2)
    /// A frame of two words is four bytes, like one sample of the tape.
    let device = FakeDevice(channels: 1)
    private var feeder: ALSAFeeder
    private var bursts: Int16 = 0

    init() { feeder = ALSAFeeder(exchange: exchange, sampleRate: 48_000, isCarrying: true) }

    func enqueue(_ count: Int) {
        var samples: [Float] = []
        for _ in 0..<count {
            bursts += 1
            let head = [Int16(bitPattern: 0xF872), 0x4E1F]
            samples += (head + [Int16](repeating: bursts, count: 2 * 1535)).map { Float($0) / BurstWords.scale }
        }
        samples.withUnsafeBufferPointer { exchange.write($0) }
    }

    func order(_ bit: UInt64) {
        exchange.start.store(device.nanoseconds, ordering: .relaxed)
        exchange.order.store((exchange.order.load(ordering: .relaxed) >> 1 + 1) << 1 | bit, ordering: .releasing)
    }

    func run(_ frames: Int) {
        for _ in 0..<frames / 160 {
            _ = feeder.turn(device)
            device.pass(160)
        }
        _ = feeder.turn(device)
    }

    /// The bursts that were heard, in order, with the number of frames that followed the header directly; 0 for a burst without a
    /// header.
    var heard: [(burst: Int, frames: Int)] {
        var found: [(burst: Int, frames: Int)] = []
        var isOpen = false
        for place in 0..<device.heard {
            let bits = device.sample(place).bitPattern
            let (left, right) = (UInt16(truncatingIfNeeded: bits), UInt16(bits >> 16))
            if left == 0xF872, right == 0x4E1F {
                found.append((0, 1))
                isOpen = true
            } else if left == 0 {
                isOpen = false
            } else if isOpen {
                found[found.count - 1] = (Int(left), found[found.count - 1].frames + 1)
            } else {
                found.append((Int(left), 0))
            }
        }
        return found
    }
}

@Suite("Bursts in the rounds of the sound thread")
struct ALSABurstTests {
    @Test(
        "a pause at any position finishes the current burst, and playback resumes with the next",
        arguments: [4800, 5000, 6145, 7777])
    func pause(place: Int) {
        let bench = BurstBench()
        bench.enqueue(20)
        bench.order(1)
        bench.run(place)
        bench.order(0)
        bench.run(9600)
        bench.order(1)
        bench.run(24_000)
        let heard = bench.heard
        #expect(heard.count > 15)
        #expect(heard.map(\.burst) == Array(1...heard.count))
        #expect(heard.dropLast().allSatisfy { $0.frames == 1536 })
    }

    @Test("after a flush only the end of the current burst is heard of the old sound")
    func flush() {
        let bench = BurstBench()
        bench.enqueue(15)
        bench.order(1)
        bench.run(8000)
        bench.exchange.flushed.store(bench.exchange.written.load(ordering: .relaxed), ordering: .releasing)
        bench.enqueue(10)
        bench.run(12_000)
        let heard = bench.heard
        let old = heard.filter { $0.burst <= 15 }
        #expect((5...7).contains(old.count))
        #expect(heard.map(\.burst) == Array(1...old.count) + Array(16..<16 + heard.count - old.count))
        #expect(heard.dropLast().allSatisfy { $0.frames == 1536 })
    }

    @Test("no sound of the interface is mixed into bursts, or into the silence between them")
    func interfaceSound() {
        let bench = BurstBench()
        bench.enqueue(5)
        func ask(_ sequence: UInt64) {
            bench.exchange.soundDeadline.store(.max, ordering: .relaxed)
            bench.exchange.sound.store(sequence << 2, ordering: .releasing)
            bench.run(1600)
        }
        ask(1)
        bench.order(1)
        ask(2)
        bench.run(12_000)
        #expect(bench.heard.map(\.burst) == Array(1...5) && bench.heard.allSatisfy { $0.frames == 1536 })
    }

    @Test("the volume changes no word of a burst; muting silences whole bursts")
    func volume() {
        let bench = BurstBench()
        bench.enqueue(20)
        bench.exchange.volume.store(Float(0.5).bitPattern, ordering: .relaxed)
        bench.order(1)
        bench.run(8000)
        bench.exchange.volume.store(Float(0).bitPattern, ordering: .relaxed)
        bench.run(8000)
        bench.exchange.volume.store(Float(1).bitPattern, ordering: .relaxed)
        bench.run(12_000)
        let heard = bench.heard
        #expect(heard.dropLast().allSatisfy { $0.frames == 1536 })
        let missing = Set(1...heard.last!.burst).subtracting(heard.map(\.burst))
        #expect((4...6).contains(missing.count))
        #expect(missing.max()! - missing.min()! == missing.count - 1)
    }
}
