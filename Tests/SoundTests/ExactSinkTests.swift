import Glibc
import LinuxSupport
import MediaModel
import Testing

@testable import Sound

@Suite("Sinks with exact time", .serialized)
@MainActor
struct ExactSinkTests {
    private func run(_ loop: MainLoop, for length: Duration) {
        var isDone = false
        loop.clock.schedule(after: length) { isDone = true }
        loop.run(until: { isDone })
    }

    @Test("a null sink plays at the nominal rate from the requested instant, and stops while paused")
    func timing() throws {
        let loop = try MainLoop(time: .simulated)
        let sink = NullSink(clock: loop.clock)
        #expect(sink.timing() == nil)
        #expect(sink.enqueue(ArraySlice(repeating: 0.5, count: 96_000)) == 24_000)
        #expect(sink.room == 0)
        sink.play(at: loop.clock.now + .milliseconds(100))
        run(loop, for: .milliseconds(350))
        let timing = try #require(sink.timing())
        #expect(timing.frame == 12_000)
        #expect(timing.isRunning)
        #expect(sink.room == 12_000)
        sink.pause()
        run(loop, for: .seconds(5))
        #expect(sink.timing()?.frame == 12_000)
        #expect(sink.timing()?.isRunning == false)
    }

    @Test("an empty queue is an underrun, and sound continues with the next frame")
    func underrun() throws {
        let loop = try MainLoop(time: .simulated)
        let sink = NullSink(clock: loop.clock)
        _ = sink.enqueue(ArraySlice(repeating: 0, count: 9600))
        sink.play(at: loop.clock.now)
        run(loop, for: .seconds(1))
        #expect(sink.timing()?.frame == 4800)
        #expect(sink.timing()?.isRunning == false)
        _ = sink.enqueue(ArraySlice(repeating: 0, count: 9600))
        run(loop, for: .milliseconds(50))
        #expect(sink.timing()?.frame == 7200)
        #expect(sink.timing()?.underruns == 1)
    }

    @Test("a flush restarts counting at zero and discards what was not heard")
    func flush() throws {
        let loop = try MainLoop(time: .simulated)
        let sink = NullSink(clock: loop.clock)
        _ = sink.enqueue(ArraySlice(repeating: 0, count: 9600))
        sink.play(at: loop.clock.now)
        run(loop, for: .milliseconds(50))
        sink.pause()
        sink.flush()
        #expect(sink.timing() == nil)
        #expect(sink.room == 24_000)
    }

    @Test("a recording has each sample at the instant at which it was heard")
    func recording() throws {
        let path = "/tmp/marquee-wav-\(getpid()).wav"
        defer { unlink(path) }
        let loop = try MainLoop(time: .simulated)
        let sink = try WAVSink(path: path, clock: loop.clock)
        run(loop, for: .seconds(1))
        _ = sink.enqueue(ArraySlice(repeating: 0.5, count: 9600))
        sink.play(at: loop.clock.now + .milliseconds(500))
        run(loop, for: .seconds(2))
        sink.close()
        let bytes = try #require(contents(of: path))
        // 1.5 s of silence and 0.1 s of sound, two channels of 16 bits.
        #expect(bytes.count == 44 + (72_000 + 4800) * 4)
        #expect(bytes[44..<44 + 72_000 * 4].allSatisfy { $0 == 0 })
        #expect(Int16(bytes[44 + 72_000 * 4]) | Int16(bytes[44 + 72_000 * 4 + 1]) << 8 == 16_384)
        #expect(Array(bytes[40..<44]) == [0x00, 0xB0, 0x04, 0x00])
    }

