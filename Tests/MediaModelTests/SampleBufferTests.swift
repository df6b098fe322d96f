import LinuxSupport
import MediaTime
import Testing

@testable import MediaModel

@Suite("SampleBuffer")
@MainActor
struct SampleBufferTests {
    private final class Payload: SamplePayload {
        let byteCount = 100
        func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
            try body(UnsafeRawBufferPointer(start: nil, count: 0))
        }
    }
    private final class Parameters: CodecParameters {
        let codecName = "none"
        func canContinue(as other: any CodecParameters) -> Bool { true }
    }

    @Test("no more is read ahead than a first picture needs until reading ahead is asked for, and then up to the limit")
    func heldBack() throws {
        let loop = try MainLoop(time: .simulated)
        let clock = loop.clock
        let (video, sound) = (TrackID(0), TrackID(1))
        let buffer = SampleBuffer(tracks: [video, sound], durationLimit: .seconds(10), isHeldBack: true, ledger: clock.ledger)
        let source = WorkerThread(name: "source", clock: clock)
        source.perform {
            for index in Int64(0)..<200 {
                for track in [video, sound] {
                    let time = MediaTime(index, 10)
                    let sample = EncodedSample(
                        track: track, presentationTime: time, decodeTime: time, duration: MediaTime(1, 10), isSync: true,
                        payload: Payload(), parameters: Parameters())
                    guard buffer.append(sample) else { return }
                }
            }
        }
        var seen: [MediaTime?] = []
        clock.schedule(after: .seconds(1)) {
            seen.append(buffer.bufferedUntil)
            buffer.readAhead()
        }
        clock.schedule(after: .seconds(2)) { seen.append(buffer.bufferedUntil) }
        loop.run(until: { seen.count == 2 })
        #expect(seen == [.seconds(2), .seconds(10)])
        buffer.cancel()
        source.stop()
    }
}
