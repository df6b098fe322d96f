import CAllocationCounter
import Glibc
import Testing

@testable import Sound

@Suite("The rounds of the sound thread")
struct ALSAFeederTests {
    @Test("a device that was just opened plays silence and never underruns")
    func silence() {
        let bench = FeederBench()
        bench.run(48_000)
        #expect(bench.device.heard == 48_000)
        #expect(bench.sound.isEmpty)
        #expect(bench.device.starts == 1)
        #expect(bench.exchange.report().underruns == 0)
    }

    @Test("the first frame is heard at the requested instant, to the frame", arguments: [480, 1000, 3333, 24_000])
    func startInstant(delay: Int) {
        let bench = FeederBench()
        bench.run(4800)
        let now = bench.device.heard
        bench.enqueue(24_000)
        bench.play(after: delay)
        bench.run(delay + 4800)
        #expect(bench.heard().firstIndex { $0 != nil } == now + delay)
        #expect(bench.gaps.isEmpty)
    }

    @Test("a device that holds frames beyond its buffer is started earlier by that much")
    func latency() {
        let bench = FeederBench()
        bench.device.latency = 700
        bench.run(4800)
        let now = bench.device.heard
        bench.enqueue(24_000)
        bench.play(after: 3000)
        bench.run(9600)
        #expect(bench.heard().firstIndex { $0 != nil } == now + 3000 - 700)
        #expect(bench.exchange.report().frame == bench.sound.count - 700)
        #expect(bench.exchange.report().underruns == 0)
    }

    @Test("a start instant in the past means as soon as possible: within the 8 ms that cannot be rewound")
    func lateStart() {
        let bench = FeederBench()
        bench.run(4800)
        let now = bench.device.heard
        bench.enqueue(24_000)
        bench.play(after: -48_000)
        bench.run(4800)
        #expect(bench.heard().firstIndex { $0 != nil }! - now <= 384)
        #expect(bench.sound.first == 0)
    }

    @Test("a pause stops within 20 ms and a resume neither loses nor repeats a frame")
    func pauseAndResume() {
        let bench = FeederBench()
        bench.enqueue(20_000)
        bench.play(after: 0)
        bench.run(9600)
        let before = bench.sound.count
        bench.pause()
        bench.run(4800)
        #expect(bench.sound.count - before <= 960)
        #expect(bench.heard().suffix(2400).allSatisfy { $0 == nil })
        bench.play(after: 0)
        bench.run(9600)
        #expect(bench.gaps.isEmpty)
        #expect(bench.sound.count > 16_000)
        #expect(bench.exchange.report().underruns == 0)
    }

    @Test("orders in quick succession neither lose nor repeat a frame", arguments: [UInt64(1), 2, 3, 4, 5])
    func manyOrders(seed: UInt64) {
        let bench = FeederBench()
        bench.enqueue(40_000)
        var random = seed
        func number(below limit: UInt64) -> Int {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((random >> 33) % limit)
        }
        for _ in 0..<200 {
            if number(below: 2) == 0 { bench.play(after: number(below: 2000) - 100) } else { bench.pause() }
            bench.turn()
            bench.device.pass(number(below: 480))
        }
        bench.play(after: 0)
        bench.run(4800)
        #expect(bench.gaps.isEmpty)
        #expect(bench.sound.count > 4000)
    }

    @Test("a device that cannot rewind stops later and loses nothing")
    func noRewind() {
        let bench = FeederBench(rewinds: false)
        bench.enqueue(20_000)
        bench.play(after: 0)
        bench.run(9600)
        let before = bench.sound.count
        bench.pause()
        bench.run(4800)
        #expect(bench.sound.count - before <= 2400 + 480)
        bench.play(after: 0)
        bench.run(14_400)
        #expect(bench.gaps.isEmpty)
        #expect(bench.sound.count == 20_000)
    }

