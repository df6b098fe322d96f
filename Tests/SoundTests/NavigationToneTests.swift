import Glibc
import LinuxSupport
import MediaModel
import Testing

@testable import Sound

@Suite("The sounds of the interface, as they are mixed", .serialized)
@MainActor
struct NavigationToneTests {
    private func tone(_ sound: NavigationSound) -> [Float] { NavigationTone.samples(of: sound, sampleRate: 48_000) }

    @Test("each is short, quiet and soft: -30 dBFS at most, at most 30 ms, without a jump", arguments: NavigationSound.allCases)
    func shape(sound: NavigationSound) throws {
        let tone = tone(sound)
        let greatest = try #require(tone.map { abs($0) }.max())
        #expect(abs(20 * log10f(greatest) + 30) < 0.1)
        #expect(tone.count >= 480 && tone.count <= 1440)
        #expect(tone[0] == 0 && abs(tone[tone.count - 1]) < greatest / 1000)
        // The steepest place of a sine of 1200 Hz.
        #expect(zip(tone, tone.dropFirst()).allSatisfy { abs($0 - $1) < greatest * 2 * .pi * 1200 / 48_000 * 1.1 })
        #expect(NavigationSound.allCases.filter { self.tone($0) == tone } == [sound], "each can be told from the others")
        #expect(NavigationTone.samples(of: sound, sampleRate: 0).isEmpty)
    }

    /// Where a tone was heard on the tape of a bench above a level: the place of its first sample; nil unless it is there exactly once.
    private func place(of sound: NavigationSound, above level: Float = 0, _ bench: FeederBench, from start: Int) -> Int? {
        let tone = tone(sound)
        // The very first sample is silent.
        guard let first = (start..<bench.device.heard).first(where: { abs(bench.device.sample($0) - level) > 1e-6 }) else {
            return nil
        }
        let begin = first - (tone.firstIndex { abs($0) > 1e-6 } ?? 0)
        for frame in start..<bench.device.heard {
            let index = frame - begin
            let wanted = level + (tone.indices.contains(index) ? tone[index] : 0)
            for channel in 0..<2 where abs(bench.device.sample(frame, channel) - wanted) > 2e-6 { return nil }
        }
        return begin
    }

