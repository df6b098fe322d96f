import LinuxSupport
import MediaModel
import Testing

@testable import Sound

@Suite("The device is open only while there is sound")
@MainActor
struct ClaimedSinkTests {
    @Test("it is opened with the first sound, closed on release, and opened again with the next sound")
    func trace() throws {
        let loop = try MainLoop(time: .simulated)
        var opened = 0
        let sink = ClaimedSink(name: "test", clock: loop.clock) { _ in
        } open: { _ in
            opened += 1
            return NullSink(clock: loop.clock)
        }
        sink.volume = 0.5
        sink.flush()
        sink.pause()
        sink.play(at: .zero)
        #expect(opened == 0 && sink.timing() == nil && sink.room == 24_000)
        #expect(sink.enqueue([0, 0, 0, 0]) == 2)
        #expect(opened == 1 && sink.isClaimed && sink.name == "null")
        sink.release()
        #expect(!sink.isClaimed)
        _ = sink.enqueue([0, 0])
        #expect(opened == 2)
        sink.close()
        #expect(sink.enqueue([0, 0]) == 0 && !sink.isClaimed)
    }

    @Test("a device that cannot be opened is reported once, and playback time continues without it")
    func failure() throws {
        let loop = try MainLoop(time: .simulated)
        var failures = 0
        let sink = ClaimedSink(name: "test", clock: loop.clock) { _ in
            failures += 1
        } open: { _ throws(MediaError) in
            throw MediaError(.soundLost, "It was made to fail.")
        }
        #expect(sink.enqueue([0, 0]) == 1 && sink.enqueue([0, 0]) == 1)
        #expect(failures == 1)
    }
}
