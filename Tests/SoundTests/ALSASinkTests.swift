import CAllocationCounter
import Glibc
import LinuxSupport
import MediaModel
import Testing

@testable import Sound

/// A sink, its loop, and the recorder at the other end.
@MainActor
private final class Bench {
    let loop: MainLoop
    let clock: RealClock
    let sink: ALSASink
    let recorder: LoopbackRecorder?
    private let channels: Int
    /// The next frame to enqueue.
    private var next = 0
    /// What is played again and again: whole frames, interleaved. They are made before the recorder starts, because an emulated machine that makes
    /// them one by one in time reads its recording too late.
    private let period: [Float]

    /// - Parameters:
    ///   - channels: of the sink and of the recorder; more than two as on an output whose receiver reports them.
    ///   - period: what is played again and again, interleaved.
    init(records: Bool = true, channels: Int = 2, period: [Float] = Bench.numbers) throws {
        self.channels = channels
        self.period = period
        loop = try MainLoop(time: .real)
        clock = loop.clock as! RealClock
        recorder = records ? try LoopbackRecorder(channels: channels) : nil
        let device = "hw:Loopback,0,0"
        let surround = SurroundOutput(device: device, channels: channels, screenName: "")
        sink = try ALSASink(device: device, surround: channels > 2 ? surround : nil, channels: channels, loop: loop)
    }

    /// Frames of two channels that tell their numbers, for half a second and more.
    static let numbers: [Float] = (0..<100 * LoopbackRecorder.modulus).flatMap {
        [Float($0 % LoopbackRecorder.modulus + 1) / 512, 1 / 512]
    }

    func feed() {
        let place = next * channels % period.count
        next += sink.enqueue(period[place..<min(period.count, place + sink.room * channels)])
    }

    /// Feeds and records for a while.
    func run(for duration: Duration) {
        let end = loop.clock.now + duration
        tick(until: end)
        loop.run { self.loop.clock.now >= end }
        recorder?.read()
    }

    /// Feeds and records until a frame is heard, for 30 s at most.
    func run(untilFrame frame: Int64) {
        for _ in 0..<600 where (sink.timing()?.frame ?? 0) < frame { run(for: .milliseconds(50)) }
    }

    private func tick(until end: HostTime) {
        feed()
        recorder?.read()
        if loop.clock.now < end { loop.clock.schedule(after: .milliseconds(20)) { self.tick(until: end) } }
    }

    func run(until isDone: @escaping () -> Bool) -> Bool {
        var isLate = false
        let limit = loop.clock.schedule(after: .seconds(60)) { isLate = true }
        loop.run { isLate || isDone() }
        limit.cancel()
        return !isLate
    }

    /// Pending events keep the bench alive, so the devices are closed here.
    func close() {
        sink.close()
        recorder?.close()
    }

    func monotonic(_ time: HostTime) -> Int64 { time.nanoseconds + clock.origin.nanoseconds }
}

private func gaps(_ numbers: [Int]) -> [Int] {
    zip(numbers, numbers.dropFirst()).filter { $1 != ($0 + 1) % LoopbackRecorder.modulus }.map(\.0)
}

@Suite(
    "The ALSA sink on a real kernel", .serialized,
    .enabled(if: LoopbackRecorder.isPresent, "no card named Loopback: runs in the test machine"))
@MainActor
struct ALSASinkTests {
    private struct MachineTooSlow: Error {}

    /// Plays something on a new bench. Tries again if the machine stalled so long that the recorder lost frames, because a recording with gaps proves
    /// nothing. The caller closes the bench.
    ///
    /// - Parameter isUnbroken: whether to try again also if the card ran out of frames during a stall. What such a card does is what `underrun()` tests.
    private func record<Result>(
        isUnbroken: Bool = false, channels: Int = 2, period: [Float] = Bench.numbers, _ play: (Bench) throws -> Result
    ) throws -> (bench: Bench, result: Result) {
        for _ in 0..<10 {
            let bench = try Bench(channels: channels, period: period)
            do {
                let result = try play(bench)
                let underruns = bench.sink.timing()?.underruns ?? 0
                if bench.recorder?.overruns == 0, underruns == 0 || !isUnbroken { return (bench, result) }
            } catch {
                bench.close()
                throw error
            }
            bench.close()
        }
        throw MachineTooSlow()
    }