    @Test("after a flush only a short fade of the old sound is heard, and the new sound begins at its first frame")
    func flush() {
        let bench = FeederBench()
        bench.enqueue(20_000)
        bench.play(after: 0)
        bench.run(9600)
        let before = bench.sound.count
        bench.flush()
        bench.enqueue(10_000)
        bench.run(4800)
        let after = Array(bench.sound.dropFirst(before))
        let old = after.prefix { $0 < 20_000 }.count
        #expect(old <= 384 + 480)
        let isInOrder = after.dropFirst(old).elementsEqual(20_000..<20_000 + after.count - old)
        #expect(isInOrder)
        #expect(bench.exchange.report().frame >= 20_000)
    }

    @Test(
        "sound from the middle fades in over 480 steps; a beginning is heard from its first sample",
        arguments: [true, false])
    func rise(isMiddle: Bool) throws {
        let bench = FeederBench()
        bench.run(4800)
        if isMiddle { bench.rise() }
        bench.enqueue(9600)
        bench.play(after: 1000)
        bench.run(9600)
        let first = try #require(bench.heard().firstIndex { $0 != nil })
        let gains = (0..<600).map { bench.device.sample(first + $0, 1) * 65536 }
        for (index, gain) in gains.enumerated() {
            #expect(abs(gain - (isMiddle ? min(Float(index + 1) / 481, 1) : 1)) < 0.001)
        }
        #expect(bench.gaps.isEmpty)
    }

    @Test("a flush in a pause is followed by silence until play")
    func flushPaused() {
        let bench = FeederBench()
        bench.enqueue(20_000)
        bench.play(after: 0)
        bench.run(9600)
        bench.pause()
        bench.run(4800)
        let place = bench.device.heard
        bench.flush()
        bench.enqueue(5000)
        bench.run(4800)
        #expect(bench.heard(from: place).allSatisfy { $0 == nil })
        #expect(bench.exchange.report().frame == 20_000)
        bench.play(after: 0)
        bench.run(2400)
        #expect(bench.heard(from: place).compactMap { $0 }.first == 20_000)
    }

    @Test("an empty queue counts as one underrun; new sound is heard at once from its first frame")
    func dry() {
        let bench = FeederBench()
        bench.enqueue(4800)
        bench.play(after: 0)
        bench.run(14_400)
        #expect(bench.isDry)
        #expect(bench.exchange.report().underruns == 0)
        let place = bench.device.heard
        bench.enqueue(4800)
        bench.run(9600)
        #expect(bench.exchange.report().underruns == 1)
        #expect(bench.heard(from: place).firstIndex { $0 != nil }! <= 384)
        #expect(bench.gaps.isEmpty)
        #expect(bench.sound.count == 9600)
    }

    @Test(
        "a late thread causes one underrun; nothing is lost, whether the device stops meanwhile or not",
        arguments: [true, false])
    func deviceUnderrun(stops: Bool) {
        let bench = FeederBench()
        bench.device.stopsWhenDry = stops
        bench.enqueue(20_000)
        bench.play(after: 0)
        bench.run(4800)
        bench.device.pass(9600)
        bench.run(4800)
        #expect(bench.device.state == .running)
        #expect(bench.device.starts == (stops ? 2 : 1))
        #expect(bench.exchange.report().underruns == 1)
        #expect(bench.gaps.isEmpty)
        #expect(bench.sound.count > 4800 + 2400)
        #expect(bench.exchange.report().frame == bench.sound.count)
    }

    @Test("a hanging device is restarted with the frames that were not heard")
    func hang() {
        let bench = FeederBench()
        bench.enqueue(20_000)
        bench.play(after: 0)
        bench.run(4800)
        bench.restart()
        bench.run(4800)
        #expect(bench.device.starts == 2)
        #expect(bench.gaps.isEmpty)
    }

    @Test(
        "after a suspend that the device cannot resume from, the frames that were not heard are played", arguments: [true, false])
    func suspend(resumes: Bool) {
        let bench = FeederBench()
        bench.enqueue(20_000)
        bench.play(after: 0)
        bench.run(4800)
        bench.device.resumes = resumes
        bench.device.suspend()
        bench.run(4800)
        #expect(bench.lastOutcome == .wait)
        #expect(bench.device.starts == (resumes ? 1 : 2))
        #expect(bench.gaps.isEmpty)
    }