    @Test("while nothing plays it is heard after the 8 ms that cannot be taken back", arguments: NavigationSound.allCases)
    func inSilence(sound: NavigationSound) throws {
        let bench = FeederBench()
        bench.run(4800)
        let asked = bench.device.heard
        bench.mix(UInt64(try #require(NavigationSound.allCases.firstIndex(of: sound))))
        bench.run(4800)
        let heard = try #require(place(of: sound, bench, from: asked))
        #expect(heard - asked <= 384)
        #expect(bench.exchange.report().frame == 0 && bench.exchange.report().underruns == 0)
    }

    @Test("a device that was just opened begins with it")
    func atOnce() {
        let bench = FeederBench()
        bench.mix(0)
        bench.run(4800)
        #expect(place(of: .move, bench, from: 0) == 0)
    }

    /// A bench on which a constant level plays.
    private func playing(_ level: Float = 0.25, frames: Int = 60_000, on bench: FeederBench = FeederBench()) -> FeederBench {
        let samples = [Float](repeating: level, count: 2 * frames)
        samples.withUnsafeBufferPointer { bench.exchange.write($0) }
        bench.play(after: 0)
        bench.run(9600)
        return bench
    }

    @Test("over a programme it follows what the device has, and no frame of the programme is taken back or changed")
    func overSound() throws {
        let bench = playing()
        let (asked, rewindings) = (bench.device.heard, bench.device.rewindings)
        bench.mix(1)
        bench.run(9600)
        let heard = try #require(place(of: .choose, above: 0.25, bench, from: asked))
        #expect(heard - asked <= bench.device.bufferFrames)
        #expect(bench.device.rewindings == rewindings && bench.exchange.report().underruns == 0)
        #expect(bench.exchange.report().frame == bench.device.heard)
    }

    @Test("over a programme in a buffer that has grown beyond 100 ms it is in time, and the programme is whole")
    func overLongBuffer() throws {
        let bench = playing(on: FeederBench(bufferFrames: 9600))
        let asked = bench.device.heard
        bench.mix(1)
        bench.run(14_400)
        let heard = try #require(place(of: .choose, above: 0.25, bench, from: asked))
        #expect(heard - asked <= 4800, "\(heard - asked) frames later")
        #expect(bench.exchange.report().underruns == 0 && bench.exchange.report().frame == bench.device.heard)
    }

    @Test("where such a device takes nothing back the sound is dropped, and the programme is whole")
    func overLongBufferThatStays() {
        let bench = playing(on: FeederBench(rewinds: false, bufferFrames: 9600))
        let asked = bench.device.heard
        bench.mix(1)
        bench.run(14_400)
        #expect((asked..<bench.device.heard).allSatisfy { bench.device.sample($0) == 0.25 })
        #expect(bench.exchange.report().underruns == 0)
    }

    @Test("one that would be late is dropped, and not heard later", arguments: [true, false])
    func late(isPlaying: Bool) {
        let bench = isPlaying ? playing() : FeederBench()
        bench.device.latency = 1500
        bench.run(4800)
        let asked = bench.device.heard
        bench.mix(0, within: 30)
        bench.run(9600)
        #expect((asked..<bench.device.heard).allSatisfy { bench.device.sample($0) == (isPlaying ? 0.25 : 0) })
        bench.mix(0)
        bench.run(9600)
        #expect((asked..<bench.device.heard).contains { bench.device.sample($0) != (isPlaying ? 0.25 : 0) })
    }

    @Test("one that is asked for while another is heard is dropped; none waits")
    func oneAtATime() throws {
        let bench = FeederBench()
        bench.run(4800)
        let asked = bench.device.heard
        for _ in 0..<4 {
            bench.mix(0)
            bench.turn()
            bench.device.pass(120)
        }
        bench.run(9600)
        #expect(place(of: .move, bench, from: asked) != nil, "one only, and whole")
        let later = bench.device.heard
        bench.mix(0)
        bench.run(4800)
        #expect(place(of: .move, bench, from: later) != nil)
    }

    @Test("a pause of the programme does not cut it off")
    func pausedMeanwhile() throws {
        let bench = FeederBench()
        bench.run(4800)
        let asked = bench.device.heard
        bench.mix(2)
        bench.turn()
        bench.device.pass(480)
        bench.pause()
        bench.run(4800)
        #expect(place(of: .edge, bench, from: asked) != nil)
    }

    @Test("it has the volume of the sink, and a muted sink is silent")
    func volume() {
        let bench = FeederBench()
        bench.exchange.volume.store(Float(0.5).bitPattern, ordering: .relaxed)
        bench.run(4800)
        bench.mix(0)
        bench.run(4800)
        let greatest = (0..<bench.device.heard).map { abs(bench.device.sample($0)) }.max() ?? 0
        #expect(abs(greatest - NavigationTone.peak / 2) < 1e-6)
        bench.exchange.volume.store(Float(0).bitPattern, ordering: .relaxed)
        let later = bench.device.heard
        bench.mix(0)
        bench.run(4800)
        #expect((later..<bench.device.heard).allSatisfy { bench.device.sample($0) == 0 })
    }

    // MARK: In a recording

    /// What a recording has, one channel after the other for each frame, from the start of the clock.
    private func record(_ play: (MainLoop, WAVSink) throws -> Void) throws -> [[Int]] {
        let path = "/tmp/marquee-tone-\(UInt32.random(in: 0 ... .max)).wav"
        defer { unlink(path) }
        let loop = try MainLoop(time: .simulated)
        let sink = try WAVSink(path: path, clock: loop.clock)
        try play(loop, sink)
        sink.close()
        let file = try #require(fopen(path, "rb"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        func word(_ place: Int) -> Int { Int(Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8)) }
        return stride(from: 44, to: count - 3, by: 4).map { [word($0), word($0 + 2)] }
    }

    private func wait(_ milliseconds: Int64, _ loop: MainLoop) {
        var isOver = false
        loop.clock.schedule(after: .milliseconds(milliseconds), rank: .timer) { isOver = true }
        loop.run(until: { isOver })
    }

    @Test("a recording has it at the instant at which it was asked for, in silence and over a programme")
    func recorded() throws {
        let frames = try record { loop, sink in
            wait(100, loop)
            sink.mix(.move, asked: loop.clock.now)
            // Another one is heard, and this one would be late.
            sink.mix(.edge, asked: loop.clock.now)
            wait(100, loop)
            sink.mix(.choose, asked: loop.clock.now - .milliseconds(101))
            wait(100, loop)
            _ = sink.enqueue(ArraySlice(repeating: 0.5, count: 2 * 9600))
            sink.play(at: loop.clock.now)
            wait(50, loop)
            sink.mix(.edge, asked: loop.clock.now - .milliseconds(99))
            wait(150, loop)
            _ = sink.timing()
        }
        func words(_ sound: NavigationSound) -> [Int] { tone(sound).map { Int(($0 * 32767).rounded()) } }
        let (move, edge) = (words(.move), words(.edge))
        func expected(_ frame: Int) -> Int {
            let level = frame >= 14_400 ? 16_384 : 0
            if frame >= 4800, frame - 4800 < move.count { return level + move[frame - 4800] }
            if frame >= 16_800, frame - 16_800 < edge.count { return level + edge[frame - 16_800] }
            return level
        }
        #expect(frames.count == 24_000)
        #expect(move.contains { $0 != 0 } && edge.contains { $0 != 0 })
        let wrong = frames.indices.first { index in frames[index].contains { abs($0 - expected(index)) > 1 } }
        #expect(wrong == nil)
    }

    @Test("a recording of bursts has none")
    func recordedBursts() throws {
        let frames = try record { loop, sink in
            let passage = try #require(sink.passage(codec: "ac3", sampleRate: 48_000))
            sink.pass(passage)
            wait(10, loop)
            sink.mix(.choose, asked: loop.clock.now)
            wait(100, loop)
        }
        #expect(frames.allSatisfy { $0 == [0, 0] })
    }
}