    @Test("a tone is heard at its frequency from the requested instant on, and timing() gives the frame being heard")
    func tone() throws {
        let period = (0..<24_000).flatMap { frame in
            [Float](repeating: 0.5 * cosf(Float(frame % 4800) * 2 * .pi * 440 / 48_000), count: 2)
        }
        let (bench, (start, timing)) = try record(isUnbroken: true, period: period) { bench -> (HostTime, AudioTiming) in
            bench.run(for: .milliseconds(300))
            #expect(bench.sink.timing() == nil)
            let start = bench.loop.clock.now + .milliseconds(300)
            bench.sink.play(at: start)
            bench.run(for: .milliseconds(2000))
            let timing = try #require(bench.sink.timing())
            bench.recorder?.read()
            return (start, timing)
        }
        defer { bench.close() }
        let recorder = try #require(bench.recorder)
        let left = recorder.left
        let first = try #require(left.firstIndex { $0 != 0 })
        let deviation = recorder.nanoseconds(of: first) - bench.monotonic(start)
        print("first frame \(Double(deviation) / 1e6) ms after the requested instant")
        #expect(abs(deviation) <= 8_000_000)
        // The first sample of a cosine is its largest.
        #expect(abs(Double(left[first]) / 2_147_483_647 - 0.5) < 0.001)

        try #require(left.count >= first + 2400 + 48_000, "\(left.count) frames recorded, \(recorder.overruns) overruns")
        let second = left[(first + 2400)..<(first + 2400 + 48_000)]
        let crossings = zip(second, second.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count
        #expect(abs(crossings - 440) <= 1)

        let heard = recorder.frame(at: bench.monotonic(timing.hostTime)) - first
        print(
            "timing() differs from the recording by \(Double(Int(timing.frame) - heard) / 48) ms; underruns \(timing.underruns)")
        #expect(timing.isRunning)
        #expect(abs(heard - Int(timing.frame)) <= 384)
    }

    @Test(
        "more channels than two reach the card each in its place: those of WAVE in the order of alsa-lib",
        arguments: [[0, 1, 4, 5, 2, 3], [0, 1, 4, 5, 2, 3, 6, 7]])
    func surround(order: [Int]) throws {
        let period = (0..<2400 * order.count).map { Float($0 % order.count + 1) / 16 }
        let (bench, _) = try record(isUnbroken: true, channels: order.count, period: period) { bench in
            bench.run(for: .milliseconds(300))
            bench.sink.play(at: bench.loop.clock.now)
            bench.run(for: .milliseconds(800))
        }
        defer { bench.close() }
        let recorder = try #require(bench.recorder)
        let frames = recorder.samples.count / order.count
        // What is recorded begins with silence and a fade.
        let loud = (0..<frames).filter { recorder.samples[$0 * order.count] > 0 }
        try #require(loud.count > 9600, "\(loud.count) of \(frames) frames are not silent")
        let wanted = order.map { Double($0 + 1) / 16 }
        for frame in loud.dropFirst(4800).dropLast(480) {
            let heard = (0..<order.count).map { Double(recorder.samples[frame * order.count + $0]) / 2_147_483_648 }
            guard zip(heard, wanted).allSatisfy({ abs($0 - $1) < 0.001 }) else {
                Issue.record("frame \(frame): \(heard), not \(wanted)")
                break
            }
        }
    }

    @Test("pauses and resumes neither lose nor repeat a frame, and take effect at once")
    func pauses() throws {
        let (bench, _) = try record { bench in
            bench.run(for: .milliseconds(200))
            for _ in 0..<4 {
                bench.sink.play(at: bench.loop.clock.now)
                bench.run(for: .milliseconds(400))
                bench.sink.pause()
                bench.run(for: .milliseconds(150))
                #expect(bench.sink.timing()?.isRunning == false)
            }
        }
        defer { bench.close() }
        let recorder = try #require(bench.recorder)
        let numbers = recorder.numbers.compactMap { $0 }
        #expect(numbers.first == 0)
        #expect(numbers.count > 48_000)
        #expect(gaps(numbers).isEmpty)
        let timing = try #require(bench.sink.timing())
        #expect(Int(timing.frame) == numbers.count)
    }

    @Test("after a flush only the new sound is heard")
    func flush() throws {
        let (bench, _) = try record(isUnbroken: true) { bench in
            bench.run(for: .milliseconds(200))
            bench.sink.play(at: bench.loop.clock.now)
            bench.run(untilFrame: 9600)
            bench.sink.pause()
            bench.sink.flush()
            #expect(bench.sink.timing() == nil)
            #expect(bench.sink.room == 24_000)
            bench.sink.play(at: bench.loop.clock.now + .milliseconds(100))
            bench.run(untilFrame: 9600)
        }
        defer { bench.close() }
        let recorder = try #require(bench.recorder)
        let numbers = recorder.numbers.compactMap { $0 }
        #expect(gaps(numbers).count == 1)
        let timing = try #require(bench.sink.timing())
        #expect(timing.frame >= 9600 && timing.frame < 48_000)
    }

    @Test("a process that was stopped for a while continues at the same frame, and counts the underrun")
    func underrun() throws {
        let (bench, (before, timing)) = try record { bench -> (Int, AudioTiming) in
            bench.run(for: .milliseconds(200))
            bench.sink.play(at: bench.loop.clock.now)
            bench.run(for: .milliseconds(400))
            let before = try #require(bench.sink.timing()).underruns
            try shell("kill -STOP $PPID; sleep 0.3; kill -CONT $PPID")
            // The card may be reopening with a larger buffer; the contract is only that playback continues.
            var timing = try #require(bench.sink.timing())
            func playsOn() -> Bool { timing.underruns > before && timing.isRunning && timing.frame > 19_200 }
            for _ in 0..<300 where !playsOn() {
                bench.run(for: .milliseconds(200))
                timing = bench.sink.timing() ?? timing
            }
            return (before, timing)
        }
        defer { bench.close() }
        let recorder = try #require(bench.recorder)
        #expect(timing.underruns > before)
        #expect(timing.isRunning)
        let numbers = recorder.numbers.compactMap { $0 }
        #expect(gaps(numbers).isEmpty)
        #expect(Int(timing.frame) > 19_200)
    }

    @Test(
        "the sound thread allocates nothing during playback, pauses and resumes",
        .enabled(if: allocation_counter_works(), "a sanitizer has its own malloc"))
    func allocations() throws {
        let bench = try Bench(records: false)
        defer { bench.close() }
        bench.run(for: .milliseconds(200))
        let sound = try #require(thread(named: "sound"))
        let count = countAllocations(of: sound) {
            for _ in 0..<3 {
                bench.sink.play(at: bench.loop.clock.now + .milliseconds(20))
                bench.run(for: .milliseconds(200))
                bench.sink.volume = 0.5
                bench.run(for: .milliseconds(100))
                bench.sink.pause()
                bench.run(for: .milliseconds(100))
            }
        }
        #expect(count == 0)
        #expect(try #require(bench.sink.timing()).frame > 9600)
    }

    @Test("losing a card is reported, and after it returns the frames that were not heard are played")
    func loss() throws {
        let bench = try Bench(records: false)
        defer { bench.close() }
        var changes: [AudioDeviceChange] = []
        let listening = bench.sink.deviceChanges.listen { changes.append($0) }
        defer { listening.cancel() }
        // A first position is known when the card has played; how soon depends on the machine.
        func waitForPosition() {
            for _ in 0..<100 where bench.sink.timing()?.isRunning != true { bench.run(for: .milliseconds(100)) }
        }
        bench.sink.play(at: bench.loop.clock.now)
        waitForPosition()
        bench.run(for: .milliseconds(300))
        let driver = "/sys/bus/platform/drivers/snd_aloop"
        try shell("echo snd_aloop.0 > \(driver)/unbind")
        #expect(bench.run { changes == [.lost] })
        let lost = try #require(bench.sink.timing())
        #expect(!lost.isRunning)
        // The driver is free only after the kernel has seen our end closed.
        try shell("until echo snd_aloop.0 > \(driver)/bind; do sleep 0.1; done 2>/dev/null")
        #expect(bench.run { changes == [.lost, .returned] })
        waitForPosition()
        let timing = try #require(bench.sink.timing())
        #expect(timing.isRunning)
        #expect(timing.frame > lost.frame)
    }

    /// Starts a shell and does not wait for it.
    private func shell(_ script: String) throws {
        var process = pid_t()
        let arguments: [String] = ["sh", "-c", script]
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        words.append(nil)
        defer { words.forEach { free($0) } }
        let code = posix_spawn(&process, "/bin/sh", nil, nil, &words, environ)
        guard code == 0 else { throw SystemError(call: "posix_spawn", object: "/bin/sh", code: code) }
    }

    /// The kernel's id of a thread of this process.
    private func thread(named name: String) -> Int32? {
        guard let folder = opendir("/proc/self/task") else { return nil }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let id = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard let number = Int32(id), let file = fopen("/proc/self/task/\(id)/comm", "r") else { continue }
            defer { fclose(file) }
            var line = [CChar](repeating: 0, count: 64)
            guard fgets(&line, 64, file) != nil else { continue }
            if String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) == name {
                return number
            }
        }
        return nil
    }
}

