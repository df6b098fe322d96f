import LinuxSupport
import MediaModel
import MediaTime
import Sound
import Testing
import TestSupport

@testable import Playback

private func silence(_ count: Int) -> [Float] { [Float](repeating: 0, count: count) }

@Suite("Sound is placed by its asset time", .serialized)
@MainActor
struct AudioRendererTests {
    private struct Rig {
        let loop: MainLoop
        let sink: RecordingSink
        let renderer: AudioRenderer
        let queue: BoundedQueue<Decoded<AudioBuffer>>

        @MainActor init() throws {
            loop = try MainLoop(time: .simulated)
            sink = RecordingSink(NullSink(clock: loop.clock))
            renderer = AudioRenderer(sink: sink)
            queue = BoundedQueue(capacity: 100, ledger: nil)
        }

        /// Sound whose samples are their own numbers plus `mark`.
        func add(from first: Int, count: Int, at time: MediaTime? = nil, mark: Float = 0) {
            let samples = (first..<first + count).flatMap { [Float($0) + mark, Float($0) + mark] }
            _ = queue.tryPush(
                .media(
                    AudioBuffer(
                        format: AudioFormat(sampleRate: 48_000, channels: 2), samples: samples,
                        time: time ?? MediaTime(Int64(first), 48_000))))
        }

        @MainActor func begin(at time: MediaTime) {
            renderer.restart(at: time, queue: queue)
            renderer.takeIn()
            renderer.feed()
        }
    }

    @Test("consecutive buffers are delivered unchanged")
    func whole() throws {
        let rig = try Rig()
        rig.add(from: 0, count: 1000)
        rig.add(from: 1000, count: 500)
        rig.begin(at: .zero)
        #expect(firstDifference(rig.sink.enqueued, ramp(0..<1500)) == nil)
        #expect(rig.renderer.enqueuedUntil == MediaTime(1500, 48_000))
    }

    @Test("samples before the start position are dropped")
    func begins() throws {
        let rig = try Rig()
        rig.add(from: 0, count: 1000)
        rig.begin(at: MediaTime(400, 48_000))
        #expect(firstDifference(rig.sink.enqueued, ramp(400..<1000)) == nil)
    }

    @Test("an overlap is cut from the later buffer")
    func overlap() throws {
        let rig = try Rig()
        rig.add(from: 0, count: 1000)
        rig.add(from: 500, count: 1000, mark: 0.5)
        rig.begin(at: .zero)
        #expect(firstDifference(rig.sink.enqueued, ramp(0..<1000) + ramp(1000..<1500, mark: 0.5)) == nil)
    }

    @Test("a gap is filled with silence, so that later sound keeps its time")
    func hole() throws {
        let rig = try Rig()
        rig.add(from: 0, count: 1000)
        rig.add(from: 3000, count: 1000)
        rig.begin(at: .zero)
        #expect(firstDifference(rig.sink.enqueued, ramp(0..<1000) + silence(2000) + ramp(3000..<4000)) == nil)
    }

    @Test("sound that begins decades later is awaited in silence, piece by piece")
    func decades() throws {
        let rig = try Rig()
        rig.add(from: 0, count: 1000)
        rig.add(from: 0, count: 1000, at: .seconds(999_999_999))
        rig.begin(at: .zero)
        let expected = ramp(0..<1000) + silence(rig.sink.enqueued.count - 1000)
        #expect(rig.sink.enqueued.count > 20_000 && firstDifference(rig.sink.enqueued, expected) == nil)
        #expect(!rig.renderer.isAllEnqueued)
    }

    @Test("a gap of some seconds is exactly as long as its stamps say")
    func longGap() throws {
        let rig = try Rig()
        rig.add(from: 0, count: 1000)
        rig.add(from: 200_000, count: 1000)
        _ = rig.queue.tryPush(.end)
        rig.begin(at: .zero)
        rig.sink.play(at: .zero)
        var ticks = 0
        while !rig.renderer.isAllEnqueued, ticks < 100 {
            ticks += 1
            var isDone = false
            rig.loop.clock.schedule(at: HostTime(nanoseconds: Int64(ticks) * 100_000_000), rank: .sound) { isDone = true }
            rig.loop.run(until: { isDone })
            rig.renderer.feed()
        }
        #expect(firstDifference(rig.sink.enqueued, ramp(0..<1000) + silence(199_000) + ramp(200_000..<201_000)) == nil)
    }