    @Test("a device that is resuming, or refuses frames for a moment, is retried soon without losing a frame")
    func trouble() {
        let bench = FeederBench()
        bench.enqueue(20_000)
        bench.play(after: 0)
        bench.run(4800)
        bench.device.resumeFailure = -EAGAIN
        bench.device.suspend()
        bench.turn()
        #expect(bench.lastOutcome == .waitBriefly)
        bench.device.resumes = true
        bench.run(480)
        #expect(bench.lastOutcome == .wait)
        bench.device.refusesFrames = true
        bench.device.pass(480)
        bench.turn()
        #expect(bench.lastOutcome == .waitBriefly)
        bench.device.refusesFrames = false
        bench.run(4800)
        #expect(bench.lastOutcome == .wait && bench.gaps.isEmpty && bench.device.starts == 1)
        #expect(bench.exchange.report().underruns == 0)
    }

    @Test("a device that does not say how much room it has is asked again soon, and nothing is lost")
    func roomUnknown() {
        let bench = FeederBench()
        bench.enqueue(20_000)
        bench.play(after: 0)
        bench.run(4800)
        bench.device.hidesRoom = true
        bench.device.pass(480)
        bench.turn()
        #expect(bench.lastOutcome == .waitBriefly)
        bench.device.hidesRoom = false
        bench.run(4800)
        #expect(bench.lastOutcome == .wait && bench.gaps.isEmpty && bench.device.starts == 1)
    }

    @Test("frames are taken back once for each order, and not in rounds without one")
    func rewindings() {
        let bench = FeederBench()
        bench.enqueue(20_000)
        bench.run(4800)
        #expect(bench.device.rewindings == 0)
        bench.play(after: 0)
        bench.run(4800)
        #expect(bench.device.rewindings == 1)
        bench.flush()
        bench.enqueue(10_000)
        bench.run(4800)
        bench.pause()
        bench.run(4800)
        #expect(bench.device.rewindings == 3)
    }

    @Test("rounds that came late are counted once, whether the device went on or stopped", arguments: [true, false])
    func lateRounds(stops: Bool) {
        let bench = FeederBench()
        bench.device.stopsWhenDry = stops
        bench.run(4800)
        #expect(bench.takeLateRounds() == 0)
        for _ in 0..<3 {
            bench.device.pass(9600)
            bench.run(480)
        }
        #expect(bench.takeLateRounds() == 3 && bench.takeLateRounds() == 0)
        // Nothing was to be heard.
        #expect(bench.exchange.report().underruns == 0)
    }

    @Test("a device reopened with a larger buffer continues with the frames that were not heard, in longer chunks")
    func reopened() throws {
        let bench = FeederBench()
        bench.enqueue(20_000)
        bench.play(after: 0)
        bench.run(4800)
        #expect(bench.device.longestWrite == 96)
        let heard = bench.sound
        bench.reopen(chunkMilliseconds: 4)
        bench.run(4800)
        #expect(bench.device.longestWrite == 192 && bench.gaps.count == 1)
        let first = try #require(bench.sound.first)
        #expect(abs(first - heard.count) <= 480)
        #expect(zip(bench.sound, bench.sound.dropFirst()).allSatisfy { $1 == $0 + 1 })
        // It fades in from silence.
        let place = try #require(bench.heard().firstIndex { $0 != nil })
        #expect(bench.device.sample(place, 1) * 65536 < 0.01)
        bench.reopen(chunkMilliseconds: 1000)
        bench.run(4800)
        #expect(bench.device.longestWrite == 48 * BufferGrowth.most / BufferGrowth.chunks)
    }

    @Test("without a device an order and a flush are recorded, and the position is the next frame")
    func ordersWithoutDevice() {
        let bench = FeederBench()
        bench.enqueue(20_000)
        bench.play(after: 0)
        bench.run(4800)
        bench.device.unplug()
        bench.turn()
        bench.flush()
        bench.enqueue(5000)
        bench.turnWithoutDevice()
        let report = bench.exchange.report()
        #expect(report.frame == 20_000 && report.end == 20_000 && !report.isPresent && bench.kept == 20_000 && !bench.isDry)
        bench.reopen(chunkMilliseconds: 2)
        bench.run(2400)
        #expect(bench.sound.first == 20_000 && bench.exchange.report().isPresent)
    }