@Suite("The ALSA sink on any machine")
@MainActor
struct ALSASinkOpeningTests {
    /// Checks that opening does not block. On a busy machine reading alsa-lib's configuration takes time, but not each time. A sink that blocks does
    /// so each time.
    private func isQuick(_ open: (MainLoop) throws -> Void) throws {
        let loop = try MainLoop(time: .real)
        var times: [Duration] = []
        while times.count < 3, times.allSatisfy({ $0 >= .seconds(10) }) {
            let before = loop.clock.now
            try open(loop)
            times.append(loop.clock.now - before)
        }
        #expect(times.contains { $0 < .seconds(10) }, "\(times)")
    }

    @Test("a missing device is reported in one sentence, and quickly", arguments: ["hw:NoSuchCard", "no such name at all"])
    func absent(device: String) throws {
        try isQuick { loop in
            _ = #expect {
                _ = try ALSASink(device: device, loop: loop)
            } throws: { error in
                (error as? MediaError)?.code == .soundLost && "\(error)".contains(device)
            }
        }
    }

    @Test(
        "a machine without a sound card says so", .enabled(if: access("/dev/snd/controlC0", F_OK) != 0, "this machine has a card")
    )
    func noCard() throws {
        try isQuick { loop in
            _ = #expect(throws: MediaError.self) { try ALSASink(device: nil, loop: loop) }
        }
    }

    @Test("a sink with simulated time cannot be opened")
    func simulated() throws {
        let loop = try MainLoop(time: .simulated)
        #expect(throws: MediaError.self) { try ALSASink(device: nil, loop: loop) }
    }
}