    @Test("the sound of an item after one without sound for decades is awaited in silence")
    func laterItem() throws {
        let rig = try Rig()
        rig.add(from: 0, count: 1000)
        rig.begin(at: .zero)
        let next = BoundedQueue<Decoded<AudioBuffer>>(capacity: 4, ledger: nil)
        rig.renderer.follow(with: next, from: .zero, behind: .seconds(999_999_999), limit: nil)
        #expect(rig.sink.enqueued.count > 20_000)
        #expect(rig.renderer.enqueuedUntil.map { $0 < .zero } == true)
    }

    @Test("timestamps coarser than a sample cause neither a gap nor a cut")
    func rounding() throws {
        let rig = try Rig()
        for number in 0..<10 {
            let coarse = MediaTime(MediaTime(Int64(number) * 1024, 48_000).milliseconds, 1000)
            rig.add(from: number * 1024, count: 1024, at: coarse)
        }
        rig.begin(at: .zero)
        #expect(firstDifference(rig.sink.enqueued, ramp(0..<10_240)) == nil)
    }

    @Test("no sample at or after the limit is delivered, and lifting it continues with the next sample")
    func limit() throws {
        let rig = try Rig()
        rig.add(from: 0, count: 2000)
        rig.renderer.restart(at: .zero, queue: rig.queue)
        rig.renderer.limit = MediaTime(700, 48_000)
        rig.renderer.takeIn()
        rig.renderer.feed()
        #expect(rig.sink.enqueued.count == 700)
        rig.renderer.feed()
        #expect(rig.sink.enqueued.count == 700)
        rig.renderer.limit = nil
        rig.renderer.feed()
        #expect(firstDifference(rig.sink.enqueued, ramp(0..<2000)) == nil)
    }

    @Test("a full sink takes the rest later, and no sample is lost")
    func full() throws {
        let rig = try Rig()
        rig.add(from: 0, count: 30_000)
        rig.begin(at: .zero)
        #expect(rig.sink.enqueued.count == 24_000)
        rig.sink.play(at: .zero)
        var isDone = false
        rig.loop.clock.schedule(after: .milliseconds(300)) { isDone = true }
        rig.loop.run(until: { isDone })
        rig.renderer.feed()
        #expect(firstDifference(rig.sink.enqueued, ramp(0..<30_000)) == nil)
    }

    @Test("the position being heard is reported in asset time, across gaps and splices")
    func heard() throws {
        let rig = try Rig()
        rig.add(from: 48_000, count: 4800)
        rig.add(from: 57_600, count: 4800)
        rig.begin(at: seconds(1))
        rig.sink.play(at: .zero)
        for milliseconds in [Int64(50), 150, 250] {
            var isDone = false
            rig.loop.clock.schedule(at: HostTime(nanoseconds: milliseconds * 1_000_000), rank: .sound) { isDone = true }
            rig.loop.run(until: { isDone })
            let heard = try #require(rig.renderer.heard())
            #expect((heard.time - seconds(1, milliseconds)).magnitude <= MediaTime(1, 48_000))
        }
    }

    @Test("after the end, silence continues for as long as requested")
    func silenceLeads() throws {
        let rig = try Rig()
        rig.add(from: 0, count: 480)
        _ = rig.queue.tryPush(.end)
        rig.renderer.restart(at: .zero, queue: rig.queue)
        rig.renderer.takeIn()
        rig.renderer.feed(silenceUntil: .milliseconds(100))
        #expect(rig.renderer.isAtEnd)
        #expect(firstDifference(rig.sink.enqueued, ramp(0..<480) + silence(4320)) == nil)
    }

    @Test("a restart discards queued and decoded sound")
    func restart() throws {
        let rig = try Rig()
        rig.add(from: 0, count: 40_000)
        rig.begin(at: .zero)
        let other = BoundedQueue<Decoded<AudioBuffer>>(capacity: 4, ledger: nil)
        rig.renderer.restart(at: seconds(2), queue: other)
        rig.renderer.takeIn()
        rig.renderer.feed()
        #expect(rig.sink.enqueued.isEmpty)
        #expect(rig.renderer.enqueuedUntil == seconds(2))
    }
}
