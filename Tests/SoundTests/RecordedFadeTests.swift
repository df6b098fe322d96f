import Glibc
import LinuxSupport
import MediaModel
import Testing

@testable import Sound

@Suite("Sound that is cut off or starts in the middle does not click")
@MainActor
struct RecordedFadeTests {
    private let path = "/tmp/marquee-fade-\(UInt32.random(in: 0 ... .max)).wav"
    private static let full: Float = 0.5

    /// Plays a constant level.
    ///
    /// - Returns: the recording, from the first audible frame.
    private func record(_ play: (MainLoop, WAVSink) -> Void) throws -> [Int] {
        let loop = try MainLoop(time: .simulated)
        let sink = try WAVSink(path: path, clock: loop.clock)
        defer { unlink(path) }
        play(loop, sink)
        sink.close()
        let file = try #require(fopen(path, "rb"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        return stride(from: 44, to: count - 3, by: 4).map {
            Int(Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8))
        }
    }

    private func enqueue(_ frames: Int, in sink: WAVSink) {
        _ = sink.enqueue(ArraySlice(repeating: Self.full, count: 2 * frames))
    }

    private func wait(_ milliseconds: Int64, _ loop: MainLoop) {
        var isOver = false
        loop.clock.schedule(after: .milliseconds(milliseconds), rank: .timer) { isOver = true }
        loop.run(until: { isOver })
    }

    /// The sample value of the level at a step of a fade of 480.
    private func word(_ step: Int) -> Int { Int((Self.full * Float(step) / 481 * 32767).rounded()) }

    @Test("a pause fades out in 480 equal steps from that frame, and resuming fades in over as many without losing a frame")
    func pause() throws {
        let words = try record { loop, sink in
            enqueue(24_000, in: sink)
            sink.play(at: loop.clock.now)
            wait(100, loop)
            sink.pause()
            wait(100, loop)
            sink.play(at: loop.clock.now)
            wait(500, loop)
            _ = sink.timing()
        }
        #expect(words[0..<4800].allSatisfy { $0 == word(481) })
        #expect(Array(words[4800..<5280]) == (1...480).reversed().map(word))
        #expect(words[5280..<9600].allSatisfy { $0 == 0 })
        #expect(Array(words[9600..<10_080]) == (1...480).map(word))
        #expect(words[10_080...].allSatisfy { $0 == word(481) })
        // 24,000 frames were heard, and a pause of 4800.
        #expect(words.count == 28_800)
    }

    @Test("a seek fades out and in; the start of a sound does not fade in")
    func seek() throws {
        for rises in [true, false] {
            let words = try record { loop, sink in
                enqueue(24_000, in: sink)
                sink.play(at: loop.clock.now)
                wait(100, loop)
                sink.pause()
                sink.flush()
                if rises { sink.rise() }
                enqueue(9600, in: sink)
                sink.play(at: loop.clock.now + .milliseconds(20))
                wait(500, loop)
                _ = sink.timing()
            }
            #expect(Array(words[4800..<5280]) == (1...480).reversed().map(word))
            #expect(words[5280..<5760].allSatisfy { $0 == 0 })
            #expect(Array(words[5760..<6240]) == (1...480).map { word(rises ? $0 : 481) })
            #expect(words[6240...].allSatisfy { $0 == word(481) } && words.count == 15_360)
        }
    }

    @Test("a pause during a fade-in fades out from the current level; resuming at once overwrites the fade-out")
    func quick() throws {
        let words = try record { loop, sink in
            sink.rise()
            enqueue(24_000, in: sink)
            sink.play(at: loop.clock.now)
            wait(5, loop)
            sink.pause()
            wait(2, loop)
            sink.play(at: loop.clock.now)
            wait(100, loop)
            _ = sink.timing()
        }
        #expect(Array(words[0..<240]) == (1...240).map(word))
        #expect(Array(words[240..<336]) == (144..<240).reversed().map(word))
        #expect(Array(words[336..<816]) == (1...480).map(word))
    }
}
