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
}