    private func contents(of path: String) -> [UInt8]? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes.prefix(count))
    }

    @Test("a path that cannot be written is reported in one sentence")
    func unwritable() throws {
        let loop = try MainLoop(time: .simulated)
        #expect(throws: MediaError.self) { try WAVSink(path: "/nowhere/at/all.wav", clock: loop.clock) }
    }

    @Test("the header is that of RIFF WAVE with 16-bit samples")
    func header() {
        let bytes = WAVHeader(format: AudioFormat(sampleRate: 44_100, channels: 6), frames: 1000).bytes
        func number(_ place: Int, _ count: Int) -> Int { (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) } }
        func text(_ place: Int) -> String { String(decoding: bytes[place..<place + 4], as: UTF8.self) }
        #expect(bytes.count == 44 && [text(0), text(8), text(12), text(36)] == ["RIFF", "WAVE", "fmt ", "data"])
        #expect(
            number(4, 4) == 12_036 && number(16, 4) == 16 && number(20, 2) == 1 && number(22, 2) == 6 && number(24, 4) == 44_100)
        #expect(number(28, 4) == 44_100 * 12 && number(32, 2) == 12 && number(34, 2) == 16 && number(40, 4) == 12_000)
        // Longer than the format can say.
        #expect(
            WAVHeader(format: AudioFormat(sampleRate: 48_000, channels: 2), frames: 1 << 40).bytes[40..<44].allSatisfy {
                $0 == 0xFF
            })
    }

    /// The words of a recording of two channels, from its first one that is not silent.
    private func recorded(_ play: (MainLoop, WAVSink) throws -> Void) throws -> [[Int]] {
        let path = "/tmp/marquee-exact-\(UInt32.random(in: 0 ... .max)).wav"
        defer { unlink(path) }
        let loop = try MainLoop(time: .simulated)
        let sink = try WAVSink(path: path, clock: loop.clock)
        try play(loop, sink)
        sink.close()
        sink.close()
        let bytes = try #require(contents(of: path))
        let words = stride(from: 44, to: bytes.count - 1, by: 2).map {
            Int(Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8))
        }
        let frames = stride(from: 0, to: words.count - 1, by: 2).map { [words[$0], words[$0 + 1]] }
        return Array(frames.drop { $0 == [0, 0] })
    }

    @Test("a change of volume is a ramp of 10 ms in the recording, and loud samples are clipped")
    func volume() throws {
        let frames = try recorded { loop, sink in
            #expect(sink.room == 24_000)
            let one: [Float] = [1, -2]
            #expect(sink.enqueue((0..<4800).flatMap { _ in one }[...]) == 4800 && sink.room == 19_200)
            sink.play(at: loop.clock.now)
            run(loop, for: .milliseconds(10))
            sink.volume = 0
            run(loop, for: .milliseconds(90))
            #expect(sink.timing()?.frame == 4800)
        }
        #expect(frames[0] == [32_767, -32_768] && frames[479] == [32_767, -32_768])
        let ramp: [Int] = (1...481).map { step in
            let gain = max(1 - Float(step) * 100 / 48_000, 0)
            return Int((gain * 32_767).rounded())
        }
        #expect(zip(frames[480...960], ramp).allSatisfy { abs($0[0] - $1) <= 2 })
        #expect(frames.dropFirst(961).allSatisfy { $0 == [0, 0] })
    }

    @Test("the volume that was set before the first sound applies from its first frame")
    func firstVolume() throws {
        let frames = try recorded { loop, sink in
            sink.volume = 0.5
            _ = sink.enqueue(ArraySlice(repeating: 1, count: 960))
            sink.play(at: loop.clock.now)
            run(loop, for: .milliseconds(10))
        }
        #expect(frames.count == 480 && frames.allSatisfy { $0 == [16_384, 16_384] })
    }

    @Test("bursts are recorded word by word; the one that a pause cuts off is recorded to its end and not again")
    func bursts() throws {
        func burst(_ number: Int16) -> [Float] {
            ([Int16(bitPattern: 0xF872), 0x4E1F] + [Int16](repeating: number, count: 958)).map { Float($0) / BurstWords.scale }
        }
        let frames = try recorded { loop, sink in
            let passage = try #require(sink.passage(codec: "ac3", sampleRate: 48_000))
            #expect(
                sink.passage(codec: "eac3", sampleRate: 48_000) == nil && sink.passage(codec: "aac", sampleRate: 48_000) == nil)
            #expect(sink.passage(codec: "ac3", sampleRate: 44_100) == nil)
            sink.pass(passage)
            sink.volume = 0.5
            _ = sink.enqueue((burst(1) + burst(2) + burst(3))[...])
            sink.play(at: loop.clock.now)
            run(loop, for: .milliseconds(15))
            sink.pause()
            run(loop, for: .milliseconds(85))
            sink.play(at: loop.clock.now)
            run(loop, for: .milliseconds(100))
            sink.pass(nil)
        }
        #expect(frames[0] == [Int(Int16(bitPattern: 0xF872)), 0x4E1F] && frames[1..<480].allSatisfy { $0 == [1, 1] })
        #expect(frames[480] == frames[0] && frames[481..<960].allSatisfy { $0 == [2, 2] })
        #expect(frames[960..<4800].allSatisfy { $0 == [0, 0] })
        // The rest of the second burst is silence, then the third burst is complete.
        #expect(frames[4800..<5040].allSatisfy { $0 == [0, 0] })
        #expect(frames[5040] == frames[0] && frames[5041..<5520].allSatisfy { $0 == [3, 3] } && frames.count == 5520)
    }

    @Test("a flush discards the queue, and new sound is recorded when it is heard")
    func flushed() throws {
        let frames = try recorded { loop, sink in
            _ = sink.enqueue(ArraySlice(repeating: 0.5, count: 960))
            sink.flush()
            #expect(sink.room == 24_000)
            _ = sink.enqueue(ArraySlice(repeating: 0.25, count: 960))
            sink.play(at: loop.clock.now)
            run(loop, for: .milliseconds(100))
        }
        #expect(frames.count == 480 && frames.allSatisfy { $0 == [8192, 8192] })
    }

    @Test("sound that follows a flush in the middle of playback is recorded from its first frame")
    func flushedWhilePlaying() throws {
        let frames = try recorded { loop, sink in
            _ = sink.enqueue(ArraySlice(repeating: 0.5, count: 9600))
            sink.play(at: loop.clock.now)
            run(loop, for: .milliseconds(50))
            sink.flush()
            run(loop, for: .milliseconds(50))
            _ = sink.enqueue(ArraySlice(repeating: 0.25, count: 960))
            run(loop, for: .milliseconds(50))
        }
        // 50 ms, the fade of 10 ms, and silence until the new sound.
        #expect(
            frames[..<2400].allSatisfy { $0 == [16_384, 16_384] }
                && frames[2400..<2880].allSatisfy { (1..<16_384).contains($0[0]) })
        #expect(frames[2880..<4800].allSatisfy { $0 == [0, 0] } && frames[4800...].allSatisfy { $0 == [8192, 8192] })
        #expect(frames.count == 4800 + 480)
    }

    @Test("a pause is a ramp down over 480 steps, and the resume a ramp up from silence over the same frames")
    func pausedFades() throws {
        let frames = try recorded { loop, sink in
            _ = sink.enqueue(ArraySlice(repeating: 0.5, count: 2 * 4800))
            sink.play(at: loop.clock.now)
            run(loop, for: .milliseconds(20))
            sink.pause()
            run(loop, for: .milliseconds(30))
            sink.play(at: loop.clock.now)
            run(loop, for: .milliseconds(30))
        }
        let steps = (0...480).map { Int((0.5 * Float($0) / 481 * 32_767).rounded()) }
        #expect(frames[..<960].allSatisfy { $0[0] == 16_384 } && frames.count == 960 + 1440 + 1440)
        #expect(zip(frames[960..<1440], steps.reversed()).allSatisfy { abs($0[0] - $1) <= 1 })
        #expect(frames[1440..<2400].allSatisfy { $0 == [0, 0] })
        #expect(zip(frames[2400..<2880], steps.dropFirst()).allSatisfy { abs($0[0] - $1) <= 1 })
        #expect(frames[2880...].allSatisfy { $0[0] == 16_384 })
    }

    @Test("sound that ends within the fade of a pause rises from silence too")
    func shortFade() throws {
        let frames = try recorded { loop, sink in
            _ = sink.enqueue(ArraySlice(repeating: 0.5, count: 2 * 1060))
            sink.play(at: loop.clock.now)
            run(loop, for: .milliseconds(20))
            sink.pause()
            run(loop, for: .milliseconds(30))
            _ = sink.enqueue(ArraySlice(repeating: 0.5, count: 2 * 960))
            sink.play(at: loop.clock.now)
            run(loop, for: .milliseconds(40))
        }
        let steps = (1...480).map { Int((0.5 * Float($0) / 481 * 32_767).rounded()) }
        #expect(zip(frames[960..<1060], steps.reversed()).allSatisfy { abs($0[0] - $1) <= 1 })
        #expect(frames[1060..<2400].allSatisfy { $0 == [0, 0] })
        #expect(zip(frames[2400..<2880], steps).allSatisfy { abs($0[0] - $1) <= 1 })
        #expect(frames[2880...].allSatisfy { $0[0] == 16_384 } && frames.count == 2400 + 100 + 960)
    }

    @Test("a long recording has every sample once")
    func long() throws {
        let frames = try recorded { loop, sink in
            var next = 0
            sink.play(at: loop.clock.now)
            for _ in 0..<12 {
                let samples = (next..<next + 12_000).flatMap { frame in [Float(frame % 251 + 1) / 32_767, Float(0.25)] }
                #expect(sink.enqueue(samples[...]) == 12_000)
                next += 12_000
                run(loop, for: .milliseconds(250))
            }
        }
        #expect(frames.count == 144_000)
        #expect(frames.enumerated().allSatisfy { $1 == [$0 % 251 + 1, 8192] })
    }

    @Test("sound that rises begins in silence, and only the first sound after the order does")
    func rising() throws {
        let frames = try recorded { loop, sink in
            sink.rise()
            _ = sink.enqueue(ArraySlice(repeating: 0.5, count: 2 * 960))
            sink.play(at: loop.clock.now)
            run(loop, for: .milliseconds(20))
            sink.flush()
            _ = sink.enqueue(ArraySlice(repeating: 0.25, count: 2 * 480))
            run(loop, for: .milliseconds(10))
        }
        #expect(zip(frames, 1...480).allSatisfy { abs($0[0] - Int((0.5 * Float($1) / 481 * 32_767).rounded())) <= 1 })
        #expect(
            frames[480..<960].allSatisfy { $0[0] == 16_384 } && frames[960...].allSatisfy { $0[0] == 8192 }
                && frames.count == 1440)
    }
}
