@testable import Sound

/// The feeder with the main loop's end of the ring. Frame n is written as (n + 1, 1), so that left divided by right gives its number at any gain.
final class FeederBench {
    let exchange = ALSAExchange(channels: 2)
    private(set) var device: FakeDevice
    private var feeder: ALSAFeeder
    private(set) var lastOutcome = ALSAFeeder.Outcome.wait

    init(rewinds: Bool = true, bufferFrames: Int = 2400) {
        device = FakeDevice(bufferFrames: bufferFrames)
        device.rewinds = rewinds
        feeder = ALSAFeeder(exchange: exchange, sampleRate: 48_000)
    }

    func enqueue(_ frames: Int) {
        let first = exchange.written.load(ordering: .relaxed)
        let samples: [Float] = (first..<first + frames).flatMap { [Float($0 + 1) / 65536, 1 / 65536] }
        samples.withUnsafeBufferPointer { exchange.write($0) }
    }

    /// - Parameter delay: from now, in frames.
    func play(after delay: Int) {
        exchange.start.store(device.nanoseconds + Int64((Double(delay) * 1e9 / 48_000).rounded()), ordering: .relaxed)
        order(1)
    }

    func pause() { order(0) }
    func flush() { exchange.flushed.store(exchange.written.load(ordering: .relaxed), ordering: .releasing) }

    /// Marks the next frames as the middle of a sound.
    func rise() { exchange.rising.store(exchange.written.load(ordering: .relaxed), ordering: .releasing) }

    private func order(_ bit: UInt64) {
        exchange.order.store((exchange.order.load(ordering: .relaxed) >> 1 + 1) << 1 | bit, ordering: .releasing)
    }

    /// Asks for a sound of the interface.
    ///
    /// - Parameter number: its place among `NavigationSound.allCases`.
    func mix(_ number: UInt64, within milliseconds: Int64 = 100) {
        exchange.soundDeadline.store(device.nanoseconds + milliseconds * 1_000_000, ordering: .relaxed)
        exchange.sound.store((exchange.sound.load(ordering: .relaxed) >> 2 + 1) << 2 | number, ordering: .releasing)
    }

    func turn() { lastOutcome = feeder.turn(device) }
    func restart() { lastOutcome = feeder.restart(device) }
    func turnWithoutDevice() { feeder.turnWithoutDevice() }
    func takeLateRounds() -> Int { feeder.takeLateRounds() }

    /// Opens another device in place of this one, with chunks of this length.
    func reopen(chunkMilliseconds: Int) {
        feeder.prepareToReopen(chunkMilliseconds: chunkMilliseconds)
        device = FakeDevice()
    }

    /// Lets time pass in periods of 10 ms.
    func run(_ frames: Int) {
        for _ in 0..<frames / 480 {
            turn()
            device.pass(480)
        }
        turn()
    }

    /// The numbers of the frames that were heard from a position of the tape on; nil for silence.
    func heard(from start: Int = 0) -> [Int?] {
        (start..<device.heard).map { place in
            let right = device.sample(place, 1)
            return right == 0 ? nil : Int((device.sample(place, 0) / right).rounded()) - 1
        }
    }

    var isDry: Bool { exchange.isDry.load(ordering: .relaxed) }
    var kept: Int { exchange.kept.load(ordering: .relaxed) }

    /// The frames that were not followed by the next one.
    var gaps: [Int] { zip(sound, sound.dropFirst()).filter { $1 != $0 + 1 }.map(\.0) + (sound.first == 0 ? [] : [-1]) }

    /// The numbers of the frames that were heard, without silence.
    var sound: [Int] { heard().compactMap { $0 } }
}