    @Test("a lost device is reported, and the frames that were not heard are kept for the next one")
    func lost() {
        let bench = FeederBench()
        bench.enqueue(20_000)
        bench.play(after: 0)
        bench.run(4800)
        let heard = bench.sound.count
        bench.device.unplug()
        bench.turn()
        #expect(bench.lastOutcome == .lost)
        bench.turnWithoutDevice()
        #expect(!bench.exchange.report().isPresent)
        #expect(abs(bench.exchange.report().frame - heard) <= 480)
        bench.pause()
        bench.turnWithoutDevice()
        #expect(bench.exchange.report().frame == bench.exchange.report().end)
    }

    @Test("the report says which frame is heard when, and where the sound ends")
    func report() {
        let bench = FeederBench()
        bench.run(4800)
        bench.enqueue(24_000)
        bench.play(after: 1200)
        bench.turn()
        let coming = bench.exchange.report()
        #expect(coming.frame == 0)
        #expect(abs(coming.nanoseconds - bench.device.nanoseconds - 25_000_000) <= 21_000)
        bench.run(4800)
        let running = bench.exchange.report()
        #expect(running.frame == bench.sound.count)
        #expect(running.nanoseconds == bench.device.nanoseconds)
        #expect(running.end == running.frame + 2400)
        #expect(bench.kept == running.frame)
    }

    @Test("a change of volume takes 10 ms without a jump")
    func volume() {
        let bench = FeederBench()
        let ones = [Float](repeating: 1, count: 2 * 20_000)
        ones.withUnsafeBufferPointer { bench.exchange.write($0) }
        bench.play(after: 0)
        bench.run(4800)
        bench.exchange.volume.store(Float(0.25).bitPattern, ordering: .relaxed)
        bench.run(9600)
        let levels = (0..<bench.device.heard).map { bench.device.sample($0) }.drop { $0 == 0 }
        #expect(levels.first == 1)
        #expect(levels.last == 0.25)
        #expect(zip(levels, levels.dropFirst()).allSatisfy { abs($0 - $1) <= 1.01 / 480 })
    }

    @Test("a stop and a start in the middle of the sound are ramps, not jumps")
    func fades() {
        let bench = FeederBench()
        let ones = [Float](repeating: 1, count: 2 * 30_000)
        ones.withUnsafeBufferPointer { bench.exchange.write($0) }
        bench.play(after: 0)
        bench.run(4800)
        bench.pause()
        bench.run(4800)
        bench.play(after: 0)
        bench.run(4800)
        let levels = (0..<bench.device.heard).map { bench.device.sample($0) }.drop { $0 == 0 }
        #expect(levels.contains(0))
        #expect(zip(levels, levels.dropFirst()).allSatisfy { abs($0 - $1) <= 1.01 / 480 })
    }

    @Test("rounds allocate nothing", .enabled(if: allocation_counter_works(), "a sanitizer has its own malloc"))
    func allocations() {
        func run(_ bench: FeederBench) {
            for round in 0..<400 {
                bench.device.stopsWhenDry = round >= 200
                switch round % 40 {
                case 5: bench.play(after: 700)
                case 15, 30: bench.mix(1)
                case 25: bench.pause()
                case 35: bench.device.pass(5000)
                default: break
                }
                bench.turn()
                bench.device.pass(240)
            }
        }
        // Types that the runtime instantiates on first use are instantiated here, whatever test ran before.
        let first = FeederBench()
        first.enqueue(60_000)
        run(first)
        let bench = FeederBench()
        bench.enqueue(60_000)
        let count = countAllocations { run(bench) }
        #expect(count == 0)
        #expect(bench.device.starts > 3)
        #expect(bench.sound.count > 20_000)
    }

    @Test("the allocation counter counts", .enabled(if: allocation_counter_works(), "a sanitizer has its own malloc"))
    func counter() {
        var memory: [UInt8] = []
        let count = countAllocations { memory.reserveCapacity(100_000) }
        #expect(count == 1)
        #expect(memory.isEmpty)
    }
}
